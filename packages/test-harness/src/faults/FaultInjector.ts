import type { OpenEntry } from "../journal/OpenEntry.ts"
import type { ConnectionFailure, Delivery, WireResponse } from "../wire/Delivery.ts"

/** The points of a request at which a fault can happen, in order. */
export const faultPoints = ["received", "validated", "committed", "answering"] as const

export type FaultPoint = (typeof faultPoints)[number]

export type Injection =
  /** Delays the request, which then continues from the same point. */
  | { readonly _tag: "Delay"; readonly delayMs: number }
  /** Sends this response; the request goes no further. */
  | { readonly _tag: "Response"; readonly response: WireResponse }
  /** Sends no response; the request goes no further. */
  | { readonly _tag: "NoResponse"; readonly failure: ConnectionFailure | "refuse" }
  /** Changes what is delivered; at `answering` only. */
  | { readonly _tag: "Change"; readonly change: (delivery: Delivery) => Delivery }

/** Decides which fault applies to a request at a point. Called again after every delay and change. */
export interface FaultInjector {
  readonly next: (point: FaultPoint, entry: OpenEntry, now: number) => Injection | undefined
}
