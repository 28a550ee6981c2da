import * as Result from "effect/Result"
import { safe } from "../text/Safe.ts"
import { timeZoneFrom, unknownTimeZone } from "../text/Zone.ts"
import { flag, inPlace, invalid, isTable, type Setting } from "./ConfigTable.ts"

/** How the terminal UI shows every connection: the keys at the top of the configuration file. */
export interface ScreenSettings {
  /** The time zone of times on the screens: `utc`, `local` or a name such as `Europe/Berlin`; UTC when absent. */
  readonly timeZone?: string
  /** Whether the wheel scrolls and a click selects. */
  readonly mouse: boolean
  /** Keys by the name of their action; which actions and keys there are is the terminal UI's. */
  readonly keys: ReadonlyMap<string, string>
  /** Columns of the list of events, and the one that it is sorted by; which there are is the terminal UI's. */
  readonly columns?: ReadonlyArray<string>
  readonly sort?: string
}

const timeZone: Setting<string> = (value) => {
  if (typeof value !== "string") return invalid("must be utc, local or a name such as Europe/Berlin, in quotes")
  const found = timeZoneFrom(value)
  return found === undefined ? invalid(unknownTimeZone(value)) : Result.succeed(found)
}

const isWord = (value: unknown): value is string => typeof value === "string"

const words =
  (rule: string): Setting<string> =>
  (value) =>
    isWord(value) ? Result.succeed(value) : invalid(rule)

const keys: Setting<ReadonlyMap<string, string>> = (value) => {
  if (!isTable(value)) return invalid('must be a table; write ACTION = "KEY" below [keys]')
  const key = words('must be a key in quotes, such as "ctrl-f"')
  const read = Object.entries(value).map(([action, given]) =>
    Result.map(inPlace(safe(action), key(given)), (one) => [action, one] as const)
  )
  return Result.map(Result.all(read), (all) => new Map(all))
}

/** Their keys at the top of the file. */
export const screenSettings = {
  timeZone,
  keys,
  columns: (value: unknown) =>
    Array.isArray(value) && value.every(isWord)
      ? Result.succeed(value)
      : invalid('must be a list of columns in quotes, such as ["time", "why"]'),
  sort: words('must be a column in quotes, such as "-subscriber"'),
  mouse: flag
}
