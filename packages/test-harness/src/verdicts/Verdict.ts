/**
 * What became of each logical operation: how often it was applied, and what its client was told.
 */
import type { OperationName } from "@signalbox/core/Operation"
import type { Journal } from "../journal/Journal.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { refuseEvicted } from "./JournalEvicted.ts"
import { times } from "./Times.ts"

/**
 * What a client knows of its operation by the last word that it got.
 *
 * `success`: a whole answer 2xx. `failure`: a whole answer of another status, or no connection at all. `nothing-known`:
 * no answer, or not the whole of it. `pending`: it still waits.
 */
export type ClientKnowledge = "success" | "failure" | "nothing-known" | "pending"

/** What became of a logical operation: of requests with the same key, or of a request and its repeats. */
export interface Verdict {
  /** 1 for the first logical operation of the environment. */
  readonly logical: number
  readonly operation: OperationName
  readonly subscriberId: string | undefined
  readonly idempotencyKey: string | undefined
  /** Its requests, oldest first. */
  readonly attempts: ReadonlyArray<JournalEntry>
  /** How often it changed something; always 0 for a listing. */
  readonly applied: number
  readonly told: ClientKnowledge
  /** What is wrong between what happened and what was told, in words. */
  readonly contradiction: string | undefined
}

const isWhole = ({ endedAt, passages }: JournalEntry): boolean | undefined => {
  if (passages.at(-1)?.point === "answered") return true
  return endedAt === undefined ? undefined : false
}

const knowledgeOf = (entry: JournalEntry): ClientKnowledge | "not-sent" => {
  const { told } = entry
  switch (told._tag) {
    case "Pending":
      return "pending"
    case "Answer": {
      const whole = isWhole(entry)
      if (whole === undefined) return "pending"
      if (!whole) return "nothing-known"
      return told.status >= 200 && told.status < 300 ? "success" : "failure"
    }
    case "Nothing":
      return told.ending === "refuse" ? "not-sent" : "nothing-known"
    case "CutAnswer":
    case "ClientLeft":
      return "nothing-known"
  }
}

/** The last word counts; a refused connection says nothing about what was sent before. */
const lastKnowledge = (attempts: ReadonlyArray<JournalEntry>): ClientKnowledge => {
  const sent = attempts.findLast((entry) => knowledgeOf(entry) !== "not-sent")
  const known = sent === undefined ? "failure" : knowledgeOf(sent)
  return known === "not-sent" ? "failure" : known
}

const hasTokens = ({ body }: JournalEntry): boolean =>
  typeof body === "object" &&
  body !== null &&
  "credentials" in body &&
  typeof body.credentials === "object" &&
  body.credentials !== null &&
  "deviceTokens" in body.credentials

type Facts = Pick<Verdict, "operation" | "attempts" | "applied" | "told">

const contradictionOf = ({ applied, attempts, operation, told }: Facts): string | undefined => {
  // All other writes end in the same state however often they are applied.
  if (applied > 1 && attempts.some(hasTokens)) return `device tokens were added ${applied} times`
  if (operation !== "events.list" && told === "success" && applied === 0) return "told success, and never applied"
  if (told === "failure" && applied > 0) return `told failure, and applied ${times(applied)}`
  return undefined
}

const verdictOf = (operation: OperationName, attempts: ReadonlyArray<JournalEntry>, first: JournalEntry): Verdict => {
  const applied = attempts.filter((entry) => entry.applied).length
  const told = lastKnowledge(attempts)
  const facts = { operation, attempts, applied, told }
  const { idempotencyKey, logical, subscriberId } = first
  return { logical, subscriberId, idempotencyKey, ...facts, contradiction: contradictionOf(facts) }
}

const grouped = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<ReadonlyArray<JournalEntry>> => {
  const groups = new Map<number, Array<JournalEntry>>()
  for (const entry of entries) {
    const group = groups.get(entry.logical)
    if (group === undefined) groups.set(entry.logical, [entry])
    else group.push(entry)
  }
  return [...groups.values()]
}

/**
 * Judges the logical operations of a journal, in the order of their first requests. Requests that are for no operation
 * are not judged.
 *
 * @throws JournalEvicted when requests were forgotten.
 * @example
 * ```ts
 * import { createFake, verdicts } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
 * verdicts(fake.journal).map(({ operation, applied, told }) => [operation, applied, told])
 * // => [["events.list", 0, "success"]]
 * ```
 */
export const verdicts = (journal: Journal): ReadonlyArray<Verdict> => {
  refuseEvicted(journal)
  return grouped(journal.entries()).flatMap((attempts) => {
    const [first] = attempts
    return first?.operation === undefined ? [] : [verdictOf(first.operation, attempts, first)]
  })
}
