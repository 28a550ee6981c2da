/**
 * News about the causes of failures while events arrive: a cause that is new, one whose failures have doubled, and one that
 * has ended.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { eventKey } from "../reading/EventKey.ts"
import { failuresOf } from "../diagnosis/FailureGroup.ts"
import type { Owner } from "../diagnosis/Owner.ts"

/** The kinds of news. */
export const alertKinds = ["new", "doubled", "ended"] as const

/** Kind of news. */
export type AlertKind = (typeof alertKinds)[number]

/** News about one cause. */
export interface Alert {
  readonly kind: AlertKind
  /** Milliseconds since 1970. */
  readonly at: number
  readonly cause: string
  readonly title: string
  readonly owner: Owner
  /** Failures within the last period. */
  readonly count: number
  /** Failures within the period before. */
  readonly before: number
}

/** Failures are compared within this time and the time before it. */
export const periodMs = 5 * 60_000

/** A cause without a failure for this long has ended. */
export const silenceMs = 30 * 60_000

/** With fewer failures, a rate that doubles is chance. */
const leastDoubled = 5

/** Failures of a cause that are remembered; of more, the rate is at least theirs. */
const mostTimes = 10_000

interface Watched {
  readonly title: string
  readonly owner: Owner
  /** Times of the failures of the last two periods. */
  readonly times: ReadonlyArray<number>
  readonly last: number
  /** The count when its rate was reported as doubled; absent while it is not. */
  readonly doubled?: number
  readonly hasEnded?: true
}

/** The causes that were seen, and the failures that were counted. */
export interface WatchState {
  readonly causes: ReadonlyMap<string, Watched>
  readonly counted: ReadonlySet<string>
  /** Time of the last read. */
  readonly readAt: number
}

/** Nothing seen yet. */
export const noWatch: WatchState = { causes: new Map(), counted: new Set(), readAt: Number.NEGATIVE_INFINITY }

/** Failures that are remembered: a listing may return them again. */
const mostCounted = 20_000

const within = (times: ReadonlyArray<number>, from: number, to: number): number =>
  times.filter((at) => at > from && at <= to).length

/** An event this much older than the last read was there before: it has failed since, for example after a delay. */
const lateMs = 2 * 60_000

/** Adds the failures of events; each cause of an event counts once, also when it is read again. */
const counted = (
  state: WatchState,
  events: ReadonlyArray<ActivityNotification>,
  now: number
): Pick<WatchState, "causes" | "counted"> & { readonly fresh: ReadonlySet<string> } => {
  const causes = new Map(state.causes)
  const seen = new Set(state.counted)
  const fresh = new Set<string>()
  for (const event of events) {
    const at = Date.parse(event.createdAt ?? "")
    const time = Number.isNaN(at) || at < state.readAt - lateMs ? now : at
    for (const { cause, diagnosis, title } of failuresOf(event)) {
      const key = `${eventKey(event)} ${cause}`
      if (seen.has(key)) continue
      seen.add(key)
      const known = causes.get(cause)
      if (known === undefined || known.hasEnded === true) fresh.add(cause)
      const { hasEnded: _, ...before } = known ?? { title, owner: diagnosis.owner, times: [], last: time }
      causes.set(cause, {
        ...before,
        times: [...before.times, time].slice(-mostTimes),
        last: Math.max(before.last, time)
      })
    }
  }
  return { causes, counted: new Set(Array.from(seen).slice(-mostCounted)), fresh }
}

/**
 * The state after events were read, and the news. The events of the first call are the past: they are no news.
 *
 * @example
 * ```ts
 * const past = watched(noWatch, lastHour, now, { isPast: true }).state
 * const { alerts } = watched(past, newest, now)
 * ```
 */
export const watched = (
  state: WatchState,
  events: ReadonlyArray<ActivityNotification>,
  now: number,
  { isPast = false }: { readonly isPast?: boolean } = {}
): { readonly state: WatchState; readonly alerts: ReadonlyArray<Alert> } => {
  const { counted: seen, causes, fresh } = counted(state, events, now)
  const alerts: Array<Alert> = []
  const next = new Map<string, Watched>()
  for (const [cause, found] of causes) {
    const times = found.times.filter((at) => at > now - 2 * periodMs)
    const count = within(times, now - periodMs, now)
    const before = within(times, now - 2 * periodMs, now - periodMs)
    const { doubled, owner, title } = found
    const alert = (kind: AlertKind) => alerts.push({ kind, at: now, cause, title, owner, count, before })
    const isDoubled = count >= leastDoubled && before > 0 && count >= 2 * Math.max(before, doubled ?? 0)
    const hasEnded = now - found.last >= silenceMs
    if (fresh.has(cause)) alert("new")
    else if (isDoubled) alert("doubled")
    else if (hasEnded && found.hasEnded !== true) alert("ended")
    const { doubled: _, ...rest } = found
    const level = isDoubled ? count : doubled !== undefined && count > before ? doubled : undefined
    next.set(cause, {
      ...rest,
      times,
      ...(level === undefined ? {} : { doubled: level }),
      ...(hasEnded ? { hasEnded: true } : {})
    })
  }
  return { state: { causes: next, counted: seen, readAt: now }, alerts: isPast ? [] : alerts }
}
