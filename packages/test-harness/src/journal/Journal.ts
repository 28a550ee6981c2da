/**
 * What an environment was asked and what it answered: synchronous, bounded, without secrets.
 */
import type { JournalEntry, Point, Told } from "./JournalEntry.ts"
import { type Arrival, OpenEntry } from "./OpenEntry.ts"

/** Entries that an environment keeps unless told otherwise. */
export const defaultCapacity = 10_000

/** What readers see of a journal. */
export interface Journal {
  /** The entries that are kept, oldest first. */
  readonly entries: () => ReadonlyArray<JournalEntry>
  /** How many of the oldest entries had to go; nothing is judged about requests that were forgotten. */
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
  readonly tell: (entry: OpenEntry, told: Told, answerHeaders?: Readonly<Record<string, string>>) => void
}

// Requests with one key ask for one thing; without keys, so does an equal request after one that did not succeed.
const fingerprint = ({ idempotencyKey, request }: Arrival): string =>
  idempotencyKey === undefined
    ? `${request.method} ${request.path}?${request.query}\n${request.body}`
    : `${request.method} ${request.path}\n${idempotencyKey}`

const succeeded = (told: Told): boolean => told._tag === "Answer" && told.status < 400

const repeats = (previous: OpenEntry, arrival: Arrival): boolean =>
  arrival.idempotencyKey !== undefined || !succeeded(previous.told)

/** Makes an empty journal that keeps so many entries. */
export const makeJournal = (capacity: number): RecordingJournal => {
  if (!Number.isInteger(capacity) || capacity < 1) {
    throw new RangeError(`journal: the capacity must be a whole number from 1, not ${capacity}`)
  }
  const ring: Array<OpenEntry> = []
  const latest = new Map<string, OpenEntry>()
  const listeners = new Set<(entry: JournalEntry) => void>()
  let written = 0
  let operations = 0

  const notify = (entry: JournalEntry): void => {
    for (const listener of listeners) listener(entry)
  }

  // The map is in the order of the entries, so the entry that has to go can only be its first.
  const forget = (entry: OpenEntry | undefined): void => {
    const oldest = latest.entries().next().value
    if (oldest !== undefined && oldest[1] === entry) latest.delete(oldest[0])
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
      latest.clear()
      written = 0
      operations = 0
    },
    open: (arrival) => {
      const print = fingerprint(arrival)
      const previous = latest.get(print)
      const isRepeat = previous !== undefined && repeats(previous, arrival)
      if (!isRepeat) operations += 1
      const entry = new OpenEntry(arrival, {
        number: written + 1,
        logical: isRepeat ? previous.logical : operations,
        attempt: isRepeat ? previous.attempt + 1 : 1
      })
      forget(ring[written % capacity])
      latest.delete(print)
      latest.set(print, entry)
      ring[written % capacity] = entry
      written += 1
      notify(entry)
      return entry
    },
    pass: (entry, point, at) => {
      entry.passages.push({ point, at })
      notify(entry)
    },
    tell: (entry, told, answerHeaders = {}) => {
      entry.told = told
      entry.answerHeaders = answerHeaders
      notify(entry)
    }
  }
}
