import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { safeLines } from "@signalbox/operator/text/Safe"
import { osc52 } from "./Osc52.ts"
import type { SuspendTerminal } from "../app/App.tsx"
import type { Notice } from "../state/Feedback.ts"

/** What only the terminal and the machine can do. */
export interface Host {
  readonly copy: (text: string, what: string) => Notice
  readonly save: (name: string, text: string, what: string) => Notice
  readonly page: (text: string, done: (notice: Notice) => void) => void
  readonly suspend: () => void
  readonly redraw: () => void
  readonly quit: () => void
}

/** What a host is made of. */
export interface HostOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly write: (text: string) => void
  readonly suspendTerminal: () => SuspendTerminal | undefined
  readonly leave: () => void
  readonly redraw: () => void
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

const free = (name: string): string => {
  const dot = name.lastIndexOf(".")
  const stamp = new Date().toISOString().replaceAll(/[:.]/gu, "-")
  return `${name.slice(0, dot)}-${stamp}${name.slice(dot)}`
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Stops reading the keyboard. Ink takes its listener away and the process reads on all the same: keys would go to this
 * process and to the other by turns. Only a stream that flows can be paused, and the stream notices a turn later that
 * nobody listens any more.
 */
const leaveKeyboard = async (): Promise<void> => {
  await nextTurn()
  process.stdin.resume()
  process.stdin.pause()
  // The pause takes effect a turn later, too; it must not hit the listener that comes back.
  await nextTurn()
}

/** What the terminal sends to everyone in the foreground: in a pager, ctrl-c is meant for the pager. */
const keyboardSignals = ["SIGINT", "SIGQUIT"] as const

const wait = async (command: string, args: ReadonlyArray<string>): Promise<string | undefined> => {
  // Only a pager needs it, and it takes a while to load.
  const { spawn } = await import("node:child_process")
  return new Promise((resolve) => {
    const ignore = () => {}
    for (const signal of keyboardSignals) process.on(signal, ignore)
    const end = (problem: string | undefined) => {
      for (const signal of keyboardSignals) process.off(signal, ignore)
      resolve(problem)
    }
    const child = spawn(command, args, { stdio: "inherit" })
    child.once("error", ({ message }) => end(message))
    child.once("close", () => end(undefined))
  })
}

/**
 * Stops this process until the shell continues it, with all that the shell started it with: a shell takes the terminal
 * back only when nothing of the job runs. A timer must run meanwhile, or the process ends on `fg`.
 */
const stopUntilContinued = (): Promise<void> =>
  new Promise((resolve) => {
    const alive = setInterval(() => {}, 1 << 30)
    process.once("SIGCONT", () => {
      clearInterval(alive)
      resolve()
    })
    process.kill(0, "SIGSTOP")
  })

/** The machine that the application runs on. */
export const makeHost = ({ environment, write, suspendTerminal, leave, redraw }: HostOptions): Host => ({
  copy: (text, what) => {
    const made = osc52(text, environment)
    if (made._tag === "TooLarge") return { text: made.message, tone: "warning" }
    write(made.sequence)
    return { text: `${what} copied (${made.bytes} bytes, OSC 52)`, tone: "ok" }
  },
  save: (name, text, what) => {
    const path = free(name)
    try {
      writeFileSync(path, text, { flag: "wx", mode: 0o600 })
      return { text: `${what} saved as ${resolve(path)}`, tone: "ok" }
    } catch (error) {
      return { text: `not saved: ${messageOf(error)}`, tone: "failed" }
    }
  },
  page: (text, done) => {
    const suspend = suspendTerminal()
    if (suspend === undefined) return
    const [pager = "less", ...args] = (environment["PAGER"]?.trim() || "less").split(/ +/u)
    const failed = (problem: unknown) =>
      done({ text: `the pager ${pager} did not run: ${messageOf(problem)}`, tone: "failed" })
    const open = async () => {
      await leaveKeyboard()
      const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
      try {
        const file = join(folder, "text.json")
        writeFileSync(file, safeLines(text).join("\n"), { mode: 0o600 })
        const problem = await wait(pager, [...args, file])
        if (problem !== undefined) failed(problem)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
    suspend(open).catch(failed)
  },
  suspend: () => {
    if (process.platform !== "win32") void suspendTerminal()?.(stopUntilContinued)
  },
  redraw,
  quit: leave
})
