import { type Action, type ArgumentOption, keyLabel, keysOf, placeOf } from "../actions/Action.ts"
import { actionsAt } from "../app/Actions.ts"
import type { State } from "../state/State.ts"

/** A line of the palette: the action, the argument it would be run with, and what Tab completes the line to. */
export interface Choice {
  readonly action: Action
  readonly argument: string
  /** The keys that do the same. */
  readonly keys: string
  readonly description: string
  readonly completion: string
  readonly score: number
}

/** How well the letters of `wanted` occur in order in `text`: lower is better, `undefined` when they do not. */
const distance = (wanted: string, text: string): number | undefined => {
  if (wanted === "") return 0
  const whole = text.indexOf(wanted)
  if (whole !== -1) return whole
  let at = -1
  let gaps = 0
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1)
    if (next === -1) return undefined
    gaps += next - at - 1
    at = next
  }
  return 100 + gaps
}

/** The least score of an action whose description alone has the typed text. */
export const describedScore = 300

const scoreOf = (action: Action, wanted: string): number | undefined => {
  if (action.keys.some((key) => key === wanted || keyLabel(key) === wanted)) return -2
  const lower = wanted.toLowerCase()
  if (action.word === lower) return -1
  const name = distance(lower, action.id.toLowerCase())
  const described = action.description.toLowerCase().indexOf(lower)
  return name ?? (described === -1 || lower.length < 3 ? undefined : describedScore + described)
}

/** The keys of an action; its word where it has a range of keys for values that do not exist now. */
const keysNow = (action: Action, state: State): string =>
  action.keysLabel !== undefined && action.word !== undefined && action.unavailable?.(state, "") !== undefined
    ? `:${action.word}`
    : keysOf(action)

/** The action with one value of its argument. */
const choiceOf = (action: Action, option: ArgumentOption, state: State, score: number): Choice => ({
  action,
  argument: option.value,
  keys: option.keys ?? keysNow(action, state),
  description: option.description ?? action.description,
  completion: `${action.word} ${option.value}`,
  score
})

/**
 * The values with separate keys that match the typed text: each is a line; the action without a value is not listed.
 */
const ownLines = (
  action: Action,
  options: ReadonlyArray<ArgumentOption>,
  state: State,
  wanted: string
): ReadonlyArray<Choice> => {
  const ofAction = scoreOf({ ...action, keys: [] }, wanted)
  return options.flatMap((option) => {
    const score = option.keys === wanted ? -2 : (distance(wanted.toLowerCase(), option.value.toLowerCase()) ?? ofAction)
    return score === undefined ? [] : [choiceOf(action, option, state, score)]
  })
}

/** The actions that the typed text means, best first: by word and argument, by key, by name, by description. */
export const found = (state: State, typed: string): ReadonlyArray<Choice> => {
  const wanted = typed.trimStart()
  const [first = "", ...rest] = wanted.split(" ")
  const place = placeOf({ ...state, overlay: undefined })
  const choices: Array<Choice> = []
  for (const action of actionsAt(place, state.settings.bindings)) {
    if (action.id === "command palette") continue
    const options = action.choices?.(state) ?? []
    if (action.word !== undefined && action.word === first && rest.length > 0) {
      const argument = rest.join(" ").trim()
      const begun = options.filter(({ value }) => value.startsWith(argument))
      const whole = begun.find(({ value }) => value === argument)
      if (begun.length > 0 && whole === undefined) {
        // The description of the action once, above those that have none.
        choices.push(
          ...begun.map((option, at) => choiceOf(action, at === 0 ? option : { description: "", ...option }, state, -3))
        )
      } else {
        choices.push({ ...choiceOf(action, whole ?? { value: argument }, state, -3), completion: wanted })
      }
      continue
    }
    if (options.some(({ keys }) => keys !== undefined)) {
      choices.push(...ownLines(action, options, state, wanted.trimEnd()))
      continue
    }
    const score = scoreOf(action, wanted.trimEnd())
    if (score !== undefined) {
      const completion = action.word === undefined ? action.id : `${action.word} `
      choices.push({ ...choiceOf(action, { value: "" }, state, score), completion })
    }
  }
  return choices.sort((a, b) => a.score - b.score)
}
