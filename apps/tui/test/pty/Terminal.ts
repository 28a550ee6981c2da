import { existsSync } from "node:fs"
import { type IPty, spawn } from "@lydell/node-pty"
import { builtProgram } from "@signalbox/node-build/Sources"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import xterm from "@xterm/headless"

/** The built program. */
export const program = builtProgram(new URL("../..", import.meta.url), "main.js")

/** The command line, which has all flags of the terminal UI. */
const commandLine = builtProgram(new URL("../../../cli", import.meta.url), "main.js")

/** How a program is opened in a pseudo-terminal. */
export interface Options {
  readonly columns?: number
  readonly rows?: number
  readonly args?: ReadonlyArray<string>
  /** Opens the terminal UI with these flags of `signalbox ui`, instead of its start file. */
  readonly flags?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  /** The background that the terminal reports, as in `ffff/ffff/ffff`; absent for a terminal that is not asked. */
  readonly background?: string
  /** Runs this shell command instead, for what needs a shell around the program; `$NODE $PROGRAM` is the program, `$NODE $COMMAND_LINE` the command line. */
  readonly shell?: string
}

/** How a program ended. */
export interface Ended {
  readonly exitCode: number
  readonly signal: number | undefined
}

/** The bundled program in a pseudo-terminal, and an emulator that shows what a person would see. */
export interface Terminal extends Disposable {
  readonly pid: number
  /** Sends bytes and waits until all of them have had their effect. */
  readonly press: (bytes: string) => Promise<void>
  /** Sends bytes without waiting. */
  readonly send: (bytes: string) => void
  /** Sends bytes that another program reads: the shell or the pager that has the terminal meanwhile. */
  readonly sendElsewhere: (bytes: string) => void
  /** Waits until all bytes sent so far have had their effect; at first, until the first data is shown. */
  readonly idle: () => Promise<void>
  /** Waits until the terminal's size is the one that is drawn. */
  readonly resized: () => Promise<void>
  /** Writes to the same screen as another program would, such as `wall`. */
  readonly scribble: (text: string) => Promise<void>
  readonly resize: (columns: number, rows: number) => void
  /** Waits until a line of the screen contains the text. */
  readonly shows: (text: string) => Promise<void>
  /** Waits until the screen is as it should be. */
  readonly until: (ready: () => boolean) => Promise<void>
  readonly lines: () => ReadonlyArray<string>
  readonly text: () => string
  /** The lines with their colours and attributes, as SGR sequences. */
  readonly painted: () => ReadonlyArray<string>
  readonly ended: Promise<Ended>
  /** Everything written since the last call. */
  readonly taken: () => string
  readonly kill: (signal: NodeJS.Signals) => void
  /** Closes the terminal, as its window does. */
  readonly hangUp: () => void
  /** Whether the emulator is in the alternate screen, with bracketed paste or reports of the mouse on. */
  readonly modes: () => { readonly alternate: boolean; readonly paste: boolean; readonly mouse: boolean }
}

const idleReport = 7747

type Cell = NonNullable<ReturnType<xterm.Terminal["buffer"]["active"]["getNullCell"]>>

/** The SGR sequence of a cell; empty where it looks as the terminal's default. */
const lookOf = (cell: Cell): string => {
  const parameters = [
    ...(cell.isBold() ? ["1"] : []),
    ...(cell.isDim() ? ["2"] : []),
    ...(cell.isUnderline() ? ["4"] : []),
    ...(cell.isInverse() ? ["7"] : []),
    ...(cell.isFgDefault() ? [] : [`38;5;${cell.getFgColor()}`]),
    ...(cell.isBgDefault() ? [] : [`48;5;${cell.getBgColor()}`])
  ]
  return parameters.map((parameter) => `\u001B[${parameter}m`).join("")
}

const paintedLine = (line: xterm.IBufferLine | undefined): string => {
  let painted = ""
  let look = ""
  for (let at = 0; at < (line?.length ?? 0); at += 1) {
    const cell = line?.getCell(at)
    // A wide character takes two cells; the second one is empty.
    if (cell === undefined || cell.getWidth() === 0) continue
    const next = lookOf(cell)
    if (next !== look) painted += `\u001B[0m${next}`
    look = next
    painted += cell.getChars() === "" ? " " : cell.getChars()
  }
  return look === "" ? painted.trimEnd() : painted
}

const frameStart = "\u001B[?2026h"
const frameEnd = "\u001B[?2026l"

/** How much of the output a terminal shows: all of it, up to a frame that has not arrived completely. */
const shownLength = (output: string): number => {
  const start = output.lastIndexOf(frameStart)
  if (start !== -1 && !output.includes(frameEnd, start)) return start
  for (let length = Math.min(frameStart.length - 1, output.length); length > 0; length -= 1) {
    if (output.endsWith(frameStart.slice(0, length))) return output.length - length
  }
  return output.length
}

/** The frames, and the output between them, such as reports that nothing is going on. */
const framesOf = (output: string): ReadonlyArray<string> =>
  // oxlint-disable-next-line no-control-regex -- the start and the end of a frame
  output.split(/(?=\u001B\[\?2026h)|(?<=\u001B\[\?2026l)/u).filter((part) => part !== "")

/** Opens the program. */
export const open = (options: Options = {}): Terminal => {
  const { columns = 80, rows = 24, flags, environment = {}, background, shell } = options
  const file = flags === undefined ? program : commandLine
  const args = flags === undefined ? (options.args ?? []) : ["ui", ...flags]
  if (!existsSync(file)) throw new Error("a program is missing; run: turbo run build --filter=@signalbox/{tui,cli}...")
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 200 })
  const env = {
    // Not the cache of the checks either: with it, Node keeps the compiled program there instead of where the program says.
    ...Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(SIGNALBOX_|NO_COLOR|FORCE_COLOR|NODE_COMPILE_CACHE$|CI$)/u.test(name)
      )
    ),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    SIGNALBOX_TUI_IDLE_REPORT: "1",
    ...(background === undefined ? { SIGNALBOX_THEME: "dark" } : {}),
    XDG_STATE_HOME: join(tmpdir(), "signalbox-state-of-tests"),
    XDG_CACHE_HOME: fileURLToPath(new URL("../../node_modules/.cache", import.meta.url)),
    NODE: process.execPath,
    PROGRAM: program,
    COMMAND_LINE: commandLine,
    ...environment
  }
  const child =
    shell === undefined
      ? spawn(process.execPath, [file, ...args], { cols: columns, rows, env })
      : spawn("bash", ["--norc", "-i", "-c", shell], { cols: columns, rows, env })

  let sent = 0
  let reported = -1
  let drawnSize = ""
  let written = ""
  interface Waiter {
    readonly ready: () => boolean
    readonly resolve: () => void
    readonly reject: (error: Error) => void
  }
  let waiting: Array<Waiter> = []
  const check = () => {
    const done = waiting.filter(({ ready }) => ready())
    waiting = waiting.filter((waiter) => !done.includes(waiter))
    for (const { resolve } of done) resolve()
  }
  const until = (ready: () => boolean): Promise<void> =>
    ready() ? Promise.resolve() : new Promise((resolve, reject) => waiting.push({ ready, resolve, reject }))
  /** Rejects waits for a program that has ended. */
  const giveUp = (exitCode: number) => {
    check()
    const error = new Error(`the program ended with ${exitCode} while the test waited for it:\n${written.slice(-500)}`)
    for (const { reject } of waiting) reject(error)
    waiting = []
  }

  emulator.parser.registerOscHandler(idleReport, (data) => {
    const [, bytes, size] = data.split(";")
    reported = Number(bytes)
    drawnSize = size ?? ""
    check()
    return true
  })
  // The program marks its frames as synchronized updates. A busy machine delivers a frame in several parts, or several
  // frames at once: the emulator gets whole frames only, and the test looks at each of them before the next one.
  let held = ""
  let shown = Promise.resolve()
  const show = (output: string): Promise<void> => {
    for (const frame of framesOf(output)) {
      const write = (resolve: () => void) =>
        emulator.write(frame, () => {
          check()
          setImmediate(resolve)
        })
      shown = shown.then(() => new Promise(write))
    }
    return shown
  }
  child.onData((data) => {
    if (background !== undefined && data.includes("\u001B]11;?")) child.write(`\u001B]11;rgb:${background}\u0007`)
    written += data
    held += data
    const length = shownLength(held)
    if (length === 0) return
    void show(held.slice(0, length))
    held = held.slice(length)
  })
  const ended = new Promise<Ended>((resolve) => {
    child.onExit(async ({ exitCode, signal }) => {
      await show(held)
      giveUp(exitCode)
      resolve({ exitCode, signal })
    })
  })
  const lines = () =>
    Array.from({ length: emulator.rows }, (_, at) =>
      (emulator.buffer.active.getLine(emulator.buffer.active.viewportY + at)?.translateToString(true) ?? "").trimEnd()
    )
  const send = (bytes: string) => {
    sent += Buffer.byteLength(bytes)
    child.write(bytes)
  }
  return {
    pid: child.pid,
    send,
    sendElsewhere: (bytes) => child.write(bytes),
    press: (bytes) => {
      send(bytes)
      return until(() => reported >= sent)
    },
    idle: () => until(() => reported >= sent),
    resized: () => until(() => drawnSize === `${emulator.cols}x${emulator.rows}`),
    scribble: show,
    resize: (width, height) => {
      emulator.resize(width, height)
      child.resize(width, height)
    },
    shows: (text) => until(() => lines().some((line) => line.includes(text))),
    until,
    lines,
    text: () => lines().join("\n"),
    painted: () =>
      Array.from({ length: emulator.rows }, (_, at) =>
        paintedLine(emulator.buffer.active.getLine(emulator.buffer.active.viewportY + at))
      ),
    ended,
    taken: () => {
      const all = written
      written = ""
      return all
    },
    kill: (signal) => process.kill(child.pid, signal),
    // The method that closes a terminal is missing from the types of the package.
    hangUp: () => (child as IPty & { readonly destroy: () => void }).destroy(),
    modes: () => ({
      alternate: emulator.buffer.active.type === "alternate",
      paste: emulator.modes.bracketedPasteMode,
      mouse: emulator.modes.mouseTrackingMode !== "none"
    }),
    [Symbol.dispose]: () => {
      child.kill("SIGKILL")
      emulator.dispose()
    }
  }
}

/** The row of the selected line; -1 without a selection. */
export const cursorLine = (terminal: Terminal): number => terminal.lines().findIndex((line) => line.startsWith("›"))
