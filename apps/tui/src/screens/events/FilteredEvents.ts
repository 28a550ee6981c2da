import type { ActivityNotification } from "@signalbox/core/Activity"
import { type Filter, localTest, narrows, wholeTest } from "@signalbox/operator/filter/Filter"
import { keepSearchedStrings, searchedStringsOf, summaryOf } from "./LoadedEvents.ts"

type Events = ReadonlyArray<ActivityNotification>

/** The rows of a list that passed a filter. */
interface Filtered {
  readonly filter: Filter
  /** The time of a test of the whole filter; absent where only its part that the API lacks was tested. */
  readonly testedAt: number | undefined
  readonly rows: Events
}

const remembered = new WeakMap<Events, ReadonlyArray<Filtered>>()

/** How many filters of one list are remembered: enough to toggle between a few, and to delete what was typed. */
const maxRemembered = 12

const isSame = (a: Filter, b: Filter): boolean => a === b || (narrows(a, b) && narrows(b, a))

/** Whether only failures can pass: every cause belongs to one. */
const asksForFailures = ({ clauses }: Filter): boolean =>
  clauses.some(
    ({ key, negated, values }) =>
      !negated && (key === "cause" || (key === "status" && values.length === 1 && values[0] === "failed"))
  )

/**
 * The events that pass the part of a filter that the API lacks, or all of it, with times compared with `wholeAt`. A list
 * can be long and a filter changes with every key: only the rows that passed a wider filter are tested.
 */
export const filtered = (events: Events, filter: Filter, wholeAt?: number): Events => {
  const known = remembered.get(events) ?? []
  const found = known.find((one) => one.testedAt === wholeAt && isSame(one.filter, filter))
  if (found !== undefined) return found.rows
  const wider = known.filter(
    (one) => (one.testedAt === undefined || one.testedAt === wholeAt) && narrows(filter, one.filter)
  )
  const from = wider.reduce(
    (least, { rows }) => (rows.length < least.length ? rows : least),
    asksForFailures(filter) ? summaryOf(events).failures : events
  )
  const test = wholeAt === undefined ? localTest(filter) : wholeTest(filter, wholeAt)
  const searched = searchedStringsOf(from)
  const rows: Array<ActivityNotification> = []
  const rowStrings: Array<string> = []
  for (const [at, event] of from.entries()) {
    const own = searched[at]
    if (own === undefined || !test(event, own)) continue
    rows.push(event)
    rowStrings.push(own)
  }
  keepSearchedStrings(rows, rowStrings)
  remembered.set(events, [{ filter, testedAt: wholeAt, rows }, ...known].slice(0, maxRemembered))
  return rows
}

/** How many of `rows`, which are some of `events` in the same order, come before the event at a place. */
export const rowsBefore = (events: Events, rows: Events, place: number): number => {
  let row = 0
  for (let at = 0; at < place && row < rows.length; at += 1) if (events[at] === rows[row]) row += 1
  return row
}
