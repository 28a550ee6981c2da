/**
 * `signalbox-fake record`: forwards to a service and records what it returns. `--replay` serves a recording.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { type Recording, readRecording, recorded } from "../recording/Recording.ts"
import { createRecording, type RecordingFile } from "../recording/RecordingFile.ts"
import { makeReplay } from "../recording/Replay.ts"
import { jsonIn } from "../server/JsonFile.ts"
import type { ListenOptions } from "../server.ts"
import { type Handling, makeListener } from "../server/Listener.ts"

export interface RecordServer {
  readonly url: string
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // Requests without an encoding are read as bytes.
  return Buffer.concat(chunks).toString("utf8")
}

const serve = async (
  { host = "127.0.0.1", port = 0 }: ListenOptions,
  failed: 400 | 502,
  respond: (request: IncomingMessage, reply: ServerResponse) => Promise<void>
): Promise<RecordServer> => {
  const handle: Handling["handle"] = (request, reply) => {
    respond(request, reply).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      reply.writeHead(failed, { "content-type": "application/json" }).end(JSON.stringify({ message }))
    })
  }
  const { close, open } = makeListener(host, { handle, isLast: () => false })
  return { url: `http://${host}:${await open(port)}`, close }
}

/** Headers that belong to the connection of the client, or that would compress the response. */
const ofConnection = new Set(["host", "connection", "content-length", "transfer-encoding", "accept-encoding"])

/** Why a service cannot be reached, with the cause that `fetch` hides. */
const unreachable = (base: string, error: unknown): Error => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  // The user name and the password of a URL are secrets.
  return new Error(`cannot reach ${new URL(base).origin}: ${cause instanceof Error ? cause.message : String(cause)}`)
}

/** Forwards requests to a service and records the exchanges in a new file, without secrets. */
export const recordFrom = async (
  upstream: string,
  out: string,
  place: ListenOptions = {},
  onFailure: (error: unknown) => void = () => {}
): Promise<RecordServer & Pick<RecordingFile, "finish">> => {
  const file = createRecording(out)
  const base = upstream.replace(/\/$/u, "")
  const forward = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
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
    }).catch((error: unknown) => Promise.reject(unreachable(base, error)))
    const text = await response.text()
    const returned = Object.fromEntries(response.headers)
    const { authorization } = request.headers
    file.add(
      recorded({ method, target, authorization, body, status: response.status, headers: returned, response: text })
    )
    for (const [name, value] of response.headers) {
      if (!ofConnection.has(name) && name !== "content-encoding") reply.setHeader(name, value)
    }
    reply.writeHead(response.status).end(text)
  }
  const respond = (request: IncomingMessage, reply: ServerResponse): Promise<void> =>
    forward(request, reply).catch((error: unknown) => {
      onFailure(error)
      throw error
    })
  const server = await serve(place, 502, respond).catch((error: unknown) => {
    file.remove()
    throw error
  })
  return { ...server, finish: file.finish }
}

export const replay = (recording: Recording, place: ListenOptions = {}): Promise<RecordServer> => {
  const find = makeReplay(recording)
  // A retry gets no response either: a client reports the message of 400 at once.
  return serve(place, 400, async (request, reply) => {
    const { method = "GET", url: target = "/" } = request
    const { authorization } = request.headers
    const { headers, response, status } = find({ method, target, body: await bodyOf(request), authorization })
    const text = response === undefined ? "" : typeof response === "string" ? response : JSON.stringify(response)
    reply.writeHead(status, headers).end(text)
  })
}

export const recordingIn = (path: string): Recording => {
  const value = jsonIn(path, path)
  try {
    return readRecording(value)
  } catch (error) {
    throw new RangeError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
