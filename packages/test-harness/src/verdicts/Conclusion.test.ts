import { assert, describe, it } from "@effect/vitest"
import { createFake } from "../environment/Fake.ts"
import * as Fault from "../faults/Fault.ts"
import { conclusionOf } from "./Conclusion.ts"

const unknown = { applied: "unknown", retry: "unless-harmful" } as const
const rejected = { applied: "no", retry: "useless" } as const
const refused = { applied: "no", retry: "safe" } as const
/** A client that aborts while it waits for the body need not use the status. */
const timedOut = { applied: "unknown", retry: "safe" } as const

describe("conclusionOf", () => {
  it.each([
    ["a success", [Fault.status(200)], { applied: "yes", retry: "useless" }],
    ["a refused connection", [Fault.refuse()], refused],
    ["a reset connection", [Fault.reset()], unknown],
    ["an incomplete response", [Fault.cutBody({ afterBytes: 1, failure: "reset" })], unknown],
    ["503", [Fault.status(503)], unknown],
    ["408", [Fault.status(408)], unknown],
    [
      "a replayed 503",
      [Fault.status(503, { headers: { "idempotency-replay": "true" } })],
      { applied: "unknown", retry: "useless" }
    ],
    ["429", [Fault.rateLimited({ retryAfterMs: 1_000 })], refused],
    [
      "429 with an incomplete body",
      [Fault.rateLimited({ retryAfterMs: 0 }), Fault.cutBody({ afterBytes: 0, failure: "reset" })],
      refused
    ],
    [
      "429 whose body never ends",
      [Fault.rateLimited({ retryAfterMs: 0 }), Fault.cutBody({ afterBytes: 0, failure: "hang" })],
      timedOut
    ],
    ["425", [Fault.status(425)], refused],
    ["409", [Fault.status(409)], { applied: "unknown", retry: "useless" }],
    [
      "409 with Retry-After to a request with a key",
      [Fault.status(409, { headers: { "retry-after": "1" } })],
      { applied: "unknown", retry: "safe" }
    ],
    [
      "409 with Retry-After and an incomplete body",
      [Fault.status(409, { headers: { "retry-after": "1" } }), Fault.cutBody({ afterBytes: 0, failure: "reset" })],
      { applied: "unknown", retry: "safe" }
    ],
    ["404 with an incomplete body", [Fault.status(404), Fault.cutBody({ afterBytes: 0, failure: "reset" })], unknown],
    ["404", [Fault.status(404)], rejected],
    ["302", [Fault.status(302)], { applied: "unknown", retry: "useless" }]
  ] as const)("returns what %s proves", async (_name, faults, expected) => {
    const fake = createFake({ faults })
    const aborting = new AbortController()
    const response = await fake
      .fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
        method: "PATCH",
        body: "{}",
        headers: { authorization: `ApiKey ${fake.apiKey}`, "idempotency-key": "key" },
        signal: aborting.signal
      })
      .catch(() => undefined)
    const body = response?.text().catch(() => undefined)
    if (expected === timedOut) aborting.abort()
    await body
    assert.deepStrictEqual(fake.journal.entries().map(conclusionOf), [expected])
  })
})
