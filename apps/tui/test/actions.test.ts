import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { type Action, placeOf } from "../src/actions/Action.ts"
import { actionsAt, groupOf } from "../src/app/Actions.ts"
import { render } from "../src/app/View.ts"
import type { Msg } from "../src/state/Msg.ts"
import type { State } from "../src/state/State.ts"
import { plain } from "../src/view/Row.ts"
import { goldenScreens } from "./GoldenScreens.ts"
import { play, pressed } from "./Sample.ts"

const size = { columns: 80, rows: 24 }

/** The golden screens that differ in what an action can do there: each kind of screen, empty and full. */
const names = [
  "causes",
  "compare",
  "empty",
  "events",
  "failed",
  "group",
  "marked",
  "messages",
  "payload",
  "queue",
  "read-only",
  "requests",
  "run",
  "steps",
  "subscriber",
  "waterfall"
]

/** Rows that are written; where more change, another screen opens, which golden screens show. */
const rowLimit = 6

/** The first values of an argument: there are hundreds of time zones. That of the machine differs. */
const valuesOf = (state: State, choices: Action["choices"]): ReadonlyArray<string> =>
  (choices?.(state) ?? []).slice(0, 12).flatMap(({ value }) => (value === "local" ? [] : [value]))

/** Every way to run an action: its keys, and its word with each value, with another one and with none. */
const inputsOf = (state: State, { choices, keys, word }: Action): ReadonlyArray<readonly [string, Msg]> => [
  ...keys.map((key) => [key, pressed(...key.split(" "))] as const),
  ...(word === undefined
    ? []
    : ["", " 24h", ...valuesOf(state, choices).map((value) => ` ${value}`)].map((argument) => {
        const typed = Array.from(`${word}${argument}`, (one) => (one === " " ? "space" : one))
        return [`:${word}${argument}`, pressed(":", ...typed, "enter")] as const
      }))
]

const rowsOf = (state: State): ReadonlyArray<string> => render(state).map((row) => plain(row).trimEnd())

/** Events by their ids. */
const short = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && "transactionId" in value && "_id" in value ? value._id : value

describe("every action", () => {
  it.each(names)("on %s", async (name) => {
    const state = goldenScreens[name]?.(size)
    if (state === undefined) throw new Error(`${name} is not a golden screen`)
    const before = rowsOf(state)
    const outcomes = new Map<string, Array<string>>()
    // The list of events stands for every screen.
    const here = actionsAt(placeOf(state)).filter((one) => name === "events" || groupOf(one) !== "EVERYWHERE")
    for (const action of here) {
      for (const [label, input] of inputsOf(state, action)) {
        const { commands, state: next } = play(state, input)
        const changed = rowsOf(next).flatMap((row, at) => (row === before[at] ? [] : [`  ${at} ${row}`]))
        const outcome = [
          ...commands.map((command) => `  ${JSON.stringify(command, short)}`),
          ...changed.slice(0, rowLimit)
        ].join("\n")
        outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), label])
      }
    }
    const text = Array.from(outcomes, ([outcome, labels]) => `${labels.join(", ")}\n${outcome}\n`).join("\n")
    await expect(text).toMatchFileSnapshot(`golden/actions/${name}.txt`)
  })
})
