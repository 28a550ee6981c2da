import { ListEventsError, NotFound } from "@signalbox/core/Errors"
import { assert, describe, it } from "@effect/vitest"
import { failureText, failureOf } from "./Failure.ts"

describe("the line of a failed call", () => {
  it("ends with the link to the documentation, where errors have one", () => {
    const advice = "Check the identifiers. See https://docs.example.com/errors/#notfound"
    const error = new ListEventsError({
      operation: "events.list",
      message: `events.list failed: 404 Not Found. ${advice}`,
      advice,
      mayHaveBeenApplied: false,
      reason: new NotFound({ message: "404 Not Found", status: 404 }),
      attempts: []
    })
    assert.strictEqual(failureText(failureOf(error), false), `signalbox: ${error.message}\n`)
    assert.strictEqual(JSON.parse(failureText(failureOf(error), true)).error.message, error.message)
  })
})
