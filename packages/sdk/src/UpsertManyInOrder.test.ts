import { assert, describe, it } from "@effect/vitest"
import { createFake, type Fake, type Switches } from "@signalbox/test-harness"
import { clientOn, json, rejection } from "../test/AnsweredClient.ts"
import { anyProvider, createClient, type UpsertInput, type UpsertOutcome } from "./index.ts"

const tokens = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`)

const fcm = (token: string, subscriberId = "ana"): UpsertInput => ({
  subscriberId,
  providerId: "fcm",
  credentials: { deviceTokens: [token] }
})

/** A service that loses concurrent upserts, and what it stores for ana. */
const scene = (switches: Partial<Switches> = {}) => {
  const fake = createFake({ data: "empty", preset: "observed", switches })
  for (const subscriberId of ["ana", "bo"]) fake.addSubscriber({ subscriberId })
  for (const providerId of ["fcm", "expo", "slack"] as const) fake.addIntegration({ providerId })
  const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
  return { fake, client, stored: () => storedIn(fake) }
}

const storedIn = (fake: Fake) => {
  const entries = fake.state().subscribers[0]?.channels ?? []
  return { entries: entries.length, tokens: entries.flatMap(({ credentials }) => credentials.deviceTokens ?? []) }
}

const all = async (outcomes: AsyncIterable<UpsertOutcome>) => {
  const seen: Array<UpsertOutcome> = []
  for await (const outcome of outcomes) seen.push(outcome)
  return seen
}

describe("upserts of one subscriber, on a service that loses concurrent ones", () => {
  it("are all stored: 8 concurrent calls", async () => {
    const { client, stored } = scene()
    await Promise.all(
      tokens(8).map((token) =>
        client.credentials.upsert("ana", { providerId: "fcm", credentials: { deviceTokens: [token] } })
      )
    )
    assert.deepStrictEqual(stored(), { entries: 1, tokens: tokens(8) })
    await client.close()
  })

  it("are lost with a client for each call", async () => {
    const { client, fake, stored } = scene()
    const separate = () => createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    await client.credentials.upsert("ana", { providerId: "fcm", credentials: { deviceTokens: ["old"] } })
    await Promise.all(
      tokens(8).map((token) =>
        separate().credentials.upsert("ana", { providerId: "fcm", credentials: { deviceTokens: [token] } })
      )
    )
    assert.isBelow(stored().tokens.length, 9)
    await client.close()
  })

  it("are reported where the response lacks the token that was sent", async () => {
    const other = { providerId: "fcm", credentials: { deviceTokens: ["other"] }, _integrationId: "i" }
    const subscriber = { subscriberId: "ana", _organizationId: "o", _environmentId: "e", deleted: false }
    const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" }
    const { client } = clientOn(() => json({ ...subscriber, ...times, channels: [other] }))
    const upsert = (token: string) =>
      client.credentials.upsert.result("ana", { providerId: "fcm", credentials: { deviceTokens: [token] } })
    const lost = await upsert("mine")
    assert.deepStrictEqual(lost.missingTokens, ["mine"])
    assert.notProperty(await upsert("other"), "missingTokens")
  })

  for (const isSlow of [false, true]) {
    it(`are all stored: upsertMany with 12 inputs of a source that is ${isSlow ? "slow" : "an array"}`, async () => {
      const { client, fake, stored } = scene()
      async function* slowly() {
        for (const token of tokens(12)) yield fcm(token)
      }
      const outcomes = await all(
        client.credentials.upsertMany(isSlow ? slowly() : tokens(12).map((token) => fcm(token)))
      )
      assert.deepStrictEqual(
        outcomes.map(({ index, ok }) => [index, ok]),
        tokens(12).map((_, at) => [at, true])
      )
      assert.isTrue(outcomes.every(({ missingTokens }) => missingTokens === undefined))
      assert.deepStrictEqual(stored(), { entries: 1, tokens: tokens(12) })
      assert.isBelow(fake.journal.entries().length, 12)
      await client.close()
    })
  }
})

describe("upsertMany", () => {
  /** A service that accepts everything; the bodies that it received. */
  const recorded = (respond: (request: Request) => Response | Promise<Response> = () => json({})) => {
    const bodies: Array<unknown> = []
    const { client } = clientOn(async (request) => {
      bodies.push([new URL(request.url).pathname.split("/")[3], await request.clone().json()])
      return respond(request)
    })
    return { client, bodies }
  }
  const sent = (subscriberId: string, deviceTokens: ReadonlyArray<string>, providerId = "fcm") => [
    subscriberId,
    { providerId, credentials: { deviceTokens } }
  ]

  it("joins appends of one subscriber, provider and integration, and nothing else", async () => {
    const { bodies, client } = recorded()
    const inputs: ReadonlyArray<UpsertInput> = [
      fcm("t0"),
      fcm("t1", "bo"),
      fcm("t2"),
      { subscriberId: "ana", providerId: "expo", credentials: { deviceTokens: ["t3", "t4"] } },
      { ...fcm("t5"), integrationIdentifier: "second" },
      fcm("t6"),
      { subscriberId: "ana", ...anyProvider("fcm", { deviceTokens: ["t7"] }) },
      { subscriberId: "ana", providerId: "fcm", credentials: { deviceTokens: [] } },
      fcm("t8"),
      fcm("t8")
    ]
    const outcomes = await all(client.credentials.upsertMany(inputs, { concurrency: 10 }))
    assert.deepStrictEqual(
      outcomes.map(({ index, input }) => [index, input]),
      [...inputs.entries()]
    )
    assert.deepStrictEqual(
      bodies.filter((body) => JSON.stringify(body).includes('"ana"') && JSON.stringify(body).includes("fcm")),
      [
        sent("ana", ["t0", "t2"]),
        ["ana", { providerId: "fcm", integrationIdentifier: "second", credentials: { deviceTokens: ["t5"] } }],
        sent("ana", ["t6"]),
        sent("ana", ["t7"]),
        sent("ana", []),
        sent("ana", ["t8"])
      ]
    )
    assert.deepInclude(bodies, sent("bo", ["t1"]))
    assert.deepInclude(bodies, sent("ana", ["t3", "t4"], "expo"))
    await client.close()
  })

  it("appends at most 100 tokens at a time", async () => {
    const { bodies, client } = recorded()
    const inputs = [60, 40, 1].map((count): UpsertInput => ({
      subscriberId: "ana",
      providerId: "fcm",
      credentials: { deviceTokens: tokens(count).map((token) => `${count}-${token}`) }
    }))
    await all(client.credentials.upsertMany(inputs))
    assert.deepStrictEqual(
      bodies.map((body) => JSON.stringify(body).match(/\d+-t\d+/g)?.length),
      [100, 1]
    )
    await client.close()
  })

  it("joins nothing with derived keys, which belong to one input", async () => {
    const { bodies, client } = recorded()
    const idempotency = { derived: { scope: "import" } }
    await all(
      client.credentials.upsertMany(
        tokens(4).map((token) => fcm(token)),
        { idempotency }
      )
    )
    assert.deepStrictEqual(
      bodies,
      tokens(4).map((token) => sent("ana", [token]))
    )
    await client.close()
  })

  it("sends the inputs of a rejected request one by one: each keeps its own outcome", async () => {
    const { client, fake, stored } = scene()
    const full = tokens(98).map((token) => `old-${token}`)
    await client.credentials.upsert("ana", { providerId: "fcm", credentials: { deviceTokens: full } })
    const outcomes = await all(client.credentials.upsertMany(tokens(4).map((token) => fcm(token))))
    assert.deepStrictEqual(
      outcomes.map(({ ok }) => ok),
      [true, true, false, false]
    )
    assert.deepStrictEqual(stored().tokens, [...full, "t0", "t1"])
    assert.lengthOf(fake.journal.entries(), 6)
    await client.close()
  })

  it("sends what an input was when it was taken, also from a source that uses one object", async () => {
    const { bodies, client } = recorded()
    const one = { subscriberId: "ana", providerId: "fcm" as const, credentials: { deviceTokens: [""] } }
    function* inputs() {
      for (const token of tokens(3)) {
        one.credentials.deviceTokens[0] = token
        yield one
      }
    }
    await all(client.credentials.upsertMany(inputs()))
    assert.deepStrictEqual(bodies, [sent("ana", tokens(3))])
    await client.close()
  })

  it("appends tokens again that a later response lacks, and reports those that stay missing", async () => {
    for (const [keepsRemoving, requests, missing] of [
      [false, 3, undefined],
      [true, 4, ["t0"]]
    ] as const) {
      const { fake, stored } = scene()
      // Another process removes the first token for a moment, or again and again: a response lacks it.
      let number = 0
      const client = createClient({
        apiKey: fake.apiKey,
        baseUrl: fake.baseUrl,
        fetch: async (input, init) => {
          number++
          if (number === 2 || (number > 2 && keepsRemoving)) {
            const response = await fake.fetch(input, init)
            const text = await response.text()
            return new Response(text.replace('"t0",', ""), response)
          }
          return fake.fetch(input, init)
        }
      })
      const outcomes = await all(client.credentials.upsertMany([fcm("t0"), fcm("t1")], { concurrency: 1 }))
      assert.deepStrictEqual(
        outcomes.map(({ missingTokens }) => missingTokens),
        [undefined, missing]
      )
      assert.strictEqual(number, requests)
      assert.deepStrictEqual([...stored().tokens], ["t0", "t1"])
      await client.close()
    }
  })

  it("does not append again what an input removed", async () => {
    const { client, fake, stored } = scene()
    const cleared: UpsertInput = { subscriberId: "ana", providerId: "fcm", credentials: { deviceTokens: [] } }
    const outcomes = await all(client.credentials.upsertMany([fcm("t0"), cleared, fcm("t1")], { concurrency: 1 }))
    assert.isTrue(outcomes.every(({ missingTokens }) => missingTokens === undefined))
    assert.deepStrictEqual(stored().tokens, ["t1"])
    assert.lengthOf(fake.journal.entries(), 3)
    await client.close()
  })

  it("reads no more inputs when the client is closed, and throws ClientClosed", async () => {
    let taken = 0
    const { bodies, client } = recorded(() => new Promise(() => {}))
    function* inputs() {
      while (true) yield fcm("t", `u${taken++}`)
    }
    const outcomes: Array<string> = []
    const walk = (async () => {
      for await (const outcome of client.credentials.upsertMany(inputs())) {
        outcomes.push(outcome.ok ? "done" : outcome.error._tag)
      }
    })()
    while (bodies.length < 4) await new Promise((resolve) => setImmediate(resolve))
    await client.close()
    assert.propertyVal(await rejection(walk), "_tag", "ClientClosed")
    assert.deepStrictEqual([taken, outcomes], [4, Array.from({ length: 4 }, () => "ClientClosed")])
  })

  it("ends when the client is closed while a source has nothing to give", async () => {
    const { client } = recorded()
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<UpsertInput>>(() => {}) }) }
    const next = rejection(client.credentials.upsertMany(never).next())
    await client.close()
    assert.propertyVal(await next, "_tag", "ClientClosed")
  })

  it("reads no more inputs after the API key was rejected, and throws that error", async () => {
    let taken = 0
    const { bodies, client } = recorded(() => new Response(null, { status: 401 }))
    function* inputs() {
      while (taken < 500) yield fcm("t", `u${taken++}`)
    }
    const outcomes: Array<string> = []
    const walk = (async () => {
      for await (const outcome of client.credentials.upsertMany(inputs())) {
        outcomes.push(outcome.ok ? "done" : outcome.error.reason._tag)
      }
    })()
    assert.propertyVal(await rejection(walk), "_tag", "UpsertCredentialsError")
    assert.lengthOf(outcomes, taken)
    assert.deepStrictEqual([...new Set(outcomes)], ["Unauthorized"])
    assert.isBelow(bodies.length, 10)
    await client.close()
  })
})
