import { IdempotencyKeyReused, type Reason, RequestInFlight, type WriteReason } from "../errors/Reason.ts"
import { factsOf, type Refusal } from "./Classify.ts"
import { type AftermathOf, adviceFor } from "../errors/ErrorFacts.ts"
import { mayHaveArrived } from "./Repeat.ts"

const namesKeys = /idempoten|request with key|reused for a different/i

/** The reason of an answer that a write with a key got for its key; `undefined` for every other answer. */
const ownReason = (refusal: Refusal): WriteReason | undefined => {
  const { key, said, status } = refusal
  if (key === undefined) return undefined
  if (status === 409 && refusal.headers["retry-after"] !== undefined) return new RequestInFlight(factsOf(refusal))
  if (status === 422 && said.fields === undefined && said.detail !== undefined) {
    if (said.detail.includes(key) || namesKeys.test(said.detail)) return new IdempotencyKeyReused(factsOf(refusal))
  }
  return undefined
}

/** Answers that say nothing sure about the work: a failure can come after it, and a redirect can be the answer to it. */
const unsure = new Set(["Timeout", "ServerFailure", "UnexpectedStatus", "MalformedResponse"])

const stepOf = (reason: Reason, attempts: number, doubt: string): string => {
  switch (reason._tag) {
    case "RequestInFlight":
      return "Wait for the request with this key to end, then repeat with the same key."
    case "IdempotencyKeyReused":
      return `Use a new key: this one belongs to another request.${doubt}`
    case "MalformedResponse":
      return "Do not repeat the change because of this error."
    default:
      return adviceFor(reason, attempts) + doubt
  }
}

const aftermathOf: AftermathOf<Reason> = (reason, attempts, isInDoubt) => {
  // A call can also end for want of time between two attempts.
  const isOfAttempt = attempts.at(-1)?.outcome === reason._tag
  const isUnsure = isOfAttempt && (unsure.has(reason._tag) || mayHaveArrived(reason))
  const mayHaveBeenApplied = isInDoubt || isUnsure
  const known = isUnsure
    ? " It is not known whether the service did the work"
    : " An earlier attempt may have been carried out"
  return {
    mayHaveBeenApplied,
    advice: stepOf(reason, attempts.length, mayHaveBeenApplied ? `${known}; check before you repeat a write.` : "")
  }
}

/** What the calls of operations that write have in common. */
export const writing = { ownReason, aftermathOf }
