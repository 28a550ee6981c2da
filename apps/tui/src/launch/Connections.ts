import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cause from "effect/Cause"
import * as Result from "effect/Result"
import {
  type ConfigFile,
  configFilePath,
  findConnection,
  readConfigFile,
  resolveApiKey
} from "@signalbox/operator/node"
import { environmentConnection, environmentName } from "@signalbox/operator/connections/EnvironmentConnection"
import type { RecordingStart } from "../recording/Recording.ts"
import { useOwnRules } from "@signalbox/operator/diagnosis/OwnRule"
import { messageOf } from "@signalbox/operator/text/SystemReason"
import type { NamedConnection } from "@signalbox/operator/connections/NamedConnection"
import { readCauses } from "../runtime/CauseFile.ts"
import { demoSession, liveSession, type Session, type SessionNames } from "../runtime/Session.ts"
import type { LaunchOptions } from "./LaunchOptions.ts"

/** Opens a connection by its name. The message of a failure is one line. */
export type Connect = (name: string) => Effect.Effect<Session, { readonly message: string }>

/** The start of a replay, besides its session. */
export interface ReplayStart extends Pick<RecordingStart, "events" | "filter" | "masked"> {
  /** The time of the replay, in milliseconds since 1970. */
  readonly now: () => number
  /** Names the recording that is replayed. */
  readonly notice: string
}

/** The first session and how to open others, or the reason why there is no session. */
export type Chosen =
  | { readonly _tag: "Chosen"; readonly session: Session; readonly connect: Connect; readonly replay?: ReplayStart }
  | { readonly _tag: "Refused"; readonly message: string }

type Environment = Readonly<Record<string, string | undefined>>

/** Files and programs of the machine; loaded only where a configuration file asks for them, since it costs start time. */
const nodeServices = Effect.promise(() => import("@effect/platform-node/NodeServices"))

const configFileFor = (environment: Environment) =>
  Effect.flatMap(nodeServices, ({ layer }) => Effect.provide(readConfigFile(environment), layer))

/** The names that `:connect` takes. */
const choicesOf = (file: ConfigFile | undefined): ReadonlyArray<string> => [
  "demo",
  ...(file?.connections ?? []).map(({ name }) => name)
]

/** A theme on the command line is for all connections. */
const themeOf = (connection: NamedConnection, wanted: LaunchOptions) =>
  connection.theme === undefined || wanted.theme !== undefined ? {} : { theme: connection.theme }

const openConnection = (file: ConfigFile, name: string, environment: Environment, wanted: LaunchOptions) =>
  Effect.gen(function* () {
    const connection = yield* Effect.fromResult(findConnection(file, name))
    const { layer } = yield* nodeServices
    const apiKey = yield* Effect.provide(resolveApiKey(connection, { path: file.path, environment }), layer)
    const { baseUrl, dashboardUrl, readOnly, vendor } = connection
    return liveSession({
      name,
      baseUrl,
      apiKey,
      readOnly,
      choices: choicesOf(file),
      views: file.views,
      known: readCauses(environment, name),
      ...(vendor === undefined ? {} : { vendor }),
      ...(dashboardUrl === undefined ? {} : { dashboardUrl }),
      ...themeOf(connection, wanted)
    })
  })

const fromEnvironment = (
  environment: Environment,
  { choices, views }: Required<SessionNames>
): Session | string | undefined => {
  const read = environmentConnection(environment)
  if (Result.isFailure(read)) return read.failure
  if (read.success === undefined) return undefined
  const { name } = read.success
  return liveSession({
    ...read.success,
    readOnly: false,
    choices: [...choices, name],
    views,
    known: readCauses(environment, name)
  })
}

/** The name of the first connection, if the command line, the environment or the file has one. */
const nameOf = (
  { connection }: LaunchOptions,
  environment: Environment,
  file: ConfigFile | undefined
): Result.Result<string | undefined, string> =>
  connection === undefined
    ? Result.map(
        environmentName(environment),
        (name) => name ?? (environment["SIGNALBOX_BASE_URL"] ? undefined : file?.defaultConnection)
      )
    : Result.succeed(connection)

/** Reads the configuration file; `undefined` where it does not exist, a string for its first mistake. */
export const readConfig = async (environment: Environment): Promise<ConfigFile | string | undefined> => {
  if (!existsSync(configFilePath(environment))) return undefined
  const read = await Effect.runPromiseExit(configFileFor(environment))
  return Exit.isSuccess(read) ? read.value : messageOf(Cause.squash(read.cause))
}

/** The connection that the command line, the environment or the file names; the demo when they name none. */
export const chooseSession = async (
  wanted: LaunchOptions,
  environment: Environment,
  file: ConfigFile | undefined
): Promise<Chosen> => {
  const refused = (message: string): Chosen => ({ _tag: "Refused", message })
  const isDemo = wanted.connection === "demo"
  useOwnRules(file?.rules ?? [])
  const names = { choices: choicesOf(file), views: file?.views ?? [] }
  const demo = () => demoSession(names, wanted.demoEvents === undefined ? {} : { events: wanted.demoEvents })
  const connect: Connect = (name) => {
    if (name === "demo") return Effect.sync(demo)
    const own = isDemo ? undefined : fromEnvironment(environment, names)
    if (own !== undefined && typeof own !== "string" && own.info.name === name) return Effect.succeed(own)
    return Effect.gen(function* () {
      // Read again: the file may have been corrected meanwhile.
      const current = yield* configFileFor(environment)
      return yield* openConnection(current, name, environment, wanted)
    })
  }
  const first = nameOf(wanted, environment, file)
  if (Result.isFailure(first)) return refused(first.failure)
  const name = first.success
  if (name !== undefined) {
    const opened = await Effect.runPromiseExit(connect(name))
    if (Exit.isSuccess(opened)) return { _tag: "Chosen", session: opened.value, connect }
    return refused(messageOf(Cause.squash(opened.cause)))
  }
  const session = fromEnvironment(environment, names)
  if (typeof session === "string") return refused(session)
  return { _tag: "Chosen", session: session ?? demo(), connect }
}
