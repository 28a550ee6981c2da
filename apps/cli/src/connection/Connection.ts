/**
 * The connection that a command works on: named in the configuration file, set in the environment, or the demo.
 */
import * as Client from "@signalbox/core/Client"
import type { ConnectionError } from "@signalbox/core/Connection"
import * as CoreConnection from "@signalbox/core/Connection"
import { Drift } from "@signalbox/core/Drift"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import * as Timeouts from "@signalbox/core/Timeouts"
import { Transport } from "@signalbox/core/Transport"
import * as UndiciTransport from "@signalbox/core/UndiciTransport"
import { Warnings } from "@signalbox/core/Policies"
import { environmentConnection, environmentName } from "@signalbox/operator/connections/EnvironmentConnection"
import * as OwnKeys from "@signalbox/operator/connections/OwnKeys"
import { safe } from "@signalbox/operator/text/Safe"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { asUsage, Unsuccessful, usage, UsageError } from "../failure/CommandError.ts"
import { exitCodes } from "../failure/ExitCode.ts"
import { type Environment, Process } from "../process/Process.ts"
import type { ConnectionOptions } from "./ConnectionFlags.ts"
import { addReport, type Differences } from "./Difference.ts"
import { nodeDispatcher } from "./NodeDispatcher.ts"

/** The settings that open a connection; its API key has been read. */
export interface Settings {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  readonly vendor?: string
  /** Requests of the demo go to the embedded fake. */
  readonly fetch?: typeof globalThis.fetch
}

/** A connection that was chosen; nothing was sent and no key was read yet. */
export interface Connection {
  readonly name: string
  readonly kind: "live" | "demo"
  /** The vendor's name in wire identifiers, if it is set. */
  readonly vendor?: string
  /** Whether the configuration file has it. */
  readonly isConfigured: boolean
  /** Absent for the demo. */
  readonly baseUrl?: string
  readonly readOnly: boolean
  /** The time limit of each call, in milliseconds; that of the client where absent. */
  readonly timeoutMs?: number
  /** Whether the HTTP traffic is printed. */
  readonly debug?: boolean
  /** Receives the body of each response, which the client gives away only as values. */
  readonly onBody?: (body: string) => void
  /** Reads the API key, once, which may run a command of the user. */
  readonly settings: Effect.Effect<Settings, UsageError>
  /** Reads the API key again; whether it is another one, which later calls then send. */
  readonly renewKey: Effect.Effect<boolean, UsageError>
}

/** A connection before a command uses it: its key is read each time. */
type Choice = Omit<Connection, "renewKey">

/** The address of a service, without a user name and password. */
export const addressOf = (baseUrl: string): string => {
  const { origin, pathname } = new URL(baseUrl)
  return origin + pathname
}

const demo: Choice = {
  name: "demo",
  kind: "demo",
  isConfigured: false,
  readOnly: false,
  settings: Effect.promise(async () => {
    const { openDemo } = await import("@signalbox/tui/runtime/Demo")
    const { fake, flow } = openDemo()
    const fetch: typeof globalThis.fetch = (input, init) => {
      flow()
      return fake.fetch(input, init)
    }
    return { baseUrl: fake.baseUrl, apiKey: Redacted.make(fake.apiKey), fetch }
  })
}

/** Reads the configuration file. */
export const readConnections = Effect.fnUntraced(function* (environment: Environment) {
  const { readConfigFile } = yield* Effect.promise(() => import("@signalbox/operator/node"))
  const { layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeServices"))
  return yield* readConfigFile(environment).pipe(Effect.provide(layer), Effect.mapError(asUsage))
})

/** The names of the connections in the configuration file. */
export const connectionNames = (environment: Environment) =>
  Effect.map(readConnections(environment), ({ connections }) => connections.map(({ name }) => name))

const named = Effect.fnUntraced(function* (name: string, environment: Environment) {
  if (name === "demo") return demo
  const file = yield* readConnections(environment)
  const { findConnection, resolveApiKey } = yield* Effect.promise(() => import("@signalbox/operator/node"))
  const found = yield* Effect.fromResult(findConnection(file, name)).pipe(Effect.mapError(asUsage))
  const { baseUrl, readOnly, vendor } = found
  const connection: Choice = {
    name,
    kind: "live",
    isConfigured: true,
    ...(vendor === undefined ? {} : { vendor }),
    baseUrl,
    readOnly,
    settings: Effect.gen(function* () {
      const { layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeServices"))
      const apiKey = yield* resolveApiKey(found, { path: file.path, environment }).pipe(Effect.provide(layer))
      return { baseUrl, apiKey, ...(vendor === undefined ? {} : { vendor }) }
    }).pipe(Effect.mapError(asUsage))
  }
  return connection
})

/** A string that says what is wrong with the environment fails as a mistake of usage. */
const usable = <A>(read: Result.Result<A, string>) =>
  Effect.fromResult(Result.mapError(read, (message) => new UsageError({ message })))

const fromEnvironment = Effect.fnUntraced(function* (environment: Environment) {
  const found = yield* usable(environmentConnection(environment))
  if (found === undefined) return undefined
  const { apiKey: _, ...own } = found
  const settings = Effect.succeed(found)
  const connection: Choice = { ...own, kind: "live", isConfigured: false, readOnly: false, settings }
  return connection
})

const unnamed = Effect.fnUntraced(function* (environment: Environment) {
  const name = yield* usable(environmentName(environment))
  if (name !== undefined) return yield* named(name, environment)
  const chosen = (environment["SIGNALBOX_BASE_URL"] ?? "") === "" ? undefined : yield* fromEnvironment(environment)
  if (chosen !== undefined) return chosen
  const { connections, defaultConnection } = yield* readConnections(environment)
  if (defaultConnection !== undefined) return yield* named(defaultConnection, environment)
  // An API key alone may be that of a named connection; without one, its URL is missing.
  yield* fromEnvironment(environment)
  const names = [...connections.map(({ name }) => name), "demo"].join(", ")
  return yield* usage(
    `no connection: pass --connection, or set SIGNALBOX_CONNECTION, with one of: ${names}; add one with signalbox connections add NAME, or set SIGNALBOX_BASE_URL and SIGNALBOX_API_KEY`
  )
})

/**
 * Chooses the connection: `--connection`, else the environment, else the default of the configuration file. Sends nothing and
 * reads no key.
 */
export const chooseConnection = Effect.fnUntraced(function* ({
  connection,
  debug = false,
  timeout = Option.none()
}: Pick<ConnectionOptions, "connection"> & Partial<ConnectionOptions>) {
  const { environment } = yield* Process
  const chosen = Option.isSome(connection) ? yield* named(connection.value, environment) : yield* unnamed(environment)
  const read = Option.match(timeout, {
    onNone: () => chosen.settings,
    onSome: (duration) =>
      Effect.timeoutOrElse(chosen.settings, {
        duration,
        orElse: () => usage(`connection "${chosen.name}": no API key within the ${duration} ms of --timeout`)
      })
  })
  let settings = yield* Effect.cached(read)
  const withOptions: Connection = {
    ...chosen,
    settings: Effect.suspend(() => settings),
    renewKey: Effect.gen(function* () {
      const old = yield* settings
      const { apiKey } = yield* read
      OwnKeys.protectKey(apiKey)
      settings = Effect.succeed({ ...old, apiKey })
      return Redacted.value(apiKey) !== Redacted.value(old.apiKey)
    }),
    debug,
    ...(Option.isSome(timeout) ? { timeoutMs: timeout.value } : {})
  }
  return withOptions
})

/** One attempt may use the whole time of its call. */
const timeoutOf = (timeoutMs: number) => Timeouts.layer(Timeouts.make({ attempt: timeoutMs, call: timeoutMs }))

const transportOf = (fetch: typeof globalThis.fetch | undefined) =>
  OwnKeys.layer.pipe(
    Layer.provide(fetch === undefined ? UndiciTransport.layer(nodeDispatcher) : FetchTransport.layer(fetch))
  )

const withTraffic = (transport: Layer.Layer<Transport>) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./Traffic.ts")),
      ({ layer }) => Layer.provide(layer, transport)
    )
  )

const withBodies = (transport: Layer.Layer<Transport>, onBody: (body: string) => void) =>
  Layer.effect(
    Transport,
    Effect.map(Transport, ({ send, ...facts }) =>
      Transport.of({
        ...facts,
        send: (...given) => Effect.tap(send(...given), ({ text }) => Effect.sync(() => onBody(text)))
      })
    )
  ).pipe(Layer.provide(transport))

/** The services of a connection; warnings of the client go to stderr, and differences are collected. */
const clientLayer = (
  { baseUrl, fetch, vendor }: Settings,
  { debug = false, onBody, settings, timeoutMs }: Connection,
  differences: Differences
): Layer.Layer<Client.Client, ConnectionError, Process> => {
  // Those in use were read before the first call.
  const apiKey = Effect.orDie(Effect.map(settings, (current) => current.apiKey))
  const transport = onBody === undefined ? transportOf(fetch) : withBodies(transportOf(fetch), onBody)
  return Client.layerNoDeps.pipe(
    Layer.provide(Layer.succeed(Drift, { report: (report) => Effect.sync(() => addReport(differences, report)) })),
    Layer.provide(timeoutMs === undefined ? Layer.empty : timeoutOf(timeoutMs)),
    Layer.provide(debug ? withTraffic(transport) : transport),
    Layer.provide(CoreConnection.layer({ apiKey, baseUrl, ...(vendor === undefined ? {} : { vendor }) })),
    // For runs, too, which warn before their first call.
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(Process, ({ report }) =>
          Layer.succeed(Warnings, (line) => report(`signalbox: warning: ${safe(line)}\n`))
        )
      )
    )
  )
}

/** Runs calls on a connection, and collects where its responses differ from the API document. */
export const withDifferences =
  (connection: Connection, differences: Differences) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(connection.settings, (settings) => {
      OwnKeys.protectKey(settings.apiKey)
      return Effect.provide(effect, clientLayer(settings, connection, differences))
    })

/** Runs calls on a connection. At the end, one line tells of differences from the API document that are new. */
export const onConnection =
  (connection: Connection) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const differences: Differences = new Map()
      const report = Effect.suspend(() =>
        differences.size === 0
          ? Effect.void
          : Effect.flatMap(
              Effect.promise(() => import("./ReportDifferences.ts")),
              ({ reportDifferences }) => reportDifferences(connection, differences)
            )
      )
      return effect.pipe(withDifferences(connection, differences), Effect.ensuring(report))
    })

/** Refuses a write on a read-only connection; before a key or a secret is asked for. */
export const requireWritable = ({ name, readOnly }: Connection): Effect.Effect<void, Unsuccessful> =>
  readOnly
    ? Effect.fail(
        new Unsuccessful({
          exitCode: exitCodes.refused,
          message: `connection "${name}" is read-only; set readOnly = false in config.toml to allow writes`
        })
      )
    : Effect.void

/** Whether an answer to a question is yes. */
export const isYes = (answer: string): boolean => /^y(?:es)?$/iu.test(answer.trim())

/** Prompts before a write, unless `--yes` was given; `details` are for a process without a terminal. */
export const confirmAction = Effect.fnUntraced(function* (action: string, yes: boolean, details = action) {
  if (yes) return
  const process = yield* Process
  if (!process.stdinIsTerminal) return yield* usage(`${details} needs --yes, or a terminal to confirm on`)
  if (!isYes(yield* process.ask(`${action}? [y/N] `, "visible"))) {
    return yield* new Unsuccessful({ exitCode: exitCodes.declined, message: "you answered no; nothing was done" })
  }
})

/** Prompts before a write on a live connection, unless `--yes` was given. */
export const confirmWrite = (connection: Connection, summary: string, yes: boolean) => {
  const place = `"${connection.name}" (${connection.baseUrl ?? ""})`
  return confirmAction(
    `${summary} on ${place}`,
    yes || connection.kind === "demo",
    `${summary} on the live connection ${place}`
  )
}
