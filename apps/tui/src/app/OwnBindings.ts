import * as Result from "effect/Result"
import { keyNames } from "../keyboard/Key.ts"
import { typesOrEdits } from "../keyboard/TextField.ts"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import type { Bindings } from "../state/Settings.ts"
import { type Action, keyLabel, type Place } from "../actions/Action.ts"
import { actions, actionsAt, places, usualBindings } from "./Actions.ts"

/** Actions whose keys can be changed: not a range such as 1-9, and not the keys that also work in every prompt. */
const changeable = actions.filter(({ keysLabel, places }) => keysLabel === undefined && !places.includes("Prompt"))

const readSequence = (typed: string): string | undefined => {
  const keys = typed.split(" ").map((part) => keyNames.find((name) => name === part || keyLabel(name) === part) ?? part)
  const isKey = (key: string) => keyNames.includes(key) || /^[^\p{Z}\p{C}]$/u.test(key)
  return keys.every(isKey) ? keys.join(" ") : undefined
}

const keyForms = `expected a character or one of: ${keyNames.join(", ")}; several in a row with a space between them`

/** Whether one sequence of keys is the other, or its start: only one of them could be pressed. */
const overlap = (a: string, b: string): boolean => `${a} `.startsWith(`${b} `) || `${b} `.startsWith(`${a} `)

/** The action that has the keys already, and where. */
const conflict = (action: Action, bindings: Bindings): readonly [other: Action, place: Place] | undefined => {
  for (const place of places) {
    const here = actionsAt(place, bindings)
    const own = here.find(({ id }) => id === action.id)
    const other = here.find(
      ({ id, keys }) => id !== action.id && own?.keys.some((key) => keys.some((taken) => overlap(key, taken)))
    )
    if (own !== undefined && other !== undefined) return [other, place]
  }
  return undefined
}

/** Why keys cannot be an action's, for `keys.ACTION` of the configuration file; `undefined` where they can. */
const problemOf = (action: Action, bindings: Bindings): string | undefined => {
  const keys = bindings.get(action.id) ?? ""
  if (action.places.includes("Credentials") && keys.split(" ").some(typesOrEdits)) {
    return `"${keyLabel(keys)}" types or edits text in the form; expected one of: ${keyNames.filter((key) => !typesOrEdits(key)).join(", ")}`
  }
  const found = conflict(action, bindings)
  if (found === undefined) return undefined
  const [other, place] = found
  return `"${keyLabel(keys)}" conflicts with "${other.id}" (${place.toLowerCase()}); use another key, or change keys.${JSON.stringify(other.id)} too`
}

/** Checks the keys of the configuration file, by the name of their action. The error is one line that names the action. */
export const readBindings = (wanted: ReadonlyMap<string, string>): Result.Result<Bindings, string> => {
  const bindings = new Map(usualBindings)
  const refused = (id: string, problem: string) => Result.fail(`keys.${cleanLine(id)}: ${problem}`)
  for (const [id, typed] of wanted) {
    if (changeable.every((action) => action.id !== id)) {
      const names = changeable.map((action) => action.id)
      return refused(id, `unknown action; ${expectedOneOf(id, names)}`)
    }
    const sequence = readSequence(typed)
    if (sequence === undefined) return refused(id, `"${cleanLine(typed)}" is not a key; ${keyForms}`)
    bindings.set(id, sequence)
  }
  for (const action of changeable) {
    if (!wanted.has(action.id)) continue
    const problem = problemOf(action, bindings)
    if (problem !== undefined) return refused(action.id, problem)
  }
  return Result.succeed(bindings)
}
