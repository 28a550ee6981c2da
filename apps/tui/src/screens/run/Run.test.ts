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
})
