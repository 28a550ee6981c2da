/**
 * The conclusions that a client may draw from the outcome of a request: whether it was applied, and whether it may be
 * sent again. The rules of a check, the verdicts and the expectations use these.
 */
import type { JournalEntry, ListedEntry } from "../journal/JournalEntry.ts"

/** The conclusion from the outcome of a request. */
export interface Conclusion {
  /** Whether the service applied the request. */
  readonly applied: "yes" | "no" | "unknown"
  /**
   * Whether the request may be sent again.
   *
   * `safe`: it was not applied. `unless-harmful`: it may have been applied, so only where a second time does no harm.
   * `useless`: the response would be the same.
   */
  readonly retry: "safe" | "unless-harmful" | "useless"
}

/** Whether the client received a complete response. */
export const isWhole = ({ outcome, points }: ListedEntry): boolean =>
  outcome._tag === "Response" && points.at(-1)?.point === "answered"

/** Whether the client received a complete response 2xx. */
export const succeeded = (entry: ListedEntry): boolean =>
  entry.outcome._tag === "Response" && entry.outcome.status < 300 && isWhole(entry)

/** Whether the connection was refused, so that nothing was sent. */
export const wasRefused = ({ outcome }: ListedEntry): boolean =>
  outcome._tag === "NoResponse" && outcome.failure === "refuse"

/** When a response allows the next request, by the clock of the environment; `undefined` without `Retry-After`. */
export const allowedAt = ({ endedAt, responseHeaders }: ListedEntry): number | undefined => {
  const hint = responseHeaders["retry-after"]
  if (hint === undefined || endedAt === undefined) return undefined
  const seconds = Number(hint)
  const at = Number.isFinite(seconds) ? endedAt + seconds * 1_000 : Date.parse(hint)
  return Number.isNaN(at) ? undefined : at
}

// A request with the same key may be in progress (409), and two statuses ask for another request.
const indefinite: ReadonlySet<number> = new Set([408, 409, 425])

/** Whether a status rejects a request for good. */
export const isDefinite = (status: number): boolean => status >= 400 && status < 500 && !indefinite.has(status)

/** Whether the client sees that the response is a stored one. */
const isReplay = ({ responseHeaders }: ListedEntry): boolean => responseHeaders["idempotency-replay"] === "true"

/** Whether a change with the same key is in progress. */
const isInFlight = (entry: ListedEntry): boolean =>
  entry.method !== "GET" && entry.idempotencyKey !== undefined && allowedAt(entry) !== undefined

const ofResponse = (entry: ListedEntry, status: number): Conclusion => {
  if (status >= 500 || status === 408)
    return { applied: "unknown", retry: isReplay(entry) ? "useless" : "unless-harmful" }
  // The service did not look at the request.
  if (status === 425 || status === 429) return { applied: "no", retry: "safe" }
  if (status === 409) return { applied: "unknown", retry: isInFlight(entry) ? "safe" : "useless" }
  if (isDefinite(status)) return { applied: "no", retry: "useless" }
  return { applied: status < 300 ? "yes" : "unknown", retry: "useless" }
}

/**
 * The conclusion that a client may draw from the outcome of a request, as the API document and HTTP define it.
 *
 * **When to use**: in assertions about a client's retries and reports that the expectations do not cover.
 *
 * **Details**: a refused connection, a rejection and 429 prove that nothing was applied. A lost or incomplete response, a
 * timeout, 408 and 5xx leave it open; the replay of a failure comes again for the same key.
 *
 * @example
 * ```ts
 * import { conclusionOf, createFake, Fault } from "@signalbox/test-harness"
 *
 * const fake = createFake({ faults: [Fault.status(503)] })
 * await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
 * fake.journal.entries().map(conclusionOf) // => [{ applied: "unknown", retry: "unless-harmful" }]
 * ```
 */
export const conclusionOf = (entry: ListedEntry): Conclusion => {
  if (wasRefused(entry)) return { applied: "no", retry: "safe" }
  const { outcome } = entry
  if (outcome._tag === "Response" && isWhole(entry)) return ofResponse(entry, outcome.status)
  // The status arrives before the body.
  const head = "status" in outcome ? ofResponse(entry, outcome.status) : undefined
  if (head?.retry !== "safe") return { applied: "unknown", retry: "unless-harmful" }
  // A client that ran out of time while it waited for the rest need not use the status.
  return outcome._tag === "CutResponse" && outcome.failure !== "hang" ? head : { ...head, applied: "unknown" }
}

/** Whether the client knows that a request was not applied. */
export const isRejected = (entry: JournalEntry): boolean => conclusionOf(entry).applied === "no"

/** Whether a request may have been applied, and the same one may be sent to find out. */
export const isUnknown = (entry: JournalEntry): boolean => conclusionOf(entry).retry === "unless-harmful"

export const outcomeName = ({ outcome }: JournalEntry): string =>
  "status" in outcome ? `the response ${outcome.status}` : "no response"
