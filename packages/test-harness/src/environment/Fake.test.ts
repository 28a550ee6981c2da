import { assert, describe, it } from "@effect/vitest"
import { EventPage } from "@signalbox/core/internal/contract/Activity"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import { createFake, type Environment, expectFake, type Fake, manualClock } from "../index.ts"
import { listen } from "../server.ts"
import { layer as fakeLayer } from "../effect.ts"

const authorized = (fake: { readonly apiKey: string }) => ({ authorization: `ApiKey ${fake.apiKey}` })

const list = async (
  fake: Fake,
  apiKey: string,
  query = ""
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const response = await fake.fetch(`${fake.baseUrl}/v1/notifications${query}`, { headers: authorized({ apiKey }) })
  return { status: response.status, body: await response.json() }
}

const thrownBy = (make: () => unknown): unknown => {
  try {
    return make()
  } catch (error) {
    return error
  }
}

describe("createFake", () => {
  it("uses a given key; keys of its other environments cannot be guessed then", async () => {
    const make = () => createFake({ data: "empty", apiKey: "team-key" })
    const fake = make()
    assert.strictEqual((await list(fake, "team-key")).status, 200)
    const keys = [fake, fake, make()].map((one) => one.environment({ data: "empty" }).apiKey)
    assert.strictEqual(new Set(keys).size, 3)
    for (const key of keys) assert.match(key, /^fake-key-[\da-f-]{36}$/u)
    assert.strictEqual((await list(fake, keys[0] ?? "")).status, 200)
    assert.strictEqual((await list(fake, "fake-key-2-1")).status, 401)
  })

  it.each(["", "two words", "schlüssel", "a\nb"])("rejects %j as a key without quoting it", (apiKey) => {
    assert.throws(
      () => createFake({ apiKey }),
      RangeError,
      /^createFake\.apiKey: must be a string of printable ASCII characters without spaces$/u
    )
  })

  it("responds as the contract specifies", async () => {
    const fake = createFake({ seed: 5 })
    const { body, status } = await list(fake, fake.apiKey, "?limit=50")
    assert.strictEqual(status, 200)
    const page = Schema.decodeUnknownSync(EventPage)(body)
    assert.lengthOf(page.data, 50)
    assert.isTrue(page.hasMore)
  })

  it("rejects a request without a key or with an unknown key", async () => {
    const fake = createFake()
    const without = await fake.fetch(`${fake.baseUrl}/v1/notifications`)
    assert.strictEqual(without.status, 401)
    assert.strictEqual((await list(fake, "stranger")).status, 401)
  })

  it("names the documented operations in response to an unknown path", async () => {
    const fake = createFake()
    const response = await fake.fetch(`${fake.baseUrl}/v1/subscriber/u/credentials`, {
      method: "PATCH",
      headers: authorized(fake)
    })
    assert.strictEqual(response.status, 404)
    assert.include(await response.text(), "PATCH /v1/subscribers/:subscriberId/credentials")
  })

  it("reports an unknown path before an unknown key, and rejects two keys", async () => {
    const fake = createFake()
    const lost = await fake.fetch(`${fake.baseUrl}/notification`)
    assert.strictEqual(lost.status, 404)
    assert.include(await lost.text(), "expected one of: PATCH")
    const twice = await fake.fetch(`${fake.baseUrl}/v1/notifications`, {
      headers: { authorization: `ApiKey ${fake.apiKey} ${fake.apiKey}` }
    })
    assert.strictEqual(twice.status, 401)
  })

  it("separates environments by their keys", async () => {
    const fake = createFake({ data: "empty" })
    const other = fake.environment({ data: "demo", seed: 2 })
    assert.deepInclude((await list(fake, fake.apiKey)).body, { data: [], hasMore: false })
    assert.notDeepInclude((await list(fake, other.apiKey)).body, { data: [] })
  })

  it("is its own first environment", () => {
    const fake = createFake()
    const other = fake.environment()
    const [first, second, ...more] = fake.environments()
    assert.strictEqual(first, fake)
    assert.strictEqual(second, other)
    assert.isEmpty(more)
  })

  it("lists triggered events", async () => {
    const fake = createFake({ data: "demo", events: 0 })
    const { transactionId } = fake.trigger({ workflow: "welcome", to: "user-7" })
    const { body } = await list(fake, fake.apiKey, "?subscriberIds=user-7")
    const page = Schema.decodeUnknownSync(EventPage)(body)
    assert.deepStrictEqual(
      page.data.map((event) => event.transactionId),
      [transactionId]
    )
  })

  it("marks a message created by a trigger", async () => {
    const fake = createFake({ data: "demo" })
    const state = fake.state()
    // Under the preset document only messages of the inbox can be marked.
    const message = state.messages.find(({ channel }) => channel === "in_app")
    const event = await fake.fetch(`${fake.baseUrl}/v1/subscribers/${message?.subscriberId ?? ""}/messages/mark-as`, {
      method: "POST",
      headers: { ...authorized(fake), "content-type": "application/json" },
      body: JSON.stringify({ messageId: message?.id, markAs: "read" })
    })
    assert.strictEqual(event.status, 201)
    assert.deepInclude(((await event.json()) as ReadonlyArray<object>)[0], { _id: message?.id, read: true })
  })

  it("environments with one seed have equal data and different ids", () => {
    const fake = createFake({ data: "empty" })
    const [one, other] = [fake, fake.environment({ data: "empty" })].map((environment) => {
      environment.generate({ subscribers: 2 })
      return environment.state().subscribers
    })
    assert.deepStrictEqual(
      other?.map(({ email, subscriberId }) => [email, subscriberId]),
      one?.map(({ email, subscriberId }) => [email, subscriberId])
    )
    assert.notDeepEqual(
      other?.map(({ id }) => id),
      one?.map(({ id }) => id)
    )
    const message = fake.addMessage({ subscriberId: "user-00001" }).id
    assert.notStrictEqual(fake.environment({ data: "empty" }).addMessage({ subscriberId: "user-00001" }).id, message)
  })

  it("a shared id that is allowed is not a leak; others are reported once each", async () => {
    const fake = createFake({ data: "empty" })
    fake.addSubscriber({ subscriberId: "ana" })
    const list = async ({ apiKey, ...environment }: Environment) => {
      const headers = { authorization: `ApiKey ${apiKey}` }
      for (let time = 0; time < 3; time += 1) {
        await fake.fetch(`${fake.baseUrl}/v1/notifications?subscriberIds=ana`, { headers })
      }
      return environment
    }
    const allowed = fake.environment({ data: "empty", sharedIds: ["ana"] })
    await list(allowed)
    expectFake(allowed).noLeaks()
    const other = fake.environment({ data: "empty" })
    await list(other)
    assert.throws(
      () => expectFake(other).noLeaks(),
      'request 1 (and 2 more) names subscriber ana, which belongs to environment 1\nTwo tests share data, or this one did not add it. Use different ids, or allow this one: { sharedIds:\n  ["ana"] }'
    )
  })

  it("reports what is wrong with an option, and the allowed values", () => {
    // Callers without types can give anything.
    const refused: ReadonlyArray<readonly [options: object, message: string]> = [
      [
        { sed: 1 },
        "environment.sed: unknown option; did you mean seed? Expected one of: name, seed, preset, switches, rateLimit, vendor, organization, data, events, faults, sharedIds, journalCapacity, clock"
      ],
      [{ data: "full" }, 'environment.data: must be demo or empty, not "full"'],
      [{ preset: "mine" }, 'environment.preset: must be one of document, observed, adversarial, seeded(n), not "mine"'],
      [{ seed: Number.NaN }, "environment.seed: must be an integer, not NaN"],
      [{ events: -1 }, "environment.events: must be an integer from 0 to 100000, not -1"],
      [{ events: 1e15 }, "environment.events: must be an integer from 0 to 100000, not 1000000000000000"],
      [{ journalCapacity: 0 }, "environment.journalCapacity: must be an integer, 1 or more, not 0"],
      [
        { clock: 7 },
        'environment.clock: must be a clock, such as manualClock("2026-01-01T00:00:00Z"), or the time at which it stops, not 7'
      ],
      [{ switches: null }, "environment.switches: must be an object, not null"],
      [
        { switches: { envelop: "data" } },
        "environment.switches.envelop: unknown switch; did you mean envelope? Expected a name in one of: auth, route, request, idempotency, rateLimit, error, credentials, mark, subscriber, list, envelope, time, message, event, job, detail, step, enum, response"
      ],
      [
        { preset: "obsrved" },
        'environment.preset: must be one of document, observed, adversarial, seeded(n), not "obsrved"; did you mean observed?'
      ]
    ]
    const fake = createFake()
    for (const [options, message] of refused) {
      for (const make of [createFake, fake.environment]) {
        const error = thrownBy(() => make(options))
        assert.instanceOf(error, RangeError)
        assert.strictEqual(error.message, message)
      }
    }
    assert.lengthOf(fake.environments(), 1)
  })

  it("does not expose internals", () => {
    const { faults, journal } = createFake()
    assert.hasAllKeys(journal, ["entries", "evicted", "capacity", "subscribe"])
    assert.hasAllKeys(faults, ["add", "armed", "unfired", "clear"])
  })

  it("treats an undefined option as omitted", () => {
    const options: object = { seed: undefined, clock: undefined, preset: undefined }
    assert.strictEqual(createFake(options).apiKey, createFake().apiKey)
  })
})

describe("a key that belongs to no environment", () => {
  it("is answered by the switches of the environment that was created last", async () => {
    const fake = createFake()
    const ask = async (headers: Record<string, string> = {}) =>
      (await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })).status
    assert.strictEqual(await ask(), 401)
    const { apiKey } = fake.environment({
      data: "empty",
      switches: { "auth.missingKey": "403", "auth.wrongKey": "403" }
    })
    assert.deepStrictEqual([await ask(), await ask({ authorization: "ApiKey unknown" })], [403, 403])
    fake.deleteEnvironment(apiKey)
    assert.strictEqual(await ask(), 401)
  })

  it.each([
    ["document", "observed"],
    ["observed", "document"]
  ] as const)("is answered by the preset %s, then by %s of a later environment", async (first, second) => {
    const fake = createFake({ data: "empty", preset: first })
    const fields = async () => Object.keys(await (await fake.fetch(`${fake.baseUrl}/v1/notifications`)).json())
    const ofFirst = await fields()
    fake.environment({ data: "empty", preset: second })
    const ofSecond = await fields()
    assert.deepStrictEqual(
      [ofFirst, ofSecond].map((names) => names.includes("statusCode")),
      [first === "observed", second === "observed"]
    )
  })

  it("is answered by an earlier environment once a switch of keys is set in it", async () => {
    const fake = createFake({ data: "empty" })
    const later = fake.environment({ data: "empty" })
    const ask = async () => (await fake.fetch(`${fake.baseUrl}/v1/notifications`)).status
    fake.setSwitches({ "auth.missingKey": "403" })
    assert.strictEqual(await ask(), 403)
    later.setSwitches({ "list.badLimit": "422" })
    assert.strictEqual(await ask(), 403)
    later.setSwitches({ "auth.wrongKey": "403" })
    assert.strictEqual(await ask(), 401)
    fake.deleteEnvironment(later.apiKey)
    later.setSwitches({ "auth.missingKey": "400" })
    assert.strictEqual(await ask(), 403)
  })

  it("is answered on a server by the switches that the control API set last", async () => {
    await using server = await listen(createFake({ data: "empty", switches: { "auth.missingKey": "400" } }))
    const control = async (action: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const all = { "content-type": "application/json", ...headers }
      const response = await fetch(`${server.url}/_fake/${action}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: all
      })
      assert.isTrue(response.ok)
    }
    const ask = async () => (await fetch(`${server.url}/v1/notifications`)).status
    assert.strictEqual(await ask(), 400)
    await control("environments", { data: "empty", switches: { "auth.missingKey": "403" } })
    assert.strictEqual(await ask(), 403)
    await control("switches", { "auth.missingKey": "401" }, { authorization: "ApiKey fake-key-1-1" })
    assert.strictEqual(await ask(), 401)
  })
})

describe("unmatchedRequests", () => {
  const secret = "key-of-production"

  /** Sends a request over each surface with this header. */
  const askEverywhere = async (fake: Fake, headers: Readonly<Record<string, string>>): Promise<void> => {
    await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=1`, { headers })
    await HttpClient.execute(
      HttpClientRequest.patch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, { headers })
    ).pipe(Effect.provide(fakeLayer(fake)), Effect.runPromise)
    await using server = await listen(fake)
    await fetch(`${server.url}/v1/notification`, { headers })
  }

  it("are recorded on every surface, without their keys", async () => {
    const clock = manualClock("2026-05-01T08:00:00Z")
    const fake = createFake({ clock })
    await askEverywhere(fake, { authorization: `ApiKey ${secret}` })
    const common = { at: clock.now(), key: "unknown" } as const
    assert.deepStrictEqual(fake.unmatchedRequests.entries(), [
      {
        ...common,
        number: 1,
        surface: "fetch",
        method: "GET",
        path: "/v1/notifications",
        operation: "events.list",
        status: 401
      },
      {
        ...common,
        number: 2,
        surface: "layer",
        method: "PATCH",
        path: "/v1/subscribers/ana/credentials",
        operation: "credentials.upsert",
        status: 401
      },
      {
        ...common,
        number: 3,
        surface: "server",
        method: "GET",
        path: "/v1/notification",
        operation: undefined,
        status: 404
      }
    ])
    assert.isEmpty(fake.journal.entries())
    assert.notInclude(JSON.stringify(fake.unmatchedRequests.entries()), secret)
  })

  it("have no key in their paths, also in Base64", async () => {
    const fake = createFake()
    const key = "key-4711/of-a+path"
    for (const path of [encodeURIComponent(key), btoa(key)]) {
      await fake.fetch(`${fake.baseUrl}/v1/${path}`, { headers: { authorization: `ApiKey ${key}` } })
    }
    assert.deepStrictEqual(
      fake.unmatchedRequests.entries().map(({ path }) => path),
      ["/v1/<redacted>", "/v1/<redacted>"]
    )
  })

  it("are distinguished by the problem with their keys", async () => {
    const fake = createFake()
    for (const authorization of [`Bearer ${fake.apiKey}`, fake.apiKey, `ApiKey ${secret} ${secret}`, "ApiKey"]) {
      await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization } })
    }
    await fake.fetch(`${fake.baseUrl}/v1/notifications`)
    await list(fake, secret)
    assert.deepStrictEqual(
      fake.unmatchedRequests.entries().map(({ key }) => key),
      ["malformed", "malformed", "malformed", "malformed", "missing", "unknown"]
    )
  })

  it("are counted for each environment since it was created or reset", async () => {
    const fake = createFake({ data: "empty" })
    await list(fake, secret)
    const other = fake.environment({ data: "empty" })
    await list(fake, secret)
    assert.deepStrictEqual([fake.unmatchedRequests.count(), other.unmatchedRequests.count()], [2, 1])
    fake.reset()
    assert.deepStrictEqual([fake.unmatchedRequests.count(), other.unmatchedRequests.count()], [0, 1])
  })
})

describe("surfaces", () => {
  it.effect("the layer responds like fetch", () =>
    Effect.gen(function* () {
      const fake = createFake({ seed: 9 })
      const response = yield* HttpClient.execute(
        HttpClientRequest.get(`${fake.baseUrl}/v1/notifications`, { headers: authorized(fake) })
      ).pipe(
        Effect.flatMap(({ json }) => json),
        Effect.provide(fakeLayer(fake))
      )
      const { body } = yield* Effect.promise(() => list(fake, fake.apiKey))
      assert.deepStrictEqual(response, body)
    })
  )

  it("the server rejects unknown options", async () => {
    // Callers without types can give any name.
    const misspelt: object = { prot: 4010 }
    const error = await listen(createFake(), misspelt).catch((reason: unknown) => reason)
    assert.instanceOf(error, RangeError)
    assert.strictEqual(
      error.message,
      "listen.prot: unknown option; did you mean port? Expected one of: port, allowOrigin, host"
    )
  })

  it("the server responds like fetch", async () => {
    const fake = createFake({ seed: 9 })
    await using server = await listen(fake)
    const response = await fetch(`${server.url}/v1/notifications?channels=email&channels=sms&limit=3`, {
      headers: authorized(fake)
    })
    const { body } = await list(fake, fake.apiKey, "?channels=email&channels=sms&limit=3")
    assert.deepStrictEqual(await response.json(), body)
  })
})
