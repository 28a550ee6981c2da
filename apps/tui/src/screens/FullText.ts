import { messagesOf } from "../state/Facts.ts"
import { type State, topScreen } from "../state/State.ts"
import { plain, type Row } from "../view/Row.ts"
import { requestRows } from "./credentials/CredentialsView.ts"
import { summary } from "./event/EventSummary.ts"
import { explanation } from "./event/Explanation.ts"
import { eventKey } from "./events/EventIndex.ts"
import { current, jobShown } from "./events/EventsScreen.ts"
import { detail } from "./messages/MessagesView.ts"

/** Everything a screen shows about the item under its cursor, for terminals whose pane is too small. */
export interface Whole {
  readonly title: string
  readonly text: string
}

/** The width of the line numbers, in cells. */
const gutter = 5

const unlimited = Number.POSITIVE_INFINITY

const rowsOf = (state: State, columns: number): readonly [title: string, rows: ReadonlyArray<Row>] | undefined => {
  const screen = topScreen(state)
  switch (screen._tag) {
    case "Events": {
      const event = current(screen)
      return event === undefined
        ? undefined
        : [event.template?.name ?? eventKey(event), summary(event, jobShown(screen, event), state, columns, unlimited)]
    }
    case "Event":
      return ["explanation", explanation(screen, state, columns, unlimited, false)]
    case "Messages": {
      const message = messagesOf(state.facts, screen.subscriberId)[screen.cursor.at]
      return message === undefined ? undefined : [`message ${message.id}`, detail(message, screen, state, columns)]
    }
    case "Credentials":
      // This screen never hides values after a delay, so it masks the secrets that the form reveals.
      return ["request", requestRows(state, { ...screen, revealedUntil: undefined }, columns)]
    default:
      return undefined
  }
}

/** The top screen's full text about the row under its cursor; absent where the row is empty, or is never cut. */
export const fullText = (state: State): Whole | undefined => {
  const found = rowsOf(state, state.size.columns - gutter)
  if (found === undefined) return undefined
  const [title, rows] = found
  return { title, text: rows.map((row) => plain(row).trimEnd()).join("\n") }
}
