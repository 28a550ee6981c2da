/**
 * The profile of the service behind a connection: a file next to `config.toml`, without secrets.
 */
import { readFile, readdir } from "node:fs/promises"
import { dirname } from "node:path"
import { operationNames } from "@signalbox/core/Operations"
import { configFilePath } from "@signalbox/operator/node"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { usage } from "../failure/CommandError.ts"
import { type Environment, Process } from "../process/Process.ts"
import { addressOf, type Connection } from "./Connection.ts"
import { writeOwnerFile } from "./OwnerFile.ts"

const differenceSchema = Schema.Struct({
  operation: Schema.Literals(operationNames),
  kind: Schema.Literals(["unknown-enum-value", "unknown-field", "missing-field", "unreadable"]),
  path: Schema.String,
  value: Schema.optionalKey(Schema.String)
})

const calibratedSchema = Schema.Struct({
  value: Schema.String,
  observations: Schema.Finite,
  evidence: Schema.String
})

const profileSchema = Schema.Struct({
  version: Schema.Literal(1),
  /** The service: a profile is not of use for another one with the same name. */
  baseUrl: Schema.String,
  vendor: Schema.optionalKey(Schema.String),
  /** Differences from the API document that were reported. */
  differences: Schema.Array(differenceSchema),
  /** How the service settles what the API document leaves open, by switch of the fake. */
  calibration: Schema.optionalKey(
    Schema.Struct({ at: Schema.String, switches: Schema.Record(Schema.String, calibratedSchema) })
  )
})

/** The profile of a service. */
export type Profile = typeof profileSchema.Type

/** The findings of a calibration: the switches with a value. */
export type SavedCalibration = NonNullable<Profile["calibration"]>

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(profileSchema))

const folderOf = (environment: Environment): string => `${dirname(configFilePath(environment))}/profiles`

/** Connections of the environment are named by their host, which may have a port. */
const fileOf = (name: string): string => `${name.replaceAll(/[^\w.-]/gu, "_")}.json`

const pathOf = (environment: Environment, name: string): string => `${folderOf(environment)}/${fileOf(name)}`

/** The profile of a connection; none where it has none, or where it belongs to another service. */
export const readProfile = Effect.fnUntraced(function* ({ baseUrl, name }: Connection) {
  if (baseUrl === undefined) return Option.none()
  const { environment } = yield* Process
  const text = yield* Effect.promise(() => readFile(pathOf(environment, name), "utf8").catch(() => ""))
  return Option.filter(decode(text), (profile) => profile.baseUrl === addressOf(baseUrl))
})

/** Changes the profile of a connection, and creates it if absent. The demo has no profile. */
export const updateProfile = Effect.fnUntraced(function* (
  connection: Connection,
  change: (profile: Profile) => Profile
) {
  const { baseUrl, name } = connection
  if (baseUrl === undefined) return
  const { environment } = yield* Process
  const empty: Profile = { version: 1, baseUrl: addressOf(baseUrl), differences: [] }
  const profile = change(Option.getOrElse(yield* readProfile(connection), () => empty))
  const path = pathOf(environment, name)
  yield* writeOwnerFile(path, `${JSON.stringify(profile, null, 2)}\n`)
})

/** The names of the profiles. */
const profileNames = (environment: Environment) =>
  Effect.promise(() => readdir(folderOf(environment)).catch((): ReadonlyArray<string> => [])).pipe(
    Effect.map((files) => files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length)))
  )

/** The calibrated profile with a name. */
export const findCalibrated = Effect.fnUntraced(function* (name: string) {
  const { environment } = yield* Process
  const path = pathOf(environment, name)
  const text = yield* Effect.promise(() => readFile(path, "utf8").catch(() => undefined))
  if (text === undefined) {
    const names = yield* profileNames(environment)
    const known = names.length === 0 ? "there is no profile" : `expected one of ${names.join(", ")}`
    return yield* usage(`--like: "${name}" has no profile; ${known}. Make one with signalbox doctor --calibrate --save`)
  }
  const profile = Option.getOrUndefined(decode(text))
  if (profile === undefined)
    return yield* usage(`--like: ${path} is not a valid profile; delete it and calibrate again`)
  const { calibration, vendor } = profile
  return calibration === undefined
    ? yield* usage(`--like: "${name}" is not calibrated; run signalbox doctor --calibrate --save --connection ${name}`)
    : { calibration, vendor }
})
