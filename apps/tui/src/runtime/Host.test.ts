import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { copyLimit } from "./Osc52.ts"
import { makeHost } from "./Host.ts"
import type { Notice } from "../state/Feedback.ts"

let folder = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-test-"))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const host = (environment: Readonly<Record<string, string>> = {}, written: Array<string> = []) =>
  makeHost({
    environment,
    write: (text) => written.push(text),
    suspendTerminal: () => (whileAway) => whileAway(),
    leave: () => {},
    redraw: () => {}
  })

/** A pager that keeps what it is given, and where it lay. */
const pager = (exit = "") => {
  const script = join(folder, "pager.sh")
  writeFileSync(
    script,
    `cp "$2" "${folder}/seen"; echo "$2" > "${folder}/place"; ls -l "$2" | cut -c 1-10 > "${folder}/mode"\n${exit}`
  )
  return `sh ${script}  -flag`
}

const paged = (text: string, command: string) =>
  new Promise<Notice | undefined>((resolve) => {
    const given = makeHost({
      environment: { PAGER: command },
      write: () => {},
      suspendTerminal: () => async (whileAway) => {
        await whileAway()
        resolve(undefined)
      },
      leave: () => {},
      redraw: () => {}
    })
    given.page(text, resolve)
  })

const seen = (name: string) => readFileSync(join(folder, name), "utf8").trimEnd()

describe("copy", () => {
  it("writes the sequence and says how much", () => {
    const written: Array<string> = []
    assert.deepStrictEqual(host({}, written).copy("é", "id"), { text: "id copied (2 bytes, OSC 52)", tone: "ok" })
    assert.deepStrictEqual(written, ["\u001b]52;c;w6k=\u0007"])
  })

  it("writes nothing when the text is too large", () => {
    const written: Array<string> = []
    assert.strictEqual(host({}, written).copy("x".repeat(copyLimit + 1), "JSON").tone, "warning")
    assert.deepStrictEqual(written, [])
  })
})

describe("save", () => {
  it("makes a new file that only its owner can read", () => {
    const notice = host().save(join(folder, "events.ndjson"), "text\n", "2 events")
    const [name = ""] = readdirSync(folder)
    assert.match(name, /^events-\d{4}-\d\d-\d\dT[\d-]+Z\.ndjson$/u)
    assert.deepStrictEqual(notice, { text: `2 events saved as ${join(folder, name)}`, tone: "ok" })
    assert.strictEqual(readFileSync(join(folder, name), "utf8"), "text\n")
    assert.strictEqual(statSync(join(folder, name)).mode & 0o777, 0o600)
  })

  it("says why it could not", () => {
    const notice = host().save(join(folder, "missing", "events.ndjson"), "", "events")
    assert.strictEqual(notice.tone, "failed")
    assert.include(notice.text, "not saved: ENOENT")
  })
})

describe("page", () => {
  it("shows the pager a clean private copy and takes it away afterwards", async () => {
    await paged("one\u001b[2J\ntwo", pager())
    assert.strictEqual(seen("seen"), "one^[[2J\ntwo")
    assert.strictEqual(seen("mode"), "-rw-------")
    assert.isFalse(existsSync(seen("place")))
  })

  it("says that the pager did not run", async () => {
    const notice = await paged("text", "/no/such/pager")
    assert.strictEqual(notice?.tone, "failed")
    assert.include(notice?.text, "the pager /no/such/pager did not run: spawn /no/such/pager ENOENT")
  })

  it("leaves nothing behind when the terminal cannot be left", () => {
    const notices: Array<Notice> = []
    const given = makeHost({
      environment: {},
      write: () => {},
      suspendTerminal: () => undefined,
      leave: () => {},
      redraw: () => {}
    })
    given.page("text", (notice) => notices.push(notice))
    assert.deepStrictEqual(notices, [])
  })
})
