import type { AnyOperationName } from "@signalbox/core/Operations"
import { isRead } from "@signalbox/core/Operations"
import type { Journal } from "../journal/Journal.ts"
import type { JournalEntry, ListedEntry } from "../journal/JournalEntry.ts"
import { isWhole, succeeded, wasRefused } from "./Conclusion.ts"
import { checkNotEvicted } from "./JournalEvicted.ts"
import { times } from "./Times.ts"

/**
 * The conclusion of a client from the last response to its call.
 *
 * `success`: a complete 2xx response. `failure`: a complete response with another status, or a refused connection.
 * `unknown`: no response, or an incomplete one. `pending`: the client is still waiting.
 */
export type CallOutcome = "success" | "failure" | "unknown" | "pending"

/** The verdict on one call: on the requests with one key, or on a request and its retries. */
export interface Verdict<Entry extends ListedEntry = JournalEntry> {
  /** 1 for the first call of the environment. */
  readonly call: number
  readonly operation: AnyOperationName
  readonly subscriberId: string | undefined
  readonly idempotencyKey: string | undefined
  /** Its requests, oldest first. */
  readonly attempts: ReadonlyArray<Entry>
  /** How often it changed something; always 0 for a read. */
  readonly applied: number
  readonly outcome: CallOutcome
  /** How the outcome contradicts what happened, if it does. */
  readonly contradiction: string | undefined
}

const outcomeOf = (entry: ListedEntry): CallOutcome | "not-sent" => {
  const { endedAt, outcome } = entry
  if (wasRefused(entry)) return "not-sent"
  if (isWhole(entry)) return succeeded(entry) ? "success" : "failure"
  const isWaiting = outcome._tag === "Pending" || (outcome._tag === "Response" && endedAt === undefined)
  return isWaiting ? "pending" : "unknown"
}

/** The last response counts; a refused connection says nothing about requests sent before. */
const lastOutcome = (attempts: ReadonlyArray<ListedEntry>): CallOutcome => {
  const sent = attempts.findLast((entry) => outcomeOf(entry) !== "not-sent")
  const known = sent === undefined ? "failure" : outcomeOf(sent)
  return known === "not-sent" ? "failure" : known
}

const appends = (entry: ListedEntry): boolean => entry.applied && entry.appends

type Facts = Pick<Verdict<ListedEntry>, "operation" | "attempts" | "applied" | "outcome">

const contradictionOf = ({ applied, attempts, operation, outcome }: Facts): string | undefined => {
  // Every other write leaves the same state however often it is applied.
  if (applied > 1 && attempts.some(appends)) return `device tokens were added ${applied} times`
  if (!isRead(operation) && outcome === "success" && applied === 0)
    return "the client saw a success, but nothing was applied"
  if (outcome === "failure" && applied > 0)
    return `the client saw a failure, but the change was applied ${times(applied)}`
  return undefined
}

const verdictOf = <Entry extends ListedEntry>(
  operation: AnyOperationName,
  attempts: ReadonlyArray<Entry>,
  { call, idempotencyKey, subscriberId }: Entry
): Verdict<Entry> => {
  const applied = attempts.filter((entry) => entry.applied).length
  const facts = { operation, attempts, applied, outcome: lastOutcome(attempts) }
  return { call, subscriberId, idempotencyKey, ...facts, contradiction: contradictionOf(facts) }
}

/** Requests by their calls, in the order of their first requests. */
export const callsOf = <Entry extends ListedEntry>(
  entries: ReadonlyArray<Entry>
): ReadonlyArray<ReadonlyArray<Entry>> => {
  const calls = new Map<number, Array<Entry>>()
  for (const entry of entries) {
    const attempts = calls.get(entry.call)
    if (attempts === undefined) calls.set(entry.call, [entry])
    else attempts.push(entry)
  }
  return [...calls.values()]
}

/** The verdict on the requests of a call; `undefined` if they match no operation. */
export const verdictOn = <Entry extends ListedEntry>(attempts: ReadonlyArray<Entry>): Verdict<Entry> | undefined => {
  const [first] = attempts
  return first?.operation === undefined ? undefined : verdictOf(first.operation, attempts, first)
}

/**
 * The verdicts on all calls in a journal, in the order of their first requests. Requests that match no operation have no
 * verdict.
 *
 * @throws JournalEvicted after requests were evicted.
 * @example
 * ```ts
 * import { createFake, verdicts } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
 * verdicts(fake.journal).map(({ operation, applied, outcome }) => [operation, applied, outcome])
 * // => [["events.list", 0, "success"]]
 * ```
 */
export const verdicts = (journal: Journal): ReadonlyArray<Verdict> => {
  checkNotEvicted(journal)
  return callsOf(journal.entries()).flatMap((attempts) => verdictOn(attempts) ?? [])
}
