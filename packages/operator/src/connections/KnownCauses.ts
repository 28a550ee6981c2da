/**
 * The causes of a connection, kept between two sessions in a file that only its owner can read: how often
 * each failed at the last look, notes, and until when it is silent. No payloads, messages or subscribers.
 */
import type { TimeRange } from "../diagnosis/Histogram.ts"
import type { FailureGroup } from "../diagnosis/FailureGroup.ts"
import { type Environment, statePath } from "./ConfigPath.ts"

/** One cause, by its fingerprint. */
export interface KnownCause {
  /** Failures an hour at the last look; absent where it had none. */
  readonly rate?: number
  readonly note?: string
  /** No alert before this time, in milliseconds since 1970. */
  readonly silentUntil?: number
}

/** The causes of a connection. */
export interface KnownCauses {
  /** When the causes were last looked at, in milliseconds since 1970; absent before the first time. */
  readonly lookedAt?: number
  readonly causes: ReadonlyMap<string, KnownCause>
}

/** A change of what is kept. */
export type CauseChange =
  | { readonly _tag: "Looked"; readonly at: number; readonly rates: ReadonlyMap<string, number> }
  | { readonly _tag: "Noted"; readonly cause: string; readonly note: string | undefined }
  | { readonly _tag: "Silenced"; readonly cause: string; readonly until: number | undefined }

/** Nothing kept yet. */
export const noKnownCauses: KnownCauses = { causes: new Map() }

/** The file of a connection. */
export const knownCausesPath = (environment: Environment, connection: string): string =>
  statePath(environment, `causes-${connection.replaceAll(/[^\w.-]/gu, "_")}.json`)

const hour = 3_600_000

/** A range shorter than this says little about a rate. */
const leastHours = 1 / 12

/** Failures of each cause an hour, among the events of a time range. */
const ratesOf = (groups: ReadonlyArray<FailureGroup>, range: TimeRange | undefined): ReadonlyMap<string, number> => {
  const hours = range === undefined ? leastHours : Math.max(leastHours, (range.to - range.from) / hour)
  return new Map(groups.map(({ cause, events }) => [cause, events.length / hours]))
}

/** The change after a look at the causes. */
export const looked = (groups: ReadonlyArray<FailureGroup>, range: TimeRange | undefined, at: number): CauseChange => ({
  _tag: "Looked",
  at,
  rates: ratesOf(groups, range)
})

const isEmpty = ({ note, rate, silentUntil }: KnownCause): boolean =>
  note === undefined && rate === undefined && silentUntil === undefined

/** The causes after a change. */
export const changed = (known: KnownCauses, change: CauseChange): KnownCauses => {
  const causes = new Map(known.causes)
  if (change._tag === "Looked") {
    for (const cause of new Set([...causes.keys(), ...change.rates.keys()])) {
      const { rate: _, ...kept } = causes.get(cause) ?? {}
      const rate = change.rates.get(cause)
      const next = rate === undefined ? kept : { ...kept, rate }
      if (isEmpty(next)) causes.delete(cause)
      else causes.set(cause, next)
    }
    return { lookedAt: change.at, causes }
  }
  const { note, silentUntil, ...rest } = causes.get(change.cause) ?? {}
  const [nextNote, nextUntil] = change._tag === "Noted" ? [change.note, silentUntil] : [note, change.until]
  causes.set(change.cause, {
    ...rest,
    ...(nextNote === undefined ? {} : { note: nextNote }),
    ...(nextUntil === undefined ? {} : { silentUntil: nextUntil })
  })
  return { ...known, causes }
}

/** Whether a cause must not alert now. */
export const isSilent = ({ causes }: KnownCauses, cause: string, now: number): boolean =>
  (causes.get(cause)?.silentUntil ?? 0) > now

/** How causes differ from the last look. */
export interface CauseNews {
  readonly since: number
  readonly changes: ReadonlyMap<string, "new" | "grown">
  /** How many causes of the last look have no failure now. */
  readonly gone: number
}

/** Below this many failures, a rate that has doubled is chance. */
const leastGrown = 5

/** The differences from the last look; absent before the first one. */
export const newsOf = (
  { causes, lookedAt }: KnownCauses,
  groups: ReadonlyArray<FailureGroup>,
  range: TimeRange | undefined
): CauseNews | undefined => {
  if (lookedAt === undefined) return undefined
  const rates = ratesOf(groups, range)
  const changes = new Map<string, "new" | "grown">()
  for (const { cause, events } of groups) {
    const before = causes.get(cause)?.rate
    if (before === undefined) changes.set(cause, "new")
    else if (events.length >= leastGrown && (rates.get(cause) ?? 0) >= 2 * before) changes.set(cause, "grown")
  }
  const gone = Array.from(causes).filter(([cause, { rate }]) => rate !== undefined && !rates.has(cause)).length
  return { since: lookedAt, changes, gone }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : [])

const readCause = (value: unknown): KnownCause => {
  const fields = fieldsOf(value)
  const [rate, silentUntil] = [numberOf(fields.get("rate")), numberOf(fields.get("silentUntil"))]
  const note = fields.get("note")
  return {
    ...(rate === undefined ? {} : { rate }),
    ...(typeof note === "string" ? { note } : {}),
    ...(silentUntil === undefined ? {} : { silentUntil })
  }
}

/** Reads the file. One that is damaged counts as empty: nothing in it is needed to see what fails now. */
export const parseKnownCauses = (text: string): KnownCauses => {
  try {
    const fields = fieldsOf(JSON.parse(text))
    const lookedAt = numberOf(fields.get("lookedAt"))
    const causes = new Map(Array.from(fieldsOf(fields.get("causes")), ([cause, value]) => [cause, readCause(value)]))
    return { ...(lookedAt === undefined ? {} : { lookedAt }), causes }
  } catch {
    return noKnownCauses
  }
}

/** The content of the file as JSON. */
export const knownCausesJson = ({ causes, lookedAt }: KnownCauses) => ({ lookedAt, causes: Object.fromEntries(causes) })
