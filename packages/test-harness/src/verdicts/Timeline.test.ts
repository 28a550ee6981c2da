import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { manualClock } from "../clock/ManualClock.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { createFake, expectFake, Fault, timeline } from "../index.ts"
import { listen } from "../server.ts"

const scene = (options: EnvironmentOptions = {}) => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock, ...options })
  const ask = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fake.fetch(`${fake.baseUrl}${path}`, {
      ...init,
      headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json", ...headers }
    })
  const lines = () => timeline(fake).split("\n")
  return { clock, fake, ask, lines }
}

const isIn = (name: string, lines: ReadonlyArray<string>): Promise<void> =>
  expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`./timelines/${name}.txt`)

describe("timeline", () => {
  it("explains that no request came, and where the environment is reached", async () => {
    const { fake, lines } = scene()
    await isIn("no-server", lines())
    const server = await listen(fake)
    assert.strictEqual(lines()[1], `Its base URL is ${server.url}.`)
    await server.close()
    assert.match(lines()[1] ?? "", /^No server listens/u)
    await expect(expectFake(fake).waitFor(() => false, { timeoutMs: 0 })).rejects.toThrow("No server listens")
  })

  it("fits 100 columns, for any requests", async () => {
    const { ask, clock, fake, lines } = scene()
    const long = "x".repeat(200)
    fake.addSubscriber({ subscriberId: long })
    fake.addIntegration({ providerId: "fcm" })
    using _slow = fake.faults.add(Fault.latency(86_400_000, { operation: "credentials.upsert" }))
    using _cut = fake.faults.add(Fault.cutBody({ afterBytes: 1, operation: "credentials.upsert" }))
    using _type = fake.faults.add(Fault.contentType(`text/${long}`, { operation: "credentials.upsert" }))
    const body = JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["a"] } })
    const answer = ask(`/v1/subscribers/${long}/credentials`, { method: "PATCH", body }, { "idempotency-key": long })
    clock.advance(86_400_000)
    await answer
    await ask(`/${long}`)
    await ask(`/v1/notifications?emails=${long}`)
    for (const line of lines()) assert.isAtMost(line.length, 100)
    await isIn("columns", lines())
  })

  it("shows every outcome of a request", async () => {
    const { ask, clock, fake, lines } = scene()
    const faults = [
      Fault.refuse(),
      Fault.close(),
      Fault.hang(),
      Fault.cutBody({ afterBytes: 3 }),
      Fault.slowBody({ bytes: 10, everyMs: 100 }),
      Fault.slowBody({ bytes: 10, everyMs: 100 }),
      Fault.latency(1_000)
    ]
    const client = new AbortController()
    for (const [index, fault] of faults.entries()) {
      using _armed = fake.faults.add(fault)
      const leaves = index === 2 || index === 4 || index === 6
      const answer = ask(`/v1/notifications?page=${index}`, leaves ? { signal: client.signal } : {})
      void answer.catch(() => undefined)
    }
    clock.advance(5)
    client.abort()
    await Promise.resolve()
    void ask("/v1/notifications?page=9")
    await isIn("outcomes", lines())
  })

  it("shows which responses were replayed", async () => {
    const { ask, fake, lines } = scene({ switches: { "idempotency.sameBody": "replay" } })
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addIntegration({ providerId: "fcm" })
    const body = JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["a"] } })
    const upsert = () => ask("/v1/subscribers/ana/credentials", { method: "PATCH", body }, { "idempotency-key": "k" })
    await upsert()
    await upsert()
    assert.deepStrictEqual(
      lines()
        .filter((line) => line.includes("response"))
        .map((line) => line.trim()),
      ["response 200", "response 200, replayed"]
    )
  })

  it("lists what follows a disconnect after it, by time", async () => {
    const { ask, clock, fake, lines } = scene()
    fake.addSubscriber({ subscriberId: "ana" })
    using _slow = fake.faults.add(Fault.latency(1_000))
    const leaving = new AbortController()
    const body = JSON.stringify({ messageId: "65f0a1b2c3d4e5f6a7b8c9d0", markAs: "read" })
    const sent = ask("/v1/subscribers/ana/messages/mark-as", { method: "POST", body, signal: leaving.signal })
    clock.advance(100)
    leaving.abort()
    await sent.catch(() => undefined)
    clock.advance(900)
    await isIn("disconnect", lines())
    const times = lines().flatMap((line) => /^ +(\d+) /u.exec(line)?.[1] ?? [])
    assert.deepStrictEqual(
      times.map(Number),
      times.map(Number).toSorted((one, other) => one - other)
    )
  })

  it("aligns its columns for any numbers", async () => {
    const { ask, clock, lines } = scene()
    for (let at = 0; at < 10; at += 1) {
      await ask("/v1/notifications")
      clock.advance(1_234)
    }
    const heads = lines().filter((line) => line.includes("#"))
    assert.strictEqual(heads[0], "     0   #1  events.list, attempt 1")
    assert.strictEqual(heads[9], " 11106   #10 events.list, attempt 1")
  })

  it("contains no secrets", async () => {
    const { ask, fake, lines } = scene()
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addIntegration({ providerId: "fcm" })
    const body = JSON.stringify({
      providerId: "fcm",
      credentials: { deviceTokens: ["very-secret-token"], webhookUrl: "https://chat.test/very-secret" }
    })
    await ask("/v1/subscribers/ana/credentials", { method: "PATCH", body })
    assert.notInclude(lines().join("\n"), "very-secret")
    assert.notInclude(lines().join("\n"), fake.apiKey)
  })

  it("shows the last forty, or the relevant ones, and how many it omits", async () => {
    const { ask, fake, lines } = scene({ journalCapacity: 50 })
    for (let at = 0; at < 60; at += 1) await ask("/v1/notifications")
    const shown = lines()
    assert.deepStrictEqual(shown.slice(1, 3), ["(10 older requests were evicted)", "(10 other requests are not shown)"])
    assert.lengthOf(
      shown.filter((line) => line.includes("#")),
      40
    )
    const marked = fake.journal.entries().slice(0, 2)
    const rows = timeline(fake, { marked }).split("\n")
    assert.include(rows[2], "(48 other requests are not shown)")
    assert.deepStrictEqual(
      rows.filter((line) => line.includes("> #")).map((line) => line.trim()),
      ["0 > #11 events.list, attempt 1", "0 > #12 events.list, attempt 1"]
    )
  })
})
