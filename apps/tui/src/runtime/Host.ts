import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, parse, relative, resolve } from "node:path"
import { notification } from "@signalbox/operator/text/Notification"
import type { CauseChange } from "@signalbox/operator/connections/KnownCauses"
import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"
import { shellWord } from "@signalbox/operator/report/Curl"
import { messageOf, systemReason } from "@signalbox/operator/text/SystemReason"
import { savedFile } from "../state/Command.ts"
import { keepCauses } from "./CauseFile.ts"
import type { TypedBefore } from "../state/TypedBefore.ts"
import { keepPrompts } from "./PromptFile.ts"
import { osc52 } from "./Osc52.ts"
import type { SuspendTerminal } from "../app/App.tsx"
import type { Notice } from "../state/Feedback.ts"

/** Access to the terminal and the operating system. */
export interface Host {
  /** `done` gets the outcome in words: at once, or when tmux has responded. */
  readonly copy: (text: string, what: string, done: (notice: Notice) => void) => void
  readonly save: (name: string, text: string, what: string) => Notice
  /** Opens a new file that only its owner can read; one that exists is never overwritten. */
  readonly create: (name: string) => Promise<NewFile>
  /** Notifies through the terminal and rings its bell. */
  readonly ring: (text: string) => void
  /** Keeps something about causes for the next session; returns why it could not. */
  readonly keepCauses: (connection: string, change: CauseChange) => string | undefined
  /** Keeps the entries of prompts for the next session. */
  readonly keepPrompts: (typed: TypedBefore) => void
  /** Opens a page in the browser; `done` gets the outcome in words. */
  readonly open: (url: string, done: (notice: Notice) => void) => void
  readonly page: (text: string, done: (notice: Notice) => void) => void
  readonly suspend: () => void
  readonly redraw: () => void
  readonly quit: () => void
}

/** A file that is being written. Its errors name it. */
export interface NewFile {
  readonly path: string
  /** Adds a part, whole or not at all. */
  readonly append: (text: Outgoing) => Promise<void>
  /** Closes the file; one that is not complete is removed. */
  readonly close: (complete: boolean) => Promise<void>
}

/** The parts of a host. */
export interface HostOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly write: (text: Outgoing) => void
  readonly suspendTerminal: () => SuspendTerminal | undefined
  readonly leave: () => void
  readonly redraw: () => void
}

/** The name with the time in it, for where a file of the name exists. */
const stamped = (name: string): string => {
  const { dir, ext, name: base } = parse(name)
  return join(dir, `${base}-${new Date().toISOString().replaceAll(/[:.]/gu, "-")}${ext}`)
}

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST"

/** Opens a new file that only its owner can read; under another name where the first one is taken. */
const openUnder = (name: string): { readonly file: number; readonly path: string } => {
  try {
    return { file: openSync(name, "wx", 0o600), path: resolve(name) }
  } catch (error) {
    if (!isTaken(error)) throw error
    const other = stamped(name)
    return { file: openSync(other, "wx", 0o600), path: resolve(other) }
  }
}

/** Writes a new file, whole or not at all; a file that exists is never overwritten. */
const writeNew = (name: string, text: Outgoing): string => {
  const { file, path } = openUnder(name)
  try {
    writeFileSync(file, text)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return path
}

/** The error of a file, which is not always named by the system. */
const failed =
  (path: string) =>
  (error: unknown): never => {
    throw isTaken(error) ? error : new Error(`${path}: ${systemReason(error)}`)
  }

const openNew = async (name: string): Promise<NewFile> => {
  // A start does not need it, and it takes a while to load.
  const { open, rm } = await import("node:fs/promises")
  const path = resolve(name)
  const file = await open(path, "wx", 0o600).catch(failed(path))
  let bytes = 0
  return {
    path,
    append: async (text) => {
      try {
        await file.appendFile(text)
        bytes += Buffer.byteLength(text)
      } catch (error) {
        await file.truncate(bytes).catch(() => {})
        failed(path)(error)
      }
    },
    close: async (complete) => {
      await file.close()
      if (!complete) await rm(path, { force: true })
    }
  }
}

/** Loads a string into the tmux buffer, which copies it to the terminal's clipboard. Resolves to whether tmux succeeded. */
const toTmux = async (text: Outgoing): Promise<boolean> => {
  const { spawn } = await import("node:child_process")
  return new Promise((resolve) => {
    const child = spawn("tmux", ["load-buffer", "-w", "-"], { stdio: ["pipe", "ignore", "ignore"] })
    child.once("error", () => resolve(false))
    child.once("close", (code) => resolve(code === 0))
    child.stdin.once("error", () => {})
    child.stdin.end(text)
  })
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Stops reading the keyboard. Ink removes its listener and the process still reads: keys would go to this process and
 * to the other by turns. Only a stream that flows can be paused, and the stream notices a turn later that it has no
 * listener.
 */
const leaveKeyboard = async (): Promise<void> => {
  await nextTurn()
  process.stdin.resume()
  process.stdin.pause()
  // The pause takes effect a turn later, too; it must not hit the listener that comes back.
  await nextTurn()
}

/** The program that opens a page in the browser that the user prefers. */
const browserOf = ({ BROWSER = "" }: HostOptions["environment"]): string => {
  if (BROWSER !== "") return BROWSER
  return process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open"
}

/** Starts a program that outlives this one; resolves to why it did not start. */
const startApart = async (command: string, args: ReadonlyArray<string>): Promise<string | undefined> => {
  const { spawn } = await import("node:child_process")
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", detached: true })
    child.once("error", ({ message }) => resolve(message))
    child.once("spawn", () => {
      child.unref()
      resolve(undefined)
    })
  })
}

/** Signals that the terminal sends to every process in the foreground: in a pager, ctrl-c is meant for the pager. */
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
  copy: (copied, what, done) => {
    const text = outlet("clipboard").text(copied)
    // A terminal does not report whether it copied the string: only tmux can confirm it.
    const toTerminal = () => {
      const made = osc52(text, environment)
      if (made._tag === "TooLarge") return done({ text: made.message, tone: "warning" })
      write(made.sequence)
      done({ text: `${what} sent to the terminal's clipboard (${made.bytes} bytes); :copied shows it`, tone: "ok" })
    }
    if ((environment["TMUX"] ?? "") === "") return toTerminal()
    const throughTmux = async () => {
      if (await toTmux(text)) done({ text: `${what} copied with tmux (${Buffer.byteLength(text)} bytes)`, tone: "ok" })
      else toTerminal()
    }
    void throughTmux()
  },
  save: (name, text, what) => {
    try {
      const path = writeNew(name, outlet("files").text(text))
      const file = path === resolve(name) ? name : relative("", path)
      const said = what.replaceAll(shellWord(savedFile), () => shellWord(file)).replaceAll(savedFile, () => file)
      return { text: `${said} saved as ${path}`, tone: "ok" }
    } catch (error) {
      return { text: `not saved: ${resolve(name)}: ${systemReason(error)}`, tone: "failed" }
    }
  },
  create: (name) =>
    openNew(name).catch((error: unknown) => {
      if (!isTaken(error)) throw error
      return openNew(stamped(name))
    }),
  ring: (text) => write(notification(text)),
  keepCauses: (connection, change) => keepCauses(environment, connection, change),
  // Without its file, the session has its own entries only.
  keepPrompts: (typed) => void keepPrompts(environment, typed),
  open: (url, done) => {
    const start = async () => {
      const problem = await startApart(browserOf(environment), [url])
      done(
        problem === undefined
          ? { text: `opened ${url}`, tone: "ok" }
          : { text: `no browser was started (${problem}): ${url}`, tone: "warning" }
      )
    }
    void start()
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
        writeFileSync(file, outlet("terminal").text(text), { mode: 0o600 })
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
