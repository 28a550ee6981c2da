import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import { safe } from "../text/Safe.ts"
import { truncate } from "../text/Width.ts"
import type { Profile } from "./Profile.ts"
import { ProfileError } from "./ProfileError.ts"
import type { Environment } from "./ProfileFile.ts"

/** A password manager may wait for its agent; longer than this it waits for input that it cannot get. */
const patience = Duration.seconds(20)

/** What an HTTP header can carry. */
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
    { printed: output(handle.stdout), complained: output(handle.stderr), code: handle.exitCode },
    { concurrency: "unbounded" }
  )
}, Effect.scoped)

/**
 * The key of a connection, from the environment or from what its command prints (first line). Asked for each time it is
 * needed and kept nowhere.
 */
export const resolveKey = Effect.fn("ProfileKey.resolveKey")(function* (
  profile: Profile,
  options: { readonly path: string; readonly environment: Environment }
) {
  const { key, name } = profile
  const { path, environment } = options
  if (key._tag === "Environment") {
    const place = `connections.${name}.apiKeyEnv`
    const value = environment[key.variable]?.trim() ?? ""
    if (value === "")
      return yield* new ProfileError({ path, place, problem: `the environment variable ${key.variable} is not set` })
    return isKey(value)
      ? Redacted.make(value)
      : yield* new ProfileError({ path, place, problem: `${key.variable} holds characters that a key cannot have` })
  }
  const place = `connections.${name}.apiKeyCommand`
  const failed = (problem: string) => new ProfileError({ path, place, problem })
  const { printed, complained, code } = yield* run(key.command).pipe(
    Effect.mapError(({ reason }) => failed(`the command cannot be run (${reason._tag})`)),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () =>
        Effect.fail(
          failed(`the command did not end within ${Duration.format(patience)}; it must print the key without asking`)
        )
    })
  )
  if (code !== 0) {
    const said = truncate(safe(complained.trim().split("\n")[0] ?? ""), 200)
    return yield* failed(`the command ended with ${code}${said === "" ? "" : `: ${said}`}`)
  }
  const value = printed.split("\n")[0]?.trim() ?? ""
  if (value === "") return yield* failed("the command printed nothing; its first line must be the key")
  return isKey(value)
    ? Redacted.make(value)
    : yield* failed("the first line that the command printed holds characters that a key cannot have")
})
