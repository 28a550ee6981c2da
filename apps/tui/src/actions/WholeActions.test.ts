import { assert, describe, it } from "@effect/vitest"
import { event, initial, loaded, page, play, pressed, screen } from "../../test/Sample.ts"
import { topScreen } from "../state/ScreenStack.ts"
import type { State } from "../state/State.ts"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"

const small = { columns: 60, rows: 15 }

const hook = "https://hooks.example.test/services/T0/B0/secretpart"

const text = (state: State) => {
  const top = topScreen(state)
  assert(top._tag === "Text")
  return top.lines.join("\n")
}

const words = (shown: string) => shown.replaceAll(/\s+/gu, " ")

describe("what a small terminal cuts", () => {
  it("of the form: all that changes and the whole request, its secrets hidden", () => {
    const form = play(loaded(5, small), pressed("j", "j", "c"), { _tag: "Paste", text: hook }, pressed("ctrl-v")).state
    assert.isTrue(screen(form).some((line) => line.includes("more lines, ctrl-t shows all")))
    const shown = text(play(form, pressed("ctrl-t")).state)
    for (const part of [
      "WHAT CHANGES",
      "PATCH /v1/subscribers/u_10002/credentials",
      '"providerId": "slack"',
      "****part"
    ])
      assert.include(shown, part)
    assert.notInclude(shown, "secretpart")
    assert.strictEqual(topScreen(play(form, pressed("ctrl-t", "escape")).state)._tag, "Credentials")
  })
  it("of an event: its cause and the next step to their ends", () => {
    const opened = play(loaded(5, small), pressed("j", "j", "enter")).state
    assert.isTrue(screen(opened).some((line) => line.includes(", z shows all")))
    const top = topScreen(opened)
    assert(top._tag === "Event")
    const { cause = "no cause", advice = "no next step" } = diagnose(top.event) ?? {}
    const shown = words(text(play(opened, pressed("z")).state))
    assert.include(shown, cause)
    assert.include(shown, advice)
    assert.include(words(text(play(loaded(5, small), pressed("j", "j", "z")).state)), advice)
  })
  it("of the event next to the list, where many steps leave no room for its cause", () => {
    const base = event(2, { fails: true })
    const jobs = Array.from({ length: 30 }, (_, at) => Object.assign({}, base.jobs?.[1], { _id: `job-${at}` }))
    const list = play(initial({ columns: 120, rows: 40 }), page([{ ...base, jobs }])).state
    assert.isTrue(screen(list).some((line) => /… \d+ more lines, z shows all/u.test(line)))
    const { advice = "no next step" } = diagnose({ ...base, jobs }) ?? {}
    assert.include(words(text(play(list, pressed("z")).state)), advice)
  })
  it("of a message: all that is known of it", () => {
    const list = play(loaded(5, small), pressed("m"), { _tag: "Paste", text: "65f0a1b2c3d4e5f6a7b8c9d0" }).state
    assert.include(text(play(list, pressed("z")).state), "65f0a1b2c3d4e5f6a7b8c9d0")
  })
  it("is nothing where nothing is under the cursor", () => {
    const empty = play(loaded(5, small), pressed("m")).state
    assert.include(play(empty, pressed("z")).state.notice?.text, "nothing under the cursor")
  })
  it("is read at any size", () => {
    for (const columns of [60, 80, 200]) {
      const opened = play(loaded(5, { columns, rows: 15 }), pressed("j", "j", "enter", "z")).state
      for (const line of text(opened).split("\n")) assert.isAtMost(line.length, columns - 5)
    }
  })
})
