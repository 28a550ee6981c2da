import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { goldenScreens } from "../../test/GoldenScreens.ts"
import { loaded, play, pressed, screen } from "../../test/Sample.ts"
import { placeOf } from "../actions/Action.ts"
import type { State } from "../state/State.ts"
import { actionsAt, usualBindings } from "./Actions.ts"
import { readBindings } from "./OwnBindings.ts"
import { perform } from "./RunAction.ts"

const read = (keys: Readonly<Record<string, string>>) => readBindings(new Map(Object.entries(keys)))

const refusal = (keys: Readonly<Record<string, string>>): string => Result.getOrThrow(Result.flip(read(keys)))

const withKeys = (keys: Readonly<Record<string, string>>) => {
  const state = loaded(5, { columns: 120, rows: 40 })
  return { ...state, settings: { ...state.settings, bindings: Result.getOrThrow(read(keys)) } }
}

const text = (state: Parameters<typeof screen>[0]) => screen(state).join("\n")

describe("keys of the configuration file", () => {
  it("replace those of the table, in the footer, the help and the palette too", () => {
    const state = withKeys({ "load a window": "ctrl-w", help: "f h", select: "x" })
    assert.deepInclude(play(state, pressed("ctrl-w")).commands[0], { _tag: "LoadWindow", name: "24h" })
    assert.deepStrictEqual(play(state, pressed("w")).commands, [])
    assert.include(play(state, pressed("w")).state.notice?.text, "w does nothing here; fh shows the keys")
    assert.include(text(state), "ctrl-w load 24 h")
    const help = play(state, pressed("f", "h")).state
    assert.strictEqual(help.overlay?._tag, "Help")
    assert.match(text(help), /ctrl-w +load a window/u)
    assert.match(text(play(state, pressed(":", ..."ctrl-w")).state), /load a window +ctrl-w/u)
  })

  it("can be exchanged", () => {
    const state = withKeys({ down: "k", up: "j" })
    assert.include(text(play(state, pressed("k")).state), "2/5")
    assert.include(text(play(state, pressed("k", "j")).state), "1/5")
  })

  it.each([
    [{ hlep: "f" }, "keys.hlep: unknown action; did you mean help? Expected one of: "],
    [{ "quit at once": "x" }, "keys.quit at once: unknown action; "],
    [{ help: "gg" }, 'keys.help: "gg" is not a key; expected a character or one of: up, down, '],
    [{ help: "" }, 'keys.help: "" is not a key; '],
    [{ help: "ctrl-i" }, 'keys.help: "ctrl-i" is not a key; '],
    [{ help: "a\u001B[2J" }, 'keys.help: "a^[[2J" is not a key; '],
    [{ help: "j" }, 'keys.help: "j" conflicts with "down" (events); use another key, or change keys."down" too'],
    [{ help: "g" }, 'keys.help: "g" conflicts with "'],
    [{ help: "g g x" }, 'keys.help: "g g x" conflicts with "first"'],
    [{ watch: "A", help: "A" }, 'keys.watch: "A" conflicts with "help" (events)'],
    [
      { "send credentials": "s" },
      'keys.send credentials: "s" types or edits text in the form; expected one of: up, down, '
    ],
    [
      { "send credentials": "ctrl-u" },
      'keys.send credentials: "ctrl-u" types or edits text in the form; expected one of: '
    ]
  ])("%j are rejected: %s", (keys, message) => {
    assert.include(refusal(keys), message)
    assert.notInclude(refusal(keys), "\n")
  })

  /** A separate letter for every action that can have one; in the form, where letters are typed, they exchange keys. */
  const others = (): Readonly<Record<string, string>> => {
    const rebound: Record<string, string> = {}
    const inForm: Array<readonly [id: string, key: string]> = []
    for (const [index, [id, key]] of Array.from(usualBindings).entries()) {
      const letter = String.fromCodePoint(0x100 + index)
      if (Result.isSuccess(read({ [id]: letter }))) rebound[id] = letter
      else if (key.startsWith("ctrl-") && Result.isSuccess(read({ [id]: key }))) inForm.push([id, key])
    }
    for (const [index, [id]] of inForm.entries()) rebound[id] = inForm[(index + 1) % inForm.length]?.[1] ?? ""
    return rebound
  }

  /** The text of a screen: its rows, and the notice of each of its actions. */
  const textOf = (state: State): string => {
    const notices = actionsAt(placeOf(state), state.settings.bindings).map(
      (action) => perform(state, action).state.notice?.text
    )
    return [...screen(state), ...notices].join("\n")
  }

  it("replace those of the table in every sentence", () => {
    const rebound = others()
    assert.isAtLeast(Object.keys(rebound).length, 90)
    const bindings = Result.getOrThrow(read(rebound))
    const usual = Array.from(usualBindings).flatMap(([id, key]) => (id in rebound ? [key.replaceAll(" ", "")] : []))
    const keys = usual.map((key) => key.replaceAll(/[^\w-]/gu, String.raw`\$&`).replace("escape", "esc")).join("|")
    const named = new RegExp(
      String.raw`(?<![\w'/-]|\d )(?:(?:${keys}) (?:(?!(?:m|sm|http|ye|cause)s\b)[a-z]+s|all|next|on|move)\b|press (?:${keys})(?![\w-]))`,
      "g"
    )
    // Notices are sentences of the time when they were made.
    const { history: _, ...screens } = goldenScreens
    const found = Object.entries(screens).flatMap(([name, stateAt]) => {
      const state = { ...stateAt({ columns: 120, rows: 40 }), notice: undefined }
      const before = new Set(textOf(state).match(named))
      const after = textOf({ ...state, settings: { ...state.settings, bindings } }).match(named) ?? []
      return after.filter((sentence) => before.has(sentence)).map((sentence) => `${name}: ${sentence}`)
    })
    assert.deepStrictEqual(found, [])
  }, 60_000)
})
