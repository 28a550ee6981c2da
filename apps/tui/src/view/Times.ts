import { type Zone, zoneIn } from "@signalbox/operator/text/Zone"
import type { State } from "../state/State.ts"

/** The part of the state that times depend on. */
type Now = Pick<State, "now" | "settings">

/** The time zone of everything on the screens; copies, reports and the history are in UTC. */
export const zoneOf = ({ now, settings }: Now): Zone => zoneIn(settings.timeZone, now)

/** A time with its zone: `12:41:02Z`, `13:41:02+01`. */
export const stampOf = (state: Now, at: number): string => {
  const { clock, suffix } = zoneOf(state)
  return `${clock(at)}${suffix}`
}

/** A time relative to now, with its zone: `12:41:02Z`, `20 Nov 13:41+01`; a day of another year has none. */
export const momentOf = (state: Now, time: number | string | undefined): string => {
  const { moment, suffix } = zoneOf(state)
  const text = moment(time, state.now)
  return /:\d\d$/u.test(text) ? `${text}${suffix}` : text
}
