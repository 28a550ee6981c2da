import * as Result from "effect/Result"
import { timeZoneFrom, unknownTimeZone } from "../text/Zone.ts"
import type { ConfigIssue } from "./NamedConnection.ts"

/** How the terminal UI shows every connection: the keys at the top of the configuration file. */
export interface ScreenSettings {
  /** The time zone of times on the screens: `utc`, `local` or a name such as `Europe/Berlin`; UTC when absent. */
  readonly timeZone?: string
}

/** The keys of the file for them. */
export const screenKeys = ["timeZone"] as const

const refused = (key: string, problem: string) => Result.fail<ConfigIssue>({ key, problem })

const readTimeZone = (value: unknown): Result.Result<Pick<ScreenSettings, "timeZone">, ConfigIssue> => {
  if (value === undefined) return Result.succeed({})
  if (typeof value !== "string")
    return refused("timeZone", "must be utc, local or a name such as Europe/Berlin, in quotes")
  const timeZone = timeZoneFrom(value)
  return timeZone === undefined ? refused("timeZone", unknownTimeZone(value)) : Result.succeed({ timeZone })
}

/** Reads them from the top of the file. */
export const readScreenSettings = (
  document: Readonly<Record<string, unknown>>
): Result.Result<ScreenSettings, ConfigIssue> => readTimeZone(document["timeZone"])
