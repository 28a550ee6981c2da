import { assert, describe, it } from "@effect/vitest"
import { initial, play, pressed, screen } from "../../../test/Sample.ts"
import type { Msg } from "../../state/Msg.ts"

const typed = (words: string) => pressed(":", ...Array.from(words, (one) => (one === " " ? "space" : one)), "enter")

const begin = initial({ columns: 120, rows: 24 })
const running = play({ ...begin, settings: { ...begin.settings, runsFiles: true } }, typed("run fixes.csv"))

describe("the run of a file", () => {
  it("keeps its connection when the screens change to another one, which cannot continue it", () => {
    assert.deepInclude(running.commands, { _tag: "RunFile", file: "fixes.csv" })
    const connected: Msg = { _tag: "Connected", connection: { ...begin.connection, name: "eu" }, theme: undefined }
    const paused: Msg = { _tag: "RunEnded", outcome: "paused" }
    const { commands, state } = play(play(running.state, connected, paused).state, typed("show-run"), pressed("p"))
    assert.match(screen(state).join("\n"), / connection +demo /u)
    assert.include(screen(state).join("\n"), "the run is on demo; :connect demo first")
    assert.notDeepInclude(commands, { _tag: "RunFile", file: "fixes.csv" })
  })

  it("shows that nothing was sent where the run is refused, and why", () => {
    const refused: Msg = { _tag: "RunEnded", outcome: "failed", problem: "cannot read fixes.csv: no such file" }
    const { state } = play(running.state, refused)
    const text = screen(state).join("\n")
    assert.match(text, / state +not started: nothing was sent/u)
    assert.include(text, "cannot read fixes.csv: no such file")
    assert.include(text, "fixes.csv: nothing was sent")
    assert.match(screen(state).at(-1) ?? "", /^ p start again {2}/u)
    assert.notMatch(text, /succeeded|lines|failed/u)
    assert.include(screen(play(state, pressed("p")).state).join("\n"), "running")
    // A run that has reached the service tells what it did.
    const counts = { succeeded: 2, failed: 1, unknown: 0, invalid: 0 }
    const progress = { total: 9, counts, perSecond: 1, timeLeftMs: undefined, waiting: undefined }
    const stopped = play(running.state, { _tag: "RunReported", report: { progress }, changed: [] }, refused).state
    assert.match(screen(stopped).join("\n"), / state +failed[^]* lines +3 of 9[^]* succeeded +2/u)
  })

  it("names no way to continue it later on the demo, which ends with the program", () => {
    assert.match(screen(running.state).join("\n"), / p pauses\. It ends with the demo when you quit\./u)
    const live = { ...begin, connection: { ...begin.connection, name: "eu", kind: "live" as const } }
    const there = play(
      { ...live, settings: { ...live.settings, runsFiles: true } },
      typed("run fixes.csv"),
      pressed("y")
    )
    const text = screen(there.state).join(" ").replaceAll(/ +/gu, " ")
    assert.include(text, "to continue later, :run fixes.csv or signalbox bulk resume 'fixes.csv'.")
  })
})
