/**
 * `signalbox-fake record`: forwards to a service and records what it returns. `--replay` serves a recording.
 */
import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import {
  makeReplay,
  presetOf,
  type RecordedExchange,
  type Recording,
  readRecording,
  recorded
} from "../recording/Recording.ts"
import { jsonIn } from "../server/JsonFile.ts"

export interface RecordServer {
  readonly url: string
  readonly recording: () => Recording
  readonly close: () => Promise<void>
}

/** Where a server listens. */
interface Place {
  readonly host?: string
  readonly port?: number
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // Requests without an encoding are read as bytes.
  return Buffer.concat(chunks).toString("utf8")
}

const serve = (
  { host = "127.0.0.1", port = 0 }: Place,
  recording: () => Recording,
  handle: (request: IncomingMessage, reply: ServerResponse) => Promise<void>
): Promise<RecordServer> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer((request, reply) => {
      handle(request, reply).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        reply.writeHead(502, { "content-type": "application/json" }).end(JSON.stringify({ message }))
      })
    })
    server.once("error", reject)
    server.listen(port, host, () => {
      // A server that listens on a port has an address with a port.
      const { port: bound } = server.address() as AddressInfo
      resolve({
        url: `http://${host}:${bound}`,
        recording,
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          })
      })
    })
  })

/** Headers that belong to the connection of the client, or that would compress the response. */
const ofConnection = new Set(["host", "connection", "content-length", "transfer-encoding", "accept-encoding"])

/** Forwards requests to a service and records the exchanges, without secrets. */
export const recordFrom = (upstream: string, place: Place = {}): Promise<RecordServer> => {
  const exchanges: Array<RecordedExchange> = []
  const base = upstream.replace(/\/$/u, "")
  return serve(
    place,
    () => ({ version: 1, exchanges }),
    async (request, reply) => {
      const { method = "GET", url: target = "/" } = request
      const body = await bodyOf(request)
      const headers = Object.entries(request.headers).flatMap(([name, value]) =>
        ofConnection.has(name) || value === undefined ? [] : [[name, String(value)] as const]
      )
      const response = await fetch(base + target, {
        method,
        headers: Object.fromEntries(headers),
        redirect: "manual",
        ...(body === "" ? {} : { body })
      })
      const text = await response.text()
      const returned = Object.fromEntries(response.headers)
      const { authorization } = request.headers
      exchanges.push(
        recorded({ method, target, authorization, body, status: response.status, headers: returned, response: text })
      )
      for (const [name, value] of response.headers) {
        if (!ofConnection.has(name) && name !== "content-encoding") reply.setHeader(name, value)
      }
      reply.writeHead(response.status).end(text)
    }
  )
}

export const replay = (recording: Recording, place: Place = {}): Promise<RecordServer> => {
  const find = makeReplay(recording)
  return serve(
    place,
    () => recording,
    async (request, reply) => {
      const { method = "GET", url: target = "/" } = request
      const found = find(method, { target, body: await bodyOf(request), authorization: request.headers.authorization })
      if (found === undefined) throw new Error(`the recording has no response to ${method} ${target.split("?")[0]}`)
      const { headers, response, status } = found
      const text = response === undefined ? "" : typeof response === "string" ? response : JSON.stringify(response)
      reply.writeHead(status, headers).end(text)
    }
  )
}

export const recordingIn = (path: string): Recording => readRecording(jsonIn(path, path))

/** Writes a recording, and next to it a preset file with the switches that it shows. */
export const writeRecording = (path: string, recording: Recording): void => {
  writeFileSync(path, `${JSON.stringify(recording, undefined, 2)}\n`)
  writeFileSync(path.replace(/(?:\.json)?$/u, ".preset.json"), `${JSON.stringify(presetOf(recording), undefined, 2)}\n`)
}
