import { MarkManyMessagesAsError, MarkMessagesAsError } from "@signalbox/core/Errors"
import * as Errors from "@signalbox/core/Errors"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import { failureOf, markReportFrom } from "./MarkReport.ts"

const answered = { message: "said", status: 400 }
const rejected = new Errors.Rejected(answered)
const timeout = new Errors.Timeout({ message: "late", delivery: "unknown", scope: "attempt", limitMs: 10_000 })
const unread = new Errors.MalformedResponse({ ...answered, status: 201, accepted: true })

const error = (reason: Errors.Reason, mayHaveBeenApplied: boolean) =>
  new MarkMessagesAsError({
    message: "messages.markAs failed",
    advice: "Repeat later.",
    mayHaveBeenApplied,
    operation: "messages.markAs",
    reason,
    attempts: []
  })

describe("what is known of a message whose mark failed", () => {
  it("is that nothing happened where the service cannot have done it", () => {
    assert.strictEqual(failureOf(error(rejected, false)).result, "refused")
  })
  it("is nothing where the service may have done it, or where there is no error to tell", () => {
    for (const reason of [timeout, rejected]) assert.strictEqual(failureOf(error(reason, true)).result, "unsure")
    assert.deepStrictEqual(failureOf(undefined), { result: "unsure" })
  })
  it("is that it was done where only the answer could not be read", () => {
    assert.strictEqual(failureOf(error(unread, true)).result, "done")
  })
  it("reports why, without the next step", () => {
    assert.strictEqual(failureOf(error(rejected, false)).why, "Marking messages failed")
  })
})

describe("the outcome of the messages of a mark", () => {
  it("equals that of the error", () => {
    const cause = Cause.fail(
      new MarkManyMessagesAsError({
        message: "1 of 3",
        done: ["a"],
        failed: ["b"],
        notTried: ["c"],
        errors: [error(rejected, false)]
      })
    )
    assert.deepStrictEqual(markReportFrom(cause, ["a", "b", "c"]), {
      done: ["a"],
      messages: [],
      failed: new Map([["b", { result: "unsure" as const }]]),
      notTried: ["c"]
    })
  })
  it("is not known for any of them after a failure of another kind", () => {
    assert.deepStrictEqual(markReportFrom(Cause.fail(new Error("boom")), ["a"]), {
      done: [],
      messages: [],
      failed: new Map([["a", { result: "unsure" as const }]]),
      notTried: []
    })
  })
})
