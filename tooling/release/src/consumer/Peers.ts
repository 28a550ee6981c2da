/** Abort, close and delivery of the packed SDK with the peers that are installed next to it; prints each check, then its outcome. */
import { createClient as createFetchClient, isSignalboxError } from "@signalbox/sdk"
import { createClient, type NodeClientOptions } from "@signalbox/sdk/node"
import { strict as assert } from "node:assert"
import { once } from "node:events"
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { createSecureServer } from "node:http2"
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net"
import { Agent } from "undici"

const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } } as const
const options = { apiKey: "key", retry: false } as const

const listen = async (server: Server): Promise<string> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  // A TCP server has an address and a port.
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that does this to each request that it has read. */
const reading = async (then: RequestListener) => {
  let count = 0
  const server = createHttpServer((request, response) => {
    request.resume().once("end", () => {
      count += 1
      then(request, response)
      server.emit("read")
    })
  })
  return { server, baseUrl: `http://${await listen(server)}`, count: () => count }
}

const ends = ["timeout", "abort", "close"] as const

/** Ends a call that appends device tokens once it has reached a stage, and returns whether it may have been applied. */
const endedBy = async (
  end: (typeof ends)[number],
  own: Omit<NodeClientOptions, "apiKey">,
  reached: Promise<unknown>
) => {
  const client = createClient({ ...options, ...own, timeouts: { attemptMs: end === "timeout" ? 200 : Infinity } })
  const aborting = new AbortController()
  const ended = client.credentials.upsert.result("ada", tokens, { signal: aborting.signal })
  await reached
  if (end === "abort") aborting.abort()
  if (end === "close") await client.close()
  const result = await ended
  await client.close()
  return result.ok ? "a value" : result.error.mayHaveBeenApplied
}

/** The reason of a call, and whether it may have been applied. */
const outcomeOf = async (create: typeof createFetchClient, baseUrl: string) => {
  const client = create({ ...options, baseUrl })
  const result = await client.credentials.upsert.result("ada", tokens)
  await client.close()
  if (result.ok || !isSignalboxError(result.error)) return "a value"
  return [result.error.reason._tag, result.error.mayHaveBeenApplied]
}

const deliveryOf = async (create: typeof createFetchClient) => {
  const reset = await reading(({ socket }) => void socket.resetAndDestroy())
  assert.deepEqual(await outcomeOf(create, reset.baseUrl), ["TransportFailure", true])
  assert.equal(reset.count(), 1)
  reset.server.close()
  await once(reset.server, "close")
  assert.deepEqual(await outcomeOf(create, reset.baseUrl), ["TransportFailure", false])
}

/** The checks by the package that they are about. */
const checks: ReadonlyArray<readonly [name: string, check: () => Promise<void>]> = [
  ["undici: delivery", () => deliveryOf(createClient)],
  ["node: delivery with fetch", () => deliveryOf(createFetchClient)],
  [
    "undici: ends in the TLS handshake",
    async () => {
      for (const end of ends) {
        const sockets: Array<Socket> = []
        const server = createTcpServer((socket) => {
          sockets.push(socket.on("error", () => {}))
          socket.once("data", () => server.emit("greeted"))
        })
        const greeted = once(server, "greeted")
        assert.equal(await endedBy(end, { baseUrl: `https://${await listen(server)}` }, greeted), false, end)
        for (const socket of sockets) socket.destroy()
        server.close()
      }
    }
  ],
  [
    "undici: ends in the queue of a pool",
    async () => {
      for (const end of ends) {
        const { baseUrl, count, server } = await reading(() => {})
        const dispatcher = new Agent({ connections: 1 })
        const busy = createClient({ ...options, baseUrl, dispatcher })
        const read = once(server, "read")
        const first = busy.events.list.result()
        await read
        assert.equal(await endedBy(end, { baseUrl, dispatcher }, Promise.resolve()), false, end)
        assert.equal(count(), 1)
        await busy.close()
        await first
        await dispatcher.destroy()
        server.closeAllConnections()
        server.close()
      }
    }
  ],
  [
    "undici: abort and close after the request was read",
    async () => {
      for (const end of ["abort", "close"] as const) {
        const { baseUrl, count, server } = await reading(() => {})
        assert.equal(await endedBy(end, { baseUrl }, once(server, "read")), true, end)
        assert.equal(count(), 1)
        server.closeAllConnections()
        server.close()
      }
    }
  ],
  [
    "undici: aborts on a server that offers HTTP/2",
    async () => {
      const versions = new Set<string>()
      const { CERT: cert = "", KEY: key = "" } = process.env
      const server = createSecureServer({ cert, key, allowHTTP1: true }, ({ httpVersion }, response) => {
        versions.add(httpVersion)
        setTimeout(() => response.end('{"data":{}}'), Math.floor(Math.random() * 8))
      })
      const baseUrl = `https://${await listen(server)}`
      const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
      const client = createClient({ ...options, baseUrl, dispatcher })
      await client.credentials.upsert.result("ada", tokens)
      for (let round = 0; round < 10; round += 1) {
        const calls = Array.from({ length: 20 }, () =>
          client.credentials.upsert.result("ada", tokens, {
            signal: AbortSignal.timeout(1 + Math.floor(Math.random() * 8))
          })
        )
        await Promise.all(calls)
      }
      assert.deepEqual([...versions], ["1.1"])
    }
  ],
  [
    "effect: the entry point for Effect",
    async () => {
      const { Events } = await import("@signalbox/sdk/effect")
      assert.ok(Events)
    }
  ]
]

for (const [name, check] of checks) {
  process.stdout.write(`${name}\n`)
  await check()
}
process.stdout.write("passed\n")
process.exit()
