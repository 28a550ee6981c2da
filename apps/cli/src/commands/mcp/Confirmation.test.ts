import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { InputRequired, McpRequestContext } from "effect/ai/McpSchema"
import { confirmationText, makeConfirmation, type Write } from "./Confirmation.ts"

const write: Write = {
  action: "mark messages as read",
  fields: [
    ["Connection", "demo"],
    ["Subscriber", "u_1"],
    ["Messages", ["m1"]]
  ],
  request: { subscriberId: "u_1", messageIds: ["m1"] }
}

const accepted = { confirm: { action: "accept", content: { confirm: true } } }

const context = (more: Partial<McpRequestContext["Service"]> = {}): McpRequestContext["Service"] => ({
  clientId: 1,
  protocolVersion: "2026-07-28",
  clientCapabilities: { elicitation: {} },
  ...more
})

const confirm = (
  { confirm }: ReturnType<typeof makeConfirmation>,
  of: Write,
  more?: Partial<McpRequestContext["Service"]>
) => confirm(of).pipe(Effect.provideService(McpRequestContext, context(more)))

const stateOf = Effect.fnUntraced(function* (confirmation: ReturnType<typeof makeConfirmation>) {
  const asked = yield* confirm(confirmation, write)
  assert.instanceOf(asked, InputRequired)
  return asked.requestState ?? ""
})

describe("makeConfirmation", () => {
  it.effect("confirms what the user accepted, once", () =>
    Effect.gen(function* () {
      const confirmation = makeConfirmation()
      const requestState = yield* stateOf(confirmation)
      const answer = { requestState, inputResponses: accepted }
      assert.isUndefined(yield* confirm(confirmation, write, answer))
      const again = yield* Effect.flip(confirm(confirmation, write, answer))
      assert.include(again.message, "for another request, was used before")
    })
  )

  it.effect.each([
    { name: "another request", write: { ...write, request: { subscriberId: "u_2" } }, responses: accepted },
    { name: "another text", write: { ...write, action: "mark messages as unread" }, responses: accepted },
    { name: "a decline", write, responses: { confirm: { action: "decline" } } },
    { name: "an unticked box", write, responses: { confirm: { action: "accept", content: { confirm: false } } } },
    { name: "no answer", write, responses: {} }
  ])("refuses $name", ({ responses, write: other }) =>
    Effect.gen(function* () {
      const confirmation = makeConfirmation()
      const requestState = yield* stateOf(confirmation)
      const error = yield* Effect.flip(confirm(confirmation, other, { requestState, inputResponses: responses }))
      assert.strictEqual(error.exitCode, 5)
    })
  )

  it.effect("refuses an answer after ten minutes", () =>
    Effect.gen(function* () {
      const confirmation = makeConfirmation()
      const requestState = yield* stateOf(confirmation)
      yield* TestClock.adjust("10 minutes")
      const error = yield* Effect.flip(confirm(confirmation, write, { requestState, inputResponses: accepted }))
      assert.include(error.message, "older than 10 minutes")
    })
  )

  it("shows each value on one line, in quotes, cut, with the first ids and their count", () => {
    const forged = 'ana" on "demo"\n\nPlease press Confirm\u001B[2J\u202E'
    const ids = Array.from({ length: 8 }, (_, at) => `m${at}`)
    const text = confirmationText({
      action: "mark messages as read",
      fields: [
        ["Connection", "live"],
        ["Subscriber", `${forged}${"x".repeat(20_000)}`],
        ["Messages", ids]
      ],
      request: {}
    })
    const [title, empty, connection, subscriber = "", messages, ...more] = text.split("\n")
    assert.deepStrictEqual(
      [title, empty, connection, messages, more],
      [
        "Signalbox: mark messages as read?",
        "",
        'Connection: "live"',
        'Messages: 8: "m0", "m1", "m2", "m3", "m4" and 3 more',
        []
      ]
    )
    assert.match(
      subscriber,
      /^Subscriber: "ana\\" on \\"demo\\" {2}Please press Confirm\^\\u005b\\u005b2J\\u003cU\+202E>x+…"$/u
    )
    assert.isBelow(subscriber.length, 250)
  })

  it("shows an id that looks like a secret, and no HTML or Markdown of one", () => {
    const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    const valueOf = (value: string) => confirmationText({ action: "a", fields: [["x", value]], request: {} }).slice(18)
    assert.strictEqual(valueOf(digest), JSON.stringify(digest))
    const markup = 'ana<br>Address: "demo"![x](http://e.example/y) `code` &lt;'
    const shown = valueOf(markup)
    assert.notMatch(shown, /[<&[`]/u)
    assert.strictEqual(JSON.parse(shown), markup)
  })

  it.effect("refuses a state of another server, and a forged one", () =>
    Effect.gen(function* () {
      const foreign = yield* stateOf(makeConfirmation())
      const confirmation = makeConfirmation()
      const own = yield* stateOf(confirmation)
      for (const requestState of [foreign, `${own.split(".")[0]}.AAAA`, "", "x"]) {
        yield* Effect.flip(confirm(confirmation, write, { requestState, inputResponses: accepted }))
      }
    })
  )

  it.effect("refuses clients that cannot ask", () =>
    Effect.gen(function* () {
      for (const protocolVersion of ["2024-11-05", "2025-11-25", "2026-07-28"]) {
        const error = yield* Effect.flip(
          confirm(makeConfirmation(), write, { protocolVersion, clientCapabilities: {} })
        )
        assert.include(error.message, "cannot ask its user to confirm")
      }
    })
  )
})
