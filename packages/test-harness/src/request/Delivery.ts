/**
 * What goes over the wire in answer to a request, whatever the surface.
 */

/** An answer, ready to be sent. */
export interface WireResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `undefined` for an answer without a body. */
  readonly body: string | undefined
}

/**
 * How a connection ends before the answer is whole: RST, FIN, never, or with bytes that are no HTTP.
 */
export type ConnectionFailure = "reset" | "close" | "hang" | "garbage"

/** What the client gets to see. */
export type Delivery =
  | { readonly _tag: "Whole"; readonly response: WireResponse }
  /** The head at once, then so many bytes of the body every so many milliseconds. */
  | { readonly _tag: "Slow"; readonly response: WireResponse; readonly bytes: number; readonly everyMs: number }
  /** The head, then the first bytes of the body, then the failure. */
  | {
      readonly _tag: "Cut"
      readonly response: WireResponse
      readonly afterBytes: number
      readonly failure: ConnectionFailure
    }
  /** Not one byte of an answer; `refuse` is a connection that was never made. */
  | { readonly _tag: "NoResponse"; readonly failure: ConnectionFailure | "refuse" }
