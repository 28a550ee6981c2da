import * as Schema from "effect/Schema"
import { integer, Milliseconds } from "../input/Input.ts"
import { expectationNames } from "../verdicts/Expectations.ts"
import { ExpectedRequestInput } from "../verdicts/ExpectedRequest.ts"
import { TargetInput } from "../verdicts/ExpectationTarget.ts"
import { RetryDelayInput } from "../verdicts/RetryChecks.ts"
import { environmentFields } from "../environment/EnvironmentOptions.ts"
import { seedSchema } from "../generate/AddAll.ts"
import { changeSchemas } from "../generate/EditRecords.ts"
import { isoTime, recordSchemas } from "../state/RecordInput.ts"

const optional = Schema.optionalKey
const text = Schema.String

/** How an environment is created over HTTP; with a time, its clock is stopped until it is moved. */
export const EnvironmentInput = Schema.Struct({
  ...environmentFields,
  reproduce: optional(text),
  clock: optional(Schema.Union([Schema.Literal("real"), text]))
})

const records = recordSchemas(isoTime)

export const changeBodies = changeSchemas(records)

/** Records to add, and how many to generate from the seed. */
export const SeedBody = seedSchema(records)

/** Where the clock moves: by milliseconds, to a time, or to the end of the next delay. */
export const ClockBody = Schema.Union([
  Schema.Struct({ advanceMs: Milliseconds }),
  Schema.Struct({ set: text }),
  Schema.Struct({ runNext: Schema.Literal(true) })
]).annotate({ expected: 'an object with "advanceMs", "set" with a time, or "runNext": true' })

export const ExpectBody = Schema.Struct({
  expectations: Schema.Array(
    Schema.Struct({
      name: Schema.Literals(expectationNames),
      target: optional(TargetInput),
      request: optional(ExpectedRequestInput),
      count: optional(Schema.Int),
      deadlineMs: optional(Milliseconds),
      statuses: optional(Schema.Array(Schema.Int)),
      backoff: optional(Schema.Union([RetryDelayInput, Schema.Array(RetryDelayInput)]))
    })
  ).check(Schema.isMinLength(1, { expected: "an array with at least one expectation" }))
})

/** A condition to wait for: requests, and optionally the outcome of a call. */
export const WaitBody = Schema.Struct({
  requests: optional(integer(1)),
  target: optional(TargetInput),
  outcome: optional(Schema.Literals(["success", "failure", "unknown", "pending"])),
  timeoutMs: optional(Milliseconds)
})
