/**
 * The outcome of a request according to the journal.
 */
import type { JournalEntry } from "../../journal/JournalEntry.ts"

/** Whether the client received a complete response. */
export const isWhole = ({ outcome, points }: JournalEntry): boolean =>
  outcome._tag === "Response" && points.at(-1)?.point === "answered"

/** Whether the client received a complete response 2xx. */
export const succeeded = (entry: JournalEntry): boolean =>
  entry.outcome._tag === "Response" && entry.outcome.status < 300 && isWhole(entry)

/** Whether the connection was refused, so that nothing was sent. */
export const wasRefused = ({ outcome }: JournalEntry): boolean =>
  outcome._tag === "NoResponse" && outcome.failure === "refuse"

/** Whether the response to a request leaves open whether it was applied. */
export const isUnknown = (entry: JournalEntry): boolean => {
  const { outcome } = entry
  switch (outcome._tag) {
    case "Pending":
    case "CutResponse":
    case "ClientDisconnected":
      return true
    case "NoResponse":
      return outcome.failure !== "refuse"
    case "Response":
      return !isWhole(entry) || outcome.status === 408 || (outcome.status >= 500 && !entry.replayed)
  }
}

// A later call may be processed already (409), and these two say that the request may be sent again.
const indefinite: ReadonlySet<number> = new Set([408, 409, 425])

/** Whether a status rejects a request for good. */
export const isDefinite = (status: number): boolean => status >= 400 && status < 500 && !indefinite.has(status)

/** Whether the client knows that a request was not applied. */
export const isRejected = (entry: JournalEntry): boolean =>
  wasRefused(entry) || (entry.outcome._tag === "Response" && isWhole(entry) && isDefinite(entry.outcome.status))

/** The outcome as words. */
export const outcomeName = ({ outcome }: JournalEntry): string =>
  "status" in outcome ? `the response ${outcome.status}` : "no response"
