/**
 * The schemas of the control API's input.
 */
import { EmailBlock, MessageButton, MessageCTA } from "@signalbox/core/contract/Message"
import { StepFilter } from "@signalbox/core/contract/StepFilter"
import { ChannelCredentials } from "@signalbox/core/contract/Subscriber"
import {
  channels,
  jobProviderIds,
  jobTypes,
  messageStatuses,
  severities,
  workflowOrigins
} from "@signalbox/core/KnownValues"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { integer, Milliseconds } from "../Input.ts"
import { expectationNames } from "../verdicts/Expectations.ts"
import { TargetInput } from "../verdicts/ExpectationTarget.ts"
import { RetryDelayInput } from "../verdicts/RetryChecks.ts"
import { environmentFields } from "../EnvironmentOptions.ts"
import { providerRule } from "../generate/Builders.ts"
import { AmountsInput } from "../generate/Generate.ts"
import { RateLimitSchema } from "../request/RateLimit.ts"
import { type Credentials, timeUnits } from "../state/Records.ts"

const optional = Schema.optionalKey
const text = Schema.String
const nullable = Schema.NullOr(Schema.String)
const strings = Schema.Array(Schema.String)
const record = Schema.Record(Schema.String, Schema.Unknown)
const severity = Schema.Literals(severities)

/** A time as an ISO 8601 string, in milliseconds since 1970. */
const time = Schema.String.annotate({ expected: "an ISO 8601 time, such as 2026-05-01T08:00:00Z" })
  .check(
    Schema.makeFilter((value: string) => !Number.isNaN(Date.parse(value)), {
      expected: "an ISO 8601 time, such as 2026-05-01T08:00:00Z"
    })
  )
  .pipe(
    Schema.decodeTo(
      Schema.Finite,
      SchemaTransformation.transform({
        decode: (value: string) => Date.parse(value),
        encode: (value: number) => new Date(value).toISOString()
      })
    )
  )

/** How an environment is created over HTTP; with a time, its clock is stopped until it is moved. */
export const EnvironmentInput = Schema.Struct({
  ...environmentFields,
  reproduce: optional(text),
  clock: optional(Schema.Union([Schema.Literal("real"), text]))
})

const credentials: Schema.Codec<Credentials> = ChannelCredentials

const subscriber = Schema.Struct({
  subscriberId: text,
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
})

const integration = Schema.Struct({
  providerId: Schema.Literals(jobProviderIds).annotate({ expected: providerRule }),
  id: optional(text),
  identifier: optional(text),
  name: optional(text),
  channel: optional(Schema.Literals(channels)),
  active: optional(Schema.Boolean),
  createdAt: optional(time)
})

const stepTypes = jobTypes.filter((type) => type !== "trigger")

const step = Schema.Struct({
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
  wait: optional(Schema.Struct({ amount: Schema.Int, unit: Schema.Literals(timeUnits) }))
})

const workflow = Schema.Struct({
  identifier: text,
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
  steps: Schema.Array(step)
})

const message = Schema.Struct({
  subscriberId: text,
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
})

const event = Schema.Struct({
  subscriberId: text,
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
  topics: optional(Schema.Array(Schema.Struct({ id: text, key: text }))),
  contextKeys: optional(strings)
})

/** Records to add, and how many to generate from the seed. */
export const SeedBody = Schema.Struct({
  subscribers: optional(Schema.Array(subscriber)),
  integrations: optional(Schema.Array(integration)),
  workflows: optional(Schema.Array(workflow)),
  messages: optional(Schema.Array(message)),
  events: optional(Schema.Array(event)),
  generate: optional(AmountsInput)
})

/** Where the clock moves: by milliseconds, to a time, or to the end of the next delay. */
export const ClockBody = Schema.Union([
  Schema.Struct({ advanceMs: Milliseconds }),
  Schema.Struct({ set: text }),
  Schema.Struct({ runNext: Schema.Literal(true) })
]).annotate({ expected: 'an object with "advanceMs", "set" with a time, or "runNext": true' })

/** A custom rate limit; `null` returns to the plan of the switches. */
export const RateLimitBody = Schema.NullOr(RateLimitSchema)

/** Expectations to check. */
export const ExpectBody = Schema.Struct({
  expectations: Schema.Array(
    Schema.Struct({
      name: Schema.Literals(expectationNames),
      target: optional(TargetInput),
      count: optional(Schema.Int),
      deadlineMs: optional(Milliseconds),
      statuses: optional(Schema.Array(Schema.Int)),
      backoff: optional(Schema.Union([RetryDelayInput, Schema.Array(RetryDelayInput)]))
    })
  )
})

/** A condition to wait for: requests, and optionally the outcome of a call. */
export const WaitBody = Schema.Struct({
  requests: optional(integer(1)),
  target: optional(TargetInput),
  outcome: optional(Schema.Literals(["success", "failure", "unknown", "pending"])),
  timeoutMs: optional(Milliseconds)
})

/** A fault to remove, by its number in the list of armed faults. */
export const RemoveFaultBody = Schema.Struct({ number: integer(1) })
