/**
 * All events of an environment in order of time: an immutable log of sorted segments whose sizes grow geometrically, so
 * that adding one event copies little, and each segment finds events by field through indices made on first use.
 */
import type { EventRecord } from "./Records.ts"

export type Dimension =
  | "id"
  | "channel"
  | "workflow"
  | "subscriber"
  | "severity"
  | "transaction"
  | "topic"
  | "subscription"
  | "contextKey"
  | "contextSet"

/** The canonical form of a set of context keys. */
export const contextSet = (keys: ReadonlyArray<string>): string => [...new Set(keys)].toSorted().join("\n")

export const valuesOf = (event: EventRecord, dimension: Dimension): ReadonlyArray<string> => {
  switch (dimension) {
    case "id":
      return [event.id]
    case "channel":
      return event.channels
    case "workflow":
      return [event.workflowId]
    case "subscriber":
      return [event.subscriberId]
    case "severity":
      return [event.severity ?? ""]
    case "transaction":
      return [event.transactionId]
    case "topic":
      return event.topics.map(({ key }) => key)
    case "subscription":
      return event.topics.flatMap(({ subscriptionId }) => subscriptionId ?? [])
    case "contextKey":
      return event.contextKeys
    case "contextSet":
      return [contextSet(event.contextKeys)]
  }
}

type Postings = ReadonlyMap<string, ReadonlyArray<number>>

/** Events in order of time, then of insertion. */
interface Segment {
  readonly events: ReadonlyArray<EventRecord>
  /** Created on first use and never changed: a cache that readers cannot observe. */
  readonly indices: Map<Dimension, Postings>
}

export interface EventLog {
  readonly size: number
  readonly segments: ReadonlyArray<Segment>
}

const byTime = (one: EventRecord, other: EventRecord): number =>
  one.createdAt - other.createdAt || one.sequence - other.sequence

const segmentOf = (events: ReadonlyArray<EventRecord>): Segment => ({ events, indices: new Map() })

export const empty: EventLog = { size: 0, segments: [] }

/** A log of many events at once, in any order. */
export const fromEvents = (events: ReadonlyArray<EventRecord>): EventLog =>
  events.length === 0 ? empty : { size: events.length, segments: [segmentOf(events.toSorted(byTime))] }

export const append = (log: EventLog, event: EventRecord): EventLog => appendAll(log, [event])

/** The log with more events, which are in order. */
export const appendAll = (log: EventLog, added: ReadonlyArray<EventRecord>): EventLog => {
  const segments = [...log.segments]
  let events = added
  for (let last = segments.at(-1); last !== undefined && last.events.length <= events.length; last = segments.at(-1)) {
    events = [...last.events, ...events].toSorted(byTime)
    segments.pop()
  }
  return { size: log.size + added.length, segments: [...segments, segmentOf(events)] }
}

const indexOf = (segment: Segment, dimension: Dimension): Postings => {
  const known = segment.indices.get(dimension)
  if (known !== undefined) return known
  const postings = new Map<string, Array<number>>()
  segment.events.forEach((event, at) => {
    for (const value of valuesOf(event, dimension)) {
      const places = postings.get(value)
      if (places === undefined) postings.set(value, [at])
      // An event can have a value twice; it is found once.
      else if (places.at(-1) !== at) places.push(at)
    }
  })
  segment.indices.set(dimension, postings)
  return postings
}

export const find = (log: EventLog, id: string): EventRecord | undefined => {
  for (const segment of log.segments) {
    const at = indexOf(segment, "id").get(id)?.[0]
    if (at !== undefined) return segment.events[at]
  }
  return undefined
}

/** When the newest event was created; `undefined` without events. */
export const newest = ({ segments }: EventLog): number | undefined =>
  segments.length === 0 ? undefined : Math.max(...segments.map(({ events }) => events.at(-1)?.createdAt ?? -Infinity))

export const all = (log: EventLog): ReadonlyArray<EventRecord> =>
  log.segments.flatMap(({ events }) => events).toSorted(byTime)

/** A condition: one of the values must be among those of the event. */
export interface Criterion {
  readonly dimension: Dimension
  readonly values: ReadonlyArray<string>
}

export interface Search {
  readonly criteria: ReadonlyArray<Criterion>
  /** Whether all criteria must match, or any of them. */
  readonly combine: "all" | "any"
  /** Earliest time, inclusive. */
  readonly from: number
  /** Latest time, inclusive. */
  readonly to: number
  readonly order: "newest-first" | "oldest-first"
}

/** Up to this many positions are sorted; where more can match, the whole segment is scanned. */
const mostSorted = 500

/** Position in a sorted list of the first item whose value is at least `least`. */
const lowerBound = <Item>(items: ReadonlyArray<Item>, least: number, valueOf: (item: Item) => number): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    // The middle of two positions is one of the list.
    if (valueOf(items[middle] as Item) < least) low = middle + 1
    else high = middle
  }
  return low
}

const timeOf = ({ createdAt }: EventRecord): number => createdAt

const holds = (event: EventRecord, { dimension, values }: Criterion): boolean =>
  valuesOf(event, dimension).some((value) => values.includes(value))

const countUp = function* (from: number, to: number, newestFirst: boolean): Generator<number, undefined> {
  if (newestFirst) for (let at = to - 1; at >= from; at -= 1) yield at
  else for (let at = from; at < to; at += 1) yield at
  return undefined
}

/** Positions of a segment that can match, in order: those of one criterion, or of all of them if any may match. */
const candidates = (segment: Segment, search: Search, from: number, to: number): Iterator<number, undefined> => {
  const newestFirst = search.order === "newest-first"
  const lists = search.criteria.map(({ dimension, values }) => {
    const postings = indexOf(segment, dimension)
    return [...new Set(values)].map((value) => postings.get(value) ?? [])
  })
  const count = (list: ReadonlyArray<ReadonlyArray<number>>) => list.reduce((sum, { length }) => sum + length, 0)
  const wanted =
    search.combine === "any"
      ? lists.flat()
      : lists.reduce((best, list) => (count(list) < count(best) ? list : best), lists[0] ?? [])
  if (lists.length === 0 || count(wanted) > mostSorted) return countUp(from, to, newestFirst)
  const places = [...new Set(wanted.flat())].filter((place) => place >= from && place < to)
  return places.sort((one, other) => (newestFirst ? other - one : one - other)).values()
}

/** Iterates over the matching events, in order of time, then of insertion (or in reverse). */
export const search = function* (log: EventLog, wanted: Search): Generator<EventRecord, undefined> {
  const newestFirst = wanted.order === "newest-first"
  const { combine, criteria } = wanted
  const passes = (event: EventRecord): boolean => {
    const isMet = (criterion: Criterion): boolean => holds(event, criterion)
    return combine === "any" && criteria.length > 0 ? criteria.some(isMet) : criteria.every(isMet)
  }
  const walks = log.segments.map((segment) => {
    const from = lowerBound(segment.events, wanted.from, timeOf)
    const to = lowerBound(segment.events, wanted.to + 1, timeOf)
    const walk = candidates(segment, wanted, from, to)
    const next = (): EventRecord | undefined => {
      for (let step = walk.next(); step.done !== true; step = walk.next()) {
        const event = segment.events[step.value]
        if (event !== undefined && passes(event)) return event
      }
      return undefined
    }
    return { next, head: next() }
  })
  for (;;) {
    let best: (typeof walks)[number] | undefined
    for (const walk of walks) {
      if (walk.head === undefined) continue
      const order = best?.head === undefined ? 0 : byTime(walk.head, best.head)
      if (best === undefined || (newestFirst ? order > 0 : order < 0)) best = walk
    }
    if (best?.head === undefined) return undefined
    yield best.head
    best.head = best.next()
  }
}
