/**
 * The file of named connections: `$XDG_CONFIG_HOME/signalbox/config.toml`.
 *
 * ```toml
 * default = "eu"                           # optional: the connection of commands that name none
 * timeZone = "local"                       # optional, as all that follows for the terminal UI
 * columns = ["time", "subscriber", "why"]
 * sort = "-subscriber"
 * mouse = true
 *
 * [connections.eu]
 * baseUrl = "https://eu.api.example.com"
 * apiKeyEnv = "ACME_EU_API_KEY"            # or apiKeyCommand = ["pass", "show", "acme/eu"]
 * vendor = "acme"                          # optional
 * readOnly = true                          # optional, false when absent
 * theme = "contrast"                       # optional
 *
 * [databases.production]                    # for bulk runs on many machines
 * databaseUrlEnv = "BULK_DATABASE_URL"     # or databaseUrlCommand
 *
 * [[rules]]                                # causes of your own providers
 * match = "quota * exceeded"
 * title = "quota of the month used up"
 * advice = "Ask sales for a larger quota."
 * owner = "plan"                           # optional
 *
 * [keys]                                   # of the terminal UI: an action and its key
 * "load a window" = "ctrl-w"
 *
 * [views]
 * failing = "after:24h status:failed"      # a filter with a name
 * ```
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import { parse, TomlError } from "smol-toml"
import { format, parse as parseFilter } from "../filter/Filter.ts"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { shellWord } from "../report/Curl.ts"
import { safe } from "../text/Safe.ts"
import { type ConfigIssue, type NamedConnection, readNamedConnection } from "./NamedConnection.ts"
import { type NamedDatabase, readNamedDatabase } from "./NamedDatabase.ts"
import { ConfigError } from "./ConfigError.ts"
import { configFilePath, type Environment } from "./ConfigPath.ts"
import { readScreenSettings, screenKeys, type ScreenSettings } from "./ScreenSettings.ts"
import { readRule } from "./RuleTable.ts"
import type { OwnRule } from "../diagnosis/OwnRule.ts"
import { systemReason } from "../text/SystemReason.ts"

/** The content of the configuration file. */
export interface ConfigFile {
  /** The file, also when it does not exist. */
  readonly path: string
  readonly connections: ReadonlyArray<NamedConnection>
  /** The name of the connection of a command that names none; one of the connections, or `demo`. */
  readonly defaultConnection?: string
  /** Databases for bulk runs. */
  readonly databases: ReadonlyArray<NamedDatabase>
  /** In the order of the file. */
  readonly views: ReadonlyArray<SavedView>
  /** Causes that the file adds, in its order. */
  readonly rules: ReadonlyArray<OwnRule>
  /** How the terminal UI shows every connection. */
  readonly screens: ScreenSettings
}

/** A filter with a name. */
export interface SavedView {
  readonly name: string
  /** In the form that the filter language writes. */
  readonly filter: string
}

const parseToml = (path: string, text: string): Result.Result<Readonly<Record<string, unknown>>, ConfigError> =>
  Result.try({
    try: () => parse(text),
    catch: (error) => {
      // Only the first line: the others show the text around, which may hold what should not be shown.
      const what =
        error instanceof TomlError
          ? error.message.split("\n")[0]?.replace(/^Invalid TOML document: /u, "")
          : "unreadable"
      const place = error instanceof TomlError ? `line ${error.line}, column ${error.column}` : ""
      return new ConfigError({ path, place, problem: `is not valid TOML: ${what}` })
    }
  })

const viewsTable = (path: string, table: unknown): Result.Result<object, ConfigError> =>
  typeof table === "object" && table !== null && !Array.isArray(table)
    ? Result.succeed(table)
    : Result.fail(
        new ConfigError({ path, place: "views", problem: 'must be a table; write NAME = "FILTER" below [views]' })
      )

const readView = (path: string, name: string, filter: unknown): Result.Result<SavedView, ConfigError> => {
  const refused = (problem: string) => Result.fail(new ConfigError({ path, place: `views.${safe(name)}`, problem }))
  if (!/^[\w][\w.-]{0,39}$/u.test(name)) {
    return refused("the name of a view consists of letters, digits, _ - and . (40 at most)")
  }
  if (typeof filter !== "string") return refused('must be a filter in quotes, for example "after:24h status:failed"')
  const parsed = parseFilter(filter)
  return parsed._tag === "Refused" ? refused(parsed.message) : Result.succeed({ name, filter: format(parsed.filter) })
}

const keys = ["default", "connections", "databases", "views", "rules", ...screenKeys]

/** Reads the tables below a table, each with a name. */
const readTables = <A>(
  path: string,
  parent: "connections" | "databases",
  value: unknown,
  read: (name: string, table: unknown) => Result.Result<A, ConfigIssue>
): Result.Result<ReadonlyArray<A>, ConfigError> => {
  const named = value ?? {}
  if (typeof named !== "object" || Array.isArray(named)) {
    return Result.fail(new ConfigError({ path, place: parent, problem: `must be tables; write [${parent}.NAME]` }))
  }
  const found: Array<A> = []
  for (const [name, table] of Object.entries(named)) {
    const place = `${parent}.${safe(name)}`
    const one = Result.mapError(
      read(name, table),
      ({ key, problem }) => new ConfigError({ path, place: key === "" ? place : `${place}.${key}`, problem })
    )
    if (Result.isFailure(one)) return Result.fail(one.failure)
    found.push(one.success)
  }
  return Result.succeed(found)
}

const readRules = (path: string, value: unknown): Result.Result<ReadonlyArray<OwnRule>, ConfigError> =>
  Result.gen(function* () {
    if (!Array.isArray(value)) {
      return yield* Result.fail(new ConfigError({ path, place: "rules", problem: "must be tables; write [[rules]]" }))
    }
    const rules: Array<OwnRule> = []
    for (const [index, table] of value.entries()) {
      const place = `rules[${index}]`
      rules.push(
        yield* Result.mapError(
          readRule(table),
          ({ key, problem }) => new ConfigError({ path, place: key === "" ? place : `${place}.${key}`, problem })
        )
      )
    }
    return rules
  })

/** The default connection, which must be a name that `--connection` accepts. */
const readDefault = (
  path: string,
  value: unknown,
  connections: ReadonlyArray<NamedConnection>
): Result.Result<string | undefined, ConfigError> => {
  const names = [...connections.map(({ name }) => name), "demo"]
  if (value === undefined) return Result.succeed(undefined)
  if (typeof value === "string" && names.includes(value)) return Result.succeed(value)
  const problem =
    typeof value === "string"
      ? `no connection is named "${safe(value)}"; ${expectedOneOf(value, names)}`
      : `must be the name of a connection in quotes; expected one of: ${names.join(", ")}`
  return Result.fail(new ConfigError({ path, place: "default", problem }))
}

/** Reads the text of the file; the first thing wrong with it is the error. */
export const parseConfigFile = (path: string, text: string): Result.Result<ConfigFile, ConfigError> =>
  Result.gen(function* () {
    const document = yield* parseToml(path, text.replace(/^\uFEFF/u, ""))
    for (const key of Object.keys(document)) {
      if (keys.includes(key)) continue
      const problem = `unknown key; ${expectedOneOf(key, keys)}`
      return yield* Result.fail(new ConfigError({ path, place: safe(key), problem }))
    }
    const connections = yield* readTables(path, "connections", document["connections"], readNamedConnection)
    const databases = yield* readTables(path, "databases", document["databases"], readNamedDatabase)
    const views: Array<SavedView> = []
    for (const [name, filter] of Object.entries(yield* viewsTable(path, document["views"] ?? {}))) {
      views.push(yield* readView(path, name, filter))
    }
    const defaultConnection = yield* readDefault(path, document["default"], connections)
    const rules = yield* readRules(path, document["rules"] ?? [])
    const screens = yield* Result.mapError(
      readScreenSettings(document),
      ({ key, problem }) => new ConfigError({ path, place: key, problem })
    )
    return {
      path,
      connections,
      databases,
      views,
      rules,
      screens,
      ...(defaultConnection === undefined ? {} : { defaultConnection })
    }
  })

/** The permission bits that let the group or everybody write. */
const writableByOthers = 0o022

/** Whether a key or a URL of the file comes from a command. */
const runsCommands = ({ databases, connections }: ConfigFile): boolean =>
  [
    ...connections.map(({ key }) => key),
    ...databases.flatMap(({ databaseUrl, inputKey }) => [databaseUrl, inputKey])
  ].some((source) => source?._tag === "Command")

const unreadable = (path: string, reason: string) =>
  Effect.fail(new ConfigError({ path, place: "", problem: `cannot be read: ${reason}` }))

/** Reads the file; without one there are no named connections. */
export const readConfigFile = Effect.fn("ConfigFile.readConfigFile")(function* (environment: Environment) {
  const files = yield* FileSystem.FileSystem
  const path = configFilePath(environment)
  const text = yield* files
    .readFileString(path)
    .pipe(
      Effect.catchTag("PlatformError", ({ reason }) =>
        reason._tag === "NotFound" ? Effect.succeed("") : unreadable(path, systemReason(reason.cause ?? reason._tag))
      )
    )
  const file = yield* Effect.fromResult(parseConfigFile(path, text))
  // Windows has no such bits.
  if (environment["OS"] !== "Windows_NT" && runsCommands(file)) {
    const { mode } = yield* files.stat(path).pipe(Effect.catch(() => unreadable(path, "no permission")))
    if ((mode & writableByOthers) !== 0) {
      const problem = `runs commands, and other users can write to it; take that right away: chmod go-w ${shellWord(path)}`
      return yield* new ConfigError({ path, place: "", problem })
    }
  }
  return file
})

const notFound = ({ path }: ConfigFile, what: "connection" | "database", name: string, known: string): ConfigError =>
  new ConfigError({ path, place: "", problem: `no ${what} is named "${safe(name)}"; ${known}` })

/** The connection with a name; the error says which there are. */
export const findConnection = (file: ConfigFile, name: string): Result.Result<NamedConnection, ConfigError> => {
  const found = file.connections.find((connection) => connection.name === name)
  if (found !== undefined) return Result.succeed(found)
  const names = file.connections.map((connection) => connection.name)
  const known =
    names.length === 0
      ? "the file has no connections: add [connections.NAME] with baseUrl and apiKeyEnv, or use demo"
      : expectedOneOf(name, [...names, "demo"])
  return Result.fail(notFound(file, "connection", name, known))
}

/** The database with a name; the error says which there are. */
export const findDatabase = (file: ConfigFile, name: string): Result.Result<NamedDatabase, ConfigError> => {
  const found = file.databases.find((database) => database.name === name)
  if (found !== undefined) return Result.succeed(found)
  const names = file.databases.map((database) => database.name)
  const known =
    names.length === 0
      ? "the file has no databases: add [databases.NAME] with databaseUrlEnv"
      : expectedOneOf(name, names)
  return Result.fail(notFound(file, "database", name, known))
}
