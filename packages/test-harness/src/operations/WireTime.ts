/**
 * Timestamps in the format of the service.
 */
import type { Switches } from "../switches/Switches.ts"

/** A time in the format that the switches select. */
export const wireTime = (switches: Switches, time: number): string => {
  const text = new Date(time).toISOString()
  switch (switches["time.format"]) {
    case "milliseconds":
      return text
    case "seconds":
      return `${text.slice(0, 19)}Z`
    case "offset":
      return `${text.slice(0, 23)}+00:00`
  }
}
