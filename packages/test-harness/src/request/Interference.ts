/**
 * How a fault gets into the way of a request.
 */
import type { Point } from "../journal/JournalEntry.ts"
import type { OpenEntry } from "../journal/OpenEntry.ts"
import type { Delivery, Ending, WireAnswer } from "./Delivery.ts"

/** The points at which something can get into the way. */
export type InterferencePoint = Exclude<Point, "answered">

/** What gets into the way. */
export type Interference =
  /** The request is held up; then it goes on from the same point. */
  | { readonly _tag: "Delay"; readonly millis: number }
  /** This is answered, and the request goes no further. */
  | { readonly _tag: "Answer"; readonly answer: WireAnswer }
  /** Nothing is answered, and the request goes no further. */
  | { readonly _tag: "Nothing"; readonly ending: Ending | "refuse" }
  /** Something else is delivered than the service meant to; at `answering` only. */
  | { readonly _tag: "Change"; readonly change: (delivery: Delivery) => Delivery }

/** Decides what gets into the way of a request at a point, and notes it. Asked again after every delay and change. */
export interface Interferer {
  readonly next: (point: InterferencePoint, entry: OpenEntry, now: number) => Interference | undefined
}
