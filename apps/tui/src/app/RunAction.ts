import { type Chord, feed } from "../keyboard/Chord.ts"
import type { Key } from "../keyboard/Key.ts"
import { type State, stay, type Transition, withNotice } from "../state/State.ts"
import { type Action, keyFor, placeOf, whyRefused } from "../actions/Action.ts"
import { bindings } from "./Actions.ts"

/** Runs an action, or says why it cannot be done now. */
export const perform = (state: State, action: Action, argument = "", key = ""): Transition => {
  const reason = whyRefused(state, action, argument)
  if (reason !== undefined) return stay(withNotice(state, `${action.id}: ${reason}`, "warning"))
  return action.run({ ...state, notice: undefined }, { argument, key })
}

/** Whether a key types a character and does nothing: neither alone nor as the start of a sequence. */
const isUnknown = (state: State, { name }: Key, chord: Chord): boolean =>
  state.overlay === undefined && chord.length === 0 && Array.from(name).length === 1

/** Feeds one key to the bindings of the place that has the keyboard. */
export const press = (state: State, key: Key): Transition => {
  const table = bindings(placeOf(state), state.settings.bindings)
  const { chord, match } = feed(state.chord, key, new Set(table.keys()))
  const next = { ...state, chord }
  const action = match === undefined ? undefined : table.get(match)
  if (action !== undefined) return perform(next, action, "", match ?? "")
  return isUnknown(state, key, chord)
    ? stay(withNotice(next, `${key.name} does nothing here; ${keyFor(state, "help")} shows the keys`, "warning"))
    : stay(next)
}
