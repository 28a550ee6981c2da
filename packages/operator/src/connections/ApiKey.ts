import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import { safe } from "../text/Safe.ts"
import { truncate } from "../text/Width.ts"
import type { KeySource, NamedConnection } from "./NamedConnection.ts"
import { ConfigError } from "./ConfigError.ts"
import type { Environment } from "./ConfigPath.ts"

/** Long enough for a password manager that wakes its agent; a command that takes longer waits for input. */
const timeout = Duration.seconds(20)

/** Whether an HTTP header can contain the string. */
const isKey = (text: string): boolean => /^[!-~]+$/u.test(text)

const output = (stream: Stream.Stream<Uint8Array, unknown>) =>
  Stream.mkString(Stream.decodeText(stream)).pipe(Effect.orElseSucceed(() => ""))

const run = Effect.fnUntraced(function* (command: ReadonlyArray<string> | string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  // No terminal to talk to: the screen belongs to the application.
  const options = { stdin: "ignore", extendEnv: true } as const
  const [program = "", ...args] = typeof command === "string" ? [command] : command
  const handle = yield* spawner.spawn(
    typeof command === "string"
      ? ChildProcess.make(program, { ...options, shell: true })
      : ChildProcess.make(program, args, options)
  )
  return yield* Effect.all(
    { stdout: output(handle.stdout), stderr: output(handle.stderr), code: handle.exitCode },
    { concurrency: "unbounded" }
  )
}, Effect.scoped)

/** A secret of the configuration file. */
export interface SecretPlace {
  /** Where it comes from. */
  readonly source: KeySource
  /** Its setting without `Env` or `Command`, for example `connections.eu.apiKey`. */
  readonly setting: string
  /** The configuration file. */
  readonly path: string
  readonly environment: Environment
}

/**
 * Reads a secret: from its environment variable, or the first line that its command prints. It is read each time it is
 * needed and never stored.
 */
export const resolveSecret = Effect.fn("ApiKey.resolveSecret")(function* ({
  environment,
  path,
  setting,
  source
}: SecretPlace) {
  if (source._tag === "Environment") {
    const place = `${setting}Env`
    const value = environment[source.variable]?.trim() ?? ""
    if (value === "")
      return yield* new ConfigError({ path, place, problem: `the environment variable ${source.variable} is not set` })
    return isKey(value)
      ? Redacted.make(value)
      : yield* new ConfigError({ path, place, problem: `${source.variable} holds characters that a key cannot have` })
  }
  const place = `${setting}Command`
  const failed = (problem: string) => new ConfigError({ path, place, problem })
  const { stdout, stderr, code } = yield* run(source.command).pipe(
    Effect.mapError(({ reason }) => failed(`the command cannot be run (${reason._tag})`)),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          failed(`the command did not finish within ${Duration.format(timeout)}; it must print the key without asking`)
        )
    })
  )
  if (code !== 0) {
    const errorLine = truncate(safe(stderr.trim().split("\n")[0] ?? ""), 200)
    return yield* failed(`the command exited with code ${code}${errorLine === "" ? "" : `: ${errorLine}`}`)
  }
  const value = stdout.split("\n")[0]?.trim() ?? ""
  if (value === "") return yield* failed("the command printed nothing; its first line must be the key")
  return isKey(value)
    ? Redacted.make(value)
    : yield* failed("the first line that the command printed holds characters that a key cannot have")
})

/** Reads the API key of a connection. */
export const resolveApiKey = (
  { key, name }: NamedConnection,
  options: { readonly path: string; readonly environment: Environment }
) => resolveSecret({ source: key, setting: `connections.${name}.apiKey`, ...options })
