/**
 * The waits that responses request.
 */
import type { Attempt } from "@signalbox/core/Attempt"
import type { JournalEntry } from "@signalbox/test-harness"

/** Jitter on a requested wait, as a factor: a client may wait longer than requested, so that clients spread. */
export const longestJitter = 1.2

/** The wait that a response requests, in milliseconds. */
export const hintOf = (
  { outcome, status }: Attempt,
  { outcome: requestOutcome, responseHeaders }: JournalEntry
): number => {
  if (requestOutcome._tag === "NoResponse" || outcome === "Timeout") return 0
  const value = responseHeaders["retry-after"]
  if (value === undefined) return status === 429 ? 1_000 * Number(responseHeaders["ratelimit-reset"] ?? 0) : 0
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds * 1_000
  return Math.max(0, Date.parse(value) - Date.parse(responseHeaders["date"] ?? ""))
}
