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
import { type ConfigIssue, inPlace, invalid, named, readTable } from "./ConfigTable.ts"
import { type NamedConnection, readNamedConnection } from "./NamedConnection.ts"
import { type NamedDatabase, readNamedDatabase } from "./NamedDatabase.ts"
import { ConfigError } from "./ConfigError.ts"
import { configFilePath, type Environment } from "./ConfigPath.ts"
import { type ScreenSettings, screenSettings } from "./ScreenSettings.ts"
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

const parseToml = (content: string): Result.Result<unknown, ConfigIssue> =>
  Result.try({
    try: () => parse(content),
    catch: (error) => {
      if (!(error instanceof TomlError)) return { key: "", problem: "is not valid TOML: unreadable" }
      // Only the first line: the others show the text around, which may hold what should not be shown.
      const what = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /u, "")
      return { key: `line ${error.line}, column ${error.column}`, problem: `is not valid TOML: ${what}` }
    }
  })

const readView = (name: string, filter: unknown): Result.Result<SavedView, ConfigIssue> => {
  if (typeof filter !== "string") return invalid('must be a filter in quotes, for example "after:24h status:failed"')
  const parsed = parseFilter(filter)
  return parsed._tag === "Refused" ? invalid(parsed.message) : Result.succeed({ name, filter: format(parsed.filter) })
}

const settings = {
  default: Result.succeed<unknown>,
  connections: named("connection", "must be tables; write [connections.NAME]", readNamedConnection),
  databases: named("database", "must be tables; write [databases.NAME]", readNamedDatabase),
  views: named("view", 'must be a table; write NAME = "FILTER" below [views]', readView),
  rules: (value: unknown) =>
    Array.isArray(value)
      ? Result.all(value.map((table, index) => inPlace(`[${index}]`, readRule(table))))
      : invalid("must be tables; write [[rules]]"),
  ...screenSettings
}

/** The default connection, which must be a name that `--connection` accepts. */
const checkDefault = (
  value: unknown,
  connections: ReadonlyArray<NamedConnection>
): Result.Result<string | undefined, ConfigIssue> => {
  const names = [...connections.map(({ name }) => name), "demo"]
  if (value === undefined || (typeof value === "string" && names.includes(value))) return Result.succeed(value)
  return invalid(
    typeof value === "string"
      ? `no connection is named "${safe(value)}"; ${expectedOneOf(value, names)}`
      : `must be the name of a connection in quotes; expected one of: ${names.join(", ")}`,
    "default"
  )
}

/** Reads the text of the file; the first thing wrong with it is the error. */
export const parseConfigFile = (path: string, content: string): Result.Result<ConfigFile, ConfigError> =>
  Result.gen(function* () {
    const document = yield* parseToml(content.replace(/^\uFEFF/u, ""))
    const {
      connections = [],
      databases = [],
      default: given,
      rules = [],
      views = [],
      ...screens
    } = yield* readTable(document, settings)
    const defaultConnection = yield* checkDefault(given, connections)
    return {
      path,
      connections,
      databases,
      views,
      rules,
      screens: { mouse: false, keys: new Map<string, string>(), ...screens },
      ...(defaultConnection === undefined ? {} : { defaultConnection })
    }
  }).pipe(Result.mapError(({ key, problem }) => new ConfigError({ path, place: key, problem })))

/** The permission bits that let the group or everybody write. */
const writableByOthers = 0o022

/** The bit of a folder in which only the owner of a file replaces it, such as `/tmp`. */
const replacedByOwner = 0o1000

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
    const modeOf = (place: string) =>
      Effect.map(files.stat(place), ({ mode }) => mode).pipe(Effect.catch(() => unreadable(path, "no permission")))
    const target = yield* files.realPath(path).pipe(Effect.catch(() => unreadable(path, "no permission")))
    const reject = (what: string, place: string) => {
      const problem = `runs commands, and other users can ${what} it; take that right away: chmod go-w ${shellWord(place)}`
      return Effect.fail(new ConfigError({ path, place: "", problem }))
    }
    if (((yield* modeOf(path)) & writableByOthers) !== 0) return yield* reject("write to", path)
    for (const folder of [path, target].map((one) => one.replace(/[^/]+$/u, "").replace(/(?<=.)\/$/u, ""))) {
      const mode = yield* modeOf(folder)
      if ((mode & writableByOthers) !== 0 && (mode & replacedByOwner) === 0) return yield* reject("replace", folder)
    }
  }
  return file
})

const find = <Entry extends { readonly name: string }>(
  { path }: ConfigFile,
  what: "connection" | "database",
  entries: ReadonlyArray<Entry>,
  name: string,
  missing: string,
  others: ReadonlyArray<string> = []
): Result.Result<Entry, ConfigError> => {
  const found = entries.find((entry) => entry.name === name)
  if (found !== undefined) return Result.succeed(found)
  const names = [...entries.map((entry) => entry.name), ...others]
  const known = entries.length === 0 ? `there are no ${what}s: ${missing}` : expectedOneOf(name, names)
  return Result.fail(new ConfigError({ path, place: "", problem: `no ${what} is named "${safe(name)}"; ${known}` }))
}

/** The connection with a name; the error says which there are. */
export const findConnection = (file: ConfigFile, name: string): Result.Result<NamedConnection, ConfigError> =>
  find(file, "connection", file.connections, name, "add [connections.NAME] with baseUrl and apiKeyEnv, or use demo", [
    "demo"
  ])

/** The database with a name; the error says which there are. */
export const findDatabase = (file: ConfigFile, name: string): Result.Result<NamedDatabase, ConfigError> =>
  find(file, "database", file.databases, name, "add [databases.NAME] with databaseUrlEnv")
