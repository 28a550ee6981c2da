import { assert, describe, it } from "@effect/vitest"
import { createFake, type EnvironmentOptions, expectFake, Fault } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { getEventListeners } from "node:events"
import { inspect } from "node:util"
import { Agent } from "undici"
import { type Client, createClient, isSignalboxError, type SignalboxError } from "../src/index.ts"
import { createClient as createNodeClient, type NodeClientOptions } from "../src/node.ts"

const token = "token-of-a-phone-nobody-may-see"
const tokens = { providerId: "fcm", credentials: { deviceTokens: [token] } } as const

type Options = Omit<NodeClientOptions, "dispatcher">

/** A client, and what happens before each of its requests is sent. */
type Create = (options: Options, beforeSending?: () => Promise<void>) => Client

const overFetch: Create = (options, beforeSending) =>
  createClient({
    ...options,
    fetch: async (input, init) => {
      await beforeSending?.()
      return fetch(input, init)
    }
  })

const overUndici: Create = (options, beforeSending) => {
  if (beforeSending === undefined) return createNodeClient(options)
  const agent = new Agent()
  const dispatch: Agent["dispatch"] = (request, handler) => {
    void beforeSending().then(() => agent.dispatch(request, handler))
    return true
  }
  return createNodeClient({ ...options, dispatcher: { dispatch } })
}

/** On a busy machine an attempt can take longer than its usual limit, and another one would meet no fault. */
const timeouts = { attemptMs: Infinity }

/** The fake's server, and a client of it. */
const startWith = async (create: Create, options: EnvironmentOptions = {}, clientOptions: Partial<Options> = {}) => {
  const fake = createFake({ seed: 7, ...options })
  const server = await listen(fake)
  const client = create({
    apiKey: fake.apiKey,
    baseUrl: server.url,
    retry: { baseDelayMs: 0 },
    timeouts,
    ...clientOptions
  })
  const [event] = await client.events.list({ limit: 1 }).then(({ data }) => data)
  return {
    fake,
    server,
    client,
    subscriberId: event?.subscriber?.subscriberId ?? "",
    /** The requests since the start. */
    requests: () => fake.journal.entries().slice(1),
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await server.close()
    }
  }
}

const failureOf = async (call: PromiseLike<unknown>): Promise<SignalboxError> => {
  try {
    await call
  } catch (error) {
    if (isSignalboxError(error)) return error
    throw error
  }
  throw new Error("was expected to fail")
}

describe.each([
  ["fetch", overFetch],
  ["undici", overUndici]
] as const)("over the fake's server, with %s", (_, create) => {
  const start = (options?: EnvironmentOptions, clientOptions?: Partial<Options>) =>
    startWith(create, options, clientOptions)

  describe("what a service may answer", () => {
    it("an unknown value loses nothing and is reported", async () => {
      await using place = await start()
      using fault = place.fake.faults.add(Fault.drift({ kind: "unknown-enum-value", operation: "events.list" }))
      const result = await place.client.events.list.result({ limit: 50 })
      assert.isTrue(result.ok)
      assert.lengthOf(result.ok ? result.value.data : [], 50)
      assert.deepStrictEqual(result.ok && result.call.drift.map(({ kind }) => kind), ["unknown-enum-value"])
      assert.strictEqual(fault.fired(), 1)
    })

    it("a record that cannot be read costs itself alone and is handed over", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(
        Fault.drift({ kind: "missing-field", field: "transactionId", operation: "events.list" })
      )
      const result = await place.client.events.list.result({ limit: 50 })
      assert.isTrue(result.ok)
      if (!result.ok) return
      assert.lengthOf(result.value.data, 49)
      assert.deepStrictEqual(
        result.call.unreadable.map(({ path }) => path),
        ["data[0]"]
      )
    })

    it("a page of HTML that calls itself JSON is the failure that its status says", async () => {
      await using place = await start()
      const body = "<html><body>Internal Server Error</body></html>"
      const headers = { "content-type": "application/json" }
      for (const [status, reason] of [
        [500, "ServerFailure"],
        [400, "Rejected"]
      ] as const) {
        using _fault = place.fake.faults.add(Fault.status(status, { body, headers }))
        const error = await failureOf(place.client.events.list({}, { retry: false }))
        assert.strictEqual(error.reason._tag, reason)
      }
    })

    it("a 503 without an error in its JSON is no success", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.status(503, { body: {}, times: "always" }))
      const error = await failureOf(
        place.client.messages.markAs(place.subscriberId, { messageId: "m", markAs: "read" })
      )
      assert.strictEqual(error.reason._tag, "ServerFailure")
      assert.lengthOf(error.attempts, 3)
    })

    it("a body that is cut, garbage or no JSON is read in another attempt, or is a malformed response", async () => {
      await using place = await start()
      for (const fault of [
        Fault.cutBody({ afterBytes: 20, failure: "reset" }),
        Fault.cutBody({ afterBytes: 20, failure: "close" }),
        Fault.garbage()
      ]) {
        using _fault = place.fake.faults.add(fault)
        const { data } = await place.client.events.list({ limit: 3 })
        assert.lengthOf(data, 3)
      }
      using _fault = place.fake.faults.add(Fault.malformedJson())
      const error = await failureOf(place.client.events.list())
      assert.strictEqual(error.reason._tag, "MalformedResponse")
    })
  })

  describe("retries", () => {
    it("stop after three attempts with one key", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.status(503, { times: "always" }))
      const mark = { messageId: "m", markAs: "read" } as const
      const error = await failureOf(place.client.messages.markAs(place.subscriberId, mark))
      assert.strictEqual(error.reason._tag, "ServerFailure")
      assert.lengthOf(error.attempts, 3)
      assert.deepStrictEqual(
        place.requests().map(({ idempotencyKey }) => idempotencyKey),
        Array.from({ length: 3 }, () => error.idempotencyKey)
      )
      expectFake(place.fake).usedOneKey("messages.markAs").applied(0, "messages.markAs")
    })

    it("wait as long as Retry-After asks", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.rateLimited({ retryAfterMs: 1_000 }))
      const { ok } = await place.client.events.list.result()
      assert.isTrue(ok)
      expectFake(place.fake).honouredRetryAfter("events.list")
    })

    it("do not happen after the service refuses a request", async () => {
      await using place = await start()
      for (const status of [400, 401, 403, 404, 422]) {
        using _fault = place.fake.faults.add(Fault.status(status))
        const mark = { messageId: `m${status}`, markAs: "read" } as const
        await failureOf(place.client.messages.markAs(place.subscriberId, mark))
      }
      assert.lengthOf(place.requests(), 5)
      expectFake(place.fake).neverRetriedOn([400, 401, 403, 404, 422], "messages.markAs")
    })

    it("stop at the first success", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.html(502, { times: 2 }))
      const { call, ok } = await place.client.events.list.result({ limit: 1 })
      assert.isTrue(ok)
      assert.deepStrictEqual(
        call.attempts.map(({ outcome }) => outcome),
        ["ServerFailure", "ServerFailure", "success"]
      )
    })

    const endings = { reset: Fault.reset, close: Fault.close, garbage: Fault.garbage }
    for (const ending of ["reset", "close", "garbage"] as const) {
      for (const at of ["received", "committed"] as const) {
        const name = `after a ${ending} when the request was ${at}`

        it(`happen for a mark, which is safe to apply twice, ${name}`, async () => {
          await using place = await start()
          using _fault = place.fake.faults.add(endings[ending]({ at, operation: "messages.markAs" }))
          const mark = { messageId: "0".repeat(24), markAs: "seen" } as const
          const { call, ok } = await place.client.messages.markAs.result(place.subscriberId, mark)
          assert.isTrue(ok)
          assert.deepStrictEqual(
            call.attempts.map(({ outcome }) => outcome),
            ["TransportFailure", "success"]
          )
        })

        it(`do not happen for a write that appends, ${name}`, async () => {
          await using place = await start()
          using _fault = place.fake.faults.add(endings[ending]({ at, operation: "credentials.upsert" }))
          const { reason } = await failureOf(place.client.credentials.upsert(place.subscriberId, tokens))
          assert.strictEqual(reason._tag, "TransportFailure")
          assert.strictEqual(reason._tag === "TransportFailure" && reason.delivery, "unknown")
          assert.deepStrictEqual(
            place.requests().map(({ applied }) => applied),
            [at === "committed"]
          )
        })
      }
    }

    it("happen for a write that appends if the connection was refused", async () => {
      await using place = await start()
      await place.server.down()
      let sent = 0
      await using client = create(
        { apiKey: place.fake.apiKey, baseUrl: place.server.url, retry: { baseDelayMs: 0 }, timeouts },
        async () => {
          sent += 1
          if (sent === 2) await place.server.up()
        }
      )
      const { call, ok } = await client.credentials.upsert.result(place.subscriberId, tokens)
      assert.isTrue(ok)
      assert.deepStrictEqual(
        call.attempts.map(({ outcome }) => outcome),
        ["TransportFailure", "success"]
      )
      assert.deepStrictEqual(
        place.requests().map(({ applied }) => applied),
        [true]
      )
    })

    it("that are refused a connection do not hide that the first attempt was sent", async () => {
      await using place = await start()
      let sent = 0
      await using client = create(
        { apiKey: place.fake.apiKey, baseUrl: place.server.url, retry: { baseDelayMs: 0 }, timeouts },
        async () => {
          sent += 1
          if (sent === 2) await place.server.down()
        }
      )
      using _fault = place.fake.faults.add(Fault.reset({ at: "committed", operation: "messages.markAs" }))
      const mark = { messageId: "0".repeat(24), markAs: "read" } as const
      const { attempts, reason } = await failureOf(client.messages.markAs(place.subscriberId, mark))
      assert.lengthOf(attempts, 3)
      assert.strictEqual(reason._tag, "TransportFailure")
      assert.strictEqual(reason._tag === "TransportFailure" && reason.delivery, "unknown")
    })

    it("do not happen for a write that appends once a response shows that the service ignores keys", async () => {
      await using place = await start({ switches: { "idempotency.sameBody": "apply" } })
      await place.client.credentials.upsert(place.subscriberId, tokens)
      using _fault = place.fake.faults.add(Fault.reset({ at: "committed", operation: "credentials.upsert" }))
      const error = await failureOf(place.client.credentials.upsert(place.subscriberId, tokens))
      assert.strictEqual(error.reason._tag, "TransportFailure")
      assert.lengthOf(error.attempts, 1)
    })

    it("happen for a write that appends if the service honours keys, and the write is applied once", async () => {
      await using place = await start(
        { switches: { "idempotency.sameBody": "replay" } },
        { idempotency: { serviceHonoursKeys: true } }
      )
      using _fault = place.fake.faults.add(Fault.reset({ at: "committed", operation: "credentials.upsert" }))
      const { call, ok } = await place.client.credentials.upsert.result(place.subscriberId, tokens)
      assert.isTrue(ok)
      assert.lengthOf(call.attempts, 2)
      expectFake(place.fake).appliedOnce("credentials.upsert").usedOneKey("credentials.upsert").noContradictions()
    })
  })

  describe("waiting", () => {
    it("for a body that never ends after its headers is a timeout", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.cutBody({ afterBytes: 10, failure: "hang" }))
      const error = await failureOf(place.client.events.list({}, { retry: false, timeouts: { attemptMs: 100 } }))
      assert.strictEqual(error.reason._tag, "Timeout")
    })

    it("no answer at all is a timeout", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.hang())
      const error = await failureOf(place.client.events.list({}, { retry: false, timeouts: { attemptMs: 100 } }))
      assert.strictEqual(error.reason._tag, "Timeout")
    })

    it("a hint that does not fit the time limit fails the call now, with the hint", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.rateLimited({ retryAfterMs: 120_000 }))
      const error = await failureOf(place.client.events.list())
      assert.strictEqual(error.reason._tag, "RateLimited")
      assert.strictEqual(error.reason._tag === "RateLimited" && error.reason.retryAfterMs, 120_000)
      assert.lengthOf(place.requests(), 1)
    })

    it("an abort while told to wait rejects at once, sends nothing more and leaves no listener", async () => {
      await using place = await start()
      using _fault = place.fake.faults.add(Fault.rateLimited({ retryAfterMs: 30_000, times: "always" }))
      const controller = new AbortController()
      const why = new Error("the user left")
      const call = place.client.events.list({}, { signal: controller.signal, onAttempt: () => controller.abort(why) })
      const reason = await call.then(
        () => "a value",
        (error: unknown) => error
      )
      assert.strictEqual(reason, why)
      assert.lengthOf(place.requests(), 1)
      assert.lengthOf(getEventListeners(controller.signal, "abort"), 0)
    })

    it("a hundred calls on one signal leave no listener", async () => {
      await using place = await start()
      const { signal } = new AbortController()
      for (let call = 0; call < 100; call++) await place.client.events.list({ limit: 1 }, { signal })
      assert.lengthOf(getEventListeners(signal, "abort"), 0)
    })
  })

  describe("secrets", () => {
    it("are in no line for debugging and in no error, whatever the service quotes", async () => {
      const lines: Array<string> = []
      await using place = await start({}, { debug: (line) => lines.push(line) })
      using _fault = place.fake.faults.add(
        Fault.status(400, {
          body: {
            message: `"${token}" of ${place.fake.apiKey} is no token`,
            value: token,
            errors: { general: [token] }
          }
        })
      )
      const error = await failureOf(place.client.credentials.upsert(place.subscriberId, tokens))
      assert.strictEqual(error.reason._tag, "Rejected")
      const shown = [
        ...lines,
        inspect(error, { depth: 10, showHidden: true }),
        JSON.stringify(error),
        error.stack
      ].join()
      assert.include(shown, "credentials.upsert")
      assert.notInclude(shown, token)
      assert.notInclude(shown, place.fake.apiKey)
    })
  })
})
