import { type ChildProcess, spawn } from "node:child_process"
import { constants } from "node:os"
import { whenPackageManagerEnds } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import { Unsuccessful, usage, type UsageError } from "../../failure/CommandError.ts"
import { type Environment, Process } from "../../process/Process.ts"
import { type FakeInput, startFake } from "./FakeServer.ts"
import { processGroup } from "./ProcessGroup.ts"

/** How a command ended, as a shell reports it. */
const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal])

/** Sends a signal to processes; those that have ended need none. */
const sendTo = (pids: ReadonlyArray<number>, signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/**
 * Runs a program with this terminal and gives its exit code.
 *
 * Without a terminal the program leads its own process group, so that signals reach all of its child processes and none
 * of them outlives it. On a terminal it stays in the terminal's group, and the terminal itself sends ctrl-c to all;
 * processes that the program leaves running there have joined the group since it started.
 */
const runProgram = Effect.fnUntraced(function* (words: ReadonlyArray<string>, environment: Environment) {
  const { listenToSignals, stdinIsTerminal } = yield* Process
  const [program = "", ...args] = words
  const ownGroup = !stdinIsTerminal && process.platform !== "win32"
  const before = new Set(stdinIsTerminal ? processGroup() : [])
  // Watched from the start: who reads the program's output may end the package manager at once.
  whenPackageManagerEnds(() => stop())
  const child: ChildProcess = spawn(program, args, { stdio: "inherit", env: environment, detached: ownGroup })
  const send = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) sendTo([ownGroup ? -child.pid : child.pid], signal)
  }
  const stop = () => {
    send("SIGTERM")
    const left = before.size === 0 ? [] : processGroup().filter((pid) => !before.has(pid))
    sendTo(left, "SIGTERM")
  }
  yield* listenToSignals((signal) => {
    if (signal !== "SIGINT" || !stdinIsTerminal) send(signal)
  })
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  return yield* Effect.callback<number, UsageError>((resume) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resume(usage(`cannot run "${program}" (${error.code ?? error.message})`))
    )
    child.once("exit", (code, signal) => resume(Effect.succeed(exitCodeOf(code, signal))))
  })
})

/** Runs a program against a new fake, and exits with its exit code. */
export const exec = Effect.fnUntraced(function* (fake: FakeInput, command: ReadonlyArray<string>) {
  const { environment } = yield* Process
  const { apiKey, url } = yield* startFake(fake)
  const exitCode = yield* runProgram(command, {
    ...environment,
    SIGNALBOX_BASE_URL: url,
    SIGNALBOX_API_KEY: apiKey
  })
  if (exitCode !== 0) return yield* new Unsuccessful({ exitCode })
}, Effect.scoped)
