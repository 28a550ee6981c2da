/**
 * Times and lengths of time in words, given what time it is now; all in UTC, as the service writes its times.
 */
import { safe } from "./Safe.ts"
import { truncate } from "./Width.ts"

const two = (value: number) => String(value).padStart(2, "0")

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const day = 86_400_000

/** `12:41:02`. */
export const clock = (at: number): string => {
  const date = new Date(at)
  return Number.isNaN(date.getTime())
    ? "no time"
    : `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
}

/** `12:41:02.114`. */
export const preciseClock = (at: number): string => {
  const whole = clock(at)
  return whole === "no time" ? whole : `${whole}.${String(new Date(at).getUTCMilliseconds()).padStart(3, "0")}`
}

/**
 * The time alone on the day of `now`, else day and minute: `20 Nov 12:41`. Twelve cells at most; a string that is not a
 * time is returned unchanged.
 */
export const moment = (iso: string | undefined, now: number): string => {
  const at = iso === undefined ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(at)) return iso === undefined ? "no time" : truncate(safe(iso), 12)
  if (Math.floor(at / day) === Math.floor(now / day)) return clock(at)
  const date = new Date(at)
  const name = `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ""}`
  return truncate(
    date.getUTCFullYear() === new Date(now).getUTCFullYear()
      ? `${name} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
      : `${name} ${date.getUTCFullYear()}`,
    12
  )
}

/** A length of time in its two largest units: `450 ms`, `12.5 s`, `10m 0s`, `3h 5m`, `2d 4h`. */
export const duration = (milliseconds: number): string => {
  if (Number.isNaN(milliseconds)) return "?"
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  // Tenths that would round up to 60.0 belong to the minutes.
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 1440
    ? `${Math.floor(minutes / 60)}h ${minutes % 60}m`
    : `${Math.floor(minutes / 1440)}d ${Math.floor((minutes % 1440) / 60)}h`
}

/** `21 Nov`, with the year where it is not that of `now`. */
export const dayName = (at: number, now: number): string => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return "no time"
  const year = date.getUTCFullYear()
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ""}${year === new Date(now).getUTCFullYear() ? "" : ` ${year}`}`
}

/** Whether two times are on the same day, in UTC. */
export const isSameDay = (a: number, b: number): boolean => Math.floor(a / day) === Math.floor(b / day)

/** How long ago in whole minutes, hours or days, six cells at most: `<1 min`, `21 min`, `2 h`, `3 d`. */
export const shortAge = (at: number, now: number): string => {
  const seconds = Math.floor((now - at) / 1000)
  if (Number.isNaN(seconds)) return ""
  if (seconds < 60) return "<1 min"
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** How long ago in one unit, or how long until then: `just now`, `40 s ago`, `21 min ago`, `in 2 h`. */
export const age = (at: number, now: number): string => {
  if (Number.isNaN(at)) return "at no known time"
  const seconds = Math.floor(Math.abs(now - at) / 1000)
  if (seconds < 2) return "just now"
  const length =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : seconds < 86_400
          ? `${Math.floor(seconds / 3600)} h`
          : `${Math.floor(seconds / 86_400)} d`
  return at > now ? `in ${length}` : `${length} ago`
}
