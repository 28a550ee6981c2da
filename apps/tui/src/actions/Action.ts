import { whyReadOnly } from "../state/Connection.ts"
import type { Screen, State, Transition } from "../state/State.ts"

/** Where an action applies: a kind of screen, or what lies over it. */
export type Place = Screen["_tag"] | "Help" | "Palette" | "Prompt" | "Confirm"

/** The input of an action. */
export interface Input {
  /** The key that was pressed; empty from the palette. */
  readonly key: string
  /** The words after the action's word in the palette, as in `theme light`. */
  readonly argument: string
}

/** A value that the argument of an action can have. */
export interface ArgumentOption {
  readonly value: string
  /** Key bindings for this argument. */
  readonly keys?: string
  /** The palette's description of it, instead of the action's. */
  readonly description?: string
}

/**
 * One thing an operator can do. The keys, the footer, the help and the palette all read this; nothing is bound elsewhere.
 */
export interface Action {
  /** Its name, in the help, the palette and the configuration file. */
  readonly id: string
  /** Bindings; keys of a sequence are separated by a space. */
  readonly keys: ReadonlyArray<string>
  /** The name of the keys if the action has many: `1-9`. */
  readonly keysLabel?: string
  /** The word or two of the footer, where the name is too long for it. */
  readonly name?: string
  /** The same where they depend on what is under the cursor: `fix 4`. */
  readonly nameHere?: (state: State) => string
  /** One sentence for the help and the palette. */
  readonly description: string
  /** `List` is every screen with a list. */
  readonly places: ReadonlyArray<Place | "List">
  /** Position in the footer; absent actions are only in help and palette. */
  readonly hint?: number
  /** Whether the footer can do without it now. */
  readonly needsNoHint?: (state: State) => boolean
  /** The palette's word for it when it takes an argument, and what that is. */
  readonly word?: string
  readonly argument?: string
  readonly choices?: (state: State) => ReadonlyArray<ArgumentOption>
  /** Changes something on the service. */
  readonly writes?: boolean
  /** Repeats the operation that failed: the status line names its key next to the problem. */
  readonly retries?: boolean
  /** Why it cannot be done now; `undefined` when it can. */
  readonly unavailable?: (state: State, argument: string) => string | undefined
  readonly run: (state: State, input: Input) => Transition
}

/** Actions that are at one place, or at some, where they do not name others. */
export const placed = (
  at: Place | "List" | Action["places"],
  actions: ReadonlyArray<Omit<Action, "places"> & Partial<Action>>
): ReadonlyArray<Action> => {
  const places = typeof at === "string" ? [at] : at
  return actions.map((action) => ({ places, ...action }))
}

/** Options of which their value says all. */
export const optionsOf = (values: ReadonlyArray<string>): ReadonlyArray<ArgumentOption> =>
  values.map((value) => ({ value }))

/** The place that takes the keys. */
export const placeOf = (state: State): Place => state.overlay?._tag ?? state.screens.at(-1)?._tag ?? "Events"

/** Why an action cannot be done now; `undefined` when it can. */
export const whyRefused = (state: State, { unavailable, writes }: Action, argument = ""): string | undefined =>
  unavailable?.(state, argument) ?? (writes === true ? whyReadOnly(state.connection) : undefined)

/** The key of an action for the footer. */
export const hintKey = ({ keys, keysLabel }: Action): string => keysLabel ?? keyLabel(keys[0] ?? "")

/** How a key is written for people. */
export const keyLabel = (sequence: string): string =>
  sequence
    .split(" ")
    .map((key) => labels[key] ?? key)
    .join(sequence.includes(" ") && sequence.length === 3 ? "" : " ")

/** The key that an action has now, for a sentence about it. */
export const keyFor = ({ settings }: Pick<State, "settings">, id: string): string =>
  keyLabel(settings.bindings.get(id) ?? "")

/** The keys of an action as help and palette name them, or its word. */
export const keysOf = ({ keys, keysLabel, word }: Action): string => {
  if (keys.length > 0) return keysLabel ?? keys.map(keyLabel).join(", ")
  return word === undefined ? "" : `:${word}`
}

const labels: Readonly<Record<string, string>> = {
  enter: "enter",
  escape: "esc",
  space: "space",
  pagedown: "pgdn",
  pageup: "pgup",
  "shift-tab": "shift-tab"
}
