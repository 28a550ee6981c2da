/**
 * The part of undici's dispatchers that `UndiciTransport` uses, so that no declaration depends on a version of undici.
 */
import type { Method } from "../contract/Operations.ts"

/** A request as undici takes it. */
export interface DispatchOptions {
  readonly origin: string
  readonly path: string
  readonly method: Method
  readonly headers: Record<string, string>
  readonly body: string | null
  /** HTTP/1.1 also with an `Agent` of undici 8, which would choose HTTP/2; undici 7 ignores it. */
  readonly allowH2: false
}

/** Ends a request and closes its connection. */
export interface DispatchController {
  readonly abort: (reason: Error) => void
}

/** Receives what happens to a request. */
export interface DispatchHandler {
  readonly onRequestStart: (controller: DispatchController) => void
  readonly onResponseStart: (
    controller: DispatchController,
    status: number,
    headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  ) => void
  readonly onResponseData: (controller: DispatchController, chunk: Uint8Array) => void
  readonly onResponseEnd: (controller: DispatchController) => void
  readonly onResponseError: (controller: DispatchController, error: Error) => void
}

/** An undici dispatcher, version 7 or newer: an `Agent`, `Pool`, `ProxyAgent` or another that sends requests. */
export interface Dispatcher {
  // A method, because undici's own parameters are wider in some places and narrower in others.
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}
