import { readFileSync } from "node:fs"
import type { IPty } from "@lydell/node-pty"
import { spawn } from "@lydell/node-pty"

/** A program in a pseudo-terminal, and the bytes it has written. */
export interface Terminal {
  readonly pid: number
  readonly write: (keys: string) => void
  /** Everything written since the last call. */
  readonly take: () => string
  /** Resolves when what was written since the last `take` satisfies the predicate. */
  readonly until: (satisfied: (written: string) => boolean) => Promise<void>
  readonly ended: Promise<number>
  readonly kill: () => void
}

/** How a script is started. */
export interface TerminalOptions {
  readonly columns: number
  readonly rows: number
  /** The folder in which programs keep what makes their next start faster. */
  readonly cache: string
  /** Variables besides those of every terminal. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts Node with a script in a pseudo-terminal. */
export const openTerminal = (words: ReadonlyArray<string>, options: TerminalOptions): Terminal => {
  const { cache, columns, rows } = options
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    XDG_CACHE_HOME: cache,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    ...options.environment
  }
  const pty: IPty = spawn(process.execPath, [...words], { cols: columns, rows, env: environment })
  let written = ""
  let waiting: { readonly satisfied: (written: string) => boolean; readonly resolve: () => void } | undefined
  const look = () => {
    if (waiting === undefined || !waiting.satisfied(written)) return
    const { resolve } = waiting
    waiting = undefined
    resolve()
  }
  let failed: ((error: Error) => void) | undefined
  pty.onData((data) => {
    // As terminals do that people use: the program asks for the background to choose its theme.
    if (data.includes("\u001B]11;?")) pty.write("\u001B]11;rgb:1e1e/1e1e/1e1e\u0007")
    written += data
    look()
  })
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => {
      failed?.(new Error(`the program ended with ${exitCode} while a frame was awaited:\n${written.slice(-500)}`))
      resolve(exitCode)
    })
  )
  return {
    pid: pty.pid,
    write: (keys) => pty.write(keys),
    take: () => {
      const taken = written
      written = ""
      return taken
    },
    until: (satisfied) =>
      new Promise((resolve, reject) => {
        failed = reject
        waiting = { satisfied, resolve }
        look()
      }),
    ended,
    kill: () => pty.kill("SIGKILL")
  }
}

/** Resident memory of a process in MB, as Linux reports it. */
export const residentMegabytes = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes) / 1024
}

/** Processor time of a process in milliseconds, as Linux reports it (in ticks of 10 ms). */
export const processorMilliseconds = (pid: number): number => {
  // The fields after the name in parentheses: state is the first, user and system time the 12th and 13th.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}
