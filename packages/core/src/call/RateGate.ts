import type { ReportedLimit } from "./RateLimitHeaders.ts"

/** The client's record of the rate limit of one category of operations. Times are monotonic milliseconds. */
export interface RateGate {
  /** Requests in progress. */
  inProgress: number
  /** Nothing is sent before. */
  opensAt: number
  /** Requests that may be sent after that; `Infinity` while no limit is known. */
  room: number
  /** Requests that become available in a millisecond; 0 while unknown. */
  rate: number
  /** When the rate was learned. */
  ratedAt: number
  /** From when on the room grows; later than now where the service announced its next window. */
  growsFrom: number
  /** Requests in progress at most while the rate is unknown. */
  window: number
  /** Whether the service closed the gate without a rate limit: a 503 with `Retry-After`. */
  isUnavailable: boolean
  /** When a rejection last closed the gate. */
  closedAt: number
  /** The requests that the service has accepted since then, from which the rate is learned. */
  accepted: number
  /** The same time, later by the idle time since then. */
  countedFrom: number
  /** When the service last accepted a request. */
  acceptedAt: number
  /** When a response to a request that was sent after the previous such response stated the remaining requests. */
  statedAt: number
  /** When the last request finished. */
  idleFrom: number
}

/** Background work starts with this many requests in progress: more could all be rejected by a limit still unknown. */
const firstWindow = 32

/** The window grows by this with each response: it doubles in about 11 round trips. */
const growth = 1 / 16

/** The rate in use starts below what was learned, because that is not exact, and reaches it after this time. */
const caution = 0.05
const recoveryMs = 10_000

/** A closed gate lets a request through after this time at the latest: the service may have announced a wrong time. */
const longestMs = 3_600_000

/** A gate without a known limit. */
export const makeGate = (): RateGate => ({
  inProgress: 0,
  opensAt: 0,
  room: Infinity,
  rate: 0,
  ratedAt: 0,
  growsFrom: 0,
  window: firstWindow,
  isUnavailable: false,
  closedAt: -Infinity,
  accepted: 0,
  countedFrom: -Infinity,
  acceptedAt: -Infinity,
  statedAt: -Infinity,
  idleFrom: 0
})

/**
 * Adds the requests that have become available, and returns the rate: cubic around the learned one, as in TCP, so that a
 * limit that was raised is found soon.
 */
const refill = (gate: RateGate, now: number): number => {
  const rate = gate.rate * (1 + caution * ((now - gate.ratedAt) / recoveryMs - 1) ** 3)
  const since = Math.max(0, now - gate.growsFrom)
  gate.growsFrom += since
  // An idle client must not save up for a burst.
  gate.room = Math.max(gate.room, Math.min(gate.room + since * rate, 1 + rate * 1000))
  return rate
}

/**
 * How long until a request may be sent: 0 for now, `Infinity` when that depends on the next response. `isBackground`
 * limits the requests in progress also before any limit is known.
 */
export const waitOf = (gate: RateGate, isBackground: boolean, now: number): number => {
  if (now < gate.opensAt) return gate.opensAt - now
  const isOpen = gate.inProgress + 1 <= gate.window
  if (gate.room === Infinity) return isBackground && !isOpen ? Infinity : 0
  const rate = refill(gate, now)
  // Until the next window, the next response tells; so one request must always be in progress.
  if (gate.room >= 1 || (isOpen && (gate.rate === 0 || now < gate.growsFrom))) return 0
  return gate.growsFrom - now + (1 - gate.room) / rate
}

/** Ends a wait, also where timers run on another clock, such as the fake timers of a test. */
export const endWait = (gate: RateGate, now: number): void => {
  gate.opensAt = Math.min(gate.opensAt, now)
  refill(gate, now)
  gate.room = Math.max(1, gate.room)
}

/** Sends nothing for the announced time; then as much as has become available meanwhile, or one request after the other. */
export const shut = (gate: RateGate, now: number, announced: number, isUnavailable = false): RateGate => {
  const delay = Math.min(announced, longestMs)
  if (delay > Math.max(0, gate.opensAt - now)) {
    gate.opensAt = gate.growsFrom = now + delay
    // Then only one request asks whether the announced time was right.
    if (delay < announced) gate.rate = 0
    gate.room = Math.max(1, gate.rate * delay * (1 - caution))
    gate.window = 1
    gate.isUnavailable = isUnavailable
  }
  return gate
}

/**
 * Learns from a response. `hint` is the wait that the service announced when it did not accept the request, 0 where it
 * announced none; `delay` is how long to wait then. `isLimited` when the rate limit is the reason.
 */
export const learn = (
  gate: RateGate,
  reported: ReportedLimit | undefined,
  sentAt: number,
  now: number,
  hint: number | undefined,
  delay: number,
  isLimited: boolean
): void => {
  const isRecent = sentAt > gate.closedAt
  const rate =
    reported?.rate ??
    // Between two of its rejections, the service has accepted what it allows.
    (isRecent && isLimited ? Math.max(gate.accepted / Math.max(1, now - gate.countedFrom), gate.rate / 2) : undefined)
  if (rate !== undefined) {
    gate.rate = rate
    gate.ratedAt = now
  }
  if (hint === undefined) {
    if (isRecent) gate.accepted++
    gate.acceptedAt = now
    gate.window += growth
  } else {
    // To a request that was sent before the gate was closed: no news, but perhaps a later time.
    shut(gate, now, isRecent ? delay : hint, !isLimited)
    if (isRecent) {
      gate.closedAt = gate.countedFrom = now
      gate.accepted = 0
    }
  }
  const { remaining, resetMs } = reported ?? {}
  // Without an end of the window, a wait would never end.
  if (remaining === undefined || resetMs === undefined) return
  if (remaining === 0) return void shut(gate, now, resetMs)
  // Overtaken by the response that closed the gate.
  if (now < gate.opensAt) return
  // The service may not have counted the other requests in progress; of those, the last to be counted has the lowest number.
  const room = Math.max(0, remaining - gate.inProgress + 1)
  gate.room = sentAt < gate.statedAt ? Math.min(gate.room, room) : room
  if (sentAt >= gate.statedAt) gate.statedAt = now
  gate.growsFrom = now + resetMs
  gate.window = 1
}
