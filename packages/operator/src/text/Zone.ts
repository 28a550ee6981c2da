/**
 * Times in words, in UTC or in another time zone, given what time it is now.
 */
import { nearest } from "@signalbox/core/Nearest"
import { safe } from "./Safe.ts"
import { truncate } from "./Width.ts"

/**
 * Times of a screen or a table: all of them with the offset that the zone has now, so that one heading is right for all.
 * Copies, files and requests stay in UTC, as the service writes its times.
 */
export interface Zone {
  /** The offset as a heading: `UTC`, `+01`, `-03:30`. */
  readonly heading: string
  /** The offset behind a time: `Z`, `+01`. */
  readonly suffix: string
  /** `2026-11-21`. */
  readonly date: (at: number) => string
  /** `12:41:02`. */
  readonly clock: (at: number) => string
  /** `12:41:02.114`. */
  readonly preciseClock: (at: number) => string
  /**
   * The time alone on the day of `now`, else day and minute: `20 Nov 12:41`, or day and year. Twelve cells at most; a
   * string that is not a time is returned unchanged.
   */
  readonly moment: (time: number | string | undefined, now: number) => string
  /** The minute on the day of `now`, else with its day: `12:41`, `20 Nov 12:41`. */
  readonly minute: (at: number, now: number) => string
  /** `21 Nov`, with the year where it is not that of `now`. */
  readonly dayName: (at: number, now: number) => string
  readonly isSameDay: (a: number, b: number) => boolean
}

const two = (value: number) => String(value).padStart(2, "0")

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const minute = 60_000
const day = 24 * 60 * minute

const nameOf = (offset: number): string => {
  const size = Math.abs(offset)
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${size % 60 === 0 ? "" : `:${two(size % 60)}`}`
}

const noTime = "no time"

/** The zone with an offset from UTC in minutes. */
const zoneOf = (offset: number): Zone => {
  const shift = offset * minute
  /** The time there, in the fields that a date has for UTC. */
  const there = (at: number) => new Date(at + shift)
  /** A part of `2026-11-21T12:41:02.114Z`. */
  const part = (at: number, from: number, to: number) => {
    const date = there(at)
    return Number.isNaN(date.getTime()) ? noTime : date.toISOString().slice(from, to)
  }
  const clock = (at: number) => part(at, -13, -5)
  const isSameDay = (a: number, b: number) => Math.floor((a + shift) / day) === Math.floor((b + shift) / day)
  const isSameYear = (a: number, b: number) => there(a).getUTCFullYear() === there(b).getUTCFullYear()
  const dayName = (at: number, now: number) => {
    const date = there(at)
    if (Number.isNaN(date.getTime())) return noTime
    const name = `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ""}`
    return isSameYear(at, now) ? name : `${name} ${date.getUTCFullYear()}`
  }
  /** Without the minute in another year: it would not fit. */
  const distant = (at: number, now: number) =>
    isSameYear(at, now) ? `${dayName(at, now)} ${clock(at).slice(0, 5)}` : dayName(at, now)
  return {
    heading: offset === 0 ? "UTC" : nameOf(offset),
    suffix: offset === 0 ? "Z" : nameOf(offset),
    date: (at) => part(at, 0, -14),
    clock,
    preciseClock: (at) => part(at, -13, -1),
    moment: (time, now) => {
      const at = typeof time === "number" ? time : Date.parse(time ?? "")
      if (Number.isNaN(at)) return typeof time === "string" ? truncate(safe(time), 12) : noTime
      return isSameDay(at, now) ? clock(at) : truncate(distant(at, now), 12)
    },
    minute: (at, now) => (isSameDay(at, now) ? clock(at).slice(0, 5) : distant(at, now)),
    dayName,
    isSameDay
  }
}

/** Times in UTC. */
export const utc = zoneOf(0)

/** The canonical name of a time zone: `utc`, `local` or one such as `Europe/Berlin`; absent for another word. */
export const timeZoneFrom = (typed: string): string | undefined => {
  const word = typed.toLowerCase()
  if (word === "utc" || word === "local") return word
  try {
    return new Intl.DateTimeFormat("en", { timeZone: typed }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The names of all time zones. */
export const timeZones = (): ReadonlyArray<string> => ["utc", "local", ...Intl.supportedValuesOf("timeZone")]

/** Why a word names no time zone, with what is allowed. */
export const unknownTimeZone = (typed: string): string => {
  const close = nearest(typed, timeZones())
  const expected = "xpected utc, local or a name such as Europe/Berlin"
  return `unknown time zone "${safe(typed)}"; ${close === undefined ? "e" : `did you mean ${close}? E`}${expected}`
}

/** The offset of a named zone in minutes, from `GMT-03:30`. */
const namedOffset = (timeZone: string, now: number): number => {
  const part = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(now)
    .find(({ type }) => type === "timeZoneName")
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/u.exec(part?.value ?? "") ?? []
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

let last: { readonly name: string; readonly minute: number; readonly zone: Zone } | undefined

/** A time zone, by a name from {@link timeZoneFrom}, with the offset that it has now. */
export const zoneIn = (name: string, now: number): Zone => {
  if (name === "utc") return utc
  if (name === "local") return zoneOf(-new Date(now).getTimezoneOffset())
  // Asked for by every row, and slow to find.
  const at = Math.floor(now / minute)
  if (last?.name !== name || last.minute !== at) {
    last = { name, minute: at, zone: zoneOf(namedOffset(name, now)) }
  }
  return last.zone
}
