import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type Socket } from "node:net"
import { Agent } from "undici"
import { Agent as Agent8 } from "undici-8"
import { CallAborted, ClientClosed, isSignalboxError } from "../src/index.ts"
import { createClient, type Dispatcher, type NodeClientOptions } from "../src/node.ts"

const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } } as const

/** How a call that gets no response ends. */
const ends = ["timeout", "abort", "close"] as const
type End = (typeof ends)[number]

/** Makes a call that appends device tokens, ends it in the stage that `reached` waits for, and returns its error. */
const endedBy = async (end: End, options: Omit<NodeClientOptions, "apiKey">, reached: () => Promise<unknown>) => {
  const timeouts = { attemptMs: end === "timeout" ? 50 : Infinity }
  const client = createClient({ apiKey: "key", retry: false, timeouts, ...options })
  const aborting = new AbortController()
  const ended = client.credentials.upsert.result("ada", tokens, { signal: aborting.signal })
  await reached()
  if (end === "abort") aborting.abort(new Error("enough"))
  if (end === "close") await client.close()
  const result = await ended
  await client.close()
  if (result.ok) throw new Error("The call did not fail")
  return result.error
}

/** Asserts that the error says, for every way to end a call, whether the request was sent. */
const assertSent = (error: Awaited<ReturnType<typeof endedBy>>, end: End, sent: boolean) => {
  assert.strictEqual(error.mayHaveBeenApplied, sent)
  if (end === "timeout") {
    assert.isTrue(isSignalboxError(error) && error.reason._tag === "Timeout" && error.reason.delivery === "not-sent")
    assert.include(error.message, "no connection within 50 ms, nothing was sent")
  } else {
    assert.isTrue(error instanceof CallAborted || error instanceof ClientClosed)
    assert.deepInclude({ ...error }, { sent })
    assert.lengthOf(error.attempts, 0)
    assert.include(error.message, sent ? "It is unknown whether the change was applied" : "Nothing was sent")
  }
}

/** A server on loopback that records the path of each request that it has read. */
const recording = async (respond: (request: IncomingMessage, response: ServerResponse) => void) => {
  const paths: Array<string | undefined> = []
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      paths.push(request.url)
      respond(request, response)
      server.emit("recorded")
    })
  })
  const port = await listenOnLoopback(server)
  return {
    paths,
    baseUrl: `http://127.0.0.1:${port}`,
    recorded: () => once(server, "recorded"),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

describe.each([
  ["undici 7", Agent],
  ["undici 8", Agent8]
])("a call that ends before its request is written, over %s", (_, Agent) => {
  it.each(ends)("was not sent while the TLS handshake hangs: %s", async (end) => {
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => {
      sockets.add(socket.on("error", () => {}))
      socket.once("data", () => server.emit("greeted"))
    })
    const baseUrl = `https://127.0.0.1:${await listenOnLoopback(server)}`
    const greeted = once(server, "greeted")
    const dispatcher = new Agent()
    assertSent(await endedBy(end, { baseUrl, dispatcher }, () => greeted), end, false)
    await dispatcher.destroy()
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it.each(ends)("was not sent while it waits for a connection of the pool: %s", async (end) => {
    let respond = () => {}
    await using server = await recording((_, response) => {
      respond = () => void response.end('{"data":[]}')
    })
    const { baseUrl, paths } = server
    const dispatcher = new Agent({ connections: 1 })
    const recorded = server.recorded()
    await using busy = createClient({ apiKey: "key", baseUrl, dispatcher, timeouts: { attemptMs: Infinity } })
    const first = busy.events.list.result()
    await recorded
    assertSent(await endedBy(end, { baseUrl, dispatcher }, async () => {}), end, false)
    respond()
    await first
    // The next request of the connection is this one: the request of the call that ended is not written any more.
    const later = server.recorded()
    const after = busy.messages.markAs.result("ada", { messageId: "m", markAs: "read" })
    await later
    respond()
    await after
    assert.deepStrictEqual(paths, ["/v1/notifications", "/v1/subscribers/ada/messages/mark-as"])
    await dispatcher.destroy()
  })

  it.each(["abort", "close"] as const)("was sent once the service has read it: %s", async (end) => {
    await using server = await recording(() => {})
    const recorded = server.recorded()
    const dispatcher = new Agent()
    assertSent(await endedBy(end, { baseUrl: server.baseUrl, dispatcher }, () => recorded), end, true)
    assert.lengthOf(server.paths, 1)
    await dispatcher.destroy()
  })

  it("is retried after a timeout, also when it appends", async () => {
    await using server = await recording((_, response) => response.end('{"data":{}}'))
    const dispatcher = new Agent()
    let connections = 0
    // The first connection is never made.
    const dispatch: Dispatcher["dispatch"] = (options, handler) =>
      ++connections === 1 || (dispatcher as Dispatcher).dispatch(options, handler)
    await using client = createClient({
      apiKey: "key",
      baseUrl: server.baseUrl,
      dispatcher: { dispatch },
      retry: { baseDelayMs: 0 },
      timeouts: { attemptMs: 2_000 }
    })
    const { call } = await client.credentials.upsert.result("ada", tokens)
    assert.strictEqual(call.attempts[1]?.retryReason, "Timeout")
    assert.lengthOf(server.paths, 1)
    await dispatcher.destroy()
  })
})
