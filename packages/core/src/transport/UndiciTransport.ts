/**
 * Sends requests with a dispatcher of undici, without `fetch`.
 *
 * **When to use**: servers on Node that make many calls, or need a proxy, client certificates or a pool size. A call costs
 * less CPU than bare `fetch`; whatever ends a call before its request was written, a timeout and an interruption included,
 * is known to be `not-sent`; and a request is never sent twice by the platform.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
// Not the global one, which tests with fake timers replace.
import { setImmediate } from "node:timers"
import { brotliDecompress, type CompressCallback, gunzip, inflate, inflateRaw, type ZlibOptions } from "node:zlib"
import type { Dispatcher, DispatchController, DispatchHandler } from "./Dispatcher.ts"
import {
  type ResponseHead,
  type ResponseHeaders,
  Transport,
  type TransportRequest,
  type TransportResponse,
  TransportError,
  type TransportShape
} from "./Transport.ts"

type Decompress = (bytes: Uint8Array, options: ZlibOptions, done: CompressCallback) => void

const decompressionOf = (coding: string): Decompress | undefined => {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return gunzip
    case "br":
      return brotliDecompress
    case "deflate":
      // Some services send it without the header that it should have.
      return (bytes, options, done) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, options, done)
    default:
      return undefined
  }
}

// As with `fetch`: a small body in a thousand codings could take minutes, also after the call was aborted.
const mostCodings = 5

/** Reverses the content codings of a body; a body with an unknown coding stays unchanged, as with `fetch`. */
const decompress = (
  bytes: Uint8Array,
  encoding: string | undefined,
  limit: number,
  done: (error: Error | null, bytes: Uint8Array) => void
): void => {
  const steps = (encoding ?? "").split(",").map((coding) => decompressionOf(coding.trim().toLowerCase()))
  const options = Number.isFinite(limit) ? { maxOutputLength: Math.max(1, limit) } : {}
  const next = (input: Uint8Array): void => {
    const step = steps.pop()
    if (step === undefined) return done(null, input)
    step(input, options, (error, output) => (error === null ? next(output) : done(error, input)))
  }
  if (bytes.length === 0 || steps.includes(undefined)) done(null, bytes)
  else if (steps.length > mostCodings)
    done(new Error(`${steps.length} content codings, more than the ${mostCodings} that are allowed`), bytes)
  else next(bytes)
}

// Responses without a body, also where their headers announce one.
const withoutBody: ReadonlySet<number | undefined> = /* @__PURE__ */ new Set([204, 205, 304])

const tooLarge = /* @__PURE__ */ new Error("the body is too large")
const interrupted = /* @__PURE__ */ new Error("the call was interrupted")
const sentBefore = /* @__PURE__ */ new Error("the request was already sent once")

/** Whether the service refused the stream of a request over HTTP/2, which means that it did not process the request. */
const isRefusedStream = (cause: unknown): boolean =>
  cause instanceof Error && cause.message === "Stream closed with error code NGHTTP2_REFUSED_STREAM"

const decoder = /* @__PURE__ */ new TextDecoder()

const textOf = (bytes: Uint8Array): string => (bytes.length === 0 ? "" : decoder.decode(bytes))

/** Headers with several values as one string, as `fetch` shows them. */
const joined = (headers: Parameters<DispatchHandler["onResponseStart"]>[2]): ResponseHeaders => {
  const all: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(headers)) {
    all[name] = typeof value === "string" || value === undefined ? value : value.join(", ")
  }
  return all
}

type Outcome = Effect.Effect<TransportResponse, TransportError>

/** One request on its way: reports exactly one outcome. */
class Exchange implements DispatchHandler {
  readonly #limit: number
  readonly #onProgress: Parameters<TransportShape["send"]>[1]
  readonly #resume: (outcome: Outcome) => void
  #controller: DispatchController | undefined
  #head: ResponseHead | undefined
  #chunks: Array<Uint8Array> = []
  #bytes = 0
  #isOver = false

  constructor(limit: number, onProgress: Parameters<TransportShape["send"]>[1], resume: (outcome: Outcome) => void) {
    this.#limit = limit
    this.#onProgress = onProgress
    this.#resume = resume
  }

  /** Called before anything is written, once for each time that undici would write the request. */
  onRequestStart(controller: DispatchController): void {
    if (this.#isOver) return controller.abort(interrupted)
    // A pipelined request, or one of a dispatcher with retries; whether to send it again is for the call to decide.
    if (this.#controller !== undefined) return controller.abort(sentBefore)
    this.#controller = controller
    this.#onProgress?.()
  }

  onResponseStart(
    controller: DispatchController,
    status: number,
    headers: Parameters<DispatchHandler["onResponseStart"]>[2]
  ): void {
    if (status < 200) return
    this.#head = { status, headers: joined(headers) }
    this.#onProgress?.(this.#head)
    if (Number(this.#head.headers["content-length"]) > this.#limit) this.#stop(controller)
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#limit) this.#stop(controller)
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    // undici frees the connection in an immediate that it schedules after this call. A caller that continued sooner, and
    // sent its next request, would open a second connection.
    queueMicrotask(() => setImmediate(() => this.#read()))
  }

  #read(): void {
    const head = this.#head
    if (head === undefined) return this.fail(undefined)
    if (withoutBody.has(head.status)) return this.#end(Effect.succeed({ ...head, text: "" }))
    const [first = new Uint8Array(), ...others] = this.#chunks
    const bytes = others.length === 0 ? first : Buffer.concat(this.#chunks)
    const encoding = head.headers["content-encoding"]
    if (encoding === undefined) return this.#end(Effect.succeed({ ...head, text: textOf(bytes) }))
    decompress(bytes, encoding, this.#limit, (error, body) => {
      if (error === null) return this.#end(Effect.succeed({ ...head, text: textOf(body) }))
      this.fail("code" in error && error.code === "ERR_BUFFER_TOO_LARGE" ? tooLarge : error)
    })
  }

  onResponseError(_: DispatchController, error: Error): void {
    if (withoutBody.has(this.#head?.status)) this.#read()
    else this.fail(error)
  }

  /** Closes the connection if there is one already, else as soon as undici would write to it. */
  interrupt(): void {
    this.#isOver = true
    this.#controller?.abort(interrupted)
  }

  #stop(controller: DispatchController): void {
    this.fail(tooLarge)
    controller.abort(tooLarge)
  }

  /** Reports a failure; the request was written if undici started it. */
  fail(cause: unknown): void {
    const delivery = this.#controller === undefined || isRefusedStream(cause) ? "not-sent" : "unknown"
    const isTooLarge = cause === tooLarge
    this.#end(Effect.fail(new TransportError({ cause, delivery, partial: this.#head, isTooLarge })))
  }

  #end(outcome: Outcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#resume(outcome)
  }
}

/** The headers of a request with those that `fetch` adds. */
const headersOf = (headers: TransportRequest["headers"]): Record<string, string> => {
  const all: Record<string, string> = { "user-agent": "undici", "accept-encoding": "gzip, deflate, br" }
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value
  return all
}

/** Makes a transport on a dispatcher. */
export const make = (dispatcher: Dispatcher): TransportShape => ({
  reportsWrites: true,
  send: ({ body = null, headers, maxResponseBytes = Infinity, method, url }, onProgress) =>
    Effect.callback((resume) => {
      const exchange = new Exchange(maxResponseBytes, onProgress, resume)
      // The path starts at the first slash after "https://".
      const end = url.indexOf("/", 8)
      const origin = url.slice(0, end)
      const path = url.slice(end)
      try {
        dispatcher.dispatch({ origin, path, method, headers: headersOf(headers), body, allowH2: false }, exchange)
      } catch (cause) {
        // A dispatcher of an older undici throws; it has not written anything.
        exchange.fail(cause)
      }
      return Effect.sync(() => exchange.interrupt())
    })
})

/**
 * Sends with a dispatcher of undici.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import * as CallState from "@signalbox/core/CallState"
 * import * as Connection from "@signalbox/core/Connection"
 * import { Events } from "@signalbox/core/Events"
 * import * as UndiciTransport from "@signalbox/core/UndiciTransport"
 * import { Agent } from "undici"
 *
 * const events = Events.layer.pipe(
 *   Layer.provide(CallState.layer),
 *   Layer.provide(Connection.layer({ apiKey: "key", baseUrl: "https://api.example.com" })),
 *   Layer.provide(UndiciTransport.layer(new Agent({ connections: 20 })))
 * )
 * ```
 */
export const layer = (dispatcher: Dispatcher): Layer.Layer<Transport> => Layer.succeed(Transport, make(dispatcher))
