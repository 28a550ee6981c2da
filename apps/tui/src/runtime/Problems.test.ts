import { ConnectionError } from "@signalbox/core/Connection"
import { ListEventsError, MarkManyMessagesAsError, MarkMessagesAsError } from "@signalbox/core/Errors"
import * as Errors from "@signalbox/core/Errors"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import { problemReport } from "@signalbox/operator/report/ProblemReport"
import { outcomeName, problemFrom } from "./Problems.ts"

const next = "Check the API key and that it belongs to this base URL."
const forbidden = new Errors.Forbidden({ message: "403", status: 403 })

describe("a failure in words", () => {
  it("reports what happened and what to do, each once", () => {
    const error = new ListEventsError({
      operation: "events.list",
      message: `events.list failed: 403 Forbidden. ${next}`,
      advice: next,
      mayHaveBeenApplied: false,
      reason: forbidden,
      attempts: [],
      requestId: "req-1",
      status: 403
    })
    assert.deepStrictEqual(problemFrom(Cause.fail(error), 7), {
      summary: "Reading events failed: 403 Forbidden.",
      advice: next,
      requestId: "req-1",
      fields: [],
      at: 7
    })
  })
  it("names the way to read a changed API key", () => {
    const error = new ListEventsError({
      operation: "events.list",
      message: `events.list failed: 401 Unauthorized. ${next}`,
      advice: next,
      mayHaveBeenApplied: false,
      reason: new Errors.Unauthorized({ message: "401", status: 401 }),
      attempts: []
    })
    assert.match(
      problemFrom(Cause.fail(error), 7).advice,
      /; :connect NAME reads the key of the configuration file again\.$/u
    )
  })
  it("has the words of the screens, not those of the SDK", () => {
    const error = new ListEventsError({
      operation: "events.list",
      message: "events.list failed after 3 attempts: the connection failed with UND_ERR_SOCKET.",
      advice: next,
      mayHaveBeenApplied: false,
      reason: forbidden,
      attempts: []
    })
    assert.strictEqual(
      problemFrom(Cause.fail(error), 7).summary,
      "Reading events failed after 3 attempts: the connection was closed by the server."
    )
    assert.strictEqual(outcomeName("RateLimited"), "rate limited")
  })
  it("ends with a link to the documentation, where errors have one, in what is sent to support too", () => {
    const advice = `${next} See https://docs.example.com/errors/#forbidden`
    const error = new ListEventsError({
      operation: "events.list",
      message: `events.list failed: 403 Forbidden. ${advice}`,
      advice,
      mayHaveBeenApplied: false,
      reason: forbidden,
      attempts: []
    })
    const problem = problemFrom(Cause.fail(error), 7)
    assert.strictEqual(problem.summary, "Reading events failed: 403 Forbidden.")
    assert.strictEqual(problem.advice, advice)
    assert.include(problemReport(problem, "staging"), `Next: ${advice}\n`)
  })
  it("names nothing that only code can change, and keeps what is said of a change in doubt", () => {
    const described = { message: "x" }
    const reasons = [
      [
        new Errors.Timeout({ ...described, delivery: "unknown", scope: "attempt", limitMs: 10_000 }),
        "The service did not respond in time: retry."
      ],
      [
        new Errors.MalformedResponse({ ...described, status: 200, accepted: false }),
        "Check the base URL: another server may have responded."
      ],
      [
        new Errors.ServerFailure({ ...described, status: 500, replayed: true }),
        "This is a stored response; retry when the service has recovered."
      ]
    ] as const
    for (const [reason, advice] of reasons) {
      const facts = {
        operation: "messages.markAs",
        message: "x",
        advice: "Set a policy.",
        attempts: [],
        reason
      } as const
      const problem = problemFrom(Cause.fail(new MarkMessagesAsError({ ...facts, mayHaveBeenApplied: false })), 0)
      assert.strictEqual(problem.advice, advice)
      const inDoubt = problemFrom(Cause.fail(new MarkMessagesAsError({ ...facts, mayHaveBeenApplied: true })), 0)
      assert.strictEqual(inDoubt.advice, "Set a policy.")
    }
  })
  it("of several calls reports how far they went, and what to do about the first that failed", () => {
    const first = new MarkMessagesAsError({
      operation: "messages.markAs",
      message: `messages.markAs failed: 403 Forbidden. ${next}`,
      advice: next,
      mayHaveBeenApplied: false,
      reason: forbidden,
      attempts: []
    })
    const error = new MarkManyMessagesAsError({
      message: `1 of 2 messages were marked. ${first.message}`,
      done: ["a"],
      failed: ["b"],
      notTried: [],
      errors: [first]
    })
    const { advice, summary } = problemFrom(Cause.fail(error), 7)
    assert.strictEqual(summary, "1 of 2 messages were marked. messages.markAs failed: 403 Forbidden.")
    assert.strictEqual(advice, next)
  })
  it("names the fields that the service complains about", () => {
    const reason = new Errors.Rejected({
      message: "422",
      status: 422,
      fields: [{ path: "credentials.webhookUrl", rule: "must be\n a URL" }]
    })
    const error = new MarkMessagesAsError({
      operation: "messages.markAs",
      message: "no",
      advice: "",
      mayHaveBeenApplied: false,
      reason,
      attempts: []
    })
    assert.deepStrictEqual(problemFrom(Cause.fail(error), 0).fields, [
      { path: "credentials.webhookUrl", message: "must be a URL" }
    ])
  })
  it("blames an invalid setting, and names its location", () => {
    const error = new ConnectionError({ message: "apiKey: must be one line.", setting: "apiKey", rule: "one line" })
    const { advice, summary } = problemFrom(Cause.fail(error), 0)
    assert.strictEqual(summary, "the connection cannot be opened: apiKey: must be one line.")
    assert.include(advice, "SIGNALBOX_ variables")
  })
  it("requests a report of our own defects", () => {
    const { advice, summary } = problemFrom(Cause.die(new TypeError("x is\nnot a function")), 0)
    assert.strictEqual(summary, "x is not a function")
    assert.include(advice, "please report it")
  })
})
