/** Clients that say what they saw in the same words, whatever the surface. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { layer } from "../../src/effect.ts"
import type { Fake } from "../../src/index.ts"

/** A request as it leaves. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A request on its way. */
export interface UnderWay {
  /** The client's final result. */
  readonly outcome: Promise<unknown>
  /** Settles when there is a head, or never will be. */
  readonly head: Promise<unknown>
  /** Aborts the request. */
  readonly leave: () => void
}

/** Sends a request. */
export type Client = (sent: Sent) => UnderWay

// How a connection is kept and a body is framed says nothing about the service.
const ofConnection = new Set(["connection", "keep-alive", "content-length", "transfer-encoding"])

const seenHeaders = (headers: Iterable<readonly [string, string]>) =>
  [...headers].filter(([name]) => !ofConnection.has(name)).toSorted(([one], [other]) => (one < other ? -1 : 1))

const failure = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const { cause, message } = error
  return { message, code: "code" in error ? error.code : undefined, cause: failure(cause) }
}

const left = "left"

/** A client of a `fetch`. */
export const fetchClient =
  (fetch: typeof globalThis.fetch): Client =>
  ({ body, headers, method, url }) => {
    const controller = new AbortController()
    const response = fetch(url, { method, headers, signal: controller.signal, ...(body === undefined ? {} : { body }) })
    const failed = (error: unknown) => (error === left ? left : failure(error))
    const read = async ({ headers: seen, status, ...response }: Response & object, text: Promise<string>) => ({
      ...response,
      status,
      headers: seenHeaders(seen),
      body: await text.catch(failed)
    })
    return {
      outcome: response.then((answer) => read(answer, answer.text()), failed),
      head: Promise.allSettled([response]),
      leave: () => controller.abort(left)
    }
  }

/** A client of the Layer. */
export const layerClient =
  (fake: Fake): Client =>
  ({ body, headers, method, url }) => {
    const bare = HttpClientRequest.make(method as "GET")(url, { headers })
    const request =
      body === undefined ? bare : HttpClientRequest.bodyText(bare, body, headers["content-type"] ?? "text/plain")
    let sawHead = () => {}
    const head = new Promise<void>((resolve) => {
      sawHead = resolve
    })
    let seen: { readonly status: number; readonly headers: unknown } | undefined
    const fiber = Effect.runFork(
      HttpClient.execute(request).pipe(
        Effect.flatMap((response) => {
          seen = { status: response.status, headers: seenHeaders(Object.entries(response.headers)) }
          sawHead()
          return Effect.match(response.text, {
            onSuccess: (text) => ({ ...seen, body: text }),
            onFailure: ({ reason }) => ({ ...seen, body: failure(reason.cause) })
          })
        }),
        Effect.match({ onSuccess: (outcome): unknown => outcome, onFailure: ({ reason }) => failure(reason.cause) }),
        Effect.onExit(() => Effect.sync(sawHead)),
        Effect.onInterrupt(() => Effect.void),
        Effect.provide(layer(fake))
      )
    )
    const outcome = Effect.runPromise(Fiber.await(fiber)).then((exit) => {
      if (exit._tag === "Success") return exit.value
      return seen === undefined ? left : { ...seen, body: left }
    })
    return { outcome, head, leave: () => fiber.interruptUnsafe() }
  }
