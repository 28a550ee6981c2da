import { type FieldIssue, InvalidRequest, Timeout } from "../errors/Reason.ts"
import { issueLine, shortened } from "./ErrorBody.ts"

/** Why a call failed. */
export interface CallFailure<R> {
  readonly reason: R
  /** Why it was not retried, as a sentence after a space; absent where the reason is sufficient. */
  readonly note?: string
  /** The error that the caller's API key effect failed with. */
  readonly cause?: unknown
}

// Keeps the error a log line of at most 2 KB; `fields` has the rest.
const messageLimit = 360

/** The issues that fit on one line, and the number of those left out. */
const messageOf = ([first, ...others]: ReadonlyArray<FieldIssue>): string => {
  let message = first === undefined ? "" : shortened(issueLine(first), messageLimit)
  for (const [index, issue] of others.entries()) {
    const longer = `${message}; ${issueLine(issue)}`
    if (longer.length > messageLimit) return `${message} (and ${others.length - index} more)`
    message = longer
  }
  return message
}

/** Rejects a call whose input violates the API document or the settings of its connection. */
export const refused = (fields: ReadonlyArray<FieldIssue>, cause?: unknown): CallFailure<InvalidRequest> => ({
  reason: new InvalidRequest({ message: messageOf(fields), fields }),
  cause
})

/** Fails a call whose deadline passed between attempts. */
export const late = (limitMs: number, what: string): CallFailure<Timeout> => ({
  reason: new Timeout({ message: `${what} within ${limitMs} ms`, delivery: "not-sent", scope: "call", limitMs })
})
