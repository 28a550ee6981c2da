/**
 * The claim that a caller may derive from the outcome of a call.
 */
import type { Attempt } from "@signalbox/core/Attempt"
import type { JournalEntry } from "@signalbox/test-harness"
import type { ObservedCall } from "../Observation.ts"

/** The caller's conclusion about the requested change. */
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

/** Whether the outcome of an attempt proves that the service did not do the work. */
export const isRefusal = ({ outcome, status = 0 }: Attempt): boolean =>
  refusals.has(outcome) || (outcome === "Rejected" && status !== 408)

/** Whether a request never reached the service. */
export const wasNotSent = ({ outcome }: JournalEntry): boolean =>
  outcome._tag === "NoResponse" && outcome.failure === "refuse"

/** The claim that the outcome of a call allows. */
export const claimOf = ({ outcome }: ObservedCall): Claim => {
  if (outcome._tag === "Value") return "done"
  if (outcome._tag !== "Error") return "unknown"
  const { attempts, reason } = outcome.error
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
