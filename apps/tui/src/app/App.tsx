import { Static, Text, useApp, useInput, usePaste, useWindowSize } from "ink"
import { memo, useEffect, useMemo, useReducer, useSyncExternalStore } from "react"
import { makeKeyReader } from "../keyboard/KeyReader.ts"
import type { Store } from "../runtime/Store.ts"
import { painter, type Paint } from "../theme/Theme.ts"
import type { Row } from "../view/Row.ts"
import { type Frame, nothingSpoken, speak, type Spoken } from "../view/Spoken.ts"
import { oneBlockColumns } from "../state/Settings.ts"
import { topScreen } from "../state/ScreenStack.ts"
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
  readonly onReady: (drawing: Drawing) => void
}

/** Ink clears the whole screen on every frame that fills a Windows console. */
const unused = process.platform === "win32" ? 1 : 0

const Line = memo(function Line({ text }: { readonly text: string }) {
  return <Text>{text}</Text>
})

const Drawn = ({ rows, paint }: { readonly rows: ReadonlyArray<Row>; readonly paint: Paint }) =>
  rows.map((row, index) => (
    // Rows are places on the screen: the position is the identity.
    // oxlint-disable-next-line react/no-array-index-key
    <Line key={index} text={paint(row)} />
  ))

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
  return <Static items={[...lines]}>{(line, index) => <Text key={index}>{line}</Text>}</Static>
}

/** The whole application: one listener for keys, one for pastes, and the rows of the screen. */
export const App = ({ store, screenReader, onReady }: AppProps) => {
  const { suspendTerminal } = useApp()
  const { columns: wide, rows: all } = useWindowSize()
  const columns = screenReader ? Math.min(wide, oneBlockColumns) : wide
  const height = all - unused
  const state = useSyncExternalStore(store.subscribe, store.get)
  const { theme, depth } = state.settings
  const paint = useMemo(() => painter(theme, depth), [theme, depth])

  const [drawings, count] = useReducer((before: number) => before + 1, 0)
  useEffect(() => onReady({ suspendTerminal, drawAnew: count }), [onReady, suspendTerminal])
  useEffect(() => store.dispatch({ _tag: "Resized", size: { columns, rows: height } }), [store, columns, height])
  const read = useMemo(() => makeKeyReader((keys) => store.dispatch({ _tag: "Keys", keys })), [store])
  useInput(read)
  usePaste((text) => store.dispatch({ _tag: "Paste", text }))

  // Between a resize and its message the state still has the old size: draw for the size there is.
  const size = state.size.columns === columns && state.size.rows === height ? state.size : { columns, rows: height }
  const rows = render({ ...state, size })
  const screen = topScreen(state).id
  return screenReader ? (
    <ScreenReaderLines place={state.overlay?._tag ?? String(screen)} screen={screen} rows={rows} />
  ) : (
    <Drawn key={drawings} rows={rows} paint={paint} />
  )
}
