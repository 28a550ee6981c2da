/**
 * What the control API takes in, as schemas.
 */
import { jobTypes } from "@signalbox/core/contract/Channel"
import { jobProviderIds } from "@signalbox/core/contract/Provider"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { providerRule } from "../generate/Builders.ts"
import { inputComplaint } from "../InputComplaint.ts"
import { timeUnits } from "../state/Records.ts"
import { failureKinds } from "../trigger/FailureKind.ts"

const optional = Schema.optionalKey
const text = Schema.String
const texts = Schema.Array(Schema.String)
const anything = Schema.Record(Schema.String, Schema.Unknown)

/** How an environment is made over HTTP; a time makes it stand at that time until it is advanced. */
export const EnvironmentInput = Schema.Struct({
  seed: optional(Schema.Int),
  preset: optional(text),
  switches: optional(Schema.Record(Schema.String, Schema.String)),
  vendor: optional(text),
  data: optional(Schema.Literals(["demo", "empty"])),
  events: optional(Schema.Int),
  journalCapacity: optional(Schema.Int),
  clock: optional(Schema.Union([Schema.Literal("real"), text]))
})

/** A trigger. */
export const TriggerBody = Schema.Struct({
  workflow: text,
  to: text,
  payload: optional(anything),
  overrides: optional(anything),
  transactionId: optional(text),
  topics: optional(texts),
  contextKeys: optional(texts),
  failures: optional(Schema.Record(Schema.String, Schema.Literals(failureKinds)))
})

const subscriber = Schema.Struct({
  subscriberId: text,
  firstName: optional(text),
  lastName: optional(text),
  email: optional(text),
  phone: optional(text),
  topics: optional(texts)
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
  steps: Schema.Array(
    Schema.Struct({
      type: Schema.Literals(stepTypes),
      name: optional(text),
      subject: optional(text),
      content: optional(text),
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
  content: optional(text),
  subject: optional(text),
  read: optional(Schema.Boolean),
  seen: optional(Schema.Boolean)
})

/** Records to add, and how much to draw from the seed. */
export const SeedBody = Schema.Struct({
  subscribers: optional(Schema.Array(subscriber)),
  integrations: optional(Schema.Array(integration)),
  workflows: optional(Schema.Array(workflow)),
  messages: optional(Schema.Array(message)),
  generate: optional(
    Schema.Struct({
      subscribers: optional(Schema.Int),
      events: optional(Schema.Int),
      messages: optional(Schema.Int)
    })
  )
})

/** How far the clock goes: by milliseconds, or to a time. */
export const ClockBody = Schema.Union([
  Schema.Struct({ advance: Schema.Finite }),
  Schema.Struct({ set: text })
]).annotate({ expected: 'an object with "advance", in milliseconds, or "set", a time' })

/**
 * Makes a reader of JSON values.
 *
 * @throws RangeError in one line that names the place and what is allowed there.
 */
export const reader = <Value>(subject: string, schema: Schema.Decoder<Value>): ((value: unknown) => Value) => {
  const read = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  return (value) => {
    const result = read(value)
    if (Result.isSuccess(result)) return result.success
    throw inputComplaint(subject, result.failure)
  }
}
