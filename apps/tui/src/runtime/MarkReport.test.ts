import { MarkManyMessagesAsError } from "@signalbox/core/MarkManyMessagesAsError"
import { MarkMessagesAsError } from "@signalbox/core/MarkMessagesAsError"
import * as Reason from "@signalbox/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import { markReportFrom } from "./MarkReport.ts"

const answered = { message: "said", status: 400 }
const rejected = new Reason.Rejected(answered)
const timeout = new Reason.Timeout({ message: "late", scope: "attempt", limit: 10_000 })
const notSent = new Reason.TransportFailure({ message: "refused", delivery: "not-sent" })
const reset = new Reason.TransportFailure({ message: "reset", delivery: "unknown" })
const unread = new Reason.MalformedResponse({ ...answered, status: 201, accepted: true })

const error = (reason: Reason.Reason, ...outcomesBefore: ReadonlyArray<string>) =>
  new MarkMessagesAsError({
    message: "messages.markAs failed",
    operation: "messages.markAs",
    reason,
    attempts: [...outcomesBefore, reason._tag].map((outcome, index) => ({
      number: index + 1,
      startedAt: 0,
      durationMs: 1,
      delayMs: 0,
      outcome
    }))
  })

const reportOf = (...errors: ReadonlyArray<MarkMessagesAsError>) =>
  markReportFrom(
    Cause.fail(new MarkManyMessagesAsError({ message: "1 of 3", done: ["a"], failed: ["b"], notTried: ["c"], errors })),
    ["a", "b", "c"]
  )

describe("what became of the messages of a mark", () => {
  it("is as the error says", () => {
    assert.deepStrictEqual(reportOf(error(rejected)), {
      done: ["a"],
      failed: ["b"],
      notTried: ["c"],
      failure: "refused"
    })
  })
  it("is nothing where the request was refused or did not leave", () => {
    for (const reason of [rejected, notSent]) assert.strictEqual(reportOf(error(reason)).failure, "refused")
  })
  it("is not known where it may have arrived, also in an attempt before the last", () => {
    for (const unsure of [error(timeout), error(reset), error(rejected, "Timeout")]) {
      assert.strictEqual(reportOf(unsure).failure, "unsure")
    }
  })
  it("is done where only the answer could not be read", () => {
    assert.strictEqual(reportOf(error(unread)).failure, "done")
  })
  it("is not known where calls failed in different ways", () => {
    assert.strictEqual(reportOf(error(rejected), error(timeout)).failure, "unsure")
    assert.strictEqual(reportOf(error(rejected), error(unread)).failure, "unsure")
  })
  it("is not known for any of them after a failure of another kind", () => {
    assert.deepStrictEqual(markReportFrom(Cause.fail(new Error("boom")), ["a"]), {
      done: [],
      failed: ["a"],
      notTried: [],
      failure: "unsure"
    })
  })
})
