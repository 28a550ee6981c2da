import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CallState from "../../src/call/CallState.ts"
import * as Client from "../../src/services/Client.ts"
import * as Connection from "../../src/transport/Connection.ts"
import * as FetchTransport from "../../src/transport/FetchTransport.ts"
import type * as Core from "../../src/transport/Transport.ts"

/** A request that a transport received. */
export interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: unknown
}

/** The outcome of a request: a response, a connection failure, or never any. */
export type Respond = (sent: Sent, number: number) => Response | Error | "never" | Promise<Response>

/** A hand-written transport that records requests. */
export interface Transport {
  readonly sent: Array<Sent>
  /** Numbers of the exchanges that were aborted. */
  readonly aborted: Array<number>
  readonly fetch: typeof globalThis.fetch
  readonly layer: Layer.Layer<Core.Transport>
}

export const makeTransport = (respond: Respond): Transport => {
  const sent: Array<Sent> = []
  const aborted: Array<number> = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const number = sent.length + 1
    const body = init?.body
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body
    const request: Sent = {
      method: init?.method ?? "GET",
      url: new URL(String(input)),
      headers: new Headers(init?.headers),
      body: typeof text === "string" ? JSON.parse(text) : undefined
    }
    sent.push(request)
    const outcome = respond(request, number)
    if (outcome === "never") {
      return new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => {
          aborted.push(number)
          reject(new DOMException("aborted", "AbortError"))
        })
      })
    }
    return new Promise((resolve, reject) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
  }
  return { sent, aborted, fetch, layer: FetchTransport.layer(fetch) }
}

/** Starts an effect, and runs it until it waits. */
export const fork = Effect.forkChild({ startImmediately: true })

export const apiKey = "key-of-the-tests-81"

const connectionLayer = (options: Partial<Connection.ConnectionOptions> = {}) =>
  Connection.layer({ apiKey, baseUrl: "http://service.test", ...options })

/** All services on a hand-written transport. */
export const clientLayer = (transport: Transport, options: Partial<Connection.ConnectionOptions> = {}) =>
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(transport.layer),
    Layer.provide(connectionLayer(options)),
    Layer.orDie
  )

/** The requirements of one service's layer. */
export const requirements = (transport: Transport) =>
  Layer.mergeAll(transport.layer, Layer.orDie(connectionLayer()), CallState.layer)

/** A failure of the connection as Node's `fetch` reports it. */
export const connectionError = (code?: string): Error =>
  new TypeError("fetch failed", code === undefined ? {} : { cause: Object.assign(new Error(code), { code }) })

export const page = (overrides: object = {}) => ({ hasMore: false, data: [], page: 0, pageSize: 10, ...overrides })

export const subscriber = {
  subscriberId: "user-7",
  _organizationId: "o1",
  _environmentId: "e1",
  deleted: false,
  createdAt: "2026-11-21T07:00:00.000Z",
  updatedAt: "2026-11-21T07:00:00.000Z"
}

export const message = (id: string) => ({
  _id: id,
  _environmentId: "e1",
  _organizationId: "o1",
  _notificationId: "n1",
  _subscriberId: "s1",
  createdAt: "2026-11-21T07:00:00.000Z",
  transactionId: "t1",
  channel: "in_app",
  read: true,
  seen: true,
  cta: {},
  status: "sent"
})

export const event = (id: string | undefined, createdAt = "2026-11-21T07:00:00.000Z") => ({
  ...(id === undefined ? {} : { _id: id }),
  _environmentId: "e1",
  _organizationId: "o1",
  _subscriberId: "s1",
  transactionId: "t1",
  createdAt
})
