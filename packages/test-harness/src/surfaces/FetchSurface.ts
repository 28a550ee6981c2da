import type { FakeRequest } from "../wire/FakeRequest.ts"
import { type Begun, sendBody } from "./BodyDelivery.ts"
import { fetchFailed, terminated } from "./ConnectionError.ts"
import { type Admit, type Admitted, follow } from "./Follow.ts"

interface SentRequest {
  readonly request: FakeRequest
  readonly url: URL
  /** Aborts the request. */
  readonly signal: AbortSignal | undefined
}

/** The body of a response that is slow or incomplete. */
const bodyStream = (
  delivery: Begun,
  { clock, exchange }: Admitted,
  signal: AbortSignal | undefined
): ReadableStream<Uint8Array> => {
  let bodyError: TypeError | undefined
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
          broken: (failure) => {
            if (failure === "hang") return
            forgetSignal()
            bodyError = terminated(failure)
            // An error discards what is queued, so it waits until that was read.
            if (controller.desiredSize === 0) controller.error(bodyError)
          }
        })
      },
      pull: (controller) => {
        if (bodyError !== undefined) controller.error(bodyError)
      },
      cancel: leave
    },
    { highWaterMark: 0 }
  )
}

const bodyOf = (delivery: Begun, admitted: Admitted, { request, signal }: SentRequest): BodyInit | null => {
  const { body } = delivery.response
  const isEmpty = body === undefined || request.method === "HEAD"
  if (!isEmpty && delivery._tag !== "Whole") return bodyStream(delivery, admitted, signal)
  admitted.exchange.answered()
  return isEmpty ? null : body.text()
}

const responseOf = (delivery: Begun, admitted: Admitted, sent: SentRequest): Response => {
  const { headers, status } = delivery.response
  const response = new Response(bodyOf(delivery, admitted, sent), { status, headers })
  // A response that was built by hand does not know where it comes from.
  return Object.defineProperty(response, "url", { value: sent.url.href.split("#", 1)[0], configurable: true })
}

const response = (admit: Admit, sent: SentRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { request, signal } = sent
    const isAborted = () => signal?.aborted === true
    if (isAborted()) return reject(signal?.reason)
    const admitted = admit(request)
    let state: "open" | "over" | "left" = "open"
    const leave = () => {
      state = "left"
      abandon()
      reject(signal?.reason)
    }
    const abandon = follow(admitted, (delivery) => {
      if (state === "left" || (delivery._tag === "NoResponse" && delivery.failure === "hang")) return
      state = "over"
      signal?.removeEventListener("abort", leave)
      if (delivery._tag === "NoResponse") {
        if (delivery.failure !== "hang") reject(fetchFailed(delivery.failure))
        return
      }
      // Errors here belong to this client, not to the code that moves the clock.
      try {
        resolve(responseOf(delivery, admitted, sent))
      } catch (error) {
        reject(error)
      }
    })
    if (state !== "open") return
    // A subscriber to the journal may have aborted the signal meanwhile.
    if (isAborted()) leave()
    else signal?.addEventListener("abort", leave, { once: true })
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

const throughRequest = async (input: RequestInfo | URL, init: RequestInit | undefined): Promise<SentRequest> => {
  const request = new Request(input, init)
  const { headers, method, signal } = request
  const url = new URL(request.url)
  return { request: fakeRequest(method, url, headers, await request.text()), url, signal }
}

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])

const isPlainBody = (method: string, body: unknown): body is string | null | undefined =>
  body === undefined || body === null || (typeof body === "string" && method !== "GET")

/** The request of a usual call, without a `Request`, which would cost more than responding. */
const plainly = (input: RequestInfo | URL, init: RequestInit = {}): SentRequest | undefined => {
  const { body, headers, method = "GET", signal } = init
  if (typeof input !== "string" && !(input instanceof URL)) return undefined
  if (!methods.has(method) || !isPlainBody(method, body) || !URL.canParse(input)) return undefined
  const url = new URL(input)
  if (url.username !== "" || url.password !== "") return undefined
  const sentHeaders = new Headers(headers)
  if (typeof body === "string" && !sentHeaders.has("content-type"))
    sentHeaders.set("content-type", "text/plain;charset=UTF-8")
  return { request: fakeRequest(method, url, sentHeaders, body ?? ""), url, signal: signal ?? undefined }
}

/**
 * Makes a `fetch` whose requests go to the given function. A request whose body is a string arrives before the
 * function returns, so a test can move the clock at once.
 */
export const makeFetch =
  (admit: Admit): typeof globalThis.fetch =>
  async (input, init) =>
    response(admit, plainly(input, init) ?? (await throughRequest(input, init)))
