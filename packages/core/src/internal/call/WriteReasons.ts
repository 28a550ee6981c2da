import { IdempotencyKeyReused, RequestInFlight, type WriteReason } from "../../Reason.ts"
import { factsOf, hintOf, type Refusal } from "./Classify.ts"

const namesKeys = /idempoten|request with key|reused for a different/i

/** The reason of an answer that a write with a key got for its key; `undefined` for every other answer. */
export const writeReasonOf = (refusal: Refusal): WriteReason | undefined => {
  const { key, said, status } = refusal
  if (key === undefined) return undefined
  if (status === 409 && refusal.headers["retry-after"] !== undefined) {
    return new RequestInFlight({ ...factsOf(refusal), ...hintOf(refusal) })
  }
  if (status === 422 && said.fields === undefined && said.detail !== undefined) {
    if (said.detail.includes(key) || namesKeys.test(said.detail)) return new IdempotencyKeyReused(factsOf(refusal))
  }
  return undefined
}
