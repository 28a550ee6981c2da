/**
 * The file of named connections: `$XDG_CONFIG_HOME/signalbox/config.toml`.
 *
 * ```toml
 * [connections.eu]
 * baseUrl = "https://eu.api.example.com"
 * apiKeyEnv = "ACME_EU_API_KEY"            # or apiKeyCommand = ["pass", "show", "acme/eu"]
 * vendor = "acme"                          # optional
 * readOnly = true                          # optional, false when absent
 * theme = "contrast"                       # optional
 * ```
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import { parse, TomlError } from "smol-toml"
import { nearest } from "../text/Nearest.ts"
import { safe } from "../text/Safe.ts"
import { type Profile, readProfile } from "./Profile.ts"
import { ProfileError } from "./ProfileError.ts"

/** The named connections of a file. */
export interface Profiles {
  /** The file, also when it does not exist. */
  readonly path: string
  readonly profiles: ReadonlyArray<Profile>
}

/** The values of a process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where the file is: under `$XDG_CONFIG_HOME` when that is an absolute path, else under `~/.config`. */
export const profilesPath = (environment: Environment): string => {
  const base = environment["XDG_CONFIG_HOME"] ?? ""
  // The XDG specification has relative values ignored.
  const folder = base.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(base) ? base : `${home(environment)}/.config`
  return `${folder.replace(/[\\/]+$/u, "")}/signalbox/config.toml`
}

const home = (environment: Environment): string => environment["HOME"] ?? environment["USERPROFILE"] ?? "~"

const parseToml = (path: string, text: string): Result.Result<Readonly<Record<string, unknown>>, ProfileError> =>
  Result.try({
    try: () => parse(text),
    catch: (error) => {
      // Only the first line: the others show the text around, which may hold what should not be shown.
      const what =
        error instanceof TomlError
          ? error.message.split("\n")[0]?.replace(/^Invalid TOML document: /u, "")
          : "unreadable"
      const place = error instanceof TomlError ? `line ${error.line}, column ${error.column}` : ""
      return new ProfileError({ path, place, problem: `is not valid TOML: ${what}` })
    }
  })

/** Reads the text of the file; the first thing wrong with it is the error. */
export const parseProfiles = (path: string, text: string): Result.Result<Profiles, ProfileError> =>
  Result.gen(function* () {
    const document = yield* parseToml(path, text.replace(/^\uFEFF/u, ""))
    for (const key of Object.keys(document)) {
      if (key === "connections") continue
      const close = nearest(key, ["connections"])
      return yield* Result.fail(
        new ProfileError({
          path,
          place: safe(key),
          problem: `unknown table${close === undefined ? "." : `; did you mean ${close}?`} Write [connections.NAME]`
        })
      )
    }
    const connections: unknown = document["connections"] ?? {}
    if (typeof connections !== "object" || connections === null || Array.isArray(connections)) {
      return yield* Result.fail(
        new ProfileError({ path, place: "connections", problem: "must be tables; write [connections.NAME]" })
      )
    }
    const profiles: Array<Profile> = []
    for (const [name, table] of Object.entries(connections)) {
      const place = `connections.${safe(name)}`
      profiles.push(
        yield* Result.mapError(
          readProfile(name, table),
          ({ key, problem }) => new ProfileError({ path, place: key === "" ? place : `${place}.${key}`, problem })
        )
      )
    }
    return { path, profiles }
  })

/** Reads the file; without one there are no named connections. */
export const readProfiles = Effect.fn("ProfileFile.readProfiles")(function* (environment: Environment) {
  const files = yield* FileSystem.FileSystem
  const path = profilesPath(environment)
  const text = yield* files
    .readFileString(path)
    .pipe(
      Effect.catchTag("PlatformError", ({ reason }) =>
        reason._tag === "NotFound"
          ? Effect.succeed("")
          : Effect.fail(new ProfileError({ path, place: "", problem: `cannot be read (${reason._tag})` }))
      )
    )
  return yield* Effect.fromResult(parseProfiles(path, text))
})

/** The connection with a name; the error says which there are. */
export const findProfile = ({ path, profiles }: Profiles, name: string): Result.Result<Profile, ProfileError> => {
  const found = profiles.find((profile) => profile.name === name)
  if (found !== undefined) return Result.succeed(found)
  const names = profiles.map((profile) => profile.name)
  const close = nearest(name, names)
  const known =
    names.length === 0
      ? "The file has none; add [connections.NAME] with baseUrl and apiKeyEnv"
      : `There ${names.length === 1 ? "is" : "are"} ${names.join(", ")}, and demo`
  return Result.fail(
    new ProfileError({
      path,
      place: "",
      problem: `no connection is named "${safe(name)}"${close === undefined ? "." : `; did you mean ${close}?`} ${known}`
    })
  )
}
