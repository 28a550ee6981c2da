import * as Result from "effect/Result"
import { safe } from "../text/Safe.ts"
import { timeZoneFrom, unknownTimeZone } from "../text/Zone.ts"
import type { ConfigIssue } from "./NamedConnection.ts"

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

/** The keys of the file for them. */
export const screenKeys = ["timeZone", "keys", "columns", "sort", "mouse"] as const

const refused = (key: string, problem: string) => Result.fail<ConfigIssue>({ key, problem })

const readTimeZone = (value: unknown): Result.Result<Pick<ScreenSettings, "timeZone">, ConfigIssue> => {
  if (value === undefined) return Result.succeed({})
  if (typeof value !== "string")
    return refused("timeZone", "must be utc, local or a name such as Europe/Berlin, in quotes")
  const timeZone = timeZoneFrom(value)
  return timeZone === undefined ? refused("timeZone", unknownTimeZone(value)) : Result.succeed({ timeZone })
}

const readKeys = (value: unknown): Result.Result<Pick<ScreenSettings, "keys">, ConfigIssue> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refused("keys", 'must be a table; write ACTION = "KEY" below [keys]')
  }
  const keys = new Map<string, string>()
  for (const [action, key] of Object.entries(value)) {
    if (typeof key !== "string") return refused(`keys.${safe(action)}`, 'must be a key in quotes, such as "ctrl-f"')
    keys.set(action, key)
  }
  return Result.succeed({ keys })
}

const readList = (
  columns: unknown,
  sort: unknown
): Result.Result<Pick<ScreenSettings, "columns" | "sort">, ConfigIssue> => {
  const isWord = (value: unknown): value is string => typeof value === "string"
  if (columns !== undefined && !(Array.isArray(columns) && columns.every(isWord))) {
    return refused("columns", 'must be a list of columns in quotes, such as ["time", "why"]')
  }
  if (sort !== undefined && !isWord(sort)) return refused("sort", 'must be a column in quotes, such as "-subscriber"')
  return Result.succeed({ ...(columns === undefined ? {} : { columns }), ...(sort === undefined ? {} : { sort }) })
}

/** Reads them from the top of the file. */
export const readScreenSettings = (
  document: Readonly<Record<string, unknown>>
): Result.Result<ScreenSettings, ConfigIssue> =>
  Result.gen(function* () {
    const { mouse = false } = document
    if (typeof mouse !== "boolean") return yield* refused("mouse", "must be true or false without quotes")
    return {
      mouse,
      ...(yield* readTimeZone(document["timeZone"])),
      ...(yield* readKeys(document["keys"] ?? {})),
      ...(yield* readList(document["columns"], document["sort"]))
    }
  })
