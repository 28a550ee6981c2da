import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Agent, MockAgent } from "undici"
import { ClientOptionError, isSignalboxError } from "./index.ts"
import { createClient, createClientFromEnv, type NodeClientOptions } from "./node.ts"

/** A fake behind a server that counts its connections. */
const start = async () => {
  const fake = createFake({ seed: 7 })
  const behind = await listen(fake)
  const open = new Set<object>()
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${behind.url}${request.url}`, {
      headers: { authorization: request.headers.authorization ?? "" }
    })
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
  })
  server.on("connection", (socket) => {
    open.add(socket)
    socket.once("close", () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    options: { apiKey: fake.apiKey, baseUrl: `http://127.0.0.1:${port}` },
    connections: () => open.size,
    closed: async () => {
      while (open.size > 0) await new Promise(setImmediate)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await behind.close()
    }
  }
}

describe("a client over undici", () => {
  it("closes its own connections when it is closed", async () => {
    await using place = await start()
    const client = createClient(place.options)
    assert.lengthOf((await client.events.list({ limit: 5 })).data, 5)
    assert.strictEqual(place.connections(), 1)
    await client.close()
    await place.closed()
  })

  it("sends with the dispatcher of its options, which stays open", async () => {
    await using place = await start()
    const dispatcher = new Agent({ connections: 2 })
    const client = createClient({ ...place.options, dispatcher })
    await Promise.all(Array.from({ length: 8 }, () => client.events.list({ limit: 5 })))
    assert.strictEqual(place.connections(), 2)
    await client.close()
    assert.isFalse(dispatcher.closed)
    await dispatcher.close()
  })

  it("works with undici's own mock", async () => {
    const dispatcher = new MockAgent()
    dispatcher.disableNetConnect()
    const page = { hasMore: false, data: [], page: 0, pageSize: 10 }
    dispatcher.get("https://api.example.com").intercept({ path: "/v1/notifications" }).reply(200, page)
    await using client = createClient({ apiKey: "key", baseUrl: "https://api.example.com", dispatcher })
    assert.strictEqual((await client.events.list()).pageSize, 10)
  })

  it("says that nothing was sent where `fetch` does not know", async () => {
    // Ends every connection in the TLS handshake.
    const server = createServer().on("connection", (socket) => socket.once("data", () => socket.end()))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    await using client = createClient({ apiKey: "key", baseUrl: `https://127.0.0.1:${port}`, retry: false })
    const error = await client.credentials
      .upsert("ada", { providerId: "fcm", credentials: { deviceTokens: ["t"] } })
      .catch((reason: unknown) => reason)
    server.close()
    assert.isTrue(isSignalboxError(error) && !error.mayHaveBeenApplied)
  })

  it("takes what is missing from the environment", async () => {
    const { env } = process
    Object.assign(env, { SIGNALBOX_API_KEY: "key", SIGNALBOX_BASE_URL: "nowhere" })
    assert.throws(() => createClientFromEnv(), /^SIGNALBOX_BASE_URL: /)
    delete env["SIGNALBOX_API_KEY"]
    delete env["SIGNALBOX_BASE_URL"]
    assert.throws(() => createClientFromEnv(), /^SIGNALBOX_API_KEY: must be set in the environment/)
  })

  it.each([
    [{ dispatcher: {} }, "dispatcher: must be a dispatcher of undici"],
    [{ fetch }, "fetch: unknown option; expected one of: "]
  ])("refuses options that it does not have: %o", (wrong, message) => {
    const options = { apiKey: "key", baseUrl: "https://api.example.com", ...wrong } as NodeClientOptions
    try {
      createClient(options)
      assert.fail("accepted")
    } catch (error) {
      assert.instanceOf(error, ClientOptionError)
      assert.include(error.message, message)
    }
  })
})
