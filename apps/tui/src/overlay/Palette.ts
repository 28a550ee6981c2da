import { type Action, keyLabel, placeOf } from "../actions/Action.ts"
import { actionsAt } from "../app/Actions.ts"
import type { State } from "../state/State.ts"

/** A line of the palette: the action, the argument it would be run with, and what Tab completes the line to. */
export interface Choice {
  readonly action: Action
  readonly argument: string
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

const scoreOf = (action: Action, wanted: string): number | undefined => {
  if (action.keys.some((key) => key === wanted || keyLabel(key) === wanted)) return -2
  const lower = wanted.toLowerCase()
  if (action.word === lower) return -1
  const name = distance(lower, action.id.toLowerCase())
  const described = action.description.toLowerCase().indexOf(lower)
  return name ?? (described === -1 || lower.length < 3 ? undefined : 300 + described)
}

/** The actions that the typed text means, best first: by word and argument, by key, by name, by description. */
export const found = (state: State, typed: string): ReadonlyArray<Choice> => {
  const wanted = typed.trimStart()
  const [first = "", ...rest] = wanted.split(" ")
  const place = placeOf({ ...state, overlay: undefined })
  const choices: Array<Choice> = []
  for (const action of actionsAt(place)) {
    if (action.id === "command palette") continue
    if (action.word !== undefined && action.word === first && rest.length > 0) {
      const argument = rest.join(" ").trim()
      const options = action.choices?.(state).filter((option) => option.startsWith(argument)) ?? []
      if (options.length > 0 && !options.includes(argument)) {
        for (const option of options)
          choices.push({ action, argument: option, completion: `${action.word} ${option}`, score: -3 })
      } else {
        choices.push({ action, argument, completion: wanted, score: -3 })
      }
      continue
    }
    const score = scoreOf(action, wanted.trimEnd())
    if (score !== undefined) {
      const completion = action.word === undefined ? action.id : `${action.word} `
      choices.push({ action, argument: "", completion, score })
    }
  }
  return choices.sort((a, b) => a.score - b.score)
}
