/**
 * The schemas of the control API's input.
 */
import { severities } from "@signalbox/core/contract/Activity"
import { channels, jobTypes } from "@signalbox/core/contract/Channel"
import { jobProviderIds } from "@signalbox/core/contract/Provider"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { integer, Milliseconds } from "../Input.ts"
import { expectationNames } from "../verdicts/Expectations.ts"
import { TargetInput } from "../verdicts/ExpectationTarget.ts"
import { RetryDelayInput } from "../verdicts/RetryChecks.ts"
import { environmentFields } from "../EnvironmentOptions.ts"
import { providerRule } from "../generate/Builders.ts"
import { AmountsInput } from "../generate/Generate.ts"
import { timeUnits } from "../state/Records.ts"

const optional = Schema.optionalKey
const text = Schema.String
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

const subscriber = Schema.Struct({
  subscriberId: text,
  firstName: optional(text),
  lastName: optional(text),
  email: optional(text),
  phone: optional(text),
  avatar: optional(text),
  locale: optional(text),
  timezone: optional(text),
  data: optional(record),
  topics: optional(strings)
})

const integration = Schema.Struct({
  providerId: Schema.Literals(jobProviderIds).annotate({ expected: providerRule }),
  identifier: optional(text),
  name: optional(text),
  active: optional(Schema.Boolean)
})

const stepTypes = jobTypes.filter((type) => type !== "trigger")

const workflow = Schema.Struct({
  identifier: text,
  name: optional(text),
  description: optional(text),
  active: optional(Schema.Boolean),
  critical: optional(Schema.Boolean),
  severity: optional(severity),
  tags: optional(strings),
  steps: Schema.Array(
    Schema.Struct({
      type: Schema.Literals(stepTypes),
      name: optional(text),
      subject: optional(text),
      content: optional(text),
      redirect: optional(text),
      active: optional(Schema.Boolean),
      stopOnFail: optional(Schema.Boolean),
      digestKey: optional(text),
      threshold: optional(Schema.Int),
      wait: optional(
        Schema.Struct({
          amount: Schema.Int,
          unit: Schema.Literals(timeUnits)
        })
      )
    })
  )
})

const message = Schema.Struct({
  subscriberId: text,
  id: optional(text),
  channel: optional(Schema.Literals(channels)),
  content: optional(text),
  subject: optional(text),
  title: optional(text),
  cta: optional(record),
  payload: optional(record),
  transactionId: optional(text),
  createdAt: optional(time),
  read: optional(Schema.Boolean),
  seen: optional(Schema.Boolean)
})

const event = Schema.Struct({
  subscriberId: text,
  workflow: optional(text),
  createdAt: optional(time),
  severity: optional(severity),
  transactionId: optional(text),
  payload: optional(record),
  tags: optional(strings),
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

/** How far the clock goes: by milliseconds, or to a time. */
export const ClockBody = Schema.Union([
  Schema.Struct({ advanceMs: Milliseconds }),
  Schema.Struct({ set: text })
]).annotate({ expected: 'an object with "advanceMs", or "set" with a time' })

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
