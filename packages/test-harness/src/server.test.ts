import { assert, describe, it } from "@effect/vitest"
import { connect, Server, Socket } from "node:net"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { manualClock } from "./clock/ManualClock.ts"
import type { EnvironmentOptions } from "./environment/EnvironmentOptions.ts"
import { createFake, Fault } from "./index.ts"
import type { JournalEntry, RequestOutcome } from "./journal/JournalEntry.ts"
import { listen } from "./server.ts"
import { deliver, type Step } from "./request/Step.ts"
import * as Random from "./random/Random.ts"
import { type EntryPoint, registerEntryPoint } from "./surfaces/EntryPoint.ts"
import { bodyOf } from "./wire/WireBody.ts"

const scene = async (options: EnvironmentOptions = {}) => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock, ...options })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  const server = await listen(fake)
  const list = (...headers: ReadonlyArray<string>) =>
    ["GET /v1/notifications HTTP/1.1", "host: fake", `authorization: ApiKey ${fake.apiKey}`, ...headers, "", ""].join(
      "\r\n"
    )
  /** Resolves with the first matching entry, at once or when the journal has it. */
  const journalled = (fits: (entry: JournalEntry) => boolean): Promise<JournalEntry> =>
    new Promise((resolve) => {
      const known = fake.journal.entries().find(fits)
      if (known !== undefined) return resolve(known)
      const stop = fake.journal.subscribe((entry) => {
        if (!fits(entry)) return
        stop()
        resolve(entry)
      })
    })
  const outcome = (tag: RequestOutcome["_tag"]) => journalled((entry) => entry.outcome._tag === tag)
  return { clock, fake, server, list, journalled, outcome, [Symbol.asyncDispose]: () => server.close() }
}

/** A client that sends exactly the given bytes. */
const dial = async (port: number) => {
  const socket: Socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  await new Promise((resolve) => socket.once("connect", resolve))
  let received = ""
  let ended: string | undefined
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  socket.setEncoding("latin1")
  socket.on("data", (text: string) => {
    received += text
    notify()
  })
  socket.on("end", () => {
    ended ??= "closed"
    notify()
  })
  socket.on("error", (error: NodeJS.ErrnoException) => {
    ended ??= error.code ?? error.message
    notify()
  })
  const until = <A>(look: () => A | undefined): Promise<A> =>
    new Promise((resolve) => {
      const check = () => {
        const found = look()
        if (found === undefined) return
        listeners.delete(check)
        resolve(found)
      }
      listeners.add(check)
      check()
    })
  return {
    socket,
    say: (text: string) => void socket.write(text),
    /** Everything up to an expected string. */
    hear: (expected: string) => until(() => (received.includes(expected) ? received : undefined)),
    /** How the connection ended, and everything received before. */
    end: () => until(() => (ended === undefined ? undefined : { ended, received }))
  }
}

const status = (text: string): string => text.slice(9, 12)

/** The sockets and servers that are open: those themselves, because others of this process may close during a test. */
const openHandles = (): ReadonlySet<unknown> => {
  const handles: ReadonlyArray<unknown> = Reflect.apply(Reflect.get(process, "_getActiveHandles"), process, [])
  return new Set(handles.filter((handle) => handle instanceof Socket || handle instanceof Server))
}

describe("listen", () => {
  it("releases everything when it is closed, with any requests in flight", async () => {
    const before = openHandles()
    const scenery = await scene()
    scenery.fake.faults.add(Fault.latency(10_000))
    scenery.fake.faults.add(Fault.hang({ at: "answering", attempt: 2 }))
    scenery.fake.faults.add(Fault.slowBody({ bytes: 1, everyMs: 1_000, attempt: 3 }))
    const clients = await Promise.all([1, 2, 3].map(() => dial(scenery.server.port)))
    for (const client of clients) client.say(scenery.list("idempotency-key: k"))
    await scenery.journalled(({ number }) => number === 3)
    await scenery.server.close()
    await Promise.all(
      clients.map(async (client) => {
        await client.end()
        await new Promise<void>((resolve) => client.socket.once("close", () => resolve()).destroy())
      })
    )
    assert.strictEqual([...openHandles()].filter((handle) => !before.has(handle)).length, 0)
  })

  it("dates responses by the clock of the environment", async () => {
    await using scenery = await scene()
    scenery.clock.advance(61_000)
    const client = await dial(scenery.server.port)
    client.say(scenery.list())
    assert.include((await client.hear("\r\n\r\n")).toLowerCase(), "date: thu, 01 jan 2026 00:01:01 gmt")
    client.socket.destroy()
  })

  it("responds to pipelined requests in order, even if the first is delayed", async () => {
    await using scenery = await scene()
    scenery.fake.faults.add(Fault.latency(500))
    const client = await dial(scenery.server.port)
    client.say(scenery.list("idempotency-key: one") + scenery.list().replace("/v1/", "/v0/"))
    await scenery.journalled(({ path }) => path.startsWith("/v0/"))
    scenery.clock.advance(500)
    const answers = (await client.hear("expected one of")).match(/HTTP\/1\.1 \d+/gu)
    assert.deepStrictEqual(answers, ["HTTP/1.1 200", "HTTP/1.1 404"])
    client.socket.destroy()
  })

  it("ends a connection in order: responds to earlier requests and ignores later ones", async () => {
    for (const [fault, sent] of [
      [Fault.cutBody({ afterBytes: 5 }), '\r\n\r\n{"dat'],
      [Fault.garbage({ at: "answering" }), `"pageSize":10}garbage\r\n\r\n`],
      [Fault.close({ at: "answering" }), '"pageSize":10}']
    ] as const) {
      await using scenery = await scene()
      scenery.fake.faults.add(Fault.latency(500, { key: "first" }))
      scenery.fake.faults.add({ ...fault, key: "second" })
      const client = await dial(scenery.server.port)
      client.say(scenery.list("idempotency-key: first") + scenery.list("idempotency-key: second"))
      await scenery.journalled(({ number }) => number === 2)
      scenery.clock.advance(500)
      const { received } = await client.end()
      assert.strictEqual(status(received), "200")
      assert.isTrue(received.endsWith(sent), received)
      assert.include(received, '"pageSize":10}')
      client.say(scenery.list("idempotency-key: third"))
      const other = await dial(scenery.server.port)
      other.say(scenery.list("idempotency-key: fourth"))
      assert.strictEqual(status(await other.hear("\r\n\r\n")), "200")
      const keys = scenery.fake.journal.entries().map(({ idempotencyKey }) => idempotencyKey)
      assert.deepStrictEqual(keys, ["first", "second", "fourth"])
      for (const { socket } of [client, other]) socket.destroy()
    }
  })

  it("responds to a client that half-closes the connection after its request", async () => {
    await using scenery = await scene()
    const client = await dial(scenery.server.port)
    client.socket.end(scenery.list())
    const { ended, received } = await client.end()
    assert.deepStrictEqual([status(received), ended], ["200", "closed"])
  })

  it.each([
    ["hello\r\n\r\n", "400 Bad Request"],
    ["GET / HTTP/1.1\r\nhost: a\r\nhost : b\r\n\r\n", "400 Bad Request"],
    ["POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nnone\r\n", "400 Bad Request"],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, "431 Request Header Fields Too Large"]
  ])("responds to bytes that are not HTTP as a service on Node does, and closes: %#", async (bytes, statusLine) => {
    await using scenery = await scene()
    const client = await dial(scenery.server.port)
    client.say(bytes)
    const { received } = await client.end()
    assert.strictEqual(received, `HTTP/1.1 ${statusLine}\r\nConnection: close\r\n\r\n`)
    client.socket.destroy()
    const next = await dial(scenery.server.port)
    next.say(scenery.list())
    assert.strictEqual(status(await next.hear("\r\n\r\n")), "200")
    next.socket.destroy()
  })

  it.each([
    ["gzip", gzipSync, 200],
    ["deflate", deflateSync, 200],
    ["br", brotliCompressSync, 200],
    ["gzip", Buffer.from, 500]
  ] as const)("reads a body with the Content-Encoding %s: %#", async (encoding, compress, expected) => {
    await using scenery = await scene({ preset: "observed" })
    const { apiKey, journal } = scenery.fake
    const sent = { providerId: "fcm", credentials: { deviceTokens: ["token"] } }
    const { status: received } = await fetch(`${scenery.server.url}/v1/subscribers/ana/credentials`, {
      method: "PATCH",
      headers: {
        authorization: `ApiKey ${apiKey}`,
        "content-type": "application/json",
        "content-encoding": encoding
      },
      body: compress(JSON.stringify(sent))
    })
    assert.strictEqual(received, expected)
    const [entry] = journal.entries()
    assert.deepStrictEqual(entry?.body, { ...sent, credentials: { deviceTokens: ["<redacted>"] } })
    assert.strictEqual(entry?.headers["content-encoding"], encoding)
  })

  it("rejects a body that is too large before the client has sent all of it", async () => {
    await using scenery = await scene()
    const client = await dial(scenery.server.port)
    const { apiKey } = scenery.fake
    client.say(
      [
        "PATCH /v1/subscribers/ana/credentials HTTP/1.1",
        "host: fake",
        `authorization: ApiKey ${apiKey}`,
        "content-type: application/json",
        "content-length: 50000000",
        "",
        `"${"x".repeat(1_500_000)}`
      ].join("\r\n")
    )
    assert.strictEqual(status(await client.hear("\r\n\r\n")), "413")
    client.socket.destroy()
  })

  it("accepts whole URLs, as proxies send them, and sends 100 Continue for an announced body", async () => {
    await using scenery = await scene()
    const client = await dial(scenery.server.port)
    client.say(scenery.list().replace("/v1/", "http://fake/v1/"))
    assert.strictEqual(status(await client.hear("\r\n\r\n")), "200")
    client.socket.destroy()
    const other = await dial(scenery.server.port)
    other.say("POST /v1/notifications HTTP/1.1\r\nhost: fake\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
    assert.strictEqual(status(await other.hear("\r\n\r\n")), "100")
    other.say("{}")
    assert.include(await other.hear("401"), "HTTP/1.1 401")
    other.socket.destroy()
  })

  it("journals a disconnected client, and continues processing its request", async () => {
    await using scenery = await scene()
    scenery.fake.faults.add(Fault.latency(500, { at: "validated" }))
    const client = await dial(scenery.server.port)
    client.say(scenery.list())
    await scenery.journalled(({ points }) => points.some(({ point }) => point === "validated"))
    client.socket.destroy()
    const entry = await scenery.outcome("ClientDisconnected")
    scenery.clock.advance(500)
    assert.include(entry.points.map(({ point }) => point).join(" "), "committed")
  })

  it("stops a slow body when its client disconnects", async () => {
    await using scenery = await scene()
    scenery.fake.faults.add(Fault.slowBody({ bytes: 4, everyMs: 100 }))
    const client = await dial(scenery.server.port)
    client.say(scenery.list())
    await client.hear("\r\n\r\n")
    scenery.clock.advance(100)
    assert.match(await client.hear('{"da'), /\r\n\r\n\{"da$/u)
    client.socket.destroy()
    const { outcome } = await scenery.journalled(({ endedAt }) => endedAt !== undefined)
    scenery.clock.advance(3_600_000)
    assert.deepStrictEqual(outcome, { _tag: "Response", status: 200 })
    assert.strictEqual(scenery.fake.journal.entries()[0]?.points.at(-1)?.point, "answering")
  })

  it("ends connections as faults specify, without a byte of a response", async () => {
    for (const [fault, expected] of [
      [Fault.reset(), { ended: "ECONNRESET", received: "" }],
      [Fault.close(), { ended: "closed", received: "" }],
      [Fault.garbage(), { ended: "closed", received: "garbage\r\n\r\n" }]
    ] as const) {
      await using scenery = await scene()
      scenery.fake.faults.add(fault)
      const client = await dial(scenery.server.port)
      client.say(scenery.list())
      assert.deepStrictEqual(await client.end(), expected)
      client.socket.destroy()
    }
  })

  it("cuts a body short of its content length", async () => {
    await using scenery = await scene()
    scenery.fake.faults.add(Fault.cutBody({ afterBytes: 5 }))
    const client = await dial(scenery.server.port)
    client.say(scenery.list())
    const { ended, received } = await client.end()
    assert.strictEqual(ended, "closed")
    const [head = "", body] = received.split("\r\n\r\n")
    assert.strictEqual(body, '{"dat')
    assert.isAbove(Number(/content-length: (\d+)/u.exec(head)?.[1]), 5)
    client.socket.destroy()
  })

  it("cannot refuse a connected client, and names the alternative", async () => {
    await using scenery = await scene()
    scenery.fake.faults.add(Fault.refuse())
    const response = await fetch(`${scenery.server.url}/v1/notifications`, {
      headers: { authorization: `ApiKey ${scenery.fake.apiKey}` }
    })
    assert.strictEqual(response.status, 500)
    assert.include(await response.text(), "call down() of the server")
    assert.deepInclude(scenery.fake.journal.entries()[0], { outcome: { _tag: "Response", status: 500 } })
  })

  it("refuses all connections while it is down, and keeps its address", async () => {
    await using scenery = await scene()
    const { server } = scenery
    const client = await dial(server.port)
    await server.down()
    assert.strictEqual((await client.end()).ended, "closed")
    client.socket.destroy()
    const refused: unknown = await fetch(server.url).catch((error: unknown) => error)
    assert.deepInclude((refused as { readonly cause: unknown }).cause, { code: "ECONNREFUSED" })
    await server.down()
    await server.up()
    await server.up()
    assert.strictEqual((await fetch(`${server.url}/v1/notifications`)).status, 401)
  })

  it("reports that its port is in use", async () => {
    await using scenery = await scene()
    const taken: unknown = await listen(scenery.fake, { port: scenery.server.port }).catch((error: unknown) => error)
    assert.deepInclude(taken, { code: "EADDRINUSE" })
  })

  it("serves only fakes made by createFake", async () => {
    const { fake } = await scene().then(async (scenery) => {
      await scenery.server.close()
      return scenery
    })
    const error: unknown = await listen({ ...fake }).catch((thrown: unknown) => thrown)
    assert.match(String(error), /must be a fake, made by createFake/u)
  })

  it.each([
    [{ port: 70_000 }, "listen.port: must be an integer from 0 to 65535, not 70000"],
    [{ port: Number.NaN }, "listen.port: must be an integer, not NaN"],
    [{ host: "" }, 'listen.host: must be a host name or an address, such as 127.0.0.1, not ""']
  ])("does not listen at %j", async (options, message) => {
    const error: unknown = await listen(createFake({ data: "empty" }), options).catch((thrown: unknown) => thrown)
    assert.instanceOf(error, RangeError)
    assert.strictEqual((error as RangeError).message, message)
  })

  it("rejects a fault that no socket can show, and keeps serving", async () => {
    await using scenery = await scene()
    const { apiKey } = scenery.fake
    const control = (form: object) =>
      fetch(`${scenery.server.url}/_fake/faults`, {
        method: "POST",
        headers: { authorization: `ApiKey ${apiKey}` },
        body: JSON.stringify({ form })
      })
    for (const form of [
      { _tag: "Status", status: 503, headers: { "x-a": "a\nb" } },
      { _tag: "ContentType", contentType: "a\nb" }
    ]) {
      const response = await control(form)
      assert.strictEqual(response.status, 400)
      assert.match(await response.text(), /fault\.form\.(headers\.x-a|contentType): must be printable/u)
    }
    assert.lengthOf(scenery.fake.faults.armed(), 0)
  })

  it("sends the same header before a complete and an incomplete body", async () => {
    await using scenery = await scene()
    scenery.fake.faults.add(Fault.status(503, { headers: { "x-name": "caf\u00e9" }, body: "abc", times: 2 }))
    scenery.fake.faults.add(Fault.cutBody({ afterBytes: 1, attempt: 2 }))
    for (const body of ["abc", "a"]) {
      const client = await dial(scenery.server.port)
      client.say(scenery.list("idempotency-key: k", "connection: close"))
      const { received } = await client.end()
      assert.include(received, "x-name: caf\u00e9\r\n")
      assert.isTrue(received.endsWith(`\r\n\r\n${body}`))
      client.socket.destroy()
    }
  })

  it("responds with 500 if a response cannot be sent, at once or later, and keeps serving", async () => {
    await using scenery = await scene()
    const { clock } = scenery
    const impossible = deliver({
      _tag: "Whole",
      response: { status: 200, headers: { "x-a": "a\nb" }, body: bodyOf("{}") }
    })
    const nothing = () => {}
    const steps: Array<Step> = [
      impossible,
      { _tag: "Wait", millis: 10, subscribe: () => nothing, next: () => impossible }
    ]
    let admitted = nothing
    const isHeldUp = new Promise<void>((resolve) => {
      admitted = () => (steps.length === 0 ? resolve() : undefined)
    })
    const fake = { ...scenery.fake }
    const entryPoint: EntryPoint = {
      admit: () => {
        const first = steps.shift() ?? impossible
        queueMicrotask(admitted)
        return { clock, exchange: { first, answered: nothing, abandoned: nothing } }
      },
      bodyLimit: () => 1_000,
      servers: new Set(),
      of: () => entryPoint
    }
    registerEntryPoint(fake, entryPoint)
    await using server = await listen(fake)
    const response = await fetch(`${server.url}/v1`)
    assert.deepStrictEqual([response.status, (await response.text()).slice(0, 23)], [500, '{"message":"The fake fa'])
    const client = await dial(server.port)
    client.say("GET /v1 HTTP/1.1\r\nhost: fake\r\n\r\n")
    await isHeldUp
    clock.advance(10)
    assert.strictEqual(status(await client.hear("\r\n\r\n")), "500")
    client.socket.destroy()
  })

  it("rejects a body that is nested too deep for any recursive reader", async () => {
    const switches = { "idempotency.sameBody": "replay", "idempotency.body": "canonical" } as const
    await using scenery = await scene({ switches, vendor: "acme" })
    const headers = {
      authorization: `ApiKey ${scenery.fake.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": "k"
    }
    const depth = 100_000
    for (const body of [
      "[".repeat(depth) + "]".repeat(depth),
      `{"providerId":"fcm","credentials":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`
    ]) {
      const url = `${scenery.server.url}/v1/subscribers/ana/credentials`
      const response = await fetch(url, { method: "PATCH", headers, body })
      assert.strictEqual(response.status, 400)
      assert.include(await response.text(), "The body must be nested at most 500 levels deep")
    }
    const journal = await fetch(`${scenery.server.url}/_fake/journal`, { headers })
    assert.strictEqual(journal.status, 200)
  })

  it("survives any input", async () => {
    await using scenery = await scene()
    const random = Random.stream(11)
    const valid = Buffer.from(scenery.list("content-type: application/json", "content-length: 2") + "{}", "latin1")
    const mutated = () => {
      const bytes = [...valid]
      for (let count = Random.whole(random, 1, 6); count > 0; count -= 1) {
        const inserted = Array.from({ length: Random.whole(random, 0, 3) }, () => Random.whole(random, 0, 255))
        bytes.splice(Random.whole(random, 0, bytes.length - 1), Random.whole(random, 0, 12), ...inserted)
      }
      return Buffer.from(bytes)
    }
    const visitor = async () => {
      const client = await dial(scenery.server.port)
      client.socket.end(mutated())
      await client.end()
      client.socket.destroy()
    }
    for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 10 }, visitor))
    const client = await dial(scenery.server.port)
    client.say(scenery.list())
    assert.strictEqual(status(await client.hear("\r\n\r\n")), "200")
    client.socket.destroy()
  })
})

describe("a server that pages may call", () => {
  it("responds to preflight requests of that origin only, and serves the inspector", async () => {
    const origin = "http://app.example.test"
    await using server = await listen(createFake({ data: "empty" }), { allowOrigin: origin })
    const preflight = (from: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${server.url}/v1/notifications`, {
        method: "OPTIONS",
        headers: { origin: from, "access-control-request-method": "GET", ...headers }
      })
    const allowed = await preflight(origin, { "access-control-request-headers": "authorization" })
    assert.strictEqual(allowed.status, 204)
    assert.strictEqual(allowed.headers.get("access-control-allow-origin"), origin)
    assert.strictEqual(allowed.headers.get("access-control-allow-headers"), "authorization")
    // A cache must not give the response to another origin.
    assert.strictEqual(allowed.headers.get("vary"), "origin")
    const plain = await preflight(origin)
    assert.deepStrictEqual([plain.status, plain.headers.get("access-control-allow-headers")], [204, ""])
    const other = await preflight("http://other.example.test")
    assert.isNull(other.headers.get("access-control-allow-origin"))
    const typeOf = async (path: string) => (await fetch(server.url + path)).headers.get("content-type")
    const types = ["/", "/docs", "/_fake/pages/style.css", "/_fake/pages/icon.svg"].map(typeOf)
    const html = "text/html; charset=utf-8"
    assert.deepStrictEqual(await Promise.all(types), [html, html, "text/css", "image/svg+xml"])
  })
})
