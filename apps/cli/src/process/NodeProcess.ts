import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { Socket } from "node:net"
import { userInfo } from "node:os"
import { isAbsolute } from "node:path"
import { Writable } from "node:stream"
import { isatty } from "node:tty"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { exitCodes } from "../failure/ExitCode.ts"
import type { Outgoing } from "@signalbox/operator/outlet/Outlet"
import { makeProcess, OutputClosed } from "./Process.ts"

const columnsWithoutTerminal = 80

const readStdin = async (): Promise<string> => {
  process.stdin.setEncoding("utf8")
  let text = ""
  for await (const chunk of process.stdin) text += String(chunk)
  return text
}

/** Writes to a file: the stream that Node has for one drops the rest of a string when the disk takes only a part of it. */
const makeFileWrite = (file: number, onFailure: (error: Error) => void) => {
  let isFull = false
  return (text: string): Effect.Effect<void, OutputClosed> =>
    Effect.suspend(() => {
      try {
        if (!isFull) writeFileSync(file, text)
      } catch (error) {
        isFull = true
        onFailure(error instanceof Error ? error : new Error(String(error)))
      }
      return isFull ? Effect.fail(new OutputClosed()) : Effect.void
    })
}

/** Writes to a stream or a file; resumes once it has room for more, fails once its reader is gone or it cannot be written. */
export const makeWrite = (stream: Writable & { readonly fd: number }, onFailure: (error: Error) => void) => {
  if (!(stream instanceof Socket)) return makeFileWrite(stream.fd, onFailure)
  let isClosed = false
  let onRoom: (() => void) | undefined
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") onFailure(error)
    isClosed = true
    onRoom?.()
  })
  stream.on("drain", () => onRoom?.())
  return (text: string) =>
    Effect.callback<void, OutputClosed>((resume) => {
      const settle = () => resume(isClosed ? Effect.fail(new OutputClosed()) : Effect.void)
      if (isClosed || stream.write(text)) return settle()
      onRoom = () => {
        onRoom = undefined
        settle()
      }
    })
}

/** Reads one line from the terminal; gives up when the signal aborts. */
const readLine = async (question: string, echo: "visible" | "hidden", signal: AbortSignal): Promise<string> => {
  const { createInterface } = await import("node:readline/promises")
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    }
  })
  const reader = createInterface({
    input: process.stdin,
    output: echo === "hidden" ? nowhere : process.stderr,
    terminal: true
  })
  // After the terminal has stopped echoing, or the first characters of a secret would show.
  if (echo === "hidden") process.stderr.write(question)
  reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"))
  try {
    return await Promise.race([reader.question(question, { signal }), once(reader, "close").then(() => "")])
  } finally {
    reader.close()
    if (echo === "hidden") process.stderr.write("\n")
  }
}

/** The environment, with the user's home also where none is set, as in cron and systemd. */
const environmentWithHome = () => {
  const { HOME = "" } = process.env
  if (isAbsolute(HOME)) return process.env
  try {
    return { ...process.env, HOME: userInfo().homedir }
  } catch {
    // A user of a container need not have an entry.
    return process.env
  }
}

const signalCodes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated, SIGHUP: exitCodes.hungUp } as const

/** Writes to stderr at once: the process is about to end. */
export const writeLast = (text: Outgoing): void => void process.stderr.write(text)

/** The process that this program runs in, and its signals. */
export const makeNodeProcess = (version: string) => {
  // An error of stderr itself has no place to be shown.
  const writeError = makeWrite(process.stderr, () => {})
  let outputFailure: Error | undefined
  let listener: ((signal: NodeJS.Signals) => void) | undefined
  const service = makeProcess({
    version,
    environment: environmentWithHome(),
    // Not `process.stdin`, which loads streams that most commands do not use.
    stdinIsTerminal: isatty(0),
    stdoutIsTerminal: process.stdout.isTTY,
    stderrIsTerminal: process.stderr.isTTY,
    // A terminal that does not know its size reports 0.
    columns: () => process.stdout.columns || columnsWithoutTerminal,
    write: makeWrite(process.stdout, (error) => {
      outputFailure = error
    }),
    writeError: (text) => Effect.ignore(writeError(text)),
    stdin: Effect.promise(readStdin),
    stdinBytes: () => process.stdin,
    stdio: Layer.unwrap(
      Effect.map(
        Effect.promise(() => import("@effect/platform-node/NodeStdio")),
        ({ layer }) => layer
      )
    ),
    ask: (question, echo) => Effect.promise((signal) => readLine(question, echo, signal)),
    listenToSignals: (listen) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          listener = listen
        }),
        () =>
          Effect.sync(() => {
            listener = undefined
          })
      )
  })
  /** Interrupts at a signal; gives the exit code of the signal that did. */
  const onSignal = (interrupt: () => void): (() => number) => {
    let received: number | undefined
    for (const [signal, code] of Object.entries(signalCodes)) {
      process.on(signal, (name: NodeJS.Signals) => {
        if (listener !== undefined) return listener(name)
        // The first signal lets work in flight finish and be reported; the second does not wait for it.
        if (received !== undefined) process.exit(code)
        received = code
        interrupt()
      })
    }
    return () => received ?? exitCodes.interrupted
  }
  return { service, onSignal, outputFailure: () => outputFailure }
}
