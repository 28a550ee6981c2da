import { topScreen } from "../state/ScreenStack.ts"
import { type Screen, type State, stay, type Transition } from "../state/State.ts"
import type { Action, Input } from "./Action.ts"

type Kind = Screen["_tag"]

type Of<Tag extends Kind> = Extract<Screen, { readonly _tag: Tag }>

const topOf = <Tag extends Kind>(state: State, kind: Tag): Of<Tag> | undefined => {
  const screen = topScreen(state)
  // The tag distinguishes the members of the union.
  return screen._tag === kind ? (screen as Of<Tag>) : undefined
}

/** The effect of an action on one kind of screen; none on others, where its keys are not bound. */
export const onScreen =
  <Tag extends Kind>(kind: Tag) =>
  (run: (state: State, screen: Of<Tag>, input: Input) => Transition): Action["run"] =>
  (state, input) => {
    const screen = topOf(state, kind)
    return screen === undefined ? stay(state) : run(state, screen, input)
  }

/** Why an action cannot be done now on one kind of screen. */
export const unlessScreen =
  <Tag extends Kind>(kind: Tag) =>
  (reason: (screen: Of<Tag>, state: State) => string | undefined): NonNullable<Action["unavailable"]> =>
  (state) => {
    const screen = topOf(state, kind)
    return screen === undefined ? undefined : reason(screen, state)
  }

/** The effect of an action on something that may be absent: `find` returns it, or why it is absent. */
export const actingOn = <Part extends object>(
  find: (state: State, argument: string) => Part | string,
  run: (state: State, part: Part, input: Input) => Transition
): Required<Pick<Action, "run" | "unavailable">> => ({
  unavailable: (state, argument) => {
    const found = find(state, argument)
    return typeof found === "string" ? found : undefined
  },
  run: (state, input) => {
    const found = find(state, input.argument)
    return typeof found === "string" ? stay(state) : run(state, found, input)
  }
})

/** Why nothing can be revealed now. */
export const whileMasked = (state: State): string | undefined =>
  state.settings.masked ? "the screen is masked; :mask off ends that" : undefined
