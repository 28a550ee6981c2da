/**
 * Something that must not be.
 */
import type { ObservedCall } from "./calls/Observation.ts"

/** Something that must not be, in words. */
export interface Complaint {
  /** Number of the call; `undefined` for the scenario as a whole. */
  readonly call: number | undefined
  readonly what: string
}

/** A complaint about a call. */
export const complain = ({ number }: ObservedCall, what: string): Complaint => ({ call: number, what })

/** A complaint about the scenario as a whole. */
export const complainOfAll = (what: string): Complaint => ({ call: undefined, what })
