import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { createFake, type EnvironmentOptions, manualClock } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import { runCommandLine } from "../src/CommandLine.ts"
import { makeProcess, OutputClosed } from "../src/process/Process.ts"

/** The time of the goldens. */
export const now = "2026-11-21T12:00:00.000Z"

/** The options of a command line. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Columns of the terminal that all streams are; no terminal where absent. */
  readonly columns?: number
  /** Answers to questions, in order. */
  readonly answers?: ReadonlyArray<string>
  /** Writes to stdout after which its reader is gone. */
  readonly closesAfter?: number
  /** The streams of a protocol. */
  readonly stdio?: Layer.Layer<Stdio.Stdio>
}

/** The output and exit code of a command line. */
export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly questions: ReadonlyArray<string>
}

/** A process of streams in memory. */
export const makeTestProcess = (options: RunOptions = {}) => {
  const {
    answers = [],
    closesAfter = Number.POSITIVE_INFINITY,
    columns,
    environment = {},
    stdin = "",
    stdio = Stdio.layerTest({})
  } = options
  const isTerminal = columns !== undefined
  const out: Array<string> = []
  const err: Array<string> = []
  const questions: Array<string> = []
  const process = makeProcess({
    version: "1.2.3",
    environment: { HOME: "/dev/null", NO_COLOR: "1", ...environment },
    stdinIsTerminal: isTerminal,
    stdoutIsTerminal: isTerminal,
    stderrIsTerminal: isTerminal,
    columns: () => columns ?? 80,
    write: (text) =>
      Effect.suspend(() => {
        if (out.length >= closesAfter) return Effect.fail(new OutputClosed())
        out.push(text)
        return Effect.void
      }),
    writeError: (text) => Effect.sync(() => void err.push(text)),
    stdin: Effect.succeed(stdin),
    stdinBytes: () => Readable.from([Buffer.from(stdin)]),
    stdio,
    ask: (question) =>
      Effect.sync(() => {
        questions.push(question)
        return answers[questions.length - 1] ?? ""
      }),
    listenToSignals: () => Effect.void
  })
  return {
    process,
    printed: (): Omit<Ran, "exitCode"> => ({ stdout: out.join(""), stderr: err.join(""), questions })
  }
}

/** Runs a command line in this process. */
export const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>, options: RunOptions = {}) {
  // Profiles of connections are written below it.
  const home = join(tmpdir(), `signalbox-test-${randomUUID()}`)
  const { printed, process } = makeTestProcess({ ...options, environment: { HOME: home, ...options.environment } })
  const exitCode = yield* runCommandLine(args, process).pipe(
    Effect.ensuring(Effect.sync(() => rmSync(home, { recursive: true, force: true })))
  )
  return { exitCode, ...printed() } satisfies Ran
})

/** A fake on a port, with the clock of the goldens, and the environment that leads a command to it. */
export const serveFake = async (options: EnvironmentOptions = {}) => {
  const fake = createFake({ seed: 1, clock: manualClock(now), ...options })
  const server = await listen(fake)
  return {
    fake,
    url: server.url,
    environment: { SIGNALBOX_BASE_URL: server.url, SIGNALBOX_API_KEY: fake.apiKey },
    close: server.close
  }
}

/** A fake that a suite shares. */
export type ServedFake = Awaited<ReturnType<typeof serveFake>>
