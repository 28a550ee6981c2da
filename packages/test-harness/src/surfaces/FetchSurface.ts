/**
 * The fake as a `fetch` function.
 */
import type { Delivery } from "../request/Delivery.ts"
import type { FakeRequest } from "../request/FakeRequest.ts"
import { type Begun, sendBody } from "./BodyPieces.ts"
import { fetchFailed, terminated } from "./ConnectionError.ts"
import { type Admit, type Admitted, follow } from "./Follow.ts"

/** A request with the signal that its client can take it back with. */
interface Asked {
  readonly request: FakeRequest
  readonly signal: AbortSignal | undefined
}

/** The body of an answer that comes over time, or not in whole. */
const bodyStream = (
  delivery: Begun,
  { clock, exchange }: Admitted,
  signal: AbortSignal | undefined
): ReadableStream<Uint8Array> => {
  let failure: TypeError | undefined
  let stop = () => {}
  let forgetSignal = () => {}
  const leave = () => {
    stop()
    forgetSignal()
    exchange.abandoned()
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const aborted = () => {
          leave()
          controller.error(signal?.reason)
        }
        signal?.addEventListener("abort", aborted, { once: true })
        forgetSignal = () => signal?.removeEventListener("abort", aborted)
        stop = sendBody(delivery, clock, {
          piece: (bytes) => controller.enqueue(bytes),
          end: () => {
            forgetSignal()
            exchange.answered()
            controller.close()
          },
          broken: (ending) => {
            if (ending === "hang") return
            forgetSignal()
            failure = terminated(ending)
            // An error discards what is queued, so it waits until that was read.
            if (controller.desiredSize === 0) controller.error(failure)
          }
        })
      },
      pull: (controller) => {
        if (failure !== undefined) controller.error(failure)
      },
      cancel: leave
    },
    { highWaterMark: 0 }
  )
}

const responseOf = (delivery: Begun, admitted: Admitted, { request, signal }: Asked): Response => {
  const { body, headers, status } = delivery.answer
  if (body === undefined || request.method === "HEAD") {
    admitted.exchange.answered()
    return new Response(null, { status, headers })
  }
  if (delivery._tag !== "Whole") return new Response(bodyStream(delivery, admitted, signal), { status, headers })
  admitted.exchange.answered()
  return new Response(body, { status, headers })
}

const settle = (
  delivery: Delivery,
  admitted: Admitted,
  asked: Asked,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void
): void => {
  if (delivery._tag !== "Nothing") resolve(responseOf(delivery, admitted, asked))
  else if (delivery.ending !== "hang") reject(fetchFailed(delivery.ending))
}

const answer = (admit: Admit, asked: Asked): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { request, signal } = asked
    if (signal?.aborted === true) return reject(signal.reason)
    const admitted = admit(request)
    let state: "open" | "over" | "left" = "open"
    const leave = () => {
      state = "left"
      admitted.exchange.abandoned()
      reject(signal?.reason)
    }
    follow(admitted.exchange.first, admitted.clock, (delivery) => {
      if (state === "left") return
      if (delivery._tag === "Nothing" && delivery.ending === "hang") return
      state = "over"
      signal?.removeEventListener("abort", leave)
      settle(delivery, admitted, asked, resolve, reject)
    })
    if (state === "open") signal?.addEventListener("abort", leave, { once: true })
  })

const fakeRequest = (method: string, url: URL, headers: Headers, body: string): FakeRequest => ({
  surface: "fetch",
  method,
  path: url.pathname,
  query: url.search.slice(1),
  header: (name) => headers.get(name) ?? undefined,
  headers: () => headers.entries(),
  body
})

const throughRequest = async (input: RequestInfo | URL, init: RequestInit | undefined): Promise<Asked> => {
  const request = new Request(input, init)
  const { headers, method, signal, url } = request
  return { request: fakeRequest(method, new URL(url), headers, await request.text()), signal }
}

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])

const isPlainBody = (method: string, body: unknown): body is string | null | undefined =>
  body === undefined || body === null || (typeof body === "string" && method !== "GET")

/** The request of a usual call, without the `Request` that would cost more than answering it. */
const plainly = (input: RequestInfo | URL, init: RequestInit = {}): Asked | undefined => {
  const { body, headers, method = "GET", signal } = init
  if (typeof input !== "string" && !(input instanceof URL)) return undefined
  if (!methods.has(method) || !isPlainBody(method, body) || !URL.canParse(input)) return undefined
  const url = new URL(input)
  if (url.username !== "" || url.password !== "") return undefined
  const sent = new Headers(headers)
  if (typeof body === "string" && !sent.has("content-type")) sent.set("content-type", "text/plain;charset=UTF-8")
  return { request: fakeRequest(method, url, sent, body ?? ""), signal: signal ?? undefined }
}

/**
 * Makes a `fetch` whose requests are let in by the given function. A request whose body is text arrives before the
 * function returns, so a test can move the clock at once.
 */
export const makeFetch =
  (admit: Admit): typeof globalThis.fetch =>
  async (input, init) =>
    answer(admit, plainly(input, init) ?? (await throughRequest(input, init)))
