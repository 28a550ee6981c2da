/**
 * One named connection: the service's URL, where its API key comes from, and whether it is read-only.
 */
import { isHttpUrl } from "@signalbox/core/Connection"
import * as Result from "effect/Result"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { safe } from "../text/Safe.ts"

/** Where the API key comes from; the key itself is never in the file. */
export type KeySource =
  | { readonly _tag: "Environment"; readonly variable: string }
  /** A program with its arguments, or a command line for the shell; the first line of its output is the key. */
  | { readonly _tag: "Command"; readonly command: ReadonlyArray<string> | string }

/** The names of the colour themes. */
export const themeNames = ["dark", "light", "contrast", "colour-blind"] as const

/** Name of a colour theme. */
export type ThemeName = (typeof themeNames)[number]

/** A named connection. */
export interface NamedConnection {
  readonly name: string
  readonly baseUrl: string
  readonly key: KeySource
  /** The vendor's name in wire identifiers. */
  readonly vendor?: string
  /** Whether writes are refused. */
  readonly readOnly: boolean
  readonly theme?: ThemeName
  /** The page of an event in the service's dashboard, with `{id}` or `{transactionId}` in it. */
  readonly dashboardUrl?: string
}

/** A problem with one key of a table. */
export interface ConfigIssue {
  /** The keys from the table down; empty for the table as a whole. */
  readonly key: string
  readonly problem: string
}

type Table = Readonly<Record<string, unknown>>

const settings = ["baseUrl", "apiKeyEnv", "apiKeyCommand", "vendor", "readOnly", "theme", "dashboardUrl"] as const

/** Names that people use for the key itself. */
const literalKeys: ReadonlySet<string> = new Set([
  "apikey",
  "key",
  "secret",
  "secretkey",
  "token",
  "password",
  "apitoken"
])

const keyAdvice =
  'name an environment variable with apiKeyEnv = "ACME_API_KEY" or a command that prints the key with apiKeyCommand = ["pass", "acme"]'

const invalid = (key: string, problem: string): Result.Result<never, ConfigIssue> => Result.fail({ key, problem })

/** Describes a value of the file by its type. Messages never quote the value: it could be a misplaced key. */
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "a list" : value instanceof Date ? "a date" : `a ${typeof value}`

/** Whether a name can be shown in the header and typed after `--connection`. */
const isName = (name: string): boolean => /^[\w][\w.-]{0,39}$/u.test(name)

const checkKeys = (table: Table): Result.Result<void, ConfigIssue> => {
  for (const key of Object.keys(table)) {
    if (settings.some((known) => known === key)) continue
    if (literalKeys.has(key.toLowerCase().replaceAll(/[_-]/gu, ""))) {
      return invalid(key, `do not put a key in this file; ${keyAdvice}`)
    }
    // In TOML, a line below a table belongs to it.
    if (key === "default") return invalid(key, "unknown key; default belongs above the first table")
    return invalid(safe(key), `unknown key; ${expectedOneOf(key, settings)}`)
  }
  return Result.succeed(undefined)
}

const text = (table: Table, key: string): Result.Result<string | undefined, ConfigIssue> => {
  const value = table[key]
  if (value === undefined) return Result.succeed(undefined)
  if (typeof value !== "string") return invalid(key, `must be a string in quotes, not ${kindOf(value)}`)
  return value === "" ? invalid(key, "must not be empty") : Result.succeed(value)
}

const readBaseUrl = (table: Table): Result.Result<string, ConfigIssue> =>
  Result.flatMap(text(table, "baseUrl"), (value) => {
    if (value === undefined) return invalid("baseUrl", 'is missing; write baseUrl = "https://api.example.com"')
    if (!isHttpUrl(value))
      return invalid("baseUrl", "must be an http or https URL, for example https://api.example.com")
    const url = new URL(value)
    if (url.username !== "" || url.password !== "")
      return invalid("baseUrl", `must not contain a user name or password; ${keyAdvice}`)
    return url.search === "" && url.hash === ""
      ? Result.succeed(value)
      : invalid("baseUrl", "must end before the query: no ? and no #")
  })

const readCommand = (table: Table): Result.Result<KeySource | undefined, ConfigIssue> => {
  const value = table["apiKeyCommand"]
  if (value === undefined) return Result.succeed(undefined)
  if (typeof value === "string" && value.trim() !== "") return Result.succeed({ _tag: "Command", command: value })
  if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string" && part !== "")) {
    return Result.succeed({ _tag: "Command", command: value })
  }
  return invalid(
    "apiKeyCommand",
    'must be a program with its arguments, like ["pass", "acme"], or a command line for the shell'
  )
}

const readVariable = (table: Table): Result.Result<KeySource | undefined, ConfigIssue> =>
  Result.flatMap(text(table, "apiKeyEnv"), (variable) => {
    if (variable === undefined) return Result.succeed(undefined)
    // Never quote the value: if it is not a variable name, it may be the key itself.
    return /^[A-Za-z_]\w*$/u.test(variable)
      ? Result.succeed({ _tag: "Environment", variable })
      : invalid("apiKeyEnv", "must be the name of an environment variable (letters, digits, _), not the key itself")
  })

const readKey = (table: Table): Result.Result<KeySource, ConfigIssue> =>
  Result.flatMap(readVariable(table), (variable) =>
    Result.flatMap(readCommand(table), (command) => {
      if (variable !== undefined && command !== undefined) {
        return invalid("", "has both apiKeyEnv and apiKeyCommand; keep one of them")
      }
      const source = variable ?? command
      return source === undefined ? invalid("", `has no key; ${keyAdvice}`) : Result.succeed(source)
    })
  )

const readReadOnly = (table: Table): Result.Result<boolean, ConfigIssue> => {
  const value = table["readOnly"] ?? false
  return typeof value === "boolean"
    ? Result.succeed(value)
    : invalid("readOnly", `must be true or false without quotes, not ${kindOf(value)}`)
}

const readTheme = (table: Table): Result.Result<ThemeName | undefined, ConfigIssue> =>
  Result.flatMap(text(table, "theme"), (value) => {
    const theme = themeNames.find((name) => name === value)
    if (value === undefined || theme !== undefined) return Result.succeed(theme)
    return invalid("theme", `is "${safe(value)}"; ${expectedOneOf(value, themeNames)}`)
  })

const readDashboardUrl = (table: Table): Result.Result<string | undefined, ConfigIssue> =>
  Result.flatMap(text(table, "dashboardUrl"), (url) =>
    url === undefined || (/\{(?:id|transactionId)\}/u.test(url) && isHttpUrl(url))
      ? Result.succeed(url)
      : invalid("dashboardUrl", "must be an http or https URL with {id} or {transactionId} in it")
  )

const readVendor = (table: Table): Result.Result<string | undefined, ConfigIssue> =>
  Result.flatMap(text(table, "vendor"), (vendor) =>
    vendor === undefined || /^[a-z][a-z0-9-]*$/u.test(vendor)
      ? Result.succeed(vendor)
      : invalid("vendor", "must be one lower-case word: letters, digits and -")
  )

/** Reads the table of one connection. */
export const readNamedConnection = (name: string, value: unknown): Result.Result<NamedConnection, ConfigIssue> => {
  if (!isName(name)) return invalid("", "the name of a connection is made of letters, digits, _ - and . (40 at most)")
  if (name === "demo") return invalid("", "this name belongs to the embedded demo; choose another")
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date) {
    return invalid("", `must be a table with the keys ${settings.join(", ")}, not ${kindOf(value)}`)
  }
  const table: Table = Object.fromEntries(Object.entries(value))
  return Result.gen(function* () {
    yield* checkKeys(table)
    const baseUrl = yield* readBaseUrl(table)
    const key = yield* readKey(table)
    const vendor = yield* readVendor(table)
    const readOnly = yield* readReadOnly(table)
    const theme = yield* readTheme(table)
    const dashboardUrl = yield* readDashboardUrl(table)
    return {
      name,
      baseUrl,
      key,
      readOnly,
      ...(vendor === undefined ? {} : { vendor }),
      ...(theme === undefined ? {} : { theme }),
      ...(dashboardUrl === undefined ? {} : { dashboardUrl })
    }
  })
}
