/**
 * The requests of an environment and their outcomes: synchronous, bounded, without secrets.
 */
import type { Delivery } from "../wire/Delivery.ts"
import type { JournalEntry, Point, RequestOutcome } from "./JournalEntry.ts"
import * as Random from "../random/Random.ts"
import { maxTotal } from "./KeptBody.ts"
import { type Arrival, OpenEntry } from "./OpenEntry.ts"

/** A journal as tests read it. */
export interface Journal {
  /** The entries, oldest first. */
  readonly entries: () => ReadonlyArray<JournalEntry>
  /** How many of the oldest entries were evicted. */
  readonly evicted: () => number
  readonly capacity: number
  /** Calls back after every change of an entry; returns a function that unsubscribes. */
  readonly subscribe: (changed: (entry: JournalEntry) => void) => () => void
}

/** How many requests came, including evicted ones. */
export const requestsIn = (journal: Pick<Journal, "entries" | "evicted">): number =>
  journal.evicted() + journal.entries().length

export interface RecordingJournal extends Journal {
  readonly open: (arrival: Arrival) => OpenEntry
  readonly pass: (entry: OpenEntry, point: Point, at: number) => void
  /** Removes all entries. */
  readonly clear: () => void
  /** Sets the outcome of a request, with its delivery unless the client disconnected before. */
  readonly finish: (entry: OpenEntry, outcome: RequestOutcome, at: number, delivery?: Delivery) => void
  /** The client disconnected after the outcome. */
  readonly end: (entry: OpenEntry, at: number) => void
}

const contentOf = ({ request: { body, method, path, query } }: Arrival): number =>
  Random.fingerprint(method, path, query, body)

// Requests with one key belong to one call; without keys, an equal request after an unsuccessful one
// belongs to the same call.
const fingerprint = ({ idempotencyKey, request: { method, path } }: Arrival, content: number): number =>
  idempotencyKey === undefined ? content : Random.fingerprint(method, path, idempotencyKey)

const succeeded = ({ outcome }: OpenEntry): boolean => outcome._tag === "Response" && outcome.status < 400

const isOneOperation = (previous: OpenEntry, arrival: Arrival): boolean =>
  arrival.idempotencyKey !== undefined || !succeeded(previous)

// An equal request next to one in flight may be another caller's; one that follows a failure is a retry.
const failed = (entry: OpenEntry): boolean => entry.outcome._tag !== "Pending" && !succeeded(entry)

const isFinal = (outcome: RequestOutcome): boolean =>
  outcome._tag === "ClientDisconnected" ||
  ((outcome._tag === "NoResponse" || outcome._tag === "CutResponse") && outcome.failure !== "hang")

/** The latest entry of each fingerprint, as long as the journal keeps it. */
const makeLatest = () => {
  const entries = new Map<number, OpenEntry>()
  /** The fingerprints of the entries by their places in the journal. */
  const prints: Array<number> = []
  return {
    get: (print: number) => entries.get(print),
    put: (place: number, print: number, entry: OpenEntry, gone: OpenEntry | undefined) => {
      const before = prints[place]
      if (before !== undefined && entries.get(before) === gone) entries.delete(before)
      prints[place] = print
      entries.set(print, entry)
    },
    clear: () => {
      entries.clear()
      prints.length = 0
    }
  }
}

/** Makes an empty journal that keeps this many entries. */
export const makeJournal = (capacity: number): RecordingJournal => {
  const ring: Array<OpenEntry> = []
  const ofOperation = makeLatest()
  const ofContent = makeLatest()
  const listeners = new Set<(entry: JournalEntry) => void>()
  let written = 0
  let operations = 0
  /** Characters of all bodies that are kept. */
  let bodyLength = 0
  /** Number of entries before the oldest one whose body may be kept. */
  let oldestBody = 0

  const notify = (entry: JournalEntry): void => {
    // Without listeners, even an empty loop would make an iterator at each point of each request.
    if (listeners.size > 0) for (const listener of listeners) listener(entry)
  }

  const previousOf = (arrival: Arrival, print: number): OpenEntry | undefined => {
    const previous = ofOperation.get(print)
    return previous !== undefined && isOneOperation(previous, arrival) ? previous : undefined
  }

  const retryOf = (content: number): number | undefined => {
    const earlier = ofContent.get(content)
    return earlier !== undefined && failed(earlier) ? earlier.number : undefined
  }

  const keep = (entry: OpenEntry, print: number, content: number): void => {
    const place = written % capacity
    const gone = ring[place]
    ofOperation.put(place, print, entry, gone)
    ofContent.put(place, content, entry, gone)
    ring[place] = entry
    written += 1
    bodyLength += entry.bodyLength - (gone?.bodyLength ?? 0)
    evictBodies()
  }

  /** Omits the oldest bodies while all together are too long. */
  const evictBodies = (): void => {
    if (bodyLength <= maxTotal) return
    oldestBody = Math.max(oldestBody, written - capacity)
    for (; bodyLength > maxTotal && oldestBody < written - 1; oldestBody += 1) {
      const entry = ring[oldestBody % capacity]
      bodyLength -= entry?.bodyLength ?? 0
      entry?.evictBodies()
    }
  }

  const finish = (entry: OpenEntry, outcome: RequestOutcome, delivery: Delivery | undefined): void => {
    const before = entry.bodyLength
    entry.finish(outcome, delivery)
    // The entry may have been evicted since it was opened, or cleared.
    if (ring[(entry.number - 1) % capacity] !== entry) return
    if (entry.number <= oldestBody) entry.evictBodies()
    bodyLength += entry.bodyLength - before
    evictBodies()
  }

  return {
    capacity,
    entries: () => {
      const first = written % capacity
      return written <= capacity ? [...ring] : [...ring.slice(first), ...ring.slice(0, first)]
    },
    evicted: () => Math.max(0, written - capacity),
    subscribe: (changed) => {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    clear: () => {
      ring.length = 0
      ofOperation.clear()
      ofContent.clear()
      written = 0
      operations = 0
      bodyLength = 0
      oldestBody = 0
    },
    open: (arrival) => {
      const content = contentOf(arrival)
      const print = fingerprint(arrival, content)
      const previous = previousOf(arrival, print)
      if (previous === undefined) operations += 1
      const entry = new OpenEntry(arrival, {
        number: written + 1,
        call: previous?.call ?? operations,
        attempt: (previous?.attempt ?? 0) + 1,
        retryOf: retryOf(content)
      })
      keep(entry, print, content)
      notify(entry)
      return entry
    },
    pass: (entry, point, at) => {
      entry.reach(point, at)
      if (point === "answered") entry.endedAt = at
      notify(entry)
    },
    finish: (entry, outcome, at, delivery) => {
      finish(entry, outcome, delivery)
      if (isFinal(outcome)) entry.endedAt = at
      notify(entry)
    },
    end: (entry, at) => {
      if (entry.endedAt !== undefined) return
      entry.endedAt = at
      notify(entry)
    }
  }
}
