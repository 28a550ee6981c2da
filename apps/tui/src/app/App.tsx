import { Static, useApp, useInput, usePaste, useStdin, useWindowSize } from "ink"
import {
  createElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useSyncExternalStore
} from "react"
import type { Outgoing } from "@signalbox/operator/outlet/Outlet"
import { makeKeyReader } from "../keyboard/KeyReader.ts"
import { makeMouseReader, mouseOff, mouseOn } from "../keyboard/Mouse.ts"
import type { Store } from "../runtime/Store.ts"
import { type Frame, nothingSpoken, speak, type Spoken } from "../view/Spoken.ts"
import { oneBlockColumns } from "../state/Settings.ts"
import { topScreen } from "../state/ScreenStack.ts"
import { frameOf, unusedRows } from "./Frame.ts"
import { render } from "./View.ts"

/** Releases the terminal to another program for a while. */
export type SuspendTerminal = (whileAway: () => Promise<void>) => Promise<void>

/** Functions of the application that only a component can provide. */
export interface Drawing {
  readonly suspendTerminal: SuspendTerminal
  /** Draws every row anew, also those that have not changed. */
  readonly drawAnew: () => void
}

/** The store, and a place for what only Ink can do. */
export interface AppProps {
  readonly store: Store
  readonly screenReader: boolean
  /** Writes to the terminal, where it reports the wheel and clicks; absent where it does not. */
  readonly mouse: ((sequence: Outgoing) => void) | undefined
  readonly onReady: (drawing: Drawing) => void
}

/** The element that Ink makes of its `Text`: the lines have their colours already, so that nothing else of it is needed. */
const drawn = (text: string, key: number) => createElement("ink-text", { key }, text)

interface ScreenReaderLog {
  readonly spoken: Spoken
  readonly lines: ReadonlyArray<string>
}

const append = (log: ScreenReaderLog, frame: Frame): ScreenReaderLog => {
  const { said, spoken } = speak(log.spoken, frame)
  return { spoken, lines: [...log.lines, ...said] }
}

/** For a screen reader: changes, line after line, below the earlier lines. */
const ScreenReaderLines = ({ place, rows, screen }: Frame) => {
  const [{ lines }, show] = useReducer(append, { spoken: nothingSpoken, lines: [] })
  useEffect(() => show({ place, rows, screen }), [place, rows, screen])
  return <Static items={[...lines]}>{drawn}</Static>
}

/** Turns reports of the mouse on while the screens are drawn, and off while another program has the terminal. */
const useMouse = (write: AppProps["mouse"], store: Store, suspend: SuspendTerminal): SuspendTerminal => {
  const { stdin } = useStdin()
  // Ink may leave without running other effects.
  useLayoutEffect(() => {
    write?.(mouseOn)
    return () => write?.(mouseOff)
  }, [write])
  // After Ink listens: a stream with this listener alone would flow past it.
  useEffect(() => {
    if (write === undefined) return
    const read = makeMouseReader((input) => store.dispatch({ _tag: "Mouse", input }))
    const receive = (chunk: Buffer | string) => read(chunk.toString())
    stdin.on("data", receive)
    return () => void stdin.off("data", receive)
  }, [write, stdin, store])
  return useCallback(
    async (whileAway) => {
      write?.(mouseOff)
      try {
        await suspend(whileAway)
      } finally {
        write?.(mouseOn)
      }
    },
    [write, suspend]
  )
}

/** The whole application: one listener for keys, one for pastes, and the rows of the screen. */
export const App = ({ store, screenReader, mouse, onReady }: AppProps) => {
  const { columns: wide, rows: all } = useWindowSize()
  const columns = screenReader ? Math.min(wide, oneBlockColumns) : wide
  const height = all - unusedRows
  const state = useSyncExternalStore(store.subscribe, store.get)
  const [drawings, count] = useReducer((before: number) => before + 1, 0)
  useEffect(() => store.dispatch({ _tag: "Resized", size: { columns, rows: height } }), [store, columns, height])
  const read = useMemo(() => makeKeyReader((keys) => store.dispatch({ _tag: "Keys", keys })), [store])
  useInput(read)
  usePaste((text) => store.dispatch({ _tag: "Paste", text }))
  const suspendTerminal = useMouse(mouse, store, useApp().suspendTerminal)
  useEffect(() => onReady({ suspendTerminal, drawAnew: count }), [onReady, suspendTerminal])

  // Between a resize and its message the state still has the old size: draw for the size there is.
  const size = state.size.columns === columns && state.size.rows === height ? state.size : { columns, rows: height }
  const rows = render({ ...state, size })
  const screen = topScreen(state).id
  return screenReader ? (
    <ScreenReaderLines place={state.overlay?._tag ?? String(screen)} screen={screen} rows={rows} />
  ) : (
    drawn(frameOf(state, rows), drawings)
  )
}
