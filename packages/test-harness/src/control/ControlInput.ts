/**
 * What the control API takes in, as schemas.
 */
import { jobTypes } from "@signalbox/core/contract/Channel"
import { jobProviderIds } from "@signalbox/core/contract/Provider"
import * as Schema from "effect/Schema"
import { Milliseconds } from "../Input.ts"
import { environmentFields } from "../EnvironmentOptions.ts"
import { providerRule } from "../generate/Builders.ts"
import { AmountsInput } from "../generate/Generate.ts"
import { timeUnits } from "../state/Records.ts"

const optional = Schema.optionalKey
const text = Schema.String
const texts = Schema.Array(Schema.String)

/** How an environment is created over HTTP; with a time its clock stands still until it is moved. */
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
  generate: optional(AmountsInput)
})

/** How far the clock goes: by milliseconds, or to a time. */
export const ClockBody = Schema.Union([
  Schema.Struct({ advanceMs: Milliseconds }),
  Schema.Struct({ set: text })
]).annotate({ expected: 'an object with "advanceMs", or "set" with a time' })
