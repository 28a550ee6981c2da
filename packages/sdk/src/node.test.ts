import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { createServer, type IncomingMessage } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { connect, createServer as createTcpServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { TLSSocket } from "node:tls"
import { generate } from "selfsigned"
import { Agent, MockAgent, ProxyAgent } from "undici"
import { Agent as Agent8 } from "undici-8"
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
  const port = await listenOnLoopback(server)
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

const oneHour = 3_600_000

/** A certificate authority, and certificates of a server on 127.0.0.1 and of a client that it signed. */
const makeCertificates = async () => {
  const make = async (name: string, more: Parameters<typeof generate>[1]) => {
    const lifetime = { notBeforeDate: new Date(Date.now() - oneHour), notAfterDate: new Date(Date.now() + oneHour) }
    const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
      keyType: "ec",
      algorithm: "sha256",
      ...lifetime,
      ...more
    })
    return { cert, key }
  }
  const authority = await make("Signalbox test authority", {
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true }
    ]
  })
  const server = await make("localhost", {
    ca: authority,
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }]
  })
  return { ca: authority.cert, server, client: await make("backend-of-the-test", { ca: authority }) }
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

  it.each([
    ["undici 7", Agent],
    ["undici 8", Agent8]
  ])("sends with the dispatcher of its options, of %s, which stays open", async (_, Agent) => {
    await using place = await start()
    const dispatcher = new Agent({ connections: 2 })
    const client = createClient({ ...place.options, dispatcher })
    await Promise.all(Array.from({ length: 8 }, () => client.events.list({ limit: 5 })))
    assert.strictEqual(place.connections(), 2)
    await client.close()
    assert.isFalse(dispatcher.closed)
    await dispatcher.close()
  })

  it("sends through a proxy, and reports that nothing was sent when the proxy refuses", async () => {
    await using place = await start()
    const asked: Array<string | undefined> = []
    let isOpen = true
    const proxy = createServer().on("connect", ({ url }, socket: Socket) => {
      asked.push(url)
      if (!isOpen) return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
      const { hostname, port } = new URL(`http://${url}`)
      const behind = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        behind.pipe(socket)
        socket.pipe(behind)
      })
      for (const end of [behind, socket]) end.on("error", () => {})
      return socket
    })
    const port = await listenOnLoopback(proxy)
    for (const open of [true, false]) {
      isOpen = open
      const dispatcher = new ProxyAgent(`http://127.0.0.1:${port}`)
      const client = createClient({ ...place.options, dispatcher, retry: false })
      const result = await client.events.list.result({ limit: 5 })
      assert.strictEqual(result.ok, open)
      if (!result.ok && result.error._tag === "ListEventsError") {
        assert.include(result.error.message, "nothing was sent")
      }
      await client.close()
      await dispatcher.destroy()
    }
    proxy.close()
    assert.deepStrictEqual(
      asked,
      Array.from({ length: 2 }, () => new URL(place.options.baseUrl).host)
    )
  })

  it("sends through the proxy that the environment names", async () => {
    const asked: Array<string | undefined> = []
    const record = ({ url }: IncomingMessage, socket: Duplex) => {
      asked.push(url)
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
    }
    const proxy = createServer(({ socket, url }) => record({ url } as IncomingMessage, socket)).on("connect", record)
    const { env } = process
    const before = { http_proxy: env["http_proxy"], no_proxy: env["no_proxy"] }
    Object.assign(env, { http_proxy: `http://127.0.0.1:${await listenOnLoopback(proxy)}`, no_proxy: "" })
    try {
      const options = { apiKey: "key", baseUrl: "http://service.test", retry: false } as const
      await using client = createClient({ ...options, proxyFromEnv: true })
      const { ok } = await client.events.list.result({ limit: 5 })
      assert.isFalse(ok)
      assert.lengthOf(asked, 1)
      assert.include(asked[0], "service.test")
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete env[name]
        else env[name] = value
      }
      proxy.close()
    }
  })

  it("abandons a connection before its attempt, and retries on another one", async () => {
    const sockets: Array<Socket> = []
    // Accepts connections, and never takes part in a TLS handshake.
    const server = createTcpServer((socket) => void sockets.push(socket.on("error", () => {})))
    const baseUrl = `https://127.0.0.1:${await listenOnLoopback(server)}`
    const retry = { maxRetries: 1, baseDelayMs: 0 }
    await using client = createClient({ apiKey: "key", baseUrl, connectMs: 20, retry })
    const result = await client.credentials.upsert.result("ada", {
      providerId: "fcm",
      credentials: { deviceTokens: ["t"] }
    })
    assert.isTrue(!result.ok && isSignalboxError(result.error))
    if (result.ok) return
    assert.deepInclude({ ...result.error.reason }, { code: "UND_ERR_CONNECT_TIMEOUT", delivery: "not-sent" })
    assert.lengthOf(result.call.attempts, 2)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it("shows the client certificate of its dispatcher, and reports a server that refuses it", async () => {
    const { ca, client: own, server: ofServer } = await makeCertificates()
    const names: Array<string | ReadonlyArray<string> | undefined> = []
    const options = { ...ofServer, ca, requestCert: true, rejectUnauthorized: true }
    const server = createSecureServer(options, ({ socket }, response) => {
      // The server accepts TLS connections only.
      names.push((socket as TLSSocket).getPeerCertificate().subject.CN)
      response.end(JSON.stringify({ hasMore: false, data: [], page: 0, pageSize: 10 }))
    })
    const port = await listenOnLoopback(server)
    const listWith = async (certificate: object) => {
      const dispatcher = new Agent({ connect: { ca, ...certificate } })
      const baseUrl = `https://127.0.0.1:${port}`
      await using client = createClient({ apiKey: "key", baseUrl, dispatcher, retry: false })
      const result = await client.events.list.result()
      await dispatcher.destroy()
      return result
    }
    try {
      assert.isTrue((await listWith(own)).ok)
      const refused = await listWith({})
      assert.isTrue(!refused.ok && isSignalboxError(refused.error) && refused.error.reason._tag === "TransportFailure")
      assert.deepStrictEqual(names, ["backend-of-the-test"])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it("works with undici's own mock", async () => {
    const dispatcher = new MockAgent()
    dispatcher.disableNetConnect()
    const page = { hasMore: false, data: [], page: 0, pageSize: 10 }
    dispatcher.get("https://api.example.com").intercept({ path: "/v1/notifications" }).reply(200, page)
    await using client = createClient({ apiKey: "key", baseUrl: "https://api.example.com", dispatcher })
    assert.strictEqual((await client.events.list()).pageSize, 10)
  })

  it("reports that nothing was sent where `fetch` does not know", async () => {
    // Ends every connection in the TLS handshake.
    const server = createServer().on("connection", (socket) => socket.once("data", () => socket.end()))
    const port = await listenOnLoopback(server)
    await using client = createClient({ apiKey: "key", baseUrl: `https://127.0.0.1:${port}`, retry: false })
    const error = await client.credentials
      .upsert("ada", { providerId: "fcm", credentials: { deviceTokens: ["t"] } })
      .catch((reason: unknown) => reason)
    server.close()
    assert.isTrue(isSignalboxError(error) && !error.mayHaveBeenApplied)
  })

  it("names the coding of a body that it cannot decode", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "zstd" })
      // The start of every frame of Zstandard.
      response.end(Buffer.from("28b52ffd0461", "hex"))
    })
    const port = await listenOnLoopback(server)
    await using client = createClient({ apiKey: "key", baseUrl: `http://127.0.0.1:${port}` })
    const outcome = await client.events.list.result()
    server.close()
    assert.include(
      outcome.ok ? "a value" : outcome.error.message,
      "200 with a body that cannot be read: Expected JSON, not the content coding zstd"
    )
  })

  it("reads missing options from the environment", async () => {
    const { env } = process
    Object.assign(env, { SIGNALBOX_API_KEY: "key", SIGNALBOX_BASE_URL: "nowhere" })
    assert.throws(() => createClientFromEnv(), /^SIGNALBOX_BASE_URL: /)
    delete env["SIGNALBOX_API_KEY"]
    delete env["SIGNALBOX_BASE_URL"]
    assert.throws(
      () => createClientFromEnv(),
      /^SIGNALBOX_API_KEY and SIGNALBOX_BASE_URL: must be set in the environment/
    )
  })

  it.each([
    [{ dispatcher: {} }, "dispatcher: must be a dispatcher of undici"],
    [{ dispatcher: null }, "dispatcher: must be a dispatcher of undici"],
    [{ connectMs: 0 }, "connectMs: must be milliseconds, more than 0"],
    [{ proxyFromEnv: "yes" }, "proxyFromEnv: must be true or false"],
    [{ connectMs: 9, dispatcher: new Agent() }, "connectMs: must be set on the dispatcher instead"],
    [{ proxyFromEnv: true, dispatcher: new Agent() }, "proxyFromEnv: must be set on the dispatcher instead"],
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
