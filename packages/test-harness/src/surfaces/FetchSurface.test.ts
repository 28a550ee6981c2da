import { assert, describe, it } from "@effect/vitest"
import { manualClock } from "../clock/ManualClock.ts"
import { createFake, Fault } from "../index.ts"
import { listen } from "../server.ts"

const scene = () => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  const authorized = { authorization: `ApiKey ${fake.apiKey}` }
  const url = `${fake.baseUrl}/v1/notifications`
  const upsert = (signal?: AbortSignal) =>
    fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
      method: "PATCH",
      headers: { ...authorized, "content-type": "application/json" },
      body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["a"] } }),
      ...(signal === undefined ? {} : { signal })
    })
  const first = () => {
    const [entry] = fake.journal.entries()
    if (entry === undefined) throw new Error("nothing was asked")
    return entry
  }
  return { clock, fake, authorized, url, upsert, first }
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it resolved"),
    (error: unknown) => error
  )

const passed = ({ points }: { readonly points: ReadonlyArray<{ readonly point: string }> }) =>
  points.map(({ point }) => point).join(" ")

describe("fake.fetch, when its client disconnects", () => {
  it("sends nothing if the signal is already aborted", async () => {
    const { fake, upsert } = scene()
    assert.strictEqual(await rejection(upsert(AbortSignal.abort("never mind"))), "never mind")
    assert.lengthOf(fake.journal.entries(), 0)
  })

  it("rejects at once with the reason, and continues processing", async () => {
    const { clock, fake, first, upsert } = scene()
    using _ = fake.faults.add(Fault.latency(1_000, { at: "validated" }))
    const controller = new AbortController()
    const rejected = rejection(upsert(controller.signal))
    controller.abort(new Error("changed my mind"))
    assert.deepInclude(await rejected, { message: "changed my mind" })
    assert.deepInclude(first(), { applied: false, outcome: { _tag: "ClientDisconnected" } })
    clock.advance(1_000)
    assert.deepInclude(first(), { applied: true, outcome: { _tag: "ClientDisconnected" } })
  })

  it("stops at once if the signal is aborted while the request is received", async () => {
    const { fake, upsert } = scene()
    using _ = fake.faults.add(Fault.hang({ at: "received" }))
    const controller = new AbortController()
    const stop = fake.journal.subscribe(() => controller.abort("no longer needed"))
    assert.strictEqual(await rejection(upsert(controller.signal)), "no longer needed")
    stop()
  })

  it("waits forever without a response, until the signal is aborted", async () => {
    const { clock, fake, first, upsert } = scene()
    using _ = fake.faults.add(Fault.hang({ at: "committed" }))
    const controller = new AbortController()
    const rejected = rejection(upsert(controller.signal))
    clock.advance(86_400_000)
    assert.isUndefined(first().endedAt)
    controller.abort()
    assert.deepInclude(await rejected, { name: "AbortError" })
    assert.deepInclude(first(), { applied: true, outcome: { _tag: "NoResponse", failure: "hang" } })
    assert.strictEqual(first().endedAt, clock.now())
  })

  it("stops a slow body with the reason of the signal", async () => {
    const { authorized, clock, fake, first, url } = scene()
    using _ = fake.faults.add(Fault.slowBody({ bytes: 4, everyMs: 100 }))
    const controller = new AbortController()
    const response = await fake.fetch(url, { headers: authorized, signal: controller.signal })
    const text = rejection(response.text())
    clock.advance(200)
    controller.abort("too slow")
    assert.strictEqual(await text, "too slow")
    clock.advance(60_000)
    assert.notInclude(passed(first()), "answered")
  })

  it("delivers a slow body piece by piece, and stops when its reader cancels", async () => {
    const { authorized, clock, fake, first, url } = scene()
    using _ = fake.faults.add(Fault.slowBody({ bytes: 4, everyMs: 100 }))
    const { body } = await fake.fetch(url, { headers: authorized })
    const reader = body?.getReader()
    const piece = reader?.read()
    clock.advance(100)
    assert.deepStrictEqual(await piece, { done: false, value: new TextEncoder().encode('{"da') })
    await reader?.cancel()
    clock.advance(60_000)
    assert.notInclude(passed(first()), "answered")
  })

  it("ignores the signal after the response", async () => {
    const { authorized, fake, first, url } = scene()
    const controller = new AbortController()
    const response = await fake.fetch(url, { headers: authorized, signal: controller.signal })
    controller.abort()
    assert.deepInclude(await response.json(), { data: [] })
    assert.deepInclude(first(), { outcome: { _tag: "Response", status: 200 } })
  })
})

/** A way of calling `fetch`. */
interface Asked {
  readonly name: string
  readonly input?: (url: string) => RequestInfo | URL
  readonly init?: RequestInit
  /** Node's own `fetch` does not send it. */
  readonly isRefused?: true
}

const bytes = new TextEncoder().encode("{}")

const asked: ReadonlyArray<Asked> = [
  { name: "a URL", input: (url) => new URL(url) },
  { name: "a Request", input: (url) => new Request(url, { method: "PATCH", body: "{}" }) },
  { name: "a Request that is changed", input: (url) => new Request(url), init: { method: "PATCH", body: "{}" } },
  { name: "bytes", init: { method: "PATCH", body: bytes } },
  { name: "parameters of a form", init: { method: "PATCH", body: new URLSearchParams({ a: "ü" }) } },
  { name: "a Blob", init: { method: "PATCH", body: new Blob([bytes], { type: "application/json" }) } },
  { name: "text without a content type", init: { method: "PATCH", body: "{}" } },
  // One name in two spellings.
  {
    name: "headers as pairs",
    init: { headers: [...Object.entries({ "x-One": "1" }), ...Object.entries({ "x-one": " 2 " })] }
  },
  { name: "headers as Headers", init: { headers: new Headers({ "x-one": "1" }) } },
  { name: "a method in lower case", init: { method: "delete" } },
  { name: "an unusual method", init: { method: "PROPFIND" } },
  { name: "HEAD", init: { method: "HEAD" } },
  { name: "a path that has to be encoded", input: (url) => `${url}/ü x?a=b c&d=ü#hash` },
  { name: "a body with GET", init: { body: "{}" }, isRefused: true },
  { name: "a forbidden method", init: { method: "TRACE" }, isRefused: true },
  { name: "an invalid header", init: { headers: { "x one": "1" } }, isRefused: true },
  { name: "a relative URL", input: () => "/v1/notifications", isRefused: true },
  { name: "a URL with a password", input: (url) => url.replace("//", "//ana:secret@"), isRefused: true }
]

const same = (url: string) => url

describe("fake.fetch, called in unusual ways", () => {
  it.each(asked)("$name: answers as over a socket", async ({ init, input = same }) => {
    const { fake } = scene()
    await using server = await listen(fake)
    const outcome = (fetch: typeof globalThis.fetch, base: string) =>
      fetch(input(`${base}/v1/notifications`), init).then(
        async (response) => [response.status, response.headers.get("content-type"), await response.text()],
        (error: unknown) => (error instanceof TypeError ? "TypeError" : error)
      )
    assert.deepStrictEqual(await outcome(fake.fetch, fake.baseUrl), await outcome(globalThis.fetch, server.url))
  })

  it.each(asked.filter(({ isRefused }) => isRefused !== true))(
    "$name: arrives as over a socket",
    async ({ init = {}, input = same }) => {
      const { authorized, fake } = scene()
      await using server = await listen(fake)
      const ask = async (fetch: typeof globalThis.fetch, base: string) => {
        const given = input(`${base}/v1/notifications`)
        const known = given instanceof Request && init.headers === undefined ? given.headers : init.headers
        const headers: Array<[string, string]> = [...new Headers(known), ["authorization", authorized.authorization]]
        await fetch(given, { ...init, headers })
        const { body, headers: arrived, method, path, query } = fake.journal.entries().at(-1) ?? {}
        return { body, method, path, query, contentType: arrived?.["content-type"], one: arrived?.["x-one"] }
      }
      assert.deepStrictEqual(await ask(fake.fetch, fake.baseUrl), await ask(globalThis.fetch, server.url))
    }
  )
})
