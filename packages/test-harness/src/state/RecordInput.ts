/**
 * The fields of the records that a test adds, and their schemas. Builders and the control API read them by the same
 * rules; only times differ, because JSON has no `Date`.
 */
import { EmailBlock, MessageButton, MessageCTA } from "@signalbox/core/internal/contract/Message"
import { StepFilter } from "@signalbox/core/internal/contract/StepFilter"
import { ChannelCredentials } from "@signalbox/core/internal/contract/Subscriber"
import {
  channels,
  jobProviderIds,
  jobTypes,
  messageStatuses,
  severities,
  workflowOrigins
} from "@signalbox/core/internal/contract/KnownValues"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { inputReader, NonEmpty } from "../input/Input.ts"
import {
  type Credentials,
  type EventRecord,
  type IntegrationRecord,
  type MessageRecord,
  type StepRecord,
  type SubscriberRecord,
  timeUnits,
  type WorkflowRecord
} from "./Records.ts"

/** A time: a `Date`, a string in ISO 8601, or milliseconds since 1970. */
export type TimeInput = Date | string | number

/** The fields of a record to add: some are required, and the fields with a time take each form of it. */
type Input<Stored, Required extends keyof Stored, Times extends keyof Stored> = Pick<Stored, Required> &
  Partial<Omit<Stored, Required | Times | "sequence" | "seed">> & { readonly [Name in Times]?: TimeInput }

/** A subscriber to add: the external id and optional fields. */
export type SubscriberInput = Input<SubscriberRecord, "subscriberId", "createdAt" | "updatedAt" | "lastOnlineAt">

/** An integration to add: the provider and optional fields. */
export type IntegrationInput = Input<IntegrationRecord, "providerId", "createdAt">

/** A step of a workflow to add: its kind and optional fields. */
export type StepInput = Pick<StepRecord, "type"> & Partial<StepRecord>

/** A workflow to add: its identifier, its steps and optional fields. */
export type WorkflowInput = Omit<Input<WorkflowRecord, "identifier", "createdAt">, "steps"> & {
  readonly steps: ReadonlyArray<StepInput>
}

/** A message to add: its subscriber and optional fields. */
export type MessageInput = Omit<
  Input<MessageRecord, "subscriberId", "createdAt" | "lastReadDate" | "lastSeenDate" | "snoozedUntil">,
  "deliveredAt"
> & { readonly deliveredAt?: ReadonlyArray<TimeInput> }

/** An event to add: its subscriber, its workflow (identifier, id or name) and optional fields. */
export type EventInput = Input<EventRecord, "subscriberId", "createdAt"> & { readonly workflow?: string }

/** The fields of a record, read: times are milliseconds since 1970. @internal */
export type Fields<Stored, Required extends keyof Stored> = Pick<Stored, Required> & Partial<Omit<Stored, Required>>

const optional = Schema.optionalKey
const text = Schema.String
const nullable = Schema.NullOr(Schema.String)
const strings = Schema.Array(Schema.String)
const record = Schema.Record(Schema.String, Schema.Unknown)
const severity = Schema.Literals(severities)

const isoRule = "an ISO 8601 time, such as 2026-05-01T08:00:00Z"

/** A time in JSON: an ISO 8601 string, read as milliseconds since 1970. @internal */
export const isoTime = Schema.String.annotate({ expected: isoRule })
  .check(Schema.makeFilter((value: string) => !Number.isNaN(Date.parse(value)), { expected: isoRule }))
  .pipe(
    Schema.decodeTo(
      Schema.Finite,
      SchemaTransformation.transform({
        decode: (value: string) => Date.parse(value),
        encode: (value: number) => new Date(value).toISOString()
      })
    )
  )

const credentials: Schema.Codec<Credentials> = ChannelCredentials

const timeRule = "a Date, an ISO 8601 time, such as 2026-05-01T08:00:00Z, or milliseconds since 1970"

const millisOf = (value: unknown): number =>
  typeof value === "number" ? value : value instanceof Date || typeof value === "string" ? +new Date(value) : Number.NaN

/** A time of any form, in milliseconds since 1970. */
const anyTime = Schema.Unknown.check(
  Schema.makeFilter((value) => Number.isFinite(millisOf(value)), { expected: timeRule })
).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform<number, unknown>({ decode: millisOf, encode: (value) => value })
  )
)

const stepTypes = jobTypes.filter((type) => type !== "trigger")

const amount = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0, { expected: "a number, 0 or more" }))

/** The schema of a step. @internal */
export const StepSchema = Schema.Struct({
  type: Schema.Literals(stepTypes),
  id: optional(text),
  templateId: optional(text),
  name: optional(text),
  subject: optional(text),
  content: optional(text),
  redirect: optional(text),
  buttons: optional(Schema.Array(MessageButton)),
  active: optional(Schema.Boolean),
  stopOnFail: optional(Schema.Boolean),
  filters: optional(Schema.Array(StepFilter)),
  digestKey: optional(text),
  threshold: optional(Schema.Int),
  wait: optional(Schema.Struct({ amount, unit: Schema.Literals(timeUnits) }))
})

/** The schema of one form of a time. @internal */
export type TimeSchema = Schema.Codec<number, unknown>

/** The schemas of records to add, with times of one form. @internal */
export const recordSchemas = <Time extends TimeSchema>(time: Time) => ({
  subscriber: Schema.Struct({
    subscriberId: NonEmpty,
    id: optional(text),
    firstName: optional(nullable),
    lastName: optional(nullable),
    email: optional(nullable),
    phone: optional(nullable),
    avatar: optional(nullable),
    locale: optional(nullable),
    timezone: optional(nullable),
    data: optional(Schema.NullOr(record)),
    topics: optional(strings),
    isOnline: optional(Schema.Boolean),
    lastOnlineAt: optional(time),
    channels: optional(
      Schema.Array(
        Schema.Struct({
          providerId: text,
          integrationId: text,
          integrationIdentifier: text,
          credentials
        })
      )
    ),
    version: optional(Schema.Int),
    deleted: optional(Schema.Boolean),
    createdAt: optional(time),
    updatedAt: optional(time)
  }),
  integration: Schema.Struct({
    providerId: Schema.Literals(jobProviderIds).annotate({
      expected: "a provider of the API document, such as fcm or sendgrid"
    }),
    id: optional(text),
    identifier: optional(text),
    name: optional(text),
    channel: optional(Schema.Literals(channels)),
    active: optional(Schema.Boolean),
    createdAt: optional(time)
  }),
  workflow: Schema.Struct({
    identifier: NonEmpty,
    id: optional(text),
    name: optional(text),
    description: optional(text),
    active: optional(Schema.Boolean),
    critical: optional(Schema.Boolean),
    severity: optional(severity),
    tags: optional(strings),
    origin: optional(Schema.Literals(workflowOrigins)),
    variables: optional(strings),
    createdAt: optional(time),
    steps: Schema.Array(StepSchema)
  }),
  message: Schema.Struct({
    subscriberId: NonEmpty,
    id: optional(text),
    eventId: optional(text),
    workflowId: optional(text),
    templateId: optional(text),
    channel: optional(Schema.Literals(channels)),
    providerId: optional(text),
    content: optional(Schema.Union([text, Schema.Array(EmailBlock)])),
    subject: optional(text),
    title: optional(text),
    cta: optional(MessageCTA),
    payload: optional(record),
    overrides: optional(record),
    contextKeys: optional(strings),
    transactionId: optional(text),
    createdAt: optional(time),
    deliveredAt: optional(Schema.Array(time)),
    read: optional(Schema.Boolean),
    seen: optional(Schema.Boolean),
    lastReadDate: optional(time),
    lastSeenDate: optional(time),
    snoozedUntil: optional(time),
    email: optional(text),
    phone: optional(text),
    directWebhookUrl: optional(text),
    deviceTokens: optional(strings),
    status: optional(Schema.Literals(messageStatuses)),
    errorId: optional(text),
    errorText: optional(text)
  }),
  event: Schema.Struct({
    subscriberId: NonEmpty,
    id: optional(text),
    workflow: optional(text),
    workflowId: optional(text),
    createdAt: optional(time),
    severity: optional(severity),
    critical: optional(Schema.Boolean),
    transactionId: optional(text),
    channels: optional(strings),
    payload: optional(record),
    overrides: optional(record),
    tags: optional(strings),
    topics: optional(Schema.Array(Schema.Struct({ id: text, key: text, subscriptionId: optional(text) }))),
    contextKeys: optional(strings)
  })
})

/** The schemas of records that a program adds. @internal */
export const records = recordSchemas(anyTime)

/**
 * Readers of records to add.
 *
 * @throws RangeError, from each, in one line that names the field and what is expected there.
 *
 * @internal
 */
export const readRecord = {
  subscriber: inputReader("subscriber", () => records.subscriber),
  integration: inputReader("integration", () => records.integration),
  workflow: inputReader("workflow", () => records.workflow),
  message: inputReader("message", () => records.message),
  event: inputReader("event", () => records.event)
}
