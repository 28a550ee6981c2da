import { assert, describe, it } from "@effect/vitest"
import * as ErrorData from "./ErrorData.ts"
import {
  CallError,
  commonReasons,
  isSignalboxError,
  MarkManyMessagesAsError,
  operationErrors,
  writeReasons
} from "./Errors.ts"

const attempt = {
  number: 1,
  startedAt: 1,
  durationMs: 2,
  delayMs: 3,
  retryReason: "RateLimited",
  outcome: "Rejected",
  status: 422,
  requestId: "r1"
}

/** Every fact that a reason can have. */
const factsOfReason = {
  message: "no",
  detail: "no",
  fields: [{ path: "channel", rule: "is unknown" }],
  body: "{}",
  retryAfterMs: 5,
  status: 422,
  delivery: "unknown",
  code: "ECONNRESET",
  scope: "call",
  limitMs: 6,
  replayed: true,
  accepted: true,
  isCutOff: true
} as const

/** Every fact that an error can have besides its operation and its reason. */
const factsOfError = {
  message: "failed: no",
  advice: "Retry later.",
  mayHaveBeenApplied: true,
  attempts: [attempt],
  idempotencyKey: "key",
  requestId: "r1",
  status: 422
}

const reasons = [...commonReasons, ...writeReasons].map((Reason) => new Reason(factsOfReason))

const errorsWith = (reason: (typeof reasons)[number]) => {
  // An error of a class has the reasons of that class; here each has all of them.
  const facts = { ...factsOfError, reason } as never
  const own = Object.entries(operationErrors).map(
    ([operation, Class]) => new Class({ ...(facts as object), operation } as never)
  )
  const marks = new operationErrors["messages.markAs"]({ ...(facts as object), operation: "messages.markAs" } as never)
  return [
    ...own,
    new CallError({ ...factsOfError, operation: "topics.list", reason }),
    new MarkManyMessagesAsError({
      message: "no",
      done: ["m1"],
      failed: ["m2"],
      notTried: ["m3"],
      errors: [marks, marks]
    })
  ]
}

describe("an error as data", () => {
  it.each(reasons.map((reason) => [reason._tag, reason] as const))("has every fact of %s", (_, reason) => {
    for (const error of errorsWith(reason)) {
      const data = structuredClone(ErrorData.encode(error))
      assert.deepNestedInclude(data, { _tag: error._tag, reason: { _tag: reason._tag, ...factsOfReason } })
      assert.deepInclude(data, { mayHaveBeenApplied: true, requestId: "r1", idempotencyKey: "key", status: 422 })
      const copy = ErrorData.from(data)
      assert(isSignalboxError(copy))
      assert.strictEqual(copy.constructor, error.constructor)
      assert.strictEqual(copy.reason.constructor, reason.constructor)
      assert.deepStrictEqual(ErrorData.encode(copy), data)
      assert.deepStrictEqual(copy.toJSON(), error.toJSON())
      assert.strictEqual(copy.stack, error.stack)
    }
  })
})
