/**
 * The changes of a fake, in batches: the stream behind the inspector, and for tools that follow a fake.
 */
import { isManualClock } from "../clock/ManualClock.ts"
import type { Environment } from "../environment/Environment.ts"
import type { Fake } from "../environment/Fake.ts"
import { timesOf } from "../faults/ArmedFault.ts"
import { describe } from "../faults/Fault.ts"
import { requestsIn } from "../journal/Journal.ts"
import type { JournalEntry, ListedEntry } from "../journal/JournalEntry.ts"
import { listedEntry } from "../journal/OpenEntry.ts"
import type { UnmatchedRequest } from "../journal/UnmatchedRequests.ts"

export const liveEventsPath = "/_fake/events"

export interface LiveFault {
  /** Its number in the list, for `DELETE /_fake/faults/{number}`. */
  readonly number: number
  readonly description: string
  readonly operation: string | undefined
  readonly fired: number
  /** How often it fires at most; 0 if there is no limit. */
  readonly times: number
}

export interface LiveEnvironment {
  readonly apiKey: string
  readonly name?: string
  readonly number: number
  /** ISO time of a clock that a test moves; absent where the time is that of the machine. */
  readonly manualTime?: string
  /** Requests since the environment was created or reset; higher numbers in the journal no longer exist. */
  readonly requests: number
  readonly faults: ReadonlyArray<LiveFault>
}

export interface LiveEntry {
  /** Number of the environment. */
  readonly environment: number
  readonly entry: ListedEntry
}

/** Everything that changed since the batch before; the first batch has everything. */
export interface LiveBatch {
  /** All environments, if one of them changed. */
  readonly environments?: ReadonlyArray<LiveEnvironment>
  /** At most the last 200 of each environment. */
  readonly entries: ReadonlyArray<LiveEntry>
  /** All kept requests that matched no environment, if there are new ones. */
  readonly unmatched?: { readonly count: number; readonly entries: ReadonlyArray<UnmatchedRequest> }
}

/** How many entries of an environment a batch has at most. */
const maxEntries = 200

const liveFault = ({ fault, fired }: ReturnType<Environment["faults"]["armed"]>[number], index: number): LiveFault => ({
  number: index + 1,
  description: describe(fault),
  operation: fault.operation,
  fired: fired(),
  // JSON has no infinity.
  times: Number.isFinite(timesOf(fault)) ? timesOf(fault) : 0
})

const liveEnvironment = ({ apiKey, clock, faults, journal, name, now, number }: Environment): LiveEnvironment => ({
  apiKey,
  ...(name === undefined ? {} : { name }),
  number,
  ...(isManualClock(clock()) ? { manualTime: new Date(now()).toISOString() } : {}),
  requests: requestsIn(journal),
  faults: faults.armed().map(liveFault)
})

export interface LiveView {
  /** The changes since the last call; `undefined` if nothing changed. */
  readonly next: () => LiveBatch | undefined
  readonly stop: () => void
}

interface Followed {
  /** Changed entries by number, the last changed one last. */
  readonly changed: Map<number, JournalEntry>
  readonly stop: () => void
}

const followJournal = ({ journal }: Environment): Followed => {
  const changed = new Map(
    journal
      .entries()
      .slice(-maxEntries)
      .map((entry) => [entry.number, entry])
  )
  const stop = journal.subscribe((entry) => {
    changed.delete(entry.number)
    changed.set(entry.number, entry)
    if (changed.size <= maxEntries) return
    const [oldest] = changed.keys()
    if (oldest !== undefined) changed.delete(oldest)
  })
  return { changed, stop }
}

/** Starts to follow a fake, with environments that it creates later. */
export const liveView = (fake: Fake): LiveView => {
  const followed = new Map<string, Followed>()
  let shown = ""
  let unmatchedCount = -1

  const follow = (environments: ReadonlyArray<Environment>): void => {
    const keys = new Set(environments.map(({ apiKey }) => apiKey))
    for (const [apiKey, { stop }] of followed) {
      if (keys.has(apiKey)) continue
      stop()
      followed.delete(apiKey)
    }
    for (const environment of environments) {
      if (!followed.has(environment.apiKey)) followed.set(environment.apiKey, followJournal(environment))
    }
  }

  const takeEntries = ({ apiKey, number }: Environment): ReadonlyArray<LiveEntry> => {
    const changed = followed.get(apiKey)?.changed
    const entries = [...(changed?.values() ?? [])].map((entry) => ({ environment: number, entry: listedEntry(entry) }))
    changed?.clear()
    return entries
  }

  const takeEnvironments = (environments: ReadonlyArray<Environment>): Pick<LiveBatch, "environments"> => {
    const live = environments.map(liveEnvironment)
    const text = JSON.stringify(live)
    if (text === shown) return {}
    shown = text
    return { environments: live }
  }

  const takeUnmatched = (): Pick<LiveBatch, "unmatched"> => {
    const { count, entries } = fake.unmatchedRequests
    if (count() === unmatchedCount) return {}
    unmatchedCount = count()
    return { unmatched: { count: unmatchedCount, entries: entries() } }
  }

  return {
    next: () => {
      const environments = fake.environments()
      follow(environments)
      const batch: LiveBatch = {
        ...takeEnvironments(environments),
        ...takeUnmatched(),
        entries: environments.flatMap(takeEntries)
      }
      return Object.keys(batch).length === 1 && batch.entries.length === 0 ? undefined : batch
    },
    stop: () => {
      for (const { stop } of followed.values()) stop()
    }
  }
}
