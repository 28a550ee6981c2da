/**
 * The next step of a surface for a request. Processing is synchronous between steps, so a request without delays gets
 * its response at once, and all surfaces run the same code.
 */
import type { Delivery } from "../wire/Delivery.ts"

/** The next thing to do. */
export type Step =
  | { readonly _tag: "Deliver"; readonly delivery: Delivery }
  /**
   * Wait this long on the clock of the environment (on the Layer: the caller's clock), or until a signal if one comes
   * earlier; `subscribe` returns a function that unsubscribes. A brief wait also ends without a clock that the client
   * moves: it may move it only when it has its response.
   */
  | {
      readonly _tag: "Wait"
      readonly millis: number
      readonly isBrief?: boolean
      readonly subscribe: (happened: () => void) => () => void
      readonly next: () => Step
    }

/** A request on its way through the fake. */
export interface Exchange {
  readonly first: Step
  /** Call once when the client has received the complete delivery. */
  readonly answered: () => void
  /** Call when the client disconnects before that; processing continues, as in a real service. */
  readonly abandoned: () => void
}

export const deliver = (delivery: Delivery): Step => ({ _tag: "Deliver", delivery })
