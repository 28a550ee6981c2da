import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { getEventListeners } from "node:events"
import type { ClientMember } from "./Client.tst.ts"
import {
  CallAborted,
  type ClientOptions,
  ClientClosed,
  ClientOptionError,
  createClient,
  createClientFromEnv,
  ListEventsError,
  type UpsertInput,
  UpsertCredentialsError
} from "./index.ts"

const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { ...init, headers: { "content-type": "application/json", ...init.headers } })

const emptyPage = { data: [], hasMore: false, page: 0, pageSize: 10 }

const rejection = async (work: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error("was expected to reject")
}

/** A client on answers made by hand, and the requests that it sent. */
const clientOn = (answer: (request: Request, count: number) => Response | Promise<Response>, options = {}) => {
  const sent: Array<Request> = []
  const client = createClient({
    apiKey: "secret-key-of-the-test",
    baseUrl: "http://service.test",
    fetch: async (input, init) => {
      const request = new Request(input instanceof URL ? input.href : input, init)
      sent.push(request)
      return answer(request, sent.length)
    },
    ...options
  })
  return { client, sent }
}

const fast = { retry: { baseDelay: 0, maxDelay: 0 } }
const upsertion = { providerId: "slack", credentials: { webhookUrl: "https://hooks.test/services/secret" } } as const

describe("options", () => {
  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["apiKey", { apiKey: 7 }],
    ["apiKey", { apiKey: "" }],
    ["baseUrl", { baseUrl: "nowhere" }],
    ["baseURL", { baseURL: "http://service.test" }],
    ["vendor", { vendor: "two words" }],
    ["fetch", { fetch: "fetch" }],
    ["headers", { headers: { authorization: "mine" } }],
    ["headers.x-tenant", { headers: { "x-tenant": 7 } }],
    ["arrayEncoding", { arrayEncoding: "commas" }],
    ["retry", { retry: true }],
    ["retry.maxRetries", { retry: { maxRetries: -1 } }],
    ["retry.retries", { retry: { retries: 3 } }],
    ["retry.baseDelay", { retry: { baseDelay: Number.NaN } }],
    ["timeouts.attempt", { timeouts: { attempt: 0 } }],
    ["timeouts.call", { timeouts: { call: "10 s" } }],
    ["idempotency", { idempotency: "always" }],
    ["idempotency.derived.scope", { idempotency: { derived: { scope: "" } } }],
    ["idempotency.derived.generation", { idempotency: { derived: { scope: "job", generation: 1.5 } } }],
    ["response", { response: "lax" }],
    ["throttle", { throttle: 1 }],
    ["onDrift", { onDrift: {} }],
    ["debug", { debug: true }],
    ["tracer", { tracer: {} }]
  ]
  for (const [option, options] of wrong) {
    it(`names ${option} in ${JSON.stringify(options)}`, () => {
      const make = () =>
        createClient({ apiKey: "key", baseUrl: "http://service.test", ...(options as Partial<ClientOptions>) })
      const error = ((): unknown => {
        try {
          return make()
        } catch (reason) {
          return reason
        }
      })()
      assert.instanceOf(error, ClientOptionError)
      assert.strictEqual(error.option, option)
      assert.isTrue(error.message.startsWith(`${option}: `))
      assert.notInclude(error.message, "\n")
    })
  }

  it("asks for the key once for each call, also across repeats", async () => {
    let asked = 0
    const { client, sent } = clientOn(
      (_request, count) => (count === 1 ? new Response(null, { status: 503 }) : json(emptyPage)),
      { ...fast, apiKey: async () => `key-${++asked}` }
    )
    await client.events.list()
    await client.events.list()
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers.get("authorization")),
      ["ApiKey key-1", "ApiKey key-1", "ApiKey key-2"]
    )
    await client.close()
  })

  it("says that the key cannot be had, without what the function said", async () => {
    const { client, sent } = clientOn(() => json(emptyPage), {
      apiKey: () => Promise.reject(new Error("vault token abc123"))
    })
    const error = await rejection(client.events.list())
    assert.instanceOf(error, ListEventsError)
    assert.strictEqual(error.reason._tag, "InvalidRequest")
    assert.include(error.message, "apiKey")
    assert.notInclude(error.message, "abc123")
    assert.lengthOf(sent, 0)
    await client.close()
  })

  it("are overruled by those of a call, field by field", async () => {
    const { client, sent } = clientOn(() => new Response(null, { status: 503 }), fast)
    await rejection(client.events.list({}, { retry: false }))
    assert.lengthOf(sent, 1)
    await rejection(client.events.list({}, { retry: { maxRetries: 4 } }))
    assert.lengthOf(sent, 6)
    const error = await rejection(client.events.list({}, { retry: { maxRetries: -2 } }))
    assert.instanceOf(error, ClientOptionError)
    await client.close()
  })

  it("come from the environment when asked", () => {
    const fake = createFake()
    const before = { ...process.env }
    try {
      delete process.env["SIGNALBOX_API_KEY"]
      assert.throws(() => createClientFromEnv({ baseUrl: fake.baseUrl }), "SIGNALBOX_API_KEY: must be set")
      process.env["SIGNALBOX_API_KEY"] = fake.apiKey
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_BASE_URL: must be set")
      process.env["SIGNALBOX_BASE_URL"] = fake.baseUrl
      assert.isFunction(createClientFromEnv().events.list)
    } finally {
      process.env = before
    }
  })

  it("are still wanted where there is no environment", () => {
    const { process } = globalThis
    try {
      Reflect.deleteProperty(globalThis, "process")
      assert.throws(() => createClientFromEnv(), "SIGNALBOX_API_KEY: must be set")
      assert.isFunction(createClientFromEnv({ apiKey: "key", baseUrl: "http://service.test" }).events.list)
    } finally {
      globalThis.process = process
    }
  })
})

describe("a client", () => {
  it("has the members that its type has", async () => {
    const members: Record<ClientMember, true> = {
      credentials: true,
      messages: true,
      events: true,
      rateLimit: true,
      close: true,
      [Symbol.asyncDispose]: true
    }
    const { client } = clientOn(() => json(emptyPage))
    assert.sameMembers(Reflect.ownKeys(client), Reflect.ownKeys(members))
    await client.close()
  })
})

describe("a call", () => {
  it("rejects at once with the reason of its signal, also while it waits to repeat", async () => {
    const controller = new AbortController()
    const { client, sent } = clientOn(() => new Response(null, { status: 503, headers: { "retry-after": "30" } }), {
      onAttempt: () => controller.abort("enough")
    })
    assert.strictEqual(await rejection(client.events.list({}, { signal: controller.signal })), "enough")
    assert.lengthOf(sent, 1)
    assert.strictEqual(await rejection(client.events.list({}, { signal: controller.signal })), "enough")
    assert.lengthOf(sent, 1)
    await client.close()
  })

  it("leaves no listener on its signal, also after 10,000 calls", { timeout: 60_000 }, async () => {
    const { signal } = new AbortController()
    const { client, sent } = clientOn(() => json(emptyPage))
    for (let round = 0; round < 100; round++) {
      await Promise.all(Array.from({ length: 100 }, () => client.events.list({}, { signal })))
    }
    assert.lengthOf(sent, 10_000)
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
    await client.close()
  })

  it("under way when the client closes rejects with ClientClosed, and so do later ones", async () => {
    let arrived = () => {}
    const isUnderWay = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { client } = clientOn((request) => {
      arrived()
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason))
      })
    })
    const call = rejection(client.messages.markAs("user-7", { messageId: "m1", markAs: "read" }))
    await isUnderWay
    await client.close()
    assert.instanceOf(await call, ClientClosed)
    assert.instanceOf(await rejection(client.events.list()), ClientClosed)
    const result = await client.events.list.result()
    assert.isTrue(!result.ok && result.error instanceof ClientClosed)
  })

  it("has its outcome as a value", async () => {
    const { client } = clientOn(
      (_request, count) =>
        count === 1
          ? new Response(null, { status: 503 })
          : json({ ...emptyPage, extra: 1 }, { headers: { "x-request-id": "r-2", "ratelimit-remaining": "9" } }),
      fast
    )
    const result = await client.events.list.result()
    assert.isTrue(result.ok)
    assert.deepStrictEqual(
      result.call.attempts.map(({ outcome }) => outcome),
      ["ServerFailure", "success"]
    )
    if (result.ok) {
      assert.strictEqual(result.call.requestId, "r-2")
      assert.strictEqual(result.call.headers["ratelimit-remaining"], "9")
      assert.strictEqual(result.call.rateLimit?.remaining, 9)
      assert.deepStrictEqual(result.call.drift, [{ kind: "unknown-field", path: "extra" }])
      assert.deepStrictEqual(result.value.data, [])
    }
    assert.strictEqual(client.rateLimit?.remaining, 9)
    await client.close()
  })

  it("has its failure and its abort as a value", async () => {
    const controller = new AbortController()
    const { client } = clientOn(() => new Response(null, { status: 503, headers: { "x-node": "7" } }), { retry: false })
    const failed = await client.credentials.upsert.result("user-7", upsertion, { idempotencyKey: "mine" })
    assert.isFalse(failed.ok)
    if (!failed.ok) {
      assert.instanceOf(failed.error, UpsertCredentialsError)
      assert.strictEqual(failed.call.status, 503)
      assert.strictEqual(failed.call.idempotencyKey, "mine")
      assert.strictEqual(failed.call.headers?.["x-node"], "7")
      assert.lengthOf(failed.call.attempts, 1)
    }
    controller.abort("enough")
    const aborted = await client.events.list.result({}, { signal: controller.signal })
    assert.isTrue(!aborted.ok && aborted.error instanceof CallAborted && aborted.error.reason === "enough")
    await client.close()
  })

  it("tells about attempts and drift, and a callback that throws changes nothing", async () => {
    const attempts: Array<string> = []
    const drift: Array<string> = []
    const { client } = clientOn(() => json({ ...emptyPage, extra: 1 }), {
      onAttempt: ({ operation, outcome }: { operation: string; outcome: string }) => {
        attempts.push(`${operation} ${outcome}`)
        throw new Error("of the callback")
      },
      onDrift: ({ entries }: { entries: ReadonlyArray<{ path: string }> }) => {
        drift.push(...entries.map(({ path }) => path))
        throw new Error("of the callback")
      }
    })
    await client.events.list()
    assert.deepStrictEqual(attempts, ["events.list success"])
    assert.deepStrictEqual(drift, ["extra"])
    await client.close()
  })

  it("writes lines for debugging without any secret", async () => {
    const lines: Array<string> = []
    const { client } = clientOn(
      (_request, count) => new Response("token-of-a-phone", { status: count === 1 ? 503 : 400 }),
      {
        ...fast,
        idempotency: { serviceHonoursKeys: true },
        debug: (line: string) => lines.push(line)
      }
    )
    await rejection(
      client.credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } })
    )
    assert.isAtLeast(lines.length, 3)
    assert.include(lines[0], "credentials.upsert attempt 1: 503 ServerFailure")
    assert.notInclude(lines.join("\n"), "token-of-a-phone")
    assert.notInclude(lines.join("\n"), "secret-key-of-the-test")
    await client.close()
  })

  it("is one span of the tracer, whatever the tracer does", async () => {
    const spans: Array<string> = []
    const tracer = {
      startSpan: (name: string, options?: { kind?: number }) => {
        spans.push(`${name} ${options?.kind}`)
        return {
          spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
          setAttribute: (key: string, value: unknown) => spans.push(`${key}=${value}`),
          addEvent: (event: string) => spans.push(event),
          setStatus: ({ code }: { code: number }) => spans.push(`status ${code}`),
          end: () => {
            spans.push("end")
            throw new Error("of the tracer")
          }
        }
      }
    }
    const { client, sent } = clientOn(() => new Response(null, { status: 500 }), { retry: false, tracer })
    assert.instanceOf(await rejection(client.events.list()), ListEventsError)
    assert.strictEqual(spans[0], "GET /v1/notifications 2")
    assert.include(spans, "url.template=/v1/notifications")
    assert.include(spans, "attempt")
    assert.include(spans, "status 2")
    assert.strictEqual(spans.at(-1), "end")
    assert.isFalse(sent[0]?.headers.has("traceparent"))
    await client.close()
  })
})

describe("a walk", () => {
  const pageOf = (request: Request) => Number(new URL(request.url).searchParams.get("page") ?? 0)
  const record = (at: number) => ({
    _id: `e${at}`,
    _environmentId: "e",
    _organizationId: "o",
    _subscriberId: "s",
    transactionId: `t${at}`
  })
  const pageAnswer = (request: Request) => {
    const page = pageOf(request)
    const data = [record(page * 2), record(page * 2 + 1)]
    return json({ data, hasMore: page < 2, page, pageSize: 2 })
  }

  it("answers several requests for the next event in their order", async () => {
    const { client } = clientOn(pageAnswer)
    const events = client.events.list()[Symbol.asyncIterator]()
    const asked = await Promise.all(Array.from({ length: 7 }, () => events.next()))
    assert.deepStrictEqual(
      asked.map((result) => (result.done === true ? "end" : result.value._id)),
      ["e0", "e1", "e2", "e3", "e4", "e5", "end"]
    )
    await client.close()
  })

  it("fails with the error of the page that fails, after the events before it", async () => {
    const { client } = clientOn(
      (request) => (pageOf(request) === 1 ? new Response(null, { status: 403 }) : pageAnswer(request)),
      { retry: false }
    )
    const seen: Array<string | undefined> = []
    const walk = (async () => {
      for await (const { _id } of client.events.list()) seen.push(_id)
    })()
    const error = await rejection(walk)
    assert.instanceOf(error, ListEventsError)
    assert.strictEqual(error.reason._tag, "Forbidden")
    assert.deepStrictEqual(seen, ["e0", "e1"])
    await client.close()
  })

  it("ends with ClientClosed when the client closes under it", async () => {
    const { client } = clientOn(pageAnswer)
    const events = client.events.list()[Symbol.asyncIterator]()
    await events.next()
    await client.close()
    assert.instanceOf(await rejection(events.next()), ClientClosed)
    assert.deepStrictEqual(await events.next(), { done: true, value: undefined })
    assert.instanceOf(await rejection(client.events.list()[Symbol.asyncIterator]().next()), ClientClosed)
  })

  it("leaves no listener on its signal, however it ends", async () => {
    const { client } = clientOn(pageAnswer)
    const { signal } = new AbortController()
    for await (const _event of client.events.list({}, { signal })) break
    for await (const _page of client.events.list({}, { signal }).pages()) continue
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
    await client.close()
  })
})

describe("upsertMany", () => {
  const subscriber = (subscriberId: string) => ({
    subscriberId,
    _organizationId: "o",
    _environmentId: "e",
    deleted: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z"
  })
  const idOf = (request: Request) => new URL(request.url).pathname.split("/")[3] ?? ""
  const inputOf = (at: number): UpsertInput => ({ subscriberId: `u${at}`, ...upsertion })

  it("keeps the order of the inputs, never takes more than it may, and hands over failures", async () => {
    let taken = 0
    let consumed = 0
    let most = 0
    function* inputs() {
      for (let at = 0; at < 200; at++) {
        taken++
        most = Math.max(most, taken - consumed)
        yield inputOf(at)
      }
    }
    const { client, sent } = clientOn(
      (request) => (idOf(request) === "u3" ? new Response(null, { status: 404 }) : json(subscriber(idOf(request)))),
      { retry: false }
    )
    const seen: Array<string> = []
    for await (const outcome of client.credentials.upsertMany(inputs(), { concurrency: 3 })) {
      consumed++
      seen.push(`${outcome.index} ${outcome.input.subscriberId} ${outcome.ok ? outcome.value.subscriberId : "failed"}`)
    }
    assert.deepStrictEqual(
      seen,
      Array.from({ length: 200 }, (_, at) => `${at} u${at} ${at === 3 ? "failed" : `u${at}`}`)
    )
    assert.lengthOf(sent, 200)
    assert.isAtMost(most, 4)
    await client.close()
  })

  it("hands over outcomes as calls end", async () => {
    let release = () => {}
    const first = new Promise<void>((resolve) => {
      release = resolve
    })
    const { client } = clientOn(async (request) => {
      if (idOf(request) === "u0") await first
      return json(subscriber(idOf(request)))
    })
    const seen: Array<number> = []
    const inputs = Array.from({ length: 6 }, (_, at) => inputOf(at))
    for await (const { index } of client.credentials.upsertMany(inputs, { concurrency: 2, order: "completion" })) {
      seen.push(index)
      if (seen.length === 5) release()
    }
    assert.deepStrictEqual(seen, [1, 2, 3, 4, 5, 0])
    await client.close()
  })

  it("has an outcome for every input that was taken, also when aborted", async () => {
    const controller = new AbortController()
    let taken = 0
    function* inputs() {
      while (true) yield inputOf(taken++)
    }
    const { client } = clientOn((request) => {
      if (idOf(request) !== "u5") return json(subscriber(idOf(request)))
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason))
        controller.abort("enough")
      })
    })
    const outcomes: Array<string> = []
    const walk = (async () => {
      const { signal } = controller
      for await (const outcome of client.credentials.upsertMany(inputs(), { concurrency: 2, signal })) {
        outcomes.push(outcome.ok ? "done" : outcome.error._tag)
      }
    })()
    assert.strictEqual(await rejection(walk), "enough")
    assert.lengthOf(outcomes, taken)
    assert.deepStrictEqual([...new Set(outcomes)], ["done", "CallAborted"])
    assert.lengthOf(getEventListeners(controller.signal, "abort"), 0)
    await client.close()
  })

  it("names a wrong concurrency before it takes anything", async () => {
    const { client } = clientOn(() => json({}))
    assert.throws(() => client.credentials.upsertMany([], { concurrency: 0 }), "concurrency: ")
    await client.close()
  })
})

describe("markManyAs", () => {
  const ids = Array.from({ length: 250 }, (_, at) => `m${at}`)

  it("marks in calls of 100 and says which messages no answer had", async () => {
    const { client, sent } = clientOn(() => json([], { status: 201 }))
    const { messages, notReturned } = await client.messages.markManyAs("user-7", ids, "read")
    assert.deepStrictEqual(messages, [])
    assert.deepStrictEqual(notReturned, ids)
    assert.lengthOf(sent, 3)
    await client.close()
  })

  it("says what became of every message after an abort", async () => {
    const controller = new AbortController()
    const { client } = clientOn((request, count) => {
      if (count === 1) return json([], { status: 201 })
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason))
        controller.abort("enough")
      })
    })
    const result = await client.messages.markManyAs.result("user-7", ids, "read", {
      concurrency: 1,
      signal: controller.signal
    })
    assert.isFalse(result.ok)
    assert.strictEqual(!result.ok && result.error._tag, "CallAborted")
    assert.deepStrictEqual(result.report, {
      done: ids.slice(0, 100),
      failed: ids.slice(100, 200),
      notTried: ids.slice(200)
    })
    await client.close()
  })
})
