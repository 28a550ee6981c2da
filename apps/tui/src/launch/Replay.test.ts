import { folderOfSuite } from "@signalbox/testing/Folder"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Events } from "@signalbox/core/Events"
import { assert, describe, it } from "@effect/vitest"
import { formatExchange, formatStart } from "../recording/Recording.ts"
import { now } from "../../test/Sample.ts"
import { openReplay } from "./Replay.ts"

const folder = folderOfSuite()

let files = 0

const written = (content: string): string => {
  files += 1
  const file = join(folder, `${files}-recording.ndjson`)
  writeFileSync(file, content)
  return file
}

const head = formatStart({
  startedAt: now,
  connection: "acme",
  baseUrl: "https://api.example.com",
  filter: "status:failed",
  events: 120,
  masked: true
})

const exchange = formatExchange({
  at: 5,
  ms: 95,
  request: { method: "GET", target: "/v1/notifications?page=0&limit=50" },
  outcome: { _tag: "Response", status: 200, headers: {}, text: '{"data":[],"hasMore":false,"page":0,"pageSize":50}' }
})

describe("openReplay", () => {
  it("opens a read-only session that has the clock, the filter and the masking of the recording", async () => {
    const chosen = openReplay(written(head + exchange + exchange.slice(0, 30)))
    assert(chosen._tag === "Chosen")
    const { replay, session } = chosen
    assert.deepInclude(session.info, { name: "acme", kind: "replay", readOnly: true, choices: [] })
    assert.deepInclude(replay, { filter: "status:failed", events: 120, masked: true })
    assert.strictEqual(
      replay?.notice,
      "replay of acme, recorded 2026-11-21 12:41:07Z: 1 exchange; the file ends in the middle of an exchange, which is left out"
    )
    assert.strictEqual(replay?.now(), now)
    const page = await session.runtime.runPromise(Events.use((events) => events.list({ page: 0, limit: 50 })))
    assert.isEmpty(page.data)
    assert.strictEqual(replay?.now(), now + 100)
    await session.runtime.dispose()
  })
  it("reports in one line what is wrong with a file", () => {
    for (const [file, problem] of [
      [join(folder, "missing"), "the recording cannot be read: ENOENT"],
      [folder, "the recording cannot be read: EISDIR"],
      [written(""), "recording.ndjson: not a recording"],
      [written('{"_id":"65f0"}\n'), "recording.ndjson: not a recording"],
      [written(head.replace('"version":1', '"version":9')), "a recording of version 9; this program reads version 1"],
      [written(`${head}{}\n${exchange}`), "line 2 is not an exchange of a recording"]
    ] as const) {
      const chosen = openReplay(file)
      assert(chosen._tag === "Refused")
      assert.include(chosen.message, problem)
      assert.notInclude(chosen.message, "\n")
    }
  })
})
