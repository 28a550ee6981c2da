import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import { inspect } from "node:util"
import { clientLayer, makeTransport } from "../../test/transport/Transport.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"
import type * as ListEventsErrorModule from "./Errors.ts"
import { ListEventsError, MarkManyMessagesAsError, MarkMessagesAsError, isSignalboxError } from "./Errors.ts"
import { NotFound } from "./Reason.ts"

const facts = {
  operation: "events.list",
  message: "events.list failed: 404 Not Found. Check the identifiers.",
  advice: "Check the identifiers.",
  mayHaveBeenApplied: false,
  reason: new NotFound({ message: "404 Not Found", status: 404 }),
  attempts: []
} as const

describe("isSignalboxError", () => {
  it("recognises the errors of operations and nothing else", () => {
    assert.isTrue(isSignalboxError(new ListEventsError(facts)))
    for (const value of [undefined, null, "text", new Error("no"), { _tag: "ListEventsError" }, facts.reason]) {
      assert.isFalse(isSignalboxError(value))
    }
  })
  it("recognises the errors of another copy of the package", async () => {
    // The query makes the loader evaluate the module again.
    const other: string = "./OperationErrors.ts?copy"
    const copy = (await import(other)) as typeof ListEventsErrorModule
    const error = new copy.ListEventsError(facts)
    assert.notInstanceOf(error, ListEventsError)
    assert.isTrue(isSignalboxError(error))
  })
})

/** Pino's output for an error: the type, message and stack, then every enumerable property. */
const pinoLine = (error: unknown): string => {
  const serialised = (value: unknown): unknown =>
    value instanceof Error
      ? {
          type: value.constructor.name,
          message: value.message,
          stack: value.stack,
          ...Object.fromEntries(Object.entries(value).map(([key, part]) => [key, serialised(part)]))
        }
      : value
  return JSON.stringify({ level: 50, err: serialised(error) })
}

/** The largest errors that a service can cause: long words, many fields, a large body, and every attempt failed. */
const hostile: ReadonlyArray<readonly [string, () => Response]> = [
  [
    "a large page",
    () => new Response(`<html><title>${"long ".repeat(1000)}</title>${"x".repeat(100_000)}`, { status: 502 })
  ],
  [
    "many long issues",
    () =>
      Response.json(
        {
          message: "m".repeat(5000),
          errors: Array.from({ length: 60 }, () => ({ path: "p".repeat(500), message: "r".repeat(5000) }))
        },
        { status: 422, headers: { "x-request-id": "r".repeat(36) } }
      )
  ],
  [
    "a body of an unknown shape",
    () => Response.json({ status: "s".repeat(5000) }, { status: 503, headers: { "x-request-id": "r".repeat(36) } })
  ]
]

const hostileErrorOf = (respond: () => Response) =>
  Credentials.use((credentials) => credentials.upsert("user-7", { providerId: "slack", credentials: {} })).pipe(
    Effect.flip,
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0 })),
    Effect.provide(clientLayer(makeTransport(respond)))
  )

describe("an error in a log", () => {
  it.effect.each(hostile.map(([name]) => name))("is at most 2 KB after %s, in every form", function* (name) {
    const respond = hostile.find(([other]) => other === name)?.[1] ?? (() => new Response())
    const error = yield* hostileErrorOf(respond)
    assert.isAtMost(JSON.stringify(error).length, 2048)
    assert.isAtMost(pinoLine(error).length, 2048)
    assert.isAtMost(inspect(error).length, 2048)
  })
  it("shows its class, its message and then its facts", () => {
    const lines = inspect(new ListEventsError(facts)).split("\n")
    assert.strictEqual(lines[0], `[ListEventsError: ${facts.message}] {`)
    assert.include(lines[1], "_tag: 'ListEventsError'")
    const wrapped = inspect(new Error("import failed", { cause: new ListEventsError(facts) }))
    assert.include(wrapped, `[cause]: [ListEventsError: ${facts.message}]`)
  })
  it("shows nothing of Effect", () => {
    const error = new ListEventsError(facts)
    const names = (value: object): Array<string> => {
      const found: Array<string> = []
      for (const name in value) found.push(name)
      return found
    }
    assert.deepStrictEqual(
      names(error).sort(),
      ["_tag", ...Object.keys(facts).filter((name) => name !== "message")].sort()
    )
    assert.deepStrictEqual(names(error.reason).sort(), ["_tag", "status"])
    assert.notMatch(inspect(error, { showHidden: true, depth: 5 }), /~effect|pipe/)
  })
  it("is plain data all the way down as JSON", () => {
    const isPlain = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      ([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)) &&
        Object.values(value).every(isPlain))
    assert.isTrue(isPlain(new ListEventsError(facts).toJSON()))
    const marked = new MarkMessagesAsError({ ...facts, operation: "messages.markAs" })
    const many = new MarkManyMessagesAsError({
      message: "0 of 2 messages were marked.",
      done: [],
      failed: ["m1"],
      notTried: ["m2"],
      errors: [marked]
    })
    assert.isTrue(isPlain(many.toJSON()))
    assert.deepInclude(many.toJSON(), { _tag: "MarkManyMessagesAsError", operation: "messages.markAs" })
  })
})

describe("Effect's handling of reasons", () => {
  const failed: Effect.Effect<string, ListEventsError> = Effect.fail(new ListEventsError(facts))
  it.effect("finds plain errors by their tags", function* () {
    assert.strictEqual(
      yield* failed.pipe(Effect.catchTag("ListEventsError", (error) => Effect.succeed(error.operation))),
      "events.list"
    )
    const caught = failed.pipe(
      Effect.catchReason("ListEventsError", "NotFound", ({ status }) => Effect.succeed(`${status}`))
    )
    assert.strictEqual(yield* caught, "404")
    const reason = yield* Effect.flip(failed.pipe(Effect.unwrapReason("ListEventsError")))
    assert.strictEqual(reason, facts.reason)
  })
})

describe("an error of an operation", () => {
  it("has what to do in its JSON and in what inspect shows, so that logs can be searched for it", () => {
    const error = new ListEventsError(facts)
    assert.propertyVal(JSON.parse(JSON.stringify(error)), "advice", facts.advice)
    assert.include(inspect(error), `advice: '${facts.advice}'`)
  })
  it.effect("ends a sentence once where the service's own words do", function* () {
    const transport = makeTransport(() => Response.json({ message: "no entry." }, { status: 404 }))
    const { message, advice } = yield* Events.use((events) => events.list()).pipe(
      Effect.flip,
      Effect.provide(clientLayer(transport))
    )
    assert.strictEqual(message, `events.list failed: 404 Not Found: no entry. ${advice}`)
  })
})
