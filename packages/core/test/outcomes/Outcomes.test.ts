import { readFileSync } from "node:fs"
import { assert, describe } from "@effect/vitest"
import { it } from "../It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Credentials } from "../../src/services/Credentials.ts"
import { Events } from "../../src/services/Events.ts"
import * as IdempotencyPolicy from "../../src/policies/IdempotencyPolicy.ts"
import { Messages } from "../../src/services/Messages.ts"
import type { SignalboxError } from "../../src/errors/Errors.ts"
import { fork, clientLayer, makeTransport } from "../transport/Transport.ts"
import { errorsPage, tagsOfClasses, tagsOfPage } from "./ErrorsPage.ts"
import { type CallKind, callKinds, isRetried, mayHaveBeenApplied, outcomes, reasonFor } from "./Outcomes.ts"

const upsert = (credentials: { readonly deviceTokens?: ReadonlyArray<string> }) =>
  Credentials.use((service) => service.upsert("user-7", { providerId: "fcm", credentials }))

const calls: Record<CallKind, Effect.Effect<unknown, SignalboxError, Credentials | Messages | Events>> = {
  "events.list": Events.use((events) => events.list()),
  "messages.markAs": Messages.use((messages) => messages.markAs("user-7", { messageId: "m1", markAs: "read" })),
  "credentials.upsert": upsert({}),
  "credentials.upsert with device tokens": upsert({ deviceTokens: ["token-one"] }),
  "credentials.upsert with device tokens, keys honoured": Effect.provideService(
    upsert({ deviceTokens: ["token-one"] }),
    IdempotencyPolicy.IdempotencyPolicy,
    IdempotencyPolicy.serviceHonoursKeys(IdempotencyPolicy.random)
  )
}

describe("the outcome of every response", () => {
  for (const outcome of outcomes) {
    it.effect.each([...callKinds])(`${outcome.response}: %s`, function* (kind) {
      const transport = makeTransport(({ headers }) => outcome.respond(headers.get("idempotency-key") ?? ""))
      const fiber = yield* fork(Effect.flip(calls[kind]).pipe(Effect.provide(clientLayer(transport))))
      yield* TestClock.adjust("2 minutes")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.reason._tag, reasonFor(outcome, kind))
      if (outcome.isAnnounced && isRetried(outcome, kind)) assert.isAbove(transport.sent.length, 3)
      else assert.strictEqual(transport.sent.length, isRetried(outcome, kind) ? 3 : 1)
      assert.strictEqual(error.attempts.length, transport.sent.length)
      assert.strictEqual(error.mayHaveBeenApplied, mayHaveBeenApplied(outcome, kind))
      assert.isTrue(error.message.endsWith(` ${error.advice}`))
      assert.notInclude(error.message, "\n")
    })
  }
})

describe("docs/errors.md", () => {
  it("lists every reason", () => {
    assert.deepStrictEqual([...tagsOfPage].sort(), [...tagsOfClasses].sort())
  })
  it("is what the table gives (pnpm --filter @signalbox/core errors-page writes it)", () => {
    assert.strictEqual(readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8"), errorsPage())
  })
})
