import { assert, describe, it } from "@effect/vitest"
import { initial, loaded, now, play, pressed, screen } from "../../test/Sample.ts"
import type { State } from "../state/State.ts"

const typed = (state: State, command: string) => play(state, pressed(":", ...command, "enter"))

const started = { _tag: "RecordingStarted", path: "/data/a.ndjson", startedAt: now } as const

const recording = () => play(loaded(120), started, { _tag: "RecordingGrew", exchanges: 3 })

const noticeOf = ({ notice }: State) => notice?.text ?? ""

describe(":record", () => {
  it("prompts for a file name, and reports what stays readable", () => {
    const { commands, state } = typed(loaded(5), "record")
    assert.deepStrictEqual(commands, [])
    assert.include(screen(state).join("\n"), "record to: signalbox-recording.ndjson")
    assert.include(screen(state).join("\n"), "without secrets; names, addresses and payloads stay readable")
    const [command] = play(state, pressed("enter")).commands
    assert.deepInclude(command, { _tag: "StartRecording", name: "signalbox-recording.ndjson" })
  })
  it("starts with the connection, the filter and the size of the list", () => {
    const filtered = play(loaded(120), pressed("F")).state
    const [command] = typed(filtered, "record mine.ndjson").commands
    assert.deepStrictEqual(command, {
      _tag: "StartRecording",
      name: "mine.ndjson",
      start: {
        connection: "demo",
        baseUrl: "http://signalbox.test",
        filter: "status:failed",
        events: 120,
        masked: false
      }
    })
  })
  it("reads the whole list again, at the time that it starts", () => {
    const { commands, state } = play(loaded(120), { ...started, startedAt: now - 5 })
    assert.lengthOf(commands, 1)
    assert.deepInclude(commands[0], { _tag: "LoadEvents", mode: "first", page: 0 })
    const [list] = state.screens
    assert(list?._tag === "Events")
    assert.deepStrictEqual(list.readAhead, { purpose: "start", pagesLeft: 3, until: 120 })
  })
  it("shows in the header how much is recorded, until it ends", () => {
    const { state } = recording()
    assert.include(screen(state)[0], "[DEMO] [REC 3]")
    const [command] = typed(state, "record stop").commands
    assert.deepStrictEqual(command, { _tag: "StopRecording" })
    assert.deepStrictEqual(typed(state, "record").commands, [{ _tag: "StopRecording" }])
    const ended = play(state, { _tag: "RecordingEnded", path: "/data/a.ndjson", exchanges: 3 }).state
    assert.notInclude(screen(ended)[0], "REC")
    assert.strictEqual(noticeOf(ended), "recording ended: 3 exchanges recorded in /data/a.ndjson")
  })
  it("reports why a recording ended by itself", () => {
    const ended = play(recording().state, { _tag: "RecordingEnded", path: "/a", exchanges: 1, why: "ENOSPC" }).state
    assert.strictEqual(noticeOf(ended), "recording stopped, ENOSPC; 1 exchange recorded in /a")
  })
  it("refuses a second file, stopping nothing, and while the list is read", () => {
    assert.include(noticeOf(typed(recording().state, "record other").state), "already recording to /data/a.ndjson")
    assert.include(noticeOf(typed(loaded(5), "record stop").state), "nothing is being recorded")
    const reading = play(initial(), pressed("r")).state
    assert.include(noticeOf(typed(reading, "record a").state), "the list is being read")
  })
})

describe("a replay", () => {
  const replay = (): State => {
    const state = loaded(5)
    const connection = { ...state.connection, name: "acme", kind: "replay", file: "/data/a b", readOnly: true } as const
    return { ...state, connection }
  }
  it("is read-only, has no other connection and cannot be recorded", () => {
    assert.include(screen(replay())[0], "[REPLAY acme]")
    assert.strictEqual(noticeOf(typed(replay(), "connect demo").state), "connect: a replay has no other connection")
    assert.strictEqual(noticeOf(typed(replay(), "record a").state), "record: this is a replay already")
    assert.strictEqual(noticeOf(play(replay(), pressed("j", "j", "c")).state), "fix credentials: a replay is read-only")
  })
  it("names its file in the command that opens the view", () => {
    const [command] = play(replay(), pressed("Y")).commands
    assert.deepInclude(command, { _tag: "Copy", text: "signalbox ui --replay '/data/a b'" })
  })
})
