/**
 * The time zone of the times in tables: the machine's, or UTC. JSON and CSV have the service's own times, in UTC.
 */
import { moment } from "@signalbox/operator/text/Moment"

/** Times of a table: all of one zone, which the heading names. */
export interface Zone {
  /** Heading of a column of times. */
  readonly titled: (title: string) => string
  /** A time relative to now, in the zone. */
  readonly moment: (iso: string | undefined) => string
}

const minute = 60_000

/** `UTC`, `+01`, `-03:30`. */
const nameOf = (offset: number): string => {
  if (offset === 0) return "UTC"
  const size = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${size % 60 === 0 ? "" : `:${two(size % 60)}`}`
}

/** The zone at the time `now`; rows from before a change to summer time are in the zone of now, too. */
export const zoneAt = (now: number, utc: boolean): Zone => {
  const offset = utc ? 0 : -new Date(now).getTimezoneOffset()
  const shifted = (at: number) => at + offset * minute
  return {
    titled: (title) => `${title} ${nameOf(offset)}`,
    moment: (iso) => {
      const at = iso === undefined ? Number.NaN : Date.parse(iso)
      return moment(Number.isNaN(at) ? iso : new Date(shifted(at)).toISOString(), shifted(now))
    }
  }
}
