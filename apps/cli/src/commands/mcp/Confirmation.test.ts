import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { InputRequired, McpRequestContext } from "effect/ai/McpSchema"
import { makeConfirmation, type Write } from "./Confirmation.ts"

const write: Write = { summary: "mark 1 message of u_1 as read", request: { subscriberId: "u_1", messageIds: ["m1"] } }

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
      assert.include(again.message, "for another request, or was used before")
    })
  )

  it.effect.each([
    { name: "another request", write: { ...write, request: { subscriberId: "u_2" } }, responses: accepted },
    { name: "another summary", write: { ...write, summary: "mark 2 messages" }, responses: accepted },
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
