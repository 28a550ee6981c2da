import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { loaded, play, pressed, screen } from "../../test/Sample.ts"
import { readBindings } from "./OwnBindings.ts"

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
})
