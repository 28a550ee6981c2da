/**
 * The fields of the records that a test adds, and their schemas. Builders and the control API read them by the same
 * rules; only times differ, because JSON has no `Date`.
 */
import { EmailBlock, Message, MessageButton, MessageCTA } from "@signalbox/core/internal/contract/Message"
import { StepFilter } from "@signalbox/core/internal/contract/StepFilter"
import { ChannelCredentials, Subscriber } from "@signalbox/core/internal/contract/Subscriber"
import { Workflow } from "@signalbox/core/internal/contract/Workflow"
import {
  channels,
  jobProviderIds,
  jobTypes,
  severities,
  workflowOrigins
} from "@signalbox/core/internal/contract/KnownValues"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
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

/** The input of each kind of record. */
export interface RecordInputs {
  readonly subscribers: SubscriberInput
  readonly integrations: IntegrationInput
  readonly workflows: WorkflowInput
  readonly messages: MessageInput
  readonly events: EventInput
}

/** The fields of a record, read: times are milliseconds since 1970. @internal */
export type Fields<Stored, Required extends keyof Stored> = Pick<Stored, Required> & Partial<Omit<Stored, Required>>

const optional = Schema.optionalKey
const text = Schema.String
const strings = Schema.Array(Schema.String)
const record = Schema.Record(Schema.String, Schema.Unknown)
const severity = Schema.Literals(severities)

/** Some fields of a record of the API document, which an input may leave out. */
const optionalOf = <Fields extends Schema.Struct.Fields, const Names extends ReadonlyArray<keyof Fields>>(
  fields: Fields,
  names: Names
) => Struct.map(Struct.pick(fields, names), optional)

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
  subscribers: Schema.Struct({
    subscriberId: NonEmpty,
    id: optional(text),
    ...Struct.pick(Subscriber.fields, ["firstName", "lastName", "email", "phone", "avatar", "locale", "timezone"]),
    ...Struct.pick(Subscriber.fields, ["data", "topics"]),
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
  integrations: Schema.Struct({
    providerId: Schema.Literals(jobProviderIds),
    id: optional(text),
    identifier: optional(text),
    name: optional(text),
    channel: optional(Schema.Literals(channels)),
    active: optional(Schema.Boolean),
    createdAt: optional(time)
  }),
  workflows: Schema.Struct({
    identifier: NonEmpty,
    id: optional(text),
    ...optionalOf(Workflow.fields, ["name", "description", "active", "critical", "tags"]),
    severity: optional(severity),
    origin: optional(Schema.Literals(workflowOrigins)),
    variables: optional(strings),
    createdAt: optional(time),
    steps: Schema.Array(StepSchema)
  }),
  messages: Schema.Struct({
    subscriberId: NonEmpty,
    id: optional(text),
    eventId: optional(text),
    workflowId: optional(text),
    templateId: optional(text),
    channel: optional(Schema.Literals(channels)),
    providerId: optional(text),
    content: optional(Schema.Union([text, Schema.Array(EmailBlock)])),
    cta: optional(MessageCTA),
    ...optionalOf(Message.fields, ["transactionId", "read", "seen", "status"]),
    ...Struct.pick(Message.fields, ["subject", "title", "payload", "overrides", "contextKeys", "email", "phone"]),
    ...Struct.pick(Message.fields, ["directWebhookUrl", "deviceTokens", "errorId", "errorText"]),
    createdAt: optional(time),
    deliveredAt: optional(Schema.Array(time)),
    lastReadDate: optional(time),
    lastSeenDate: optional(time),
    snoozedUntil: optional(time)
  }),
  events: Schema.Struct({
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
  subscribers: inputReader("subscriber", () => records.subscribers),
  integrations: inputReader("integration", () => records.integrations),
  workflows: inputReader("workflow", () => records.workflows),
  messages: inputReader("message", () => records.messages),
  events: inputReader("event", () => records.events)
}
