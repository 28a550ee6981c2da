import { folderOfTest } from "@signalbox/testing/Folder"
import { preload } from "@signalbox/testing/Program"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { event, now } from "../Sample.ts"
import { makeConfiguration } from "./Configuration.ts"
import { page, serve, type Service } from "./Service.ts"
import { open, type Terminal } from "./Terminal.ts"

let folder: string

beforeEach(() => {
  folder = folderOfTest()
})

const key = "recorded-secret-4f7a"

const token = "device-token-77ab90ff12"

/** A read-only connection: a replay is one, too, and dims the same keys. */
const readOnly = (service: Service) =>
  makeConfiguration(`[connections.acme]\nbaseUrl = "${service.url}"\napiKeyEnv = "ACME_KEY"\nreadOnly = true\n`, {
    ACME_KEY: key
  })

/** Time stands still in the recorded session; the replay has to show that time, not its own. */
const still = preload(`Date.now = () => ${now + 300_000}; process.hrtime.bigint = () => 1n`)

/** Ends the program when it opens a socket. */
const offline = preload(
  "import { Socket } from 'node:net'; Socket.prototype.connect = () => process.exit(77); globalThis.fetch = () => process.exit(77)"
)

/** The session of an operator: keys, and the screens that they lead to. */
const session = [
  ["F", "27 events hidden by the filter"],
  ["j\r", "WHY"],
  ["p", "Can you check the numbers?"],
  ["\u001B", "n failure"],
  ["s", "not known yet"],
  ["\u001B", "n failure"],
  ["\u001B", "2/13"],
  ["1", "cause:webhook-url-missing"],
  ["0", "status:failed "],
  ["r", "+2 new, 1 hidden"],
  [".", "3/14"]
] as const

const quoted = JSON.stringify({ deviceToken: token, message: `the key ${key} was refused` })

/** Two failures quote a secret; a newer event arrives after the first pages. */
const pages = (newer: number) => {
  const events = Array.from({ length: 40 + newer }, (_, index) => {
    const one = event(index - newer, { fails: index % 3 === 1 })
    const [first, ...jobs] = one.jobs ?? []
    const quoting = first?.executionDetails.map((detail) => ({ ...detail, raw: quoted })) ?? []
    return { ...one, jobs: first === undefined ? [] : [{ ...first, executionDetails: quoting }, ...jobs] }
  })
  return JSON.stringify({ data: events, hasMore: false, page: 0, pageSize: 50 })
}

/**
 * The screens that the session shows; only the time of the header, since the rest names the connection or the replay.
 */
const screensOf = async (terminal: Terminal): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const screens: Array<ReadonlyArray<string>> = []
  for (const [keys, text] of session) {
    await terminal.press(keys)
    await terminal.shows(text)
    const asOf = /as of \S+$/u.exec(terminal.lines()[0] ?? "")?.[0] ?? ""
    screens.push([asOf, ...terminal.painted().slice(1)])
  }
  return screens
}

describe("a recording that replays to the same screens", () => {
  for (const [columns, rows] of [
    [80, 24],
    [120, 40]
  ] as const) {
    it(`in text and colour at ${columns}x${rows}, after a kill, without a socket`, async () => {
      const file = join(folder, "incident.ndjson")
      let newer = 0
      using service = await serve((response) => {
        response.writeHead(200, { "content-type": "application/json", "x-request-id": "req-4711" })
        response.end(pages(newer))
      })
      const config = readOnly(service)
      using live = open({
        columns,
        rows,
        args: ["--connection", "acme"],
        environment: { ...config.environment, ...still }
      })
      await live.idle()
      await live.press(`:record ${file}\r`)
      await live.shows(`recording to ${file.slice(0, 40)}`)
      await live.shows("[REC 1]")
      newer = 2
      const recorded = await screensOf(live)
      assert.include(live.lines()[0], "[REC 2]")
      live.kill("SIGKILL")
      await live.ended

      const content = readFileSync(file, "utf8")
      for (const secret of [key, token, service.url.replace("http", "ApiKey")]) assert.notInclude(content, secret)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const sent = service.received.length

      using replay = open({ columns, rows, flags: ["--replay", file], environment: offline })
      await replay.idle()
      assert.include(replay.lines()[0], "[REPLAY acme]")
      assert.include(replay.text(), "replay of acme, recorded 2026-11-21 12:46:07Z: 2 exchanges")
      assert.deepStrictEqual(await screensOf(replay), recorded)
      // A page that it did not record, and an action that would change something.
      await replay.press("\rr")
      await replay.shows("not in the recording: GET")
      await replay.press("\u001Bc")
      assert.include(replay.text(), "a replay is read-only")
      replay.send("q")
      assert.strictEqual((await replay.ended).exitCode, 0)
      assert.strictEqual(service.received.length, sent)
    })
  }
})

describe("a recording", () => {
  it("keeps a file that exists, reports where it cannot write, masks, and ends with its connection", async () => {
    const file = join(folder, "recording.ndjson")
    writeFileSync(file, "precious")
    using service = await serve(page(3))
    const config = readOnly(service)
    using terminal = open({ columns: 120, flags: ["--connection", "acme", "--mask"], environment: config.environment })
    await terminal.idle()
    await terminal.press(`:record ${join(folder, "missing", "a")}\r`)
    await terminal.shows("(ENOENT)")
    await terminal.press(`:record ${file}\r`)
    await terminal.shows("[REC 1]")
    assert.strictEqual(readFileSync(file, "utf8"), "precious")
    const recorded = readdirSync(folder).filter((name) => name.startsWith("recording-"))
    assert.lengthOf(recorded, 1)
    assert.notInclude(readFileSync(join(folder, recorded[0] ?? ""), "utf8"), "Ruiz")
    await terminal.press(`:record ${join(folder, "other")}\r`)
    assert.include(terminal.text(), "already recording to")
    assert.isFalse(existsSync(join(folder, "other")))
    await terminal.press(":connect demo\r")
    await terminal.shows("The recording of acme will end. Leave now?")
    await terminal.press("y")
    await terminal.shows("recording stopped, the connection has changed; 1 exchange recorded in")
    assert.notInclude(terminal.lines()[0], "REC")
  })
})
