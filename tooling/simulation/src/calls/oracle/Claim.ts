/**
 * What a caller may conclude from what it was told.
 */
import type { Attempt } from "@signalbox/core/Attempt"
import type { ObservedCall } from "../Observation.ts"

/** What a caller may conclude about the change that it asked for. */
export type Claim = "done" | "not done" | "unknown"

/** Outcomes of an attempt by which the service says that it did not do the work. */
const refusals: ReadonlySet<string> = new Set([
  "Unauthorized",
  "PaymentRequired",
  "Forbidden",
  "NotFound",
  "PayloadTooLarge",
  "Conflict",
  "RequestInFlight",
  "IdempotencyKeyReused",
  "RateLimited"
])

/** Whether an attempt ended in a way from which anybody may conclude that the service did not do the work. */
export const isRefusal = ({ outcome, status = 0 }: Attempt): boolean =>
  refusals.has(outcome) || (outcome === "Rejected" && status !== 408 && status !== 425)

/** What the caller of a call may conclude. */
export const claimOf = ({ told }: ObservedCall): Claim => {
  if (told._tag === "Value") return "done"
  if (told._tag !== "Error") return "unknown"
  const { attempts, reason } = told.error
  switch (reason._tag) {
    case "InvalidRequest":
      return "not done"
    case "MalformedResponse":
      return reason.accepted ? "done" : "unknown"
    case "TransportFailure":
      return reason.delivery === "not-sent" ? "not done" : "unknown"
    default:
      return attempts.every(isRefusal) ? "not done" : "unknown"
  }
}
