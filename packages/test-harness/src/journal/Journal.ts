/**
 * What an environment was asked and what it answered: synchronous, bounded, without secrets.
 */
import type { WireResponse } from "../request/Delivery.ts"
import type { JournalEntry, Point, RequestOutcome } from "./JournalEntry.ts"
import { type Arrival, OpenEntry } from "./OpenEntry.ts"

/** What readers see of a journal. */
export interface Journal {
  /** The entries that are kept, oldest first. */
  readonly entries: () => ReadonlyArray<JournalEntry>
  /** How many of the oldest entries had to go; nothing is environment about requests that were forgotten. */
  readonly evicted: () => number
  readonly capacity: number
  /** Calls back after every change of an entry; gives the function that stops it. */
  readonly subscribe: (changed: (entry: JournalEntry) => void) => () => void
}

/** A journal that requests write to. */
export interface RecordingJournal extends Journal {
  readonly open: (arrival: Arrival) => OpenEntry
  readonly pass: (entry: OpenEntry, point: Point, at: number) => void
  /** Forgets everything, as if nothing had been asked. */
  readonly clear: () => void
  /** The client is outcome something, by an answer where there is one. */
  readonly tell: (entry: OpenEntry, outcome: RequestOutcome, at: number, response?: WireResponse) => void
  /** The client is gone, after what it was outcome. */
  readonly end: (entry: OpenEntry, at: number) => void
}

const contentOf = ({ request }: Arrival): string =>
  `${request.method} ${request.path}?${request.query}\n${request.body}`

// Requests with one key ask for one thing; without keys, so does an equal request after one that did not succeed.
const fingerprint = (arrival: Arrival, content: string): string =>
  arrival.idempotencyKey === undefined
    ? content
    : `${arrival.request.method} ${arrival.request.path}\n${arrival.idempotencyKey}`

const succeeded = ({ outcome }: OpenEntry): boolean => outcome._tag === "Response" && outcome.status < 400

const isOneOperation = (previous: OpenEntry, arrival: Arrival): boolean =>
  arrival.idempotencyKey !== undefined || !succeeded(previous)

// An equal request beside one that is under way may be another caller's; one that follows a failure is a repeat.
const failed = (entry: OpenEntry): boolean => entry.outcome._tag !== "Pending" && !succeeded(entry)

/** Whether there is nothing more to come for who was outcome this. */
const isLastWord = (outcome: RequestOutcome): boolean =>
  outcome._tag === "ClientDisconnected" ||
  ((outcome._tag === "NoResponse" || outcome._tag === "CutResponse") && outcome.failure !== "hang")

/** The latest entry of each print, as long as the journal keeps it. */
const makeLatest = () => {
  const entries = new Map<string, OpenEntry>()
  /** The prints of the entries by their places in the journal. */
  const prints: Array<string> = []
  return {
    get: (print: string) => entries.get(print),
    put: (place: number, print: string, entry: OpenEntry, gone: OpenEntry | undefined) => {
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

/** Makes an empty journal that keeps so many entries, a whole number from 1. */
export const makeJournal = (capacity: number): RecordingJournal => {
  const ring: Array<OpenEntry> = []
  const ofOperation = makeLatest()
  const ofContent = makeLatest()
  const listeners = new Set<(entry: JournalEntry) => void>()
  let written = 0
  let operations = 0

  const notify = (entry: JournalEntry): void => {
    for (const listener of listeners) listener(entry)
  }

  const previousOf = (arrival: Arrival, print: string): OpenEntry | undefined => {
    const previous = ofOperation.get(print)
    return previous !== undefined && isOneOperation(previous, arrival) ? previous : undefined
  }

  const retryOf = (content: string): number | undefined => {
    const asked = ofContent.get(content)
    return asked !== undefined && failed(asked) ? asked.number : undefined
  }

  const keep = (entry: OpenEntry, print: string, content: string): void => {
    const place = written % capacity
    const gone = ring[place]
    ofOperation.put(place, print, entry, gone)
    ofContent.put(place, content, entry, gone)
    ring[place] = entry
    written += 1
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
      entry.points.push({ point, at })
      if (point === "answered") entry.endedAt = at
      notify(entry)
    },
    tell: (entry, outcome, at, response) => {
      entry.tell(outcome, response)
      if (isLastWord(outcome)) entry.endedAt = at
      notify(entry)
    },
    end: (entry, at) => {
      if (entry.endedAt !== undefined) return
      entry.endedAt = at
      notify(entry)
    }
  }
}
