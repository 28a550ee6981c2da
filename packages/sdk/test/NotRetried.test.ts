import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:https"
import { generate } from "selfsigned"
import { Agent } from "undici"
import { Agent as Agent8 } from "undici-8"
import { createClient, type SignalboxError } from "../src/index.ts"
import { createClient as createNodeClient } from "../src/node.ts"

const options = { apiKey: "key", retry: { baseDelayMs: 0 } }
const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } } as const

/** A server on loopback with a certificate that no client trusts, which counts connections and requests. */
const untrusted = async () => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { algorithm: "sha256" })
  const seen = { connections: 0, requests: 0 }
  const server = createServer({ cert, key }, (_, response) => {
    seen.requests++
    response.end('{"data":{}}')
  })
  server.on("connection", () => seen.connections++)
  const port = await listenOnLoopback(server)
  return {
    seen,
    baseUrl: `https://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const assertNotSent = (error: SignalboxError | undefined, failure: string, advice: string) => {
  assert.strictEqual(error?.mayHaveBeenApplied, false)
  assert.lengthOf(error?.attempts ?? [], 1)
  assert.strictEqual(error?.advice, advice)
  assert.strictEqual(error?.message, `credentials.upsert failed: ${failure}, nothing was sent. ${advice}`)
}

describe("a failure that lasts until a person changes something", () => {
  it.each([
    ["fetch", createClient],
    [
      "undici 7",
      (given: typeof options & { baseUrl: string }) => createNodeClient({ ...given, dispatcher: new Agent() })
    ],
    [
      "undici 8",
      (given: typeof options & { baseUrl: string }) => createNodeClient({ ...given, dispatcher: new Agent8() })
    ]
  ])("makes one handshake with a server whose certificate has an unknown issuer, over %s", async (_, make) => {
    await using server = await untrusted()
    await using client = make({ ...options, baseUrl: server.baseUrl })
    const result = await client.credentials.upsert.result("ada", tokens)
    assertNotSent(
      result.ok || result.error._tag !== "UpsertCredentialsError" ? undefined : result.error,
      "connection failed with DEPTH_ZERO_SELF_SIGNED_CERT",
      "Trust the certificate's issuer (NODE_EXTRA_CA_CERTS)."
    )
    assert.deepStrictEqual(server.seen, { connections: 1, requests: 0 })
  })

  it("makes one attempt at a port that `fetch` blocks", async () => {
    await using client = createClient({ ...options, baseUrl: "http://127.0.0.1:6667" })
    const result = await client.credentials.upsert.result("ada", tokens)
    assertNotSent(
      result.ok || result.error._tag !== "UpsertCredentialsError" ? undefined : result.error,
      "connection failed: bad port",
      "Use another port: `fetch` blocks this one."
    )
  })
})
