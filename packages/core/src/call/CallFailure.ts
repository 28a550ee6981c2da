import { type FieldIssue, InvalidRequest, Timeout } from "../errors/Reason.ts"
import { complaintLine } from "./ErrorBody.ts"

/** Why a call ends without a value. */
export interface CallFailure<R> {
  readonly reason: R
  /** Why it was not repeated, as a sentence after a space; absent where the reason says it all. */
  readonly note?: string
  /** The error of whoever gives the API key. */
  readonly cause?: unknown
}

/** Stops a call that breaks the API document or the settings of its connection. */
export const refused = (fields: ReadonlyArray<FieldIssue>, cause?: unknown): CallFailure<InvalidRequest> => ({
  reason: new InvalidRequest({ message: fields.map(complaintLine).join("; "), fields }),
  cause
})

/** Stops a call whose time limit has passed between its attempts. */
export const late = (limitMs: number, what: string): CallFailure<Timeout> => ({
  reason: new Timeout({ message: `${what} within ${limitMs} ms`, scope: "call", limitMs })
})
