/**
 * An import whose process is killed again and again, against the fake over HTTP.
 */
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { report, type ReportLine, status, type RunStatus } from "../../src/index.ts"
import { honoursKeys, openSwitches, tokenLines, tokensBySubscriber, write } from "../TestService.ts"

/** Options of a crash. */
export interface CrashOptions {
  readonly folder: string
  readonly lines: number
  readonly kills: number
  readonly seed: number
  readonly honoursKeys: boolean
}

/** The outcome of a crash. */
export interface CrashResult {
  readonly status: RunStatus
  readonly report: ReadonlyArray<ReportLine>
  /** How often each line was applied. */
  readonly applied: ReadonlyArray<number>
  readonly requests: number
}

const program = new URL("importProcess.ts", import.meta.url).pathname

/** A small generator of numbers from 0 to 1, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const exited = async (child: ChildProcess): Promise<number | null> => {
  const [code]: Array<number | null> = await once(child, "exit")
  return code ?? null
}

/** Imports a file with one device token a line, killing the process when the service receives random requests. */
export const importWithCrashes = async (options: CrashOptions): Promise<CrashResult> => {
  const { folder, kills, lines, seed } = options
  const random = randomOf(seed)
  const fake = createFake()
  const environment = fake.environment({
    data: "empty",
    switches: { ...openSwitches, ...(options.honoursKeys ? honoursKeys : {}) }
  })
  await using server = await listen(fake)
  const input = write(folder, "tokens.ndjson", tokenLines(lines))
  let requests = 0
  let onRequest: () => void = () => {}
  environment.journal.subscribe((entry) => {
    requests = Math.max(requests, entry.number)
    onRequest()
  })
  const killAt = Array.from({ length: kills }, () => 1 + Math.floor(random() * lines)).sort((a, b) => a - b)
  let mode = "start"
  while (true) {
    const keys = options.honoursKeys ? "honoured" : "ignored"
    const given = [program, mode, input, server.url, environment.apiKey, keys]
    const child = spawn(process.execPath, given, { stdio: "inherit" })
    mode = "resume"
    const target = killAt.shift()
    onRequest = () => {
      if (target !== undefined && requests >= target) child.kill("SIGKILL")
    }
    const code = await exited(child)
    if (code === 0) break
    if (target === undefined) throw new Error(`the import ended with ${code}`)
  }
  const tokens = tokensBySubscriber(environment)
  return {
    status: await Effect.runPromise(status(input)),
    report: await Effect.runPromise(Stream.runCollect(report(input))),
    applied: Array.from({ length: lines }, (_, at) => tokens.get(`user-${at + 1}`)?.length ?? 0),
    requests
  }
}
