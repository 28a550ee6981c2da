import { assert, describe, it } from "@effect/vitest"
import { loaded, play, pressed, screen } from "../../test/Sample.ts"
import { momentOf, stampOf } from "./Times.ts"

const size = { columns: 120, rows: 40 }

const typed = (words: string) => pressed(":", ...Array.from(words, (one) => (one === " " ? "space" : one)), "enter")

const inZone = (words: string) => play(loaded(3, size), typed(words)).state

const text = (state: Parameters<typeof screen>[0]) => screen(state).join("\n")

describe("the time zone of the screens", () => {
  it("is UTC until :tz names another", () => {
    const before = text(loaded(3, size))
    assert.include(before, "12:41:07Z")
    const after = text(inZone("tz America/St_Johns"))
    assert.include(after, "times are in America/St_Johns (-03:30)")
    assert.include(after, "  -03:30")
    assert.include(after, "as of 09:11:07-03:30")
    assert.notMatch(after, /\b12:4\d/u)
    assert.include(text(play(inZone("tz America/St_Johns"), typed("tz UTC")).state), "as of 12:41:07Z")
  })

  it("keeps copies and reports in UTC", () => {
    const state = inZone("tz America/St_Johns")
    const inUtc = play(loaded(3, size), pressed("y", "y"))
    assert.deepStrictEqual(play(state, pressed("y", "y")).commands, inUtc.commands)
    const history = play(state, pressed("H")).state.screens.at(-1)
    assert(history === undefined || history._tag !== "Text" || history.text.includes("Z  "))
  })

  it("reports a name that is no time zone, and keeps the one before", () => {
    const state = inZone("tz America/St_Jons")
    assert.include(state.notice?.text, "did you mean America/St_Johns? Expected utc, local or a name")
    assert.strictEqual(state.settings.timeZone, "utc")
  })

  it("follows times and days, and returns what is no time unchanged", () => {
    const state = inZone("tz America/St_Johns")
    assert.strictEqual(stampOf(state, Date.parse("2026-11-21T00:00:00Z")), "20:30:00-03:30")
    assert.strictEqual(momentOf(state, "2026-11-20T12:00:00Z"), "20 Nov 08:30-03:30")
    assert.strictEqual(momentOf(state, "2025-11-20T12:00:00Z"), "20 Nov 2025")
    assert.strictEqual(momentOf(state, undefined), "no time")
  })
})
