/**
 * What a surface has to do next for a request. Processing is synchronous between steps, so that a request which nothing
 * holds up is answered at once, and all surfaces run the same code.
 */
import type { Delivery } from "./Delivery.ts"

/** The next thing to do. */
export type Step =
  | { readonly _tag: "Deliver"; readonly delivery: Delivery }
  /**
   * Let so much time pass on the clock of the environment, on the Layer on the caller's, or less where something happens
   * before; `subscribe` gives the function that stops waiting for that.
   */
  | {
      readonly _tag: "Wait"
      readonly millis: number
      readonly subscribe: (happened: () => void) => () => void
      readonly next: () => Step
    }

/** A request on its way through the fake. */
export interface Exchange {
  readonly first: Step
  /** To be called once when the client has got everything that was to be delivered. */
  readonly answered: () => void
  /** To be called when the client left before that; what was begun goes on, as in a real service. */
  readonly abandoned: () => void
}

/** Delivers. */
export const deliver = (delivery: Delivery): Step => ({ _tag: "Deliver", delivery })
