import { type FieldIssue, InvalidRequest, Timeout } from "../errors/Reason.ts"
import { issueLine, shortened } from "./ErrorBody.ts"

/** Why a call ends without a value. */
export interface CallFailure<R> {
  readonly reason: R
  /** Why it was not repeated, as a sentence after a space; absent where the reason says it all. */
  readonly note?: string
  /** The error of whoever gives the API key. */
  readonly cause?: unknown
}

// Short enough that the error stays a log line of 2 KB; `fields` has the rest.
const messageLimit = 360

/** The issues that fit into one line, and how many more there are. */
const messageOf = ([first, ...others]: ReadonlyArray<FieldIssue>): string => {
  let message = first === undefined ? "" : shortened(issueLine(first), messageLimit)
  for (const [index, issue] of others.entries()) {
    const longer = `${message}; ${issueLine(issue)}`
    if (longer.length > messageLimit) return `${message} (and ${others.length - index} more)`
    message = longer
  }
  return message
}

/** Stops a call that breaks the API document or the settings of its connection. */
export const refused = (fields: ReadonlyArray<FieldIssue>, cause?: unknown): CallFailure<InvalidRequest> => ({
  reason: new InvalidRequest({ message: messageOf(fields), fields }),
  cause
})

/** Stops a call whose time limit has passed between its attempts. */
export const late = (limitMs: number, what: string): CallFailure<Timeout> => ({
  reason: new Timeout({ message: `${what} within ${limitMs} ms`, scope: "call", limitMs })
})
