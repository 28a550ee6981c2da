import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { createFake, type Fake } from "../environment/Fake.ts"
import { keepWholeResponses } from "../journal/OpenEntry.ts"
import { inputReader } from "../input/Input.ts"
import { type CallResult, CallResultSchema } from "./CallResult.ts"
import { type CheckOptions, checkWith } from "./CheckClient.ts"
import type { CheckReport } from "./CheckReport.ts"
import { finishedRun, makeCalls, type RunProgram, serveDeclared, textOf } from "./CheckRun.ts"
import type { MakeCall } from "./CheckTarget.ts"

const readResult = inputReader("the client's line", () => CallResultSchema)

const isOutcome = (line: string): boolean => line.startsWith("{") && line.includes('"outcome"')

/** A running program, to which calls are written. */
class Program {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #printed: Array<string> = []
  #errors = ""
  #ended: string | undefined
  #waiting: ((result: CallResult) => void) | undefined
  /** A line that is not as agreed, or a command that cannot be started: no mistake of the client. */
  #mistake: RangeError | undefined

  constructor([name = "", ...words]: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) {
    this.#child = spawn(name, words, { env: { ...process.env, ...environment }, stdio: "pipe" })
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => void (this.#errors += text))
    createInterface(this.#child.stdout).on("line", (line) => this.#read(line))
    this.#child.once("error", (error: NodeJS.ErrnoException) => {
      this.#mistake = new RangeError(`cannot start "${name}" (${error.code ?? error.message})`)
      this.#end(error.message)
    })
    this.#child.once("close", (code, signal) => this.#end(`the program ended with ${signal ?? `exit code ${code}`}`))
    // A program that has ended reads nothing more.
    this.#child.stdin.on("error", () => {})
  }

  #read(line: string): void {
    this.#printed.push(line)
    if (!isOutcome(line)) return
    try {
      this.#waiting?.(readResult(JSON.parse(line)))
    } catch (error) {
      this.#mistake = new RangeError(
        error instanceof RangeError ? error.message : `the client's line is not valid JSON: ${line}`
      )
      this.#waiting?.({ outcome: "unknown" })
    }
    this.#waiting = undefined
  }

  #end(reason: string): void {
    this.#ended ??= reason
    this.#waiting?.({ outcome: "unknown", error: reason })
    this.#waiting = undefined
  }

  /** Writes a call as one line, and waits for the line with its outcome. */
  readonly make: MakeCall = (call) =>
    new Promise((resolve) => {
      if (this.#ended !== undefined) return resolve({ outcome: "unknown", error: this.#ended })
      this.#waiting = resolve
      this.#child.stdin.write(`${JSON.stringify(call)}\n`)
    })

  /** Closes the input; a program that does not end is killed. */
  async stop(isFinished: boolean): Promise<string> {
    const closed = this.#ended === undefined ? once(this.#child, "close") : undefined
    this.#child.stdin.end()
    if (!isFinished) this.#child.kill("SIGKILL")
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 2_000)
    await closed
    clearTimeout(timer)
    if (this.#mistake !== undefined) throw this.#mistake
    return [...this.#printed, this.#errors].join("\n")
  }
}

/** Serves a fake until it is closed. */
type Serve = (fake: Fake) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>

const runCommand =
  (serve: Serve, command: ReadonlyArray<string>): RunProgram =>
  async (program, options) => {
    const fake = createFake(program.environment)
    keepWholeResponses(fake.journal)
    serveDeclared(fake, program)
    const server = await serve(fake)
    try {
      const running = new Program(command, {
        SIGNALBOX_BASE_URL: server.url,
        SIGNALBOX_API_KEY: fake.apiKey,
        SIGNALBOX_VENDOR: program.environment.vendor ?? "service"
      })
      const calls = await makeCalls(running.make, program, fake, options)
      const printed = await running.stop(calls.every(({ result }) => result !== undefined))
      return finishedRun(program, fake, {
        calls,
        output: [...calls.map(({ result }) => textOf(result?.error)), printed].join("\n"),
        toleranceMs: 250,
        // Of another process, timers are not known.
        timersLeft: 0
      })
    } finally {
      await server.close()
    }
  }

export const checkServed = (
  serve: Serve,
  command: ReadonlyArray<string>,
  options: CheckOptions
): Promise<CheckReport> =>
  checkWith(
    {
      run: runCommand(serve, command),
      isServed: true,
      concurrency: 8,
      runs: 100,
      deadlineMs: 5_000,
      // Includes the start of the program.
      graceMs: 5_000,
      maxShrinks: 20,
      reproduce: `npx -p @signalbox/test-harness signalbox-fake check --reproduce "$TOKEN" -- ${command.join(" ")}`
    },
    options
  )
