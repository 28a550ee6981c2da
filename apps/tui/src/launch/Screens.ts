import { keyFor } from "../actions/Action.ts"
import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import type { ScreenSettings } from "@signalbox/operator/node"
import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"
import type { Filter } from "@signalbox/operator/filter/Filter"
import type { Clock } from "../runtime/Clock.ts"
import { readPrompts } from "../runtime/PromptFile.ts"
import type { FileRunner } from "../runtime/FileRunner.ts"
import { makeHost } from "../runtime/Host.ts"
import { makeIdleReport } from "../runtime/Idle.ts"
import { makeRunner, type Runner } from "../runtime/Runner.ts"
import type { Session } from "../runtime/Session.ts"
import { makeStore, type Store } from "../runtime/Store.ts"
import { startTimers } from "../runtime/Timers.ts"
import { make as makeEvents } from "../screens/events/EventsScreen.ts"
import { loadWindow, open, readAheadOf } from "../screens/events/EventsUpdate.ts"
import { frameOf, unusedRows } from "../app/Frame.ts"
import { makeInitialState } from "../app/InitialState.ts"
import type { Settings } from "../state/Settings.ts"
import { type State, withNotice } from "../state/State.ts"
import { crashReport } from "@signalbox/operator/report/CrashReport"
import { glyphs, glyphsFrom } from "../theme/Glyphs.ts"
import { depthFrom } from "../theme/Theme.ts"
import type { Drawing } from "../app/App.tsx"
import type { LaunchOptions } from "./LaunchOptions.ts"
import type { Connect, ReplayStart } from "./Connections.ts"
import { askGround, groundFrom, typedIn } from "./Background.ts"
import { atLastRow, firstFrame, overFirstFrame, resetSequence } from "./Terminal.ts"

/** Ink writes the frames; all other text for the terminal leaves here. */
const write = (text: Outgoing): void => void process.stdout.write(text)

/** The options of the screens. */
export interface ScreensOptions {
  /** Their settings in the configuration file. */
  readonly screens: Pick<Settings, "bindings" | "list" | "timeZone"> & Pick<ScreenSettings, "mouse">
  readonly session: Session
  readonly connect: Connect
  readonly replay?: ReplayStart
  readonly filter: Filter
  readonly options: LaunchOptions
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly runFile: FileRunner | undefined
}

/**
 * Asks the terminal for its background where the command line and the connection name no theme, and returns how to wait for
 * the theme: the terminal responds while the first page is read. The Linux console is dark and would show the question.
 */
const askTheme = ({ session, options: wanted, environment, clock }: ScreensOptions): (() => Promise<ThemeName>) => {
  const named = wanted.theme ?? session.theme
  if (named !== undefined) return async () => named
  const canAsk = depthFrom(environment) !== "none" && wanted.screenReader !== true && environment["TERM"] !== "linux"
  const ground = canAsk ? askGround(process.stdin, write, clock.after) : undefined
  return async () => (await ground?.()) ?? groundFrom(environment) ?? "dark"
}

/** The list does not move until one of these keys is pressed, so that a user can look around. */
const demoNotice = (state: State): string =>
  `events arrive: ${keyFor(state, "live tail")} follows them, ${keyFor(state, "watch")} also rings for new causes`

/** The state at the start. The whole demo is read, where its size was asked for, and as much as a recording began with. */
const initialState = ({
  session,
  filter,
  options: wanted,
  environment,
  clock,
  replay,
  runFile,
  screens
}: ScreensOptions): State => {
  const events = replay?.events ?? wanted.demoEvents
  const readAhead = events === undefined ? undefined : readAheadOf(events)
  const state = makeInitialState({
    size: { columns: process.stdout.columns, rows: process.stdout.rows - unusedRows },
    now: clock.now(),
    settings: {
      theme: "dark",
      depth: depthFrom(environment),
      glyphs: wanted.ascii === true ? glyphs.ascii : glyphsFrom(environment),
      screenReader: wanted.screenReader === true,
      timeZone: screens.timeZone,
      bindings: screens.bindings,
      list: screens.list,
      runsFiles: runFile !== undefined,
      masked: wanted.mask === true || replay?.masked === true
    },
    connection: session.info,
    screen: { ...makeEvents(0, filter, screens.list.sort), readAhead }
  })
  const known = { ...state, typedBefore: readPrompts(environment) }
  const notice = replay?.notice ?? (session.info.kind === "demo" ? demoNotice(state) : undefined)
  return notice === undefined ? known : withNotice(known, notice)
}

/** How long the first frame waits for the first response: a frame without data costs as much as one with. */
const firstResponseTimeoutMs = 100

const firstResponse = (store: Store, clock: Clock): Promise<void> => {
  const isThere = () => {
    const [screen] = store.get().screens
    return screen?._tag !== "Events" || screen.asOf !== undefined || screen.problem !== undefined
  }
  // The data of the demo is already there.
  if (isThere()) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      unsubscribe()
      resolve()
    }
    const cancel = clock.after(firstResponseTimeoutMs, done)
    const unsubscribe = store.subscribe(() => {
      if (isThere()) done()
    })
  })
}

const ends = ["exit", "SIGHUP", "SIGINT", "SIGTERM"] as const

/** Draws the first frame, and leaves it if the program ends before Ink, which leaves its own frames, is there. */
const drawFirst = (state: State): (() => void) => {
  const inkIsThere = () => {
    for (const end of ends) process.off(end, leave)
  }
  const leave = (end: NodeJS.Signals | number) => {
    inkIsThere()
    write(outlet("own").text(resetSequence))
    if (typeof end === "string") process.kill(process.pid, end)
  }
  for (const end of ends) process.on(end, leave)
  write(outlet("own").text(firstFrame(frameOf(state))))
  return inkIsThere
}

/** Opens the screens in the alternate screen and gives the exit code once they are left. */
export const openScreens = async (options: ScreensOptions): Promise<number> => {
  const { environment, clock, session, connect, options: wanted, screens } = options
  const screenReader = wanted.screenReader === true
  let drawing: Drawing | undefined
  let leave: () => void = () => {}
  let redraw: () => void = () => {}
  let runner: Runner | undefined
  const host = makeHost({
    environment,
    write,
    suspendTerminal: () => drawing?.suspendTerminal,
    leave: () => leave(),
    redraw: () => redraw()
  })
  const readTheme = askTheme(options)
  const store = makeStore(initialState(options), (command) => runner?.run(command), clock.now)
  runner = makeRunner({
    session,
    dispatch: store.dispatch,
    host,
    connect,
    now: clock.now,
    isMasked: () => store.get().settings.masked,
    runFile: options.runFile
  })
  const idle =
    environment["SIGNALBOX_TUI_IDLE_REPORT"] === "1"
      ? makeIdleReport(write, () => (runner?.running() ?? 0) > 0)
      : undefined

  const first = store.get().screens[0]
  if (first?._tag === "Events") {
    const loading = wanted.since === undefined ? open(store.get(), first) : loadWindow(store.get(), first, wanted.since)
    store.replace(loading.state)
    for (const command of loading.commands) runner.run(command)
  }
  const theme = await readTheme()
  const { settings, ...state } = store.get()
  store.replace({ ...state, settings: { ...settings, theme } })
  await firstResponse(store, clock)
  const inkIsThere = screenReader ? undefined : drawFirst(store.get())
  const { draw } = await import("./Draw.tsx")

  // The error must be printed after the alternate screen is left, or it is gone with it.
  const crash = (error: unknown) => {
    instance.unmount()
    process.stderr.write(crashReport(error))
    process.exit(1)
  }
  if (!screenReader) write(outlet("own").text(overFirstFrame))
  const instance = draw(
    {
      store,
      screenReader,
      mouse: screens.mouse && !screenReader ? write : undefined,
      onReady: (handed) => {
        drawing = handed
      }
    },
    crash,
    idle?.stir
  )
  inkIsThere?.()
  leave = () => instance.unmount()
  redraw = () => {
    write(outlet("own").text(atLastRow(process.stdout.rows)))
    instance.clear()
    drawing?.drawAnew()
  }
  if (idle !== undefined) {
    store.subscribe(idle.stir)
    // A slow terminal's response about its background comes late, and a test does not count it as input.
    process.stdin.on("data", (chunk: Buffer | string) => idle.received(Buffer.byteLength(typedIn(chunk.toString()))))
  }
  // Another program may ask for the stop that ctrl-z asks for.
  process.on("SIGTSTP", () => store.dispatch({ _tag: "Keys", keys: [{ name: "ctrl-z" }] }))
  // A write beyond a limit for the size of files fails with an error, which the screens show; Ink would also leave.
  if (process.platform !== "win32") process.on("SIGXFSZ", () => {})
  // Before the command line's own listener, where it opens the screens: the report must come after the screen is left.
  process.prependListener("uncaughtException", crash)
  process.prependListener("unhandledRejection", crash)

  const stopTimers = startTimers(store, clock)
  try {
    // After the first frame, which it would hold up.
    const { limitYoungGeneration } = await import("./Memory.ts")
    const stopLimiting = store.subscribe(() => {
      if (limitYoungGeneration()) stopLimiting()
    })
    await instance.waitUntilExit()
    return 0
  } catch (error) {
    process.stderr.write(crashReport(error))
    return 1
  } finally {
    stopTimers()
    await runner.close()
  }
}
