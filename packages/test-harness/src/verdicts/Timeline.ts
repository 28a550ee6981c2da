/**
 * A readable log of the requests of an environment: when each arrived, how far it got, which faults it met, and its
 * outcome.
 */
import type { Environment } from "../environment/Environment.ts"
import type { JournalEntry, RequestOutcome } from "../journal/JournalEntry.ts"
import { unmatchedRequestLines } from "../journal/UnmatchedRequests.ts"
import { clipped, columns, wrapped } from "./Wrap.ts"

const shownRequests = 40

/** A line of text at its time; without a time it belongs to the line above. */
interface Line {
  readonly at?: number
  readonly text: string
}

const targetOf = ({ method, operation, path, query, subscriberId }: JournalEntry): string => {
  if (operation === undefined) return `${method} ${clipped(path, 50)}, no such operation`
  const target = subscriberId ?? (query === "" ? "" : `?${query}`)
  return target === "" ? operation : `${operation} ${clipped(target, 40)}`
}

const headline = (entry: JournalEntry): string =>
  [
    targetOf(entry),
    `attempt ${entry.attempt}`,
    ...(entry.idempotencyKey === undefined ? [] : [`key ${clipped(entry.idempotencyKey, 36)}`])
  ].join(", ")

const describeResponse = (entry: JournalEntry, status: number): string => {
  const hint = entry.responseHeaders["retry-after"]
  const response = [
    `response ${status}`,
    ...(hint === undefined ? [] : [`Retry-After ${hint}`]),
    ...(entry.replayed ? ["replayed"] : [])
  ].join(", ")
  if (entry.points.at(-1)?.point === "answered") {
    return entry.errorMessage === undefined ? response : `${response}: ${entry.errorMessage}`
  }
  return entry.endedAt === undefined
    ? `${response}, still sending the body`
    : `${response}; the client disconnected before the body was complete`
}

const describeOutcome = (entry: JournalEntry, outcome: RequestOutcome): string => {
  switch (outcome._tag) {
    case "Pending":
      return "the client is waiting"
    case "Response":
      return describeResponse(entry, outcome.status)
    case "CutResponse":
      return `response ${outcome.status} with an incomplete body: ${outcome.failure}`
    case "NoResponse":
      if (outcome.failure === "refuse") return "no response: connection refused"
      return `no response: ${outcome.failure}${outcome.failure === "hang" && entry.endedAt !== undefined ? ", until the client disconnected" : ""}`
    case "ClientDisconnected":
      return "the client disconnected without a response"
  }
}

/** The points that a request passed, those of one time on one line. */
const pointLines = ({ applied, points }: JournalEntry): ReadonlyArray<Required<Line>> => {
  const lines: Array<{ readonly at: number; text: string }> = []
  for (const { at, point } of points) {
    const text = point === "committed" && applied ? "committed (applied)" : point
    const last = lines.at(-1)
    if (last?.at === at) last.text += `, ${text}`
    else lines.push({ at, text })
  }
  return lines
}

const linesOf = (entry: JournalEntry): ReadonlyArray<Line> => {
  const { endedAt } = entry
  const points = pointLines(entry)
  // After a disconnect the fake continues, so points can be later than the end.
  const before = points.filter(({ at }) => endedAt === undefined || at <= endedAt)
  return [
    ...before,
    ...entry.faults.map((fault) => ({ text: `met ${fault}` })),
    ...(entry.outcome._tag === "Response" && entry.faultEffect !== undefined ? [{ text: entry.faultEffect }] : []),
    ...entry.leaks.map(({ environment, id, kind }) => ({ text: `names ${kind} ${id} of environment ${environment}` })),
    { ...(endedAt === undefined ? {} : { at: endedAt }), text: describeOutcome(entry, entry.outcome) },
    ...points.slice(before.length)
  ]
}

/** Where the parts of a row are. */
interface Layout {
  readonly start: number
  readonly timeWidth: number
  readonly numberWidth: number
}

const rowsOf = (layout: Layout, entry: JournalEntry, isMarked: boolean): ReadonlyArray<string> => {
  const { numberWidth, start, timeWidth } = layout
  const timeCell = (at: number | undefined) => (at === undefined ? "" : String(at - start)).padStart(timeWidth)
  const number = ` ${isMarked ? ">" : " "} ${`#${entry.number}`.padEnd(numberWidth)} `
  const room = columns - timeWidth - number.length
  let last = entry.at
  const details = linesOf(entry).flatMap(({ at, text }) => {
    const changed = at === undefined || at === last ? undefined : at
    if (at !== undefined) last = at
    return wrapped(text, room - 2).map(
      (piece, index) => `${timeCell(index === 0 ? changed : undefined)}${" ".repeat(number.length + 2)}${piece}`
    )
  })
  return [`${timeCell(entry.at)}${number}${clipped(headline(entry), room)}`, ...details]
}

/** The parts of an environment that show its requests. */
export type WatchedEnvironment = Pick<Environment, "journal" | "number" | "unmatchedRequests" | "servers">

/** Where a request had to go, and why none may have come. */
const absence = (servers: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [reached, needed] =
    servers.length === 0
      ? ["No server listens for it: only fake.fetch and layer(fake) reach it.", "fetch"]
      : [`Its base URL is ${servers.join(" or ")}.`, "base URL"]
  return [reached, `Likely causes: the code under test has another ${needed} or API key, or sends its request later.`]
}

/** Options of a timeline. */
export interface TimelineOptions {
  /** Requests that are marked with `>`; if not all of them fit, the latest are shown. */
  readonly marked?: ReadonlyArray<JournalEntry>
}

const chosen = (
  entries: ReadonlyArray<JournalEntry>,
  marked: ReadonlySet<JournalEntry>
): ReadonlyArray<JournalEntry> => {
  if (entries.length <= shownRequests || marked.size === 0) return entries.slice(-shownRequests)
  return entries.filter((entry) => marked.has(entry)).slice(-shownRequests)
}

const title = (environment: number, start: number): string =>
  `environment ${environment}, milliseconds since ${new Date(start).toISOString()}`

/**
 * The requests of an environment in order of time, as text of at most 100 columns. Without secrets, like the journal.
 *
 * Requests that matched no environment, because of their API key, are summarized at the end.
 *
 * **When to use**: to see what happened, for example when a test has failed. Failed expectations contain it.
 *
 * @example
 * ```ts
 * import { createFake, timeline } from "@signalbox/test-harness"
 *
 * const [line] = timeline(createFake()).split("\n")
 * line // => "environment 1: no request came"
 * ```
 */
export const timeline = (
  { journal, number, servers, unmatchedRequests }: WatchedEnvironment,
  { marked = [] }: TimelineOptions = {}
): string => {
  const entries = journal.entries()
  const [first] = entries
  const unmatchedLines = unmatchedRequestLines(unmatchedRequests).flatMap((line) => wrapped(line, columns))
  if (first === undefined) {
    const advice = absence(servers()).flatMap((line) => wrapped(line, columns))
    const lines = unmatchedLines.length === 0 ? advice : unmatchedLines
    return [`environment ${number}: no request came`, ...lines].join("\n")
  }
  const markedEntries = new Set(marked)
  const shown = chosen(entries, markedEntries)
  const last = shown.at(-1) ?? first
  const layout: Layout = {
    start: first.at,
    timeWidth: Math.max(6, ...shown.map(({ at, endedAt }) => String((endedAt ?? at) - first.at).length + 1)),
    numberWidth: String(last.number).length + 1
  }
  const left = entries.length - shown.length
  return [
    title(number, first.at),
    ...(journal.evicted() === 0 ? [] : [`(${journal.evicted()} older requests were evicted)`]),
    ...(left === 0 ? [] : [`(${left} other requests are not shown)`]),
    ...shown.flatMap((entry) => rowsOf(layout, entry, markedEntries.has(entry))),
    ...unmatchedLines
  ].join("\n")
}
