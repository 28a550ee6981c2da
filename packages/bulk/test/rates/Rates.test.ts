import { assert, describe, it } from "@effect/vitest"
import { createFake, type Fake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import { startImport } from "../../src/index.ts"
import { clientLayer, openSwitches, tempFolder, tokenLines, tokensBySubscriber, write } from "../TestService.ts"

const rows = 1000

/** Without headers, the limit is unknown until a rejection, which finds `concurrency` requests in progress. */
const headers = { "rateLimit.headers": "present" } as const
const retryAfter = { "rateLimit.headers": "absent", "rateLimit.retryAfter": "seconds" } as const

/** The requests that the service received, and those that it accepted; it rejected the others for their rate. */
const requestsOf = ({ journal }: Fake) => {
  const statuses = journal.entries().map(({ outcome }) => (outcome?._tag === "Response" ? outcome.status : 0))
  assert.isTrue(statuses.every((status) => status === 200 || status === 429))
  return { requests: statuses.length, accepted: statuses.filter((status) => status === 200).length }
}

describe("an import of 1,000 rows over sockets", () => {
  for (const [statement, concurrency, switches, mostRejected] of [
    ["headers", 50, headers, 0.02],
    ["headers", 200, headers, 0.02],
    ["Retry-After", 16, retryAfter, 0.02 + 16 / rows]
  ] as const) {
    it.live(`loses no row on the plan pro: ${statement}, concurrency ${concurrency}`, () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const fake = createFake({
          data: "empty",
          journalCapacity: 2 * rows,
          switches: { ...openSwitches, ...switches, "rateLimit.plan": "pro" }
        })
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => listen(fake)),
          ({ close }) => Effect.promise(close)
        )
        const input = write(folder, "tokens.ndjson", tokenLines(rows))
        const { counts } = yield* startImport({ input, concurrency }).pipe(
          Effect.provide(clientLayer(fake.apiKey, undefined, server.url))
        )
        assert.deepStrictEqual(counts, { succeeded: rows, failed: 0, unknown: 0, invalid: 0 })
        const stored = tokensBySubscriber(fake)
        assert.strictEqual(stored.size, rows)
        assert.isTrue([...stored.values()].every((tokens) => tokens.length === 1))
        const { accepted, requests } = requestsOf(fake)
        assert.strictEqual(accepted, rows)
        assert.isAtMost((requests - accepted) / requests, mostRejected)
      }).pipe(Effect.scoped)
    )
  }
})
