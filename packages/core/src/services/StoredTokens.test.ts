import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import { clientLayer, makeTransport, subscriber as anySubscriber } from "../../test/transport/Transport.ts"
import type { Subscriber } from "../models/Records.ts"
import { Warnings } from "../policies/Policies.ts"
import { Credentials } from "./Credentials.ts"
import { makeStoredTokens, repeatedEntriesIn, storedTokensIn } from "./StoredTokens.ts"

const entry = (deviceTokens: ReadonlyArray<string>, providerId = "fcm", _integrationId = "i1") => ({
  providerId,
  _integrationId,
  credentials: { deviceTokens }
})

const subscriber = (...channels: Subscriber["channels"] & {}): Subscriber => ({
  ...(anySubscriber as Subscriber),
  channels
})

const after = (stored: Subscriber, tokens: ReadonlyArray<string>, subscriberId = "ana") =>
  [subscriberId, storedTokensIn(stored, "fcm"), tokens] as const

describe("tokens that responses show", () => {
  it("are missing when a later response, or that of their own request, lacks them", () => {
    const tokens = makeStoredTokens()
    assert.deepStrictEqual(tokens.missingAfter(...after(subscriber(entry(["old", "t0"])), ["t0"])), [])
    assert.deepStrictEqual(tokens.missingAfter(...after(subscriber(entry(["old", "t1"])), ["t1"])), ["t0"])
    assert.deepStrictEqual(tokens.missingAfter(...after(subscriber(entry(["t0"])), ["t2"])), ["old", "t1", "t2"])
    tokens.forget("ana")
    assert.deepStrictEqual(tokens.missingAfter(...after(subscriber(entry(["t3"])), ["t3"])), [])
  })
  it("may be in any entry of the provider", () => {
    const tokens = makeStoredTokens()
    tokens.missingAfter(...after(subscriber(entry(["t0"])), ["t0"]))
    const moved = subscriber(entry([]), entry(["t0", "t1"], "fcm", "i2"))
    assert.deepStrictEqual(tokens.missingAfter(...after(moved, ["t1"])), [])
  })
  it("are not judged by a response without the provider's credentials", () => {
    const tokens = makeStoredTokens()
    assert.deepStrictEqual(tokens.missingAfter(...after(subscriber(entry(["x"], "expo")), ["t0"])), [])
  })
  it("are remembered for the last 1,000 entries only", () => {
    const tokens = makeStoredTokens()
    const stored = subscriber(entry(["t0"]))
    for (let at = 0; at <= 1_000; at++) tokens.missingAfter(...after(stored, ["t0"], `u${at}`))
    const lacking = subscriber(entry(["t1"]))
    assert.deepStrictEqual(tokens.missingAfter(...after(lacking, ["t1"], "u0")), [])
    assert.deepStrictEqual(tokens.missingAfter(...after(lacking, ["t1"], "u1000")), ["t0"])
  })
})

describe("several entries of one integration", () => {
  it("are returned without the first; entries of different integrations and providers are not", () => {
    const entries = [entry(["a"]), entry(["b"], "fcm", "i2"), entry(["c"]), entry(["d"], "expo")]
    assert.deepStrictEqual(repeatedEntriesIn({ channels: entries }), [entry(["c"])])
    assert.deepStrictEqual(repeatedEntriesIn({}), [])
  })
  for (const [channels, line] of [
    [[entry(["token-a"]), entry(["token-b"])], "several entries of one fcm integration"],
    [[entry(["token-a"])], "the response lacks device tokens"]
  ] as const) {
    it.effect(`and missing tokens are reported without the tokens: ${line}`, function* () {
      const lines: Array<string> = []
      const transport = makeTransport(() => Response.json(subscriber(...channels)))
      yield* Credentials.use((credentials) =>
        credentials.upsert("ana", { providerId: "fcm", credentials: { deviceTokens: ["token-a", "token-c"] } })
      ).pipe(
        Effect.provideService(Warnings, (warning) => Effect.sync(() => void lines.push(warning))),
        Effect.provide(clientLayer(transport))
      )
      assert.lengthOf(lines, 1)
      assert.include(lines[0], line)
      assert.notInclude(lines[0], "token-")
    })
  }
})
