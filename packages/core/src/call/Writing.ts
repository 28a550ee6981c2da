import { adviseWrite } from "../errors/Advice.ts"
import { IdempotencyKeyReused, RequestInFlight, type WriteReason } from "../errors/Reason.ts"
import { factsOf, type Refusal } from "./Classify.ts"
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

/** Responses that leave open whether the change was applied: a failure can come after it, and a redirect instead of it. */
const unclear = new Set(["Timeout", "ServerFailure", "UnexpectedStatus", "MalformedResponse"])

const advise = adviseWrite((reason) => unclear.has(reason._tag) || mayHaveArrived(reason))

/** What the calls of operations that write have in common. */
export const writing = { ownReason, advise }
