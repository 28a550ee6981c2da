import { assert, describe, it, vi } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { clientOn, emptyPage, json } from "../../test/AnsweredClient.ts"
import { createCredentialsClient } from "../index.ts"
import { linesOf } from "./Lines.ts"

describe("the lines of debug", () => {
  it("include the warnings, which are written nowhere else", async () => {
    const fake = createFake({ data: "demo" })
    const { subscriberId } = fake.addSubscriber({ subscriberId: "user-7" })
    const console = vi.spyOn(globalThis.console, "log")
    const lines: Array<string> = []
    for (const debug of [(line: string) => void lines.push(line), undefined]) {
      await using client = createCredentialsClient({
        apiKey: fake.apiKey,
        baseUrl: fake.baseUrl,
        fetch: fake.fetch,
        ...(debug === undefined ? {} : { debug })
      })
      const unusual: object = { providerId: "slack", credentials: { channel: "roof" } }
      // JavaScript callers can pass what the types forbid.
      await client.credentials.upsert.result(subscriberId, unusual as { providerId: "slack"; credentials: {} })
    }
    assert.strictEqual(lines[0], "warn credentials.upsert: channel of provider slack is unusual; sent unchanged")
    assert.strictEqual(console.mock.calls.length, 0)
    console.mockRestore()
  })

  it("show each attempt with its number, delay and request id", () => {
    const lines: Array<string> = []
    const { attempt } = linesOf((line) => void lines.push(line))
    const first = { number: 1, startedAt: 0, durationMs: 12, delayMs: 0, outcome: "TransportFailure" }
    attempt("events.list", first)
    attempt("messages.markAs", { ...first, number: 2, delayMs: 1, outcome: "ServerFailure", status: 503 })
    attempt("events.list", { ...first, number: 3, delayMs: 250, outcome: "success", status: 200, requestId: "r-3" })
    assert.deepStrictEqual(lines, [
      "events.list attempt 1: no response TransportFailure in 12 ms",
      "messages.markAs attempt 2: 503 ServerFailure in 12 ms after a delay of 1 ms",
      "events.list attempt 3: 200 success in 12 ms after a delay of 250 ms (request r-3)"
    ])
  })

  it("show how a call ended, and count all drift", async () => {
    const lines: Array<string> = []
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`extra${at}`, at]))
    const { client } = clientOn(
      (_request, count) => {
        if (count === 1) return json(emptyPage)
        if (count === 2) return json({ ...emptyPage, ...many }, { headers: { "idempotency-replay": "true" } })
        return new Response(null, { status: 404 })
      },
      { debug: (line) => void lines.push(line.replaceAll(/in [\d.]+ ms/gu, "in N ms")) }
    )
    await client.events.list()
    await client.events.list()
    const failed = await client.events.list.result()
    assert(!failed.ok)
    const ofCalls = lines.filter((line) => !line.startsWith("warn "))
    assert.deepStrictEqual(ofCalls, [
      "events.list attempt 1: 200 success in N ms",
      "events.list succeeded in N ms, attempts: 1",
      "events.list attempt 1: 200 success in N ms",
      "events.list succeeded in N ms, attempts: 1 drift: 150 (stored response)",
      "events.list attempt 1: 404 NotFound in N ms",
      failed.error.message
    ])
  })
})
