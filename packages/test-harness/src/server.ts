import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Fake } from "./Fake.ts"

/** Where a fake listens. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number
  /** Default loopback. */
  readonly host?: string
}

/** A fake that is reached over HTTP. */
export interface FakeServer extends AsyncDisposable {
  /** Base URL for clients, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Ends open connections and stops listening. */
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  // Without an encoding set, a request gives buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const answer = async (fake: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = "GET", url = "/" } = request
  const body = await bodyOf(request)
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value])
  )
  const given = await fake.fetch(new URL(url, fake.baseUrl), {
    method,
    headers,
    ...(body.length === 0 ? {} : { body: body.toString("utf8") })
  })
  response.writeHead(given.status, Object.fromEntries(given.headers))
  response.end(await given.text())
}

/**
 * Serves a fake over HTTP on loopback.
 *
 * @example
 * ```ts
 * import { createFake } from "@signalbox/test-harness"
 * import { listen } from "@signalbox/test-harness/server"
 *
 * await using server = await listen(createFake(), { port: 0 })
 * server.url // => "http://127.0.0.1:…"
 * ```
 */
export const listen = (fake: Fake, options: ListenOptions = {}): Promise<FakeServer> => {
  const { host = "127.0.0.1", port = 0 } = options
  const server = createServer((request, response) => {
    answer(fake, request, response).catch(() => response.destroy())
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => {
      // A TCP server that listens has an address of this form.
      const { port: actual } = server.address() as AddressInfo
      resolve({ url: `http://${host}:${actual}`, port: actual, close, [Symbol.asyncDispose]: close })
    })
  })
}
