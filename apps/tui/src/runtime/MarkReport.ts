import { MarkManyMessagesAsError } from "@signalbox/core/MarkManyMessagesAsError"
import type { MarkMessagesAsError } from "@signalbox/core/MarkMessagesAsError"
import * as Cause from "effect/Cause"
import type { MarkReport } from "../state/Message.ts"

/** Reasons that say that the service, or this client before it, did nothing. */
const refusals: ReadonlySet<string> = new Set([
  "InvalidRequest",
  "Unauthorized",
  "PaymentRequired",
  "Forbidden",
  "NotFound",
  "PayloadTooLarge",
  "IdempotencyKeyReused",
  "Conflict",
  "Rejected",
  "RateLimited"
])

const failureOf = ({ attempts, reason }: MarkMessagesAsError): MarkReport["failure"] => {
  if (reason._tag === "MalformedResponse" && reason.accepted) return "done"
  const nothing = refusals.has(reason._tag) || (reason._tag === "TransportFailure" && reason.delivery === "not-sent")
  // An attempt before the last may have done what the last was refused.
  return nothing && attempts.slice(0, -1).every(({ outcome }) => refusals.has(outcome)) ? "refused" : "unsure"
}

/** What became of the messages of a mark that failed: the worst of its reasons counts for all that failed. */
export const markReportFrom = (cause: Cause.Cause<unknown>, ids: ReadonlyArray<string>): MarkReport => {
  const error = Cause.squash(cause)
  if (!(error instanceof MarkManyMessagesAsError)) return { done: [], failed: ids, notTried: [], failure: "unsure" }
  const { done, errors, failed, notTried } = error
  const failures = new Set(errors.map(failureOf))
  const failure = failures.has("unsure") || failures.size > 1 ? "unsure" : (Array.from(failures)[0] ?? "unsure")
  return { done, failed, notTried, failure }
}
