import type { CallRecord } from "./CallRecord.ts"
import { type CallStateShape, gateOf } from "./CallState.ts"
import type { OperationName } from "../contract/Operations.ts"
import type { Reason } from "../errors/Reason.ts"
import { learn, makeGate } from "./RateGate.ts"
import type { ReportedLimit } from "./RateLimitHeaders.ts"
import { backoffOf, hintOf } from "./Retry.ts"

/** Stores the category that a service counts an operation in. The first category takes over what is known so far. */
const setCategory = (state: CallStateShape, operation: OperationName, category: string): void => {
  const { gates } = state
  // A service can name another category in every response.
  if (gates.size > 9) gates.clear()
  const gate = gates.get(category) ?? (gates.has(operation) ? makeGate() : gateOf(state, operation))
  if (category !== "") gates.delete("")
  gates.set(category, gate).set(operation, gate)
}

/** Adapts the rate of a client to a response to a request; times are monotonic milliseconds. */
export const followRateLimit = (
  state: CallStateShape,
  record: CallRecord,
  reported: ReportedLimit | undefined,
  reason: Reason | undefined,
  sentAt: number,
  now: number
): void => {
  if (reported !== undefined) {
    state.lastSnapshot = reported.snapshot
    setCategory(state, record.operation, reported.category)
  }
  const gate = gateOf(state, record.operation)
  const isLimited = reason?._tag === "RateLimited"
  const hint = reason === undefined ? 0 : hintOf(record, reason)
  const isHeld =
    isLimited || (reason?._tag === "ServerFailure" && reason.status === 503 && !reason.replayed && hint > 0)
  learn(gate, reported, sentAt, now, isHeld ? hint : undefined, Math.max(hint, backoffOf(record, 0.5)), isLimited)
  record.isHeld = isHeld && record.throttling !== "off"
  record.isRetryFree = record.isHeld && (hint > 0 || gate.acceptedAt > sentAt)
}
