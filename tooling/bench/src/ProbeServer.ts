import { listenOnLoopback } from "@signalbox/testing/Loopback"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"

/** Handles a request in the server of a probe, after all of it was read. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Runs a probe against a server on loopback that answers like this, and ends the server with it. */
export const withServer = async <A>(answer: Answer, use: (baseUrl: string) => Promise<A>): Promise<A> => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => answer(request, response))
  })
  const port = await listenOnLoopback(server)
  try {
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Answers with a body that is called JSON, whatever it is. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}
