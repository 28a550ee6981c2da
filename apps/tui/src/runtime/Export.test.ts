import { folderOfTest } from "@signalbox/testing/Folder"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { event, loaded, play, pressed, screen } from "../../test/Sample.ts"
import type { Msg } from "../state/Msg.ts"
import { makeHost } from "./Host.ts"
import { makeRunner } from "./Runner.ts"
import { demoSession } from "./Session.ts"

let folder: string

beforeEach(() => {
  folder = folderOfTest()
})

const events = Array.from({ length: 1_050 }, (_, index) => event(index))

/** Runs an export; `seen` gets every message, and resolves when the task has ended. */
const exporting = (name: string, seen: (message: Msg, stop: () => void) => void): Promise<ReadonlyArray<Msg>> =>
  new Promise((resolve) => {
    const messages: Array<Msg> = []
    const host = makeHost({
      environment: {},
      write: () => {},
      suspendTerminal: () => undefined,
      leave: () => {},
      redraw: () => {}
    })
    const session = demoSession({ choices: [] })
    const runner = makeRunner({
      session,
      host,
      now: Date.now,
      isMasked: () => false,
      connect: () => Effect.succeed(session),
      dispatch: (message) => {
        messages.push(message)
        seen(message, () => runner.run({ _tag: "StopReading" }))
        if (message._tag === "TaskEnded") resolve(runner.close().then(() => messages))
      }
    })
    runner.run({ _tag: "ExportEvents", name, events })
  })

const noticesOf = (messages: ReadonlyArray<Msg>) =>
  messages.flatMap((message) => (message._tag === "Noticed" ? [message.notice.text] : []))

describe("an export", () => {
  it("prompts for a name, and saves under another one", () => {
    const asked = play(loaded(5), pressed("e")).state
    assert.include(screen(asked).join("\n"), "save as: signalbox-events.ndjson")
    assert.include(screen(asked).join("\n"), "5 events as NDJSON without secrets")
    const { commands } = play(asked, ...Array.from({ length: 30 }, () => pressed("backspace")))
    assert.deepStrictEqual(commands, [])
    const [command] = play(loaded(5), pressed(":", ..."export mine.ndjson", "enter")).commands
    assert(command?._tag === "ExportEvents")
    assert.strictEqual(command.name, "mine.ndjson")
  })
  it("writes every event, reports how far it is, and how it ended", async () => {
    const name = join(folder, "events.ndjson")
    const messages = await exporting(name, () => {})
    const lines = readFileSync(name, "utf8").trimEnd().split("\n")
    assert.deepStrictEqual(
      lines.map((line) => JSON.parse(line)._id),
      events.map(({ _id }) => _id)
    )
    assert.strictEqual(statSync(name).mode & 0o777, 0o600)
    const progress = messages.flatMap((message) => (message._tag === "TaskProgressed" ? [message.progress] : []))
    assert.strictEqual(progress[0], "100 of 1050")
    assert.strictEqual(progress.at(-1), "1050 of 1050")
    assert.deepStrictEqual(noticesOf(messages), [`1050 events saved as ${name}`])
  })
  it("stops, and leaves no part of a file behind", async () => {
    const name = join(folder, "events.ndjson")
    const messages = await exporting(name, (message, stop) => {
      if (message._tag === "TaskProgressed" && message.progress.startsWith("300")) stop()
    })
    assert.deepStrictEqual(readdirSync(folder), [])
    assert.isTrue(noticesOf(messages).some((text) => text.startsWith("export stopped")))
  })
  it("never overwrites a file, and reports why it could not save", async () => {
    const name = join(folder, "events.ndjson")
    await exporting(name, () => {})
    await exporting(name, () => {})
    assert.lengthOf(readdirSync(folder), 2)
    const messages = await exporting(join(folder, "missing", "events.ndjson"), () => {})
    const path = join(folder, "missing", "events.ndjson")
    assert.deepStrictEqual(noticesOf(messages), [`not saved: ${path}: no such file or directory (ENOENT)`])
  })
})
