/**
 * Programs that tests start.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"

/** The output of a program. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/** A program that ended; its code is `null` when a signal ended it. */
export interface Ended extends Printed {
  readonly code: number | null
}

/** A program that was started. */
export interface Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** Everything that it has printed so far. */
  readonly read: Printed
  /** Waits until it has printed a string. */
  readonly printed: (stream: keyof Printed, part: string) => Promise<void>
  readonly ended: Promise<Ended>
}

/** Starts a program without input; a detached one is the leader of a process group. */
export const startProgram = (
  file: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly detached?: boolean } = {}
): Program => {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  const read = { stdout: "", stderr: "" }
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => (read[stream] += text))
  }
  const ended = once(child, "close").then(([code]: ReadonlyArray<number | null>) => ({ code: code ?? null, ...read }))
  return {
    child,
    read,
    printed: async (stream, part) => {
      while (!read[stream].includes(part)) {
        if (child[stream].closed) throw new Error(`never printed ${part}: ${JSON.stringify(read)}`)
        await Promise.race([once(child[stream], "data"), once(child[stream], "close")])
      }
    },
    ended
  }
}

/** Whether a process runs. One that has ended exists until its parent asks for its exit code, which may take minutes. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== "linux" || !/\) Z [^)]*$/u.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

/** Waits until a process has ended; a test hangs where something is left running. */
export const gone = async (pid: number): Promise<void> => {
  while (isRunning(pid)) await setTimeout(10)
}

/** The variables of a program in which code runs before its own. */
export const preload = (code: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`
})
