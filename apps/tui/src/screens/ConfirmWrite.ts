import { make as makeField } from "../keyboard/TextField.ts"
import { whyReadOnly } from "../state/Connection.ts"
import { type State, stay, type Transition, withNotice } from "../state/State.ts"

/** A change of data on the service, as the question before it names it. */
export interface Write {
  readonly question: string
  /** The word to type on a live connection because the change cannot be undone. */
  readonly typed?: string
  readonly run: (state: State) => Transition
}

/**
 * Runs a write. The demo runs it at once, a live connection asks first, and a read-only connection refuses it: the keys
 * stay where they are, so this is the place that stands between a habit and somebody's production.
 */
export const confirmWrite = (state: State, write: Write): Transition => {
  const { connection } = state
  const readOnly = whyReadOnly(connection)
  if (readOnly !== undefined) return stay(withNotice(state, `${readOnly}; nothing was sent`, "warning"))
  if (connection.kind === "demo") return write.run(state)
  return stay({
    ...state,
    overlay: {
      _tag: "Confirm",
      question: `LIVE ${connection.name}: ${write.question}`,
      ...(write.typed === undefined ? {} : { typed: write.typed }),
      field: makeField(),
      accept: write.run
    }
  })
}
