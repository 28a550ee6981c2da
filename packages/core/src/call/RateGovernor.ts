import type { CallRecord } from "./CallRecord.ts"
import { type CallStateShape, gateOf } from "./CallState.ts"
import type { AnyOperationName } from "../contract/Operations.ts"
import type { Reason } from "../errors/Reason.ts"
import { learn, makeGate, shut } from "./RateGate.ts"
import type { ReportedLimit } from "./RateLimitHeaders.ts"
import { backoffOf, hintOf } from "./Retry.ts"

/**
 * Attempts of a call after which every retry counts: a call without a deadline, or in the background, must end although
 * the service announces waits for ever.
 */
const mostHeld = 100

/**
 * Stores the category that a service counts an operation in. The first category takes over what is known so far. Calls
 * wait until the time that was announced to them also where their category becomes known meanwhile.
 */
const setCategory = (state: CallStateShape, operation: AnyOperationName, category: string, now: number): void => {
  const { gates } = state
  // A service can name another category in every response.
  if (new Set(gates.values()).size > 9) gates.clear()
  const own = gateOf(state, operation)
  const gate = gates.get(category) ?? (gates.has(operation) ? makeGate() : own)
  const all = gates.get("")
  const wait = (all?.opensAt ?? 0) - now
  if (category !== "") gates.delete("")
  if (wait > 0 && category !== "") gates.set("", shut(makeGate(), now, wait, all?.isUnavailable))
  gates.set(category, shut(gate, now, own.opensAt - now, own.isUnavailable)).set(operation, gate)
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
    setCategory(state, record.operation, reported.category, now)
  }
  const gate = gateOf(state, record.operation)
  const isLimited = reason?._tag === "RateLimited"
  const hint = reason === undefined ? 0 : hintOf(record, reason)
  const isHeld =
    isLimited || (reason?._tag === "ServerFailure" && reason.status === 503 && !reason.replayed && hint > 0)
  learn(gate, reported, sentAt, now, isHeld ? hint : undefined, Math.max(hint, backoffOf(record, 0.5)), isLimited)
  const isPaced = isHeld && record.throttling !== "off"
  // A rejection that brought no news leaves the gate open: then the call waits by itself.
  record.isHeld = isPaced && gate.opensAt > now
  record.isRetryFree = isPaced && record.attempts.length < mostHeld && (hint > 0 || gate.acceptedAt > sentAt)
}
