/**
 * The bytes that go over the wire in response to a request, on any surface.
 */
import { bytesOf, type WireBody } from "./WireBody.ts"

export interface WireResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `undefined` for a response without a body. */
  readonly body: WireBody | undefined
  /** How a fault changed the body. */
  readonly changed?: string
}

/**
 * How a connection ends before the response is complete: RST, FIN, never, or with bytes that are not HTTP.
 */
export type ConnectionFailure = "reset" | "close" | "hang" | "garbage"

/** The steps by which a surface delivers a response to the client. */
export type Delivery =
  | { readonly _tag: "Whole"; readonly response: WireResponse }
  /** The head at once, then `bytes` of the body every `everyMs` milliseconds. */
  | { readonly _tag: "Slow"; readonly response: WireResponse; readonly bytes: number; readonly everyMs: number }
  /** The head, then the first bytes of the body, then the failure. */
  | {
      readonly _tag: "Cut"
      readonly response: WireResponse
      readonly afterBytes: number
      readonly failure: ConnectionFailure
    }
  /** No byte of a response; with `refuse`, no connection either. */
  | { readonly _tag: "NoResponse"; readonly failure: ConnectionFailure | "refuse" }

/** Describes how a delivery differs from a whole response at once; `undefined` if it does not. */
export const deliveryEffect = (delivery: Delivery): string | undefined => {
  const changed = delivery._tag === "NoResponse" ? undefined : delivery.response.changed
  const effects = [changed, transferEffect(delivery)].filter((effect) => effect !== undefined)
  return effects.length === 0 ? undefined : effects.join("; ")
}

const transferEffect = (delivery: Delivery): string | undefined => {
  switch (delivery._tag) {
    case "Whole":
      return undefined
    case "Slow": {
      const { bytes, everyMs } = delivery
      return `sent ${bytes} bytes every ${everyMs} ms`
    }
    case "Cut": {
      const { afterBytes, failure, response } = delivery
      const all = bytesOf(response.body).length
      return `cut after ${Math.min(afterBytes, all)} of ${all} bytes, then ${failure}`
    }
    case "NoResponse": {
      const { failure } = delivery
      return `no response: ${failure}`
    }
  }
}
