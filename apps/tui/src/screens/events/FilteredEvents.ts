import { isCause } from "@signalbox/operator/diagnosis/FailureGroup"
import type { FilterKey } from "@signalbox/operator/filter/FilterKey"
import { type Filter, localTest, narrows, wholeTest } from "@signalbox/operator/filter/Filter"
import { summaryOf } from "./LoadedEvents.ts"
import { findWordIn } from "./WordSearch.ts"
import type { Events } from "./EventIndex.ts"

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

/** Events that are summarised already and have all that can pass: those of one cause, or all that failed. */
const summarised = (events: Events, { clauses }: Filter): Events => {
  const wanted = (name: FilterKey) =>
    clauses.find(({ key, negated, values }) => key === name && !negated && values.length === 1)?.values[0]
  const cause = wanted("cause")
  const { failures, groups } = summaryOf(events)
  if (cause === undefined) return wanted("status") === "failed" ? failures : events
  const alike = groups.filter((group) => isCause(group.cause, cause))
  return alike.length > 1 ? failures : (alike[0]?.events ?? [])
}

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
    summarised(events, filter)
  )
  const findWord = findWordIn(events)
  const test = wholeAt === undefined ? localTest(filter, findWord) : wholeTest(filter, wholeAt, findWord)
  let place = -1
  const passed = from.filter((event) => {
    // Words are found by the place in the list, of which `from` is a part in the same order.
    do place += 1
    while (events[place] !== event && place < events.length)
    return test(event, place)
  })
  // The same rows are the same list, so that results computed for it stay valid.
  const rows = passed.length === from.length ? from : passed
  remembered.set(events, [{ filter, testedAt: wholeAt, rows }, ...known].slice(0, maxRemembered))
  return rows
}

/** How many of `rows`, which are some of `events` in the same order, come before the event at a place. */
export const rowsBefore = (events: Events, rows: Events, place: number): number => {
  let row = 0
  for (let at = 0; at < place && row < rows.length; at += 1) if (events[at] === rows[row]) row += 1
  return row
}
