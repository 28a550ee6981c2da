/**
 * The columns of the list of events, which it can be sorted by. The words of `:columns` and `:sort`, and of the
 * configuration file, are the names of this table.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { eventResult } from "@signalbox/operator/status/Status"
import { expectedOneOf } from "@signalbox/core/Nearest"
import * as Result from "effect/Result"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { remembered } from "../../state/Remembered.ts"
import { subscriberName, type Widest, workflowName } from "./LoadedEvents.ts"
import type { Events } from "./EventIndex.ts"

/** A column of the list. */
interface EventColumn {
  readonly title: string
  /** The fewest cells that it has, where its values need as many, including the space before the next column. */
  readonly least: number
  /** With as many cells, or as many as its values need, little of it is cut. */
  readonly enough: number
  /** The value that `:sort` compares: strings ascend, numbers descend. */
  readonly rank: (event: ActivityNotification) => string | number
}

const timeRank = ({ createdAt }: ActivityNotification) => Date.parse(createdAt ?? "") || 0

const severities: Readonly<Record<string, number>> = { high: 3, medium: 2, low: 1 }

const stepsOf = ({ jobs = [] }: ActivityNotification) => jobs.filter(({ type }) => type !== "trigger").length

/** Failures by their cause, then the other events by their result. */
const whyRank = (event: ActivityNotification): string => {
  const [failure] = failuresOf(event)
  return failure === undefined ? `1 ${eventResult(event).word}` : `0 ${failure.cause}`
}

const table = {
  time: { title: "", least: 13, enough: 13, rank: timeRank },
  workflow: { title: "WORKFLOW", least: 12, enough: 18, rank: workflowName },
  subscriber: { title: "SUBSCRIBER", least: 12, enough: 16, rank: subscriberName },
  steps: { title: "STEPS", least: 13, enough: 13, rank: stepsOf },
  why: { title: "WHY", least: 19, enough: 30, rank: whyRank },
  age: { title: "AGE", least: 7, enough: 7, rank: timeRank },
  severity: { title: "SEVERITY", least: 9, enough: 9, rank: ({ severity }) => severities[severity ?? ""] ?? 0 },
  transaction: { title: "TRANSACTION", least: 16, enough: 16, rank: ({ transactionId }) => transactionId }
} satisfies Readonly<Record<string, EventColumn>>

/** The name of a column. */
export type ColumnName = keyof typeof table

/** The order of a list of events. */
export interface Sort {
  readonly column: ColumnName
  readonly reverse: boolean
}

/** How lists of events are shown. */
export interface ListSettings {
  /** Absent where the room decides. */
  readonly columns: ReadonlyArray<ColumnName> | undefined
  /** The order of a new list. */
  readonly sort: Sort
}

/** A column of the table. */
export const columnOf = (name: ColumnName): EventColumn => table[name]

/** The words that `:columns` takes; the keys of a literal object. */
export const columnNames = Object.keys(table) as ReadonlyArray<ColumnName>

/** The words that `:sort` takes: a column, or one in reverse. */
export const sortWords: ReadonlyArray<string> = columnNames.flatMap((name) => [name, `-${name}`])

/** The order of a list where no other is chosen: the newest event first. */
export const newestFirst: Sort = { column: "time", reverse: false }

/** Whether the list is in the order of time, in which it is read. */
export const isByTime = ({ column, reverse }: Sort): boolean => !reverse && (column === "time" || column === "age")

const nameFrom = (word: string): ColumnName | undefined => columnNames.find((name) => name === word)

const unknown = (word: string, allowed: ReadonlyArray<string>) =>
  Result.fail(`unknown column "${cleanLine(word)}"; ${expectedOneOf(word, allowed)}`)

/** Reads an order: a column, with `-` for the reverse. */
export const readSort = (word: string): Result.Result<Sort, string> => {
  const column = nameFrom(word.replace(/^-/u, ""))
  return column === undefined ? unknown(word, sortWords) : Result.succeed({ column, reverse: word.startsWith("-") })
}

/** Reads the columns of a list. */
export const readColumns = (words: ReadonlyArray<string>): Result.Result<ReadonlyArray<ColumnName>, string> => {
  const wrong = words.find((word) => nameFrom(word) === undefined)
  if (wrong !== undefined || words.length === 0) return unknown(wrong ?? "", columnNames)
  return Result.succeed(Array.from(new Set(words.flatMap((word) => nameFrom(word) ?? []))))
}

/** The events in the order of a column; the newest first where they have the same value. */
export const sorted: (events: Events, sort: Sort) => Events = remembered((events, sort) => {
  if (isByTime(sort)) return events
  const { rank } = table[sort.column]
  const direction = sort.reverse ? -1 : 1
  const compare = (a: string | number, b: string | number) =>
    typeof a === "number" && typeof b === "number" ? b - a : a < b ? -1 : a > b ? 1 : 0
  return events
    .map((event) => [rank(event), event] as const)
    .sort(([a], [b]) => direction * compare(a, b))
    .map(([, event]) => event)
})

/** The columns that are shown where none are chosen. */
const usual: ReadonlyArray<ColumnName> = ["time", "workflow", "subscriber", "steps", "why", "age"]

/** Those of them that are left out where the others would be cut, the first one first: the preview and the time say the same. */
const leftOut: ReadonlyArray<ColumnName> = ["steps", "age"]

/** How columns get more than the fewest cells, in turns: up to a limit, or only as many as their values need. */
const grants: ReadonlyArray<readonly [name: ColumnName, upTo: number, isAlways?: true]> = [
  ["subscriber", 16],
  ["why", 26],
  ["workflow", 18],
  ["subscriber", table.subscriber.title.length + 1, true],
  ["why", 30, true],
  ["steps", 22],
  ["subscriber", 37],
  ["workflow", 34],
  ["transaction", 37, true],
  ["why", Number.POSITIVE_INFINITY, true]
]

/** From this width of the list on, times have seconds. */
const secondsColumns = 76

/** A column with its cells. */
export type Sized = readonly [name: ColumnName, cells: number]

/** The columns of a list with their cells, by what their values need: the least for all, then the rest in turns. */
export const sizedColumns = (
  chosen: ListSettings["columns"],
  widest: Widest,
  isDated: boolean,
  columns: number
): ReadonlyArray<Sized> => {
  // Each with the space that parts it from the next column; before the title of a cause are its sign and number.
  const needs: Readonly<Record<ColumnName, number>> = {
    time: isDated ? 13 : columns < secondsColumns ? 6 : 9,
    workflow: Math.max(table.workflow.title.length, widest.workflow) + 1,
    subscriber: Math.max("SUBSCR.".length, widest.subscriber) + 1,
    steps: Math.max(table.steps.title.length, widest.steps * 3) + 1,
    why: Math.max(table.why.least, widest.cause + 6),
    age: table.age.least,
    severity: table.severity.least,
    transaction: table.transaction.least
  }
  const cells = new Map<ColumnName, number>()
  // Two cells before the columns for the cursor and the selection, one behind them for the scrollbar.
  let spare = columns - 3
  let names = chosen ?? usual
  const wanted = () => names.reduce((sum, name) => sum + Math.min(needs[name], table[name].enough), 0)
  for (const name of chosen === undefined ? leftOut : []) {
    if (wanted() > spare) names = names.filter((other) => other !== name)
  }
  for (const name of names) {
    const least = Math.min(needs[name], table[name].least)
    if (least > spare) continue
    cells.set(name, least)
    spare -= least
  }
  for (const [name, upTo, isAlways] of grants) {
    const has = cells.get(name)
    if (has === undefined) continue
    const more = Math.max(0, Math.min(spare, (isAlways === true ? upTo : Math.min(upTo, needs[name])) - has))
    cells.set(name, has + more)
    spare -= more
  }
  return Array.from(cells)
}
