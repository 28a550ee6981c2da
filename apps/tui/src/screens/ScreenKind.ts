import type { Action } from "../actions/Action.ts"
import type { Key } from "../keyboard/Key.ts"
import type { State, Transition } from "../state/State.ts"
import type { Area } from "../view/Area.ts"
import type { Row, Span } from "../view/Row.ts"

/** A kind of screen: everything that the rest of the program does with it. */
export interface ScreenKind<Screen> {
  readonly title: (screen: Screen) => string
  /** The right end of the header; where it is brief, without the age of the data. */
  readonly status?: (screen: Screen, state: State, isBrief: boolean) => ReadonlyArray<Span>
  /** The actions that it adds, also those that open it from other screens. */
  readonly actions: ReadonlyArray<Action>
  readonly view: (state: State, screen: Screen, area: Area) => ReadonlyArray<Row>
  /** Its list; absent where every key is typed into a field. */
  readonly list?: {
    readonly length: (state: State, screen: Screen) => number
    /** How many items it shows. */
    readonly height: (screen: Screen, area: Area) => number
  }
  /** Everything about what is under the cursor, where a pane may be too small for it. */
  readonly whole?: (
    state: State,
    screen: Screen,
    columns: number
  ) => readonly [title: string, rows: ReadonlyArray<Row>] | undefined
  /** The screen without personal data and secrets, `undefined` to close it; absent where it keeps none. */
  readonly masked?: (screen: Screen) => Screen | undefined
  readonly type?: (state: State, screen: Screen, key: Key) => Transition
  readonly paste?: (state: State, screen: Screen, text: string) => Transition
  /** Reads what a live tail follows. */
  readonly refresh?: (state: State, screen: Screen) => Transition
  /** The screen after its reads were stopped. */
  readonly stopped?: (screen: Screen) => Screen
}
