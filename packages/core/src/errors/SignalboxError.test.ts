import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inspect } from "node:util"
import { clientLayer, makeTransport } from "../../test/transport/Transport.ts"
import { Events } from "../services/Events.ts"
import type * as ListEventsErrorModule from "./ListEventsError.ts"
import { ListEventsError } from "./ListEventsError.ts"
import { NotFound } from "./Reason.ts"
import { isSignalboxError } from "./SignalboxError.ts"

const facts = {
  operation: "events.list",
  message: "events.list failed: 404 Not Found. Check the identifiers.",
  advice: "Check the identifiers.",
  mayHaveBeenApplied: false,
  reason: new NotFound({ message: "404 Not Found", status: 404 }),
  attempts: []
} as const

describe("isSignalboxError", () => {
  it("knows the errors of operations and nothing else", () => {
    assert.isTrue(isSignalboxError(new ListEventsError(facts)))
    for (const value of [undefined, null, "text", new Error("no"), { _tag: "ListEventsError" }, facts.reason]) {
      assert.isFalse(isSignalboxError(value))
    }
  })
  it("knows the errors of another copy of the package", async () => {
    // The query makes the loader evaluate the module once more.
    const other: string = "./ListEventsError.ts?copy"
    const copy = (await import(other)) as typeof ListEventsErrorModule
    const error = new copy.ListEventsError(facts)
    assert.notInstanceOf(error, ListEventsError)
    assert.isTrue(isSignalboxError(error))
  })
})

describe("an error of an operation", () => {
  it("has what to do in its JSON and in what inspect shows, so that logs can be searched for it", () => {
    const error = new ListEventsError(facts)
    assert.propertyVal(JSON.parse(JSON.stringify(error)), "advice", facts.advice)
    assert.include(inspect(error), `advice: '${facts.advice}'`)
  })
  it.effect("ends a sentence once where the service's own words do", () =>
    Effect.gen(function* () {
      const transport = makeTransport(() => Response.json({ message: "no entry." }, { status: 404 }))
      const { message, advice } = yield* Events.use((events) => events.list()).pipe(
        Effect.flip,
        Effect.provide(clientLayer(transport))
      )
      assert.strictEqual(message, `events.list failed: 404 Not Found: no entry. ${advice}`)
    })
  )
})
