import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { type FakeServer, listen } from "@signalbox/test-harness/server"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { createClient, ListEventsError, MarkMessagesAsError } from "./index.ts"

interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A server in front of the fake's that writes down what went over the wire. */
const recorder = async (behind: FakeServer) => {
  const seen: Array<Seen> = []
  const server = createServer(async (request, response) => {
    const { headers, method = "GET", url = "/" } = request
    seen.push({ method, path: url, headers })
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await fetch(`${behind.url}${url}`, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        typeof value === "string" && name !== "host" && name !== "connection" ? [[name, value]] : []
      ) as Array<[string, string]>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString("utf8") })
    })
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

describe("the operations over a socket", () => {
  it("send the key of the environment and an idempotency key, and read the answers", async () => {
    const fake = createFake({ seed: 3 })
    await using behind = await listen(fake, { port: 0 })
    await using wire = await recorder(behind)
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: wire.url })

    const page = await client.events.list({ channels: ["in_app"], limit: 5 })
    assert.lengthOf(page.data, 5)
    const subscriberId = page.data[0]?.subscriber?.subscriberId ?? ""

    const subscriber = await client.credentials.upsert(
      subscriberId,
      { providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } },
      { idempotencyKey: "my-key" }
    )
    assert.strictEqual(subscriber.subscriberId, subscriberId)
    assert.isTrue(
      subscriber.channels?.some(
        ({ credentials, providerId }) =>
          providerId === "fcm" && credentials.deviceTokens?.includes("token-of-a-phone") === true
      )
    )

    const messages = await client.messages.markAs(subscriberId, { messageId: "0".repeat(24), markAs: "read" })
    assert.deepStrictEqual(messages, [])

    assert.deepStrictEqual(
      wire.seen.map(({ method, path }) => `${method} ${path}`),
      [
        "GET /v1/notifications?channels=in_app&limit=5",
        `PATCH /v1/subscribers/${subscriberId}/credentials`,
        `POST /v1/subscribers/${subscriberId}/messages/mark-as`
      ]
    )
    for (const { headers } of wire.seen) assert.strictEqual(headers.authorization, `ApiKey ${fake.apiKey}`)
    assert.strictEqual(wire.seen[1]?.headers["idempotency-key"], "my-key")
    assert.match(String(wire.seen[2]?.headers["idempotency-key"]), /^[0-9a-f]{8}-[0-9a-f]{4}-7/u)
  })

  it("refuse a wrong key with a typed reason", async () => {
    const fake = createFake()
    await using server = await listen(fake, { port: 0 })
    await using client = createClient({ apiKey: "another", baseUrl: server.url })
    const error = await client.events.list().then(
      () => undefined,
      (reason: unknown) => reason
    )
    assert.instanceOf(error, ListEventsError)
    assert.strictEqual(error.reason._tag, "Unauthorized")
  })

  it("never send what the document forbids", async () => {
    const fake = createFake()
    await using behind = await listen(fake, { port: 0 })
    await using wire = await recorder(behind)
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: wire.url })
    const tooMany = await client.events.list({ limit: 51 }).catch((reason: unknown) => reason)
    assert.instanceOf(tooMany, ListEventsError)
    assert.strictEqual(tooMany.reason._tag, "InvalidRequest")
    assert.include(tooMany.message, "limit")

    // A caller without types can give anything.
    const opened = { messageId: "m1", markAs: "opened" } as unknown as { messageId: string; markAs: "read" }
    const unknownMark = await client.messages.markAs("u_1", opened).catch((reason: unknown) => reason)
    assert.instanceOf(unknownMark, MarkMessagesAsError)
    assert.strictEqual(unknownMark.reason._tag, "InvalidRequest")
    assert.include(unknownMark.message, "markAs")
    assert.lengthOf(wire.seen, 0)
  })

  it("walk over all events and pages, and send nothing more once left", async () => {
    const fake = createFake({ events: 25 })
    const sent: Array<string> = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      sent.push(new URL(new Request(input).url).search)
      return fake.fetch(input, init)
    }
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch })
    const ids = new Set<string | undefined>()
    for await (const event of client.events.list({ limit: 10 })) ids.add(event._id)
    assert.strictEqual(ids.size, 25)

    const sizes: Array<number> = []
    for await (const page of client.events.list({ limit: 10 }).pages()) sizes.push(page.data.length)
    assert.deepStrictEqual(sizes, [10, 10, 5])

    const before = sent.length
    for await (const event of client.events.list({ limit: 1 })) {
      assert.isDefined(event._id)
      break
    }
    const after = sent.length
    // One page that was used, and at most one that was fetched ahead.
    assert.isAtMost(after - before, 2)
  })

  it("send nothing for a listing that is never used", async () => {
    const fake = createFake()
    await using behind = await listen(fake)
    await using wire = await recorder(behind)
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: wire.url })
    client.events.list({ limit: 1 })
    await client.events.list({ limit: 2 })
    assert.deepStrictEqual(
      wire.seen.map(({ path }) => path),
      ["/v1/notifications?limit=2"]
    )
  })

  it("end a walk at once with the reason of an aborted signal", async () => {
    const fake = createFake({ events: 25 })
    const controller = new AbortController()
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    const walk = async () => {
      for await (const event of client.events.list({ limit: 5 }, { signal: controller.signal })) {
        assert.isDefined(event._id)
        controller.abort(new Error("enough"))
      }
    }
    const error = await walk().catch((reason: unknown) => reason)
    assert.instanceOf(error, Error)
    assert.strictEqual(error.message, "enough")
  })

  it("reject at once with the reason of an aborted signal", async () => {
    const fake = createFake()
    const controller = new AbortController()
    await using client = createClient({
      apiKey: fake.apiKey,
      baseUrl: fake.baseUrl,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason))
          controller.abort(new Error("changed my mind"))
        })
    })
    const error = await client.events.list({}, { signal: controller.signal }).catch((reason: unknown) => reason)
    assert.instanceOf(error, Error)
    assert.strictEqual(error.message, "changed my mind")
  })

  it("refuse a call after close", async () => {
    const fake = createFake()
    const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    await client.close()
    const error = await client.events.list().catch((reason: unknown) => reason)
    assert.instanceOf(error, Error)
    assert.include(error.message, "closed")
  })

  it("sends no filter with more values than the service reads, if it has the limit", async () => {
    const fake = createFake({ preset: "observed" })
    const options = { apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch, retry: false } as const
    const subscriberIds = Array.from({ length: 21 }, (_, at) => `s${at}`)
    const reasonOf = async (client: ReturnType<typeof createClient>): Promise<string> => {
      const error: unknown = await client.events.list({ subscriberIds }).catch((thrown: unknown) => thrown)
      return error instanceof ListEventsError ? error.reason._tag : "none"
    }
    assert.strictEqual(await reasonOf(createClient(options)), "ServerFailure")
    assert.strictEqual(await reasonOf(createClient({ ...options, maxFilterValues: 20 })), "InvalidRequest")
    assert.lengthOf(fake.journal.entries(), 1)
  })

  it("rejects a filter without a value, for which the service lists the events of everybody", async () => {
    const fake = createFake({ preset: "observed" })
    const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    for (const subscriberIds of ["", [], [""]]) {
      const outcome = await client.events.list.result({ subscriberIds })
      if (outcome.ok) return assert.fail(`listed ${outcome.value.data.length} events`)
      assert.include(outcome.error.message, "subscriberIds: Expected a value; leave it out to list all")
    }
    assert.lengthOf(fake.journal.entries(), 0)
  })

  it("advises to check the base URL when a listing, which names no identifier, is not found", async () => {
    const fake = createFake()
    const client = createClient({ apiKey: fake.apiKey, baseUrl: `${fake.baseUrl}/api`, fetch: fake.fetch })
    const outcome = await client.events.list.result()
    if (outcome.ok) return assert.fail("expected a failure")
    assert.strictEqual(outcome.error.reason._tag, "NotFound")
    assert.include(outcome.error.advice, "Check the base URL: another server may have responded.")
    const own = await client.request.result("GET", "/v1/subscribers/ana")
    assert.include(own.ok ? "" : own.error.advice, "Check the identifiers")
  })
})
