/** Lets a failure happen on each surface and collects what the client sees. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { createFake, Fault } from "../../src/index.ts"
import { type FakeServer, listen } from "../../src/server.ts"
import type { FailureCase, FailureMethod, FailureRow } from "./FailureTable.ts"
import type { Seen } from "./FaultsPage.ts"
import { layer as fakeLayer } from "../../src/effect.ts"

const body = JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["a"] } })

// An address has a port, and which one it is means nothing.
const withoutPort = (message: string): string => message.replace(/:\d+$/u, ":port")

const shapeOf = (error: unknown): unknown => {
  if (HttpClientError.isHttpClientError(error)) {
    return { tag: error._tag, reason: error.reason._tag, cause: shapeOf(error.reason.cause) }
  }
  if (!(error instanceof Error)) return error
  const { cause, message, name } = error
  return {
    name,
    isTypeError: error instanceof TypeError,
    message: withoutPort(message),
    code: "code" in error ? error.code : undefined,
    cause: cause === undefined ? undefined : shapeOf(cause)
  }
}

/** A request, and the behaviour of its client. */
interface Sending extends Pick<FailureRow, "leaves"> {
  readonly baseUrl: string
  readonly apiKey: string
  readonly method: FailureMethod
}

type Send = (sending: Sending) => Promise<unknown>

const paths: Readonly<Record<FailureMethod, string>> = {
  GET: "/v1/notifications",
  PATCH: "/v1/subscribers/ana/credentials"
}

/** Where an answer came from, within its service. */
const pathIn = (url: string) => url.replace(/^http:\/\/[^/]+/u, "")

const seenHeaders = (headers: Iterable<readonly [string, string]>) =>
  // How a connection is kept and a body is framed says nothing about the service; the clock differs between two runs.
  Object.fromEntries(
    [...headers]
      .filter(([name]) => !["connection", "keep-alive", "content-length", "transfer-encoding", "date"].includes(name))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  )

/** Milliseconds before the client gives up. */
const waitMs = 60

const overFetch =
  (fetch: typeof globalThis.fetch): Send =>
  async ({ apiKey, baseUrl, leaves, method }) => {
    const controller = new AbortController()
    const leave = () => setTimeout(() => controller.abort(new Error("gave up")), waitMs)
    try {
      if (leaves === "waiting") leave()
      const response = await fetch(`${baseUrl}${paths[method]}`, {
        method,
        headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
        redirect: "manual",
        signal: controller.signal,
        ...(method === "GET" ? {} : { body })
      })
      if (leaves === "reading") leave()
      const { headers, status, url } = response
      const head = { status, path: pathIn(url), headers: seenHeaders(headers) }
      return await response.text().then(
        (text) => ({ ...head, text }),
        (error: unknown) => ({ ...head, body: shapeOf(error) })
      )
    } catch (error) {
      return shapeOf(error)
    }
  }

const within = <A, E, R>(effect: Effect.Effect<A, E, R>, isImpatient: boolean) =>
  isImpatient
    ? Effect.timeoutOrElse(effect, { duration: waitMs, orElse: () => Effect.succeed("left" as const) })
    : effect

const overClient =
  (layer: typeof FetchHttpClient.layer): Send =>
  async ({ apiKey, baseUrl, leaves, method }) => {
    const request = HttpClientRequest.make(method)(`${baseUrl}${paths[method]}`, {
      headers: { authorization: `ApiKey ${apiKey}` }
    })
    const send = HttpClient.execute(
      method === "GET" ? request : HttpClientRequest.bodyText(request, body, "application/json")
    )
    const read = ({ headers, status, text, url }: HttpClientResponse.HttpClientResponse) => {
      const head = { status, path: pathIn(url), headers: seenHeaders(Object.entries(headers)) }
      return Effect.match(within(text, leaves === "reading"), {
        onSuccess: (whole) => ({ ...head, text: whole }),
        onFailure: (error) => ({ ...head, body: shapeOf(error) })
      })
    }
    const call = Effect.gen(function* () {
      const response = yield* within(send, leaves === "waiting")
      if (response === "left") return response
      return yield* read(response)
    })
    const exit = await Effect.runPromiseExit(
      call.pipe(Effect.provide(layer), Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }))
    )
    return Exit.isSuccess(exit) ? exit.value : shapeOf(Cause.squash(exit.cause))
  }

const opened: Array<FakeServer> = []

// Every server stays until the end, so that no port means two of them.
const overSocket = (send: Send) => async (row: FailureRow, method: FailureMethod) => {
  const fake = createFake({ data: "empty" })
  const server = await listen(fake)
  opened.push(server)
  if (row.fault === "down") await server.down()
  else fake.faults.add(row.fault)
  return send({ ...row, baseUrl: server.url, apiKey: fake.apiKey, method })
}

const inProcess =
  (sendOver: (fake: ReturnType<typeof createFake>) => Send) => (row: FailureRow, method: FailureMethod) => {
    const fake = createFake({ data: "empty" })
    fake.faults.add(row.fault === "down" ? Fault.refuse() : row.fault)
    return sendOver(fake)({ ...row, baseUrl: fake.baseUrl, apiKey: fake.apiKey, method })
  }

const surfaces = {
  socketFetch: overSocket(overFetch(globalThis.fetch)),
  fakeFetch: inProcess((fake) => overFetch(fake.fetch)),
  socketLayer: overSocket(overClient(FetchHttpClient.layer)),
  fakeLayer: inProcess((fake) => overClient(fakeLayer(fake)))
}

/** The client's observation of a failure, on each surface. */
export const observe = async ({ method, row }: FailureCase): Promise<Seen> => {
  const seen = await Promise.all(
    Object.entries(surfaces).map(async ([surface, run]) => [surface, await run(row, method)] as const)
  )
  // As another process reports it. The keys are those of `surfaces`.
  return JSON.parse(JSON.stringify(Object.fromEntries(seen))) as Seen
}

/** Closes the servers of all failures. */
export const closeServers = async (): Promise<void> => {
  for (const server of opened.splice(0)) await server.close()
}
