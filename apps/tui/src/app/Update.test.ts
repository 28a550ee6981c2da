import { assert, describe, it } from "@effect/vitest"
import { loaded, now, play, pressed, screen, toLine } from "../../test/Sample.ts"
import type { Msg } from "../state/Msg.ts"
import { topScreen } from "../state/ScreenStack.ts"
import type { State } from "../state/State.ts"
import { update } from "./Update.ts"

const cursorAt = (state: State): number => {
  const top = topScreen(state)
  return "cursor" in top ? top.cursor.at : -1
}

describe("moving", () => {
  it("moves once for each key of a burst", () => {
    assert.strictEqual(cursorAt(play(loaded(60), pressed("j", "j", "j", "k")).state), 2)
  })
  it("goes to the last line and back to the first", () => {
    const state = play(loaded(60), pressed("j", "G")).state
    assert.strictEqual(cursorAt(state), 59)
    assert.strictEqual(cursorAt(play(state, pressed("g", "g")).state), 0)
  })
  it("stays inside the list at both ends", () => {
    assert.strictEqual(cursorAt(play(loaded(3), pressed("j", "j", "j", "j")).state), 2)
    assert.strictEqual(cursorAt(play(loaded(3), pressed("k", "k")).state), 0)
  })
  it("comes back from the end with one key", () => {
    assert.strictEqual(cursorAt(play(loaded(60), pressed("G", "j", "k")).state), 58)
  })
  it("keeps the cursor in view when the terminal shrinks", () => {
    const low = play(loaded(60, { columns: 80, rows: 40 }), toLine(25), {
      _tag: "Resized",
      size: { columns: 80, rows: 15 }
    })
    const row = screen(low.state).find((line) => line.startsWith("›"))
    assert.include(row, "u_10025")
  })
})

describe("a key that does nothing", () => {
  it("reports it, and where the keys are", () => {
    const { commands, state } = play(loaded(3), pressed("Z"))
    assert.strictEqual(state.notice?.text, "Z does nothing here; ? shows the keys")
    assert.deepStrictEqual(commands, [])
    assert.isUndefined(play(state, pressed("j")).state.notice)
    // The start of a sequence, and keys that type nothing.
    for (const keys of [["g"], ["f5"]]) assert.isUndefined(play(loaded(3), pressed(...keys)).state.notice)
  })
})

describe("a prompt that is left", () => {
  const textOf = ({ overlay }: State) => {
    assert(overlay?._tag === "Prompt")
    return overlay.field.graphemes.join("")
  }
  it("has what was typed one key away when it is opened again", () => {
    const left = play(loaded(3), pressed("/", ..."after:24h chan", "escape")).state
    const again = play(left, pressed("/")).state
    assert.strictEqual(textOf(again), "")
    assert.include(screen(again).at(-1), "up what was typed before")
    assert.strictEqual(textOf(play(again, pressed("up")).state), "after:24h chan")
    assert.strictEqual(textOf(play(again, pressed(..."x", "up", "up")).state), "after:24h chan")
    assert.strictEqual(textOf(play(again, pressed(..."x", "up", "down")).state), "x")
  })
  it("goes back through all that was typed, the latest first and each once", () => {
    const typed = ["slack", "phone", "slack", "mail"].flatMap((word) => ["/"].concat(Array.from(word), "escape"))
    const open = play(loaded(3), pressed(...typed, "/")).state
    const back = (ups: number) => textOf(play(open, pressed(...Array.from({ length: ups }, () => "up"))).state)
    assert.deepStrictEqual([1, 2, 3, 4].map(back), ["mail", "slack", "phone", "phone"])
    assert.strictEqual(textOf(play(open, pressed("up", "up", "ctrl-n")).state), "mail")
    // Text typed after that starts anew.
    assert.strictEqual(textOf(play(open, pressed("up", "up", "s", "up")).state), "mail")
  })
  it("has a pasted list of ids, and not that of another kind of prompt", () => {
    const ids = { _tag: "Paste", text: "a b c" } as const
    const left = play(loaded(3), pressed("m", "i"), ids, pressed("escape", "escape")).state
    assert.strictEqual(textOf(play(left, pressed("m", "i", "up")).state), "a b c")
    assert.strictEqual(textOf(play(left, pressed("/", "up")).state), "")
  })
  it("has the last search and filter that were accepted, too", () => {
    const searched = play(loaded(3), pressed("p", "/", ..."check", "enter", "/", "up")).state
    assert.strictEqual(textOf(searched), "check")
  })
})

describe("a terminal that is too small", () => {
  const small = play(
    loaded(9),
    pressed("m"),
    { _tag: "Paste", text: "a b" },
    {
      _tag: "Resized",
      size: { columns: 59, rows: 15 }
    }
  ).state
  it("accepts no key that would act on hidden rows", () => {
    const { commands, state } = play(small, pressed("r", "s", "*", "escape", "d"), { _tag: "Paste", text: "c" })
    assert.deepStrictEqual(commands, [])
    const back = play(state, { _tag: "Resized", size: { columns: 60, rows: 15 } }).state
    assert.include(screen(back)[1], "2 known")
  })
  it("can still be left, and stopped", () => {
    assert.deepStrictEqual(play(small, pressed("q")).commands, [{ _tag: "Quit" }])
    assert.deepStrictEqual(play(small, pressed("ctrl-c")).commands, [{ _tag: "Quit" }])
    assert.deepStrictEqual(play(small, pressed("ctrl-z")).commands, [{ _tag: "Suspend" }])
    const writing: Msg = { _tag: "TaskStarted", task: { id: 1, label: "marking", startedAt: now, writes: true } }
    const asked = play(small, writing, pressed("q"))
    assert.deepStrictEqual(asked.commands, [])
    assert.include(screen(asked.state)[1], "q twice")
    assert.deepStrictEqual(play(asked.state, pressed("q")).commands, [{ _tag: "Quit" }])
  })
})

describe("one event", () => {
  it("opens on the first failure and comes back to the same place", () => {
    const opened = play(loaded(10), pressed("j", "j", "enter")).state
    assert.strictEqual(topScreen(opened)._tag, "Event")
    assert.isTrue(screen(opened).some((line) => line.startsWith("›") && line.includes("Webhook URL")))
    const back = play(opened, pressed("escape")).state
    assert.strictEqual(cursorAt(back), 2)
  })
  it("folds and unfolds, and goes from failure to failure", () => {
    const opened = play(loaded(10), pressed("j", "j", "enter")).state
    assert.isFalse(screen(play(opened, pressed("h")).state).some((line) => line.includes("Step queued")))
    assert.strictEqual(cursorAt(play(opened, pressed("g", "g", "n")).state), 1)
  })
  it("shows the payload with search", () => {
    const text = play(loaded(3), pressed("enter", "p", "/", "c", "h", "e", "c", "k", "enter")).state
    const top = topScreen(text)
    assert(top._tag === "Text")
    assert.include(top.lines[top.cursor.at], "check")
  })
  it("refuses to trigger on a live connection and reports why", () => {
    const live = { ...loaded(3), connection: { ...loaded(3).connection, kind: "live" as const } }
    const { state, commands } = play(live, pressed("enter", "T"))
    assert.include(state.notice?.text, "only the demo has")
    assert.strictEqual(commands.length, 0)
  })
})

describe("a paste", () => {
  it("is text in a field and never a command", () => {
    const state = update(loaded(3), { _tag: "Paste", text: "q" }, now)
    assert.strictEqual(state.commands.length, 0)
    const typed = play(loaded(3), pressed(":"), { _tag: "Paste", text: "the\nme" }).state
    assert(typed.overlay?._tag === "Palette")
    assert.deepStrictEqual(typed.overlay.field.graphemes.join(""), "the me")
  })
})

describe("the palette", () => {
  it("runs an action by name, by key and by word with an argument", () => {
    assert.strictEqual(play(loaded(3), pressed(":", "q", "u", "i", "t", "enter")).commands[0]?._tag, "Quit")
    const theme = play(loaded(3), pressed(":", ..."theme", "space", ..."li", "enter")).state
    assert.strictEqual(theme.settings.theme, "light")
    const refused = play(loaded(3), pressed(":", ..."theme", "space", ..."pink", "enter")).state
    assert.include(refused.notice?.text, "dark, light, contrast, colour-blind")
  })
  it("reports why an action cannot be done now", () => {
    const state = play(loaded(3), pressed(":", ..."show", "space", ..."new", "enter")).state
    assert.include(state.notice?.text, "no new events")
  })
})
