import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { layer as fakeLayer } from "../effect.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { createFake, type Fake, manualClock } from "../index.ts"
import { listen } from "../server.ts"
import type { Credentials } from "../state/Records.ts"

const scene = (options: EnvironmentOptions = {}) => {
  const fake = createFake({ data: "empty", preset: "observed", ...options })
  fake.addSubscriber({ subscriberId: "ana" })
  for (const providerId of ["fcm", "expo", "slack"] as const) fake.addIntegration({ providerId })
  return fake
}

/** Upserts over a surface that is a `fetch`, and returns the credentials of every entry in the response. */
const upsertOn =
  (fake: Fake, fetch = fake.fetch, baseUrl = fake.baseUrl) =>
  async (credentials: Credentials, providerId = "fcm"): Promise<ReadonlyArray<Credentials>> => {
    const response = await fetch(`${baseUrl}/v1/subscribers/ana/credentials`, {
      method: "PATCH",
      headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ providerId, credentials })
    })
    assert.strictEqual(response.status, 200)
    // A response of the preset observed.
    const { data } = (await response.json()) as { data: { channels: ReadonlyArray<{ credentials: Credentials }> } }
    return data.channels.map((channel) => channel.credentials)
  }

/** The credentials of every entry, as stored. */
const stored = (fake: Fake) => (fake.state().subscribers[0]?.channels ?? []).map(({ credentials }) => credentials)

const tokensIn = (entries: ReadonlyArray<Credentials>) => entries.flatMap(({ deviceTokens = [] }) => deviceTokens)

const tokens = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`)

describe("upserts at the same time, where updates are lost", () => {
  for (const surface of ["fetch", "fetch, on a clock that does not move", "server"] as const) {
    const start = async (options?: EnvironmentOptions) => {
      const fake = scene({ ...options, ...(surface.includes("clock") ? { clock: manualClock() } : {}) })
      if (surface !== "server") return { fake, upsert: upsertOn(fake), stop: async () => {} }
      const server = await listen(fake)
      return { fake, upsert: upsertOn(fake, globalThis.fetch, server.url), stop: server.close }
    }
    // On a busy machine, requests over sockets may arrive too late to meet.
    const met = { retry: surface === "server" ? 10 : 0 }
    it(`lose tokens of an entry (${surface})`, met, async () => {
      const { fake, stop, upsert } = await start()
      await upsert({ deviceTokens: ["old"] })
      await Promise.all(tokens(8).map((token) => upsert({ deviceTokens: [token] })))
      assert.lengthOf(stored(fake), 1)
      assert.include(tokensIn(stored(fake)), "old")
      assert.isBelow(tokensIn(stored(fake)).length, 9)
      await stop()
    })
    it(
      `leave several entries of one integration, of which later upserts change the first (${surface})`,
      met,
      async () => {
        const { fake, stop, upsert } = await start()
        await Promise.all(tokens(4).map((token) => upsert({ deviceTokens: [token] })))
        const [first, ...others] = stored(fake)
        assert.isNotEmpty(others)
        const response = await upsert({ deviceTokens: ["later"] })
        assert.deepStrictEqual(response, stored(fake))
        assert.deepStrictEqual(tokensIn(stored(fake).slice(0, 1)), [...tokensIn([first ?? {}]), "later"])
        assert.deepStrictEqual(stored(fake).slice(1), others)
        await stop()
      }
    )
    it(`lose nothing one after another (${surface})`, async () => {
      const { fake, stop, upsert } = await start()
      for (const token of tokens(4)) assert.include(tokensIn(await upsert({ deviceTokens: [token] })), token)
      assert.deepStrictEqual(tokensIn(stored(fake)), tokens(4))
      await stop()
    })
    it(`lose nothing with the value serialised (${surface})`, async () => {
      const { fake, stop, upsert } = await start({ switches: { "credentials.concurrent": "serialised" } })
      await Promise.all(tokens(8).map((token) => upsert({ deviceTokens: [token] })))
      assert.lengthOf(stored(fake), 1)
      assert.sameMembers([...tokensIn(stored(fake))], tokens(8))
      await stop()
    })
  }

  it.effect("lose tokens on the Layer, on a TestClock that does not move", () =>
    Effect.gen(function* () {
      const fake = scene()
      const upsert = (token: string) =>
        HttpClient.execute(
          HttpClientRequest.patch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
            headers: { authorization: `ApiKey ${fake.apiKey}` }
          }).pipe(HttpClientRequest.bodyJsonUnsafe({ providerId: "fcm", credentials: { deviceTokens: [token] } }))
        ).pipe(Effect.provide(fakeLayer(fake)))
      yield* upsert("old")
      yield* Effect.forEach(tokens(4), upsert, { concurrency: "unbounded" })
      assert.deepStrictEqual(tokensIn(stored(fake)), ["old", "t3"])
      yield* Effect.forEach(["a", "b"], upsert)
      assert.deepStrictEqual(tokensIn(stored(fake)), ["old", "t3", "a", "b"])
    })
  )

  it("report as stored what other upserts wrote meanwhile: a response can lack its own token", async () => {
    const fake = scene()
    const upsert = upsertOn(fake)
    await upsert({ deviceTokens: ["old"] })
    const responses = await Promise.all(tokens(4).map((token) => upsert({ deviceTokens: [token] })))
    for (const response of responses) assert.deepStrictEqual(tokensIn(response), ["old", "t3"])
  })

  it("lose a field of an entry, and nothing of other providers", async () => {
    const fake = scene()
    const upsert = upsertOn(fake)
    await upsert({ webhookUrl: "https://hooks.example.com/0", channel: "zero" }, "slack")
    await Promise.all([
      upsert({ webhookUrl: "https://hooks.example.com/1" }, "slack"),
      upsert({ channel: "one" }, "slack"),
      upsert({ deviceTokens: ["a"] }, "fcm"),
      upsert({ deviceTokens: ["e"] }, "expo")
    ])
    assert.deepStrictEqual(
      stored(fake).map(({ channel, deviceTokens, webhookUrl }) => ({ channel, deviceTokens, webhookUrl })),
      [
        { channel: "one", deviceTokens: [], webhookUrl: "https://hooks.example.com/0" },
        { channel: undefined, deviceTokens: ["a"], webhookUrl: undefined },
        { channel: undefined, deviceTokens: ["e"], webhookUrl: undefined }
      ]
    )
  })
})
