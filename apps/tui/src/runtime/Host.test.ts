import { folderOfTest } from "@signalbox/testing/Folder"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { shellWord } from "@signalbox/operator/report/Curl"
import { savedFile } from "../state/Command.ts"
import { copyLimit } from "./Osc52.ts"
import { type Host, makeHost } from "./Host.ts"
import type { Notice } from "../state/Feedback.ts"

let folder: string

beforeEach(() => {
  folder = folderOfTest()
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

const copied = (machine: Host, text: string, what: string): Notice | undefined => {
  let notice: Notice | undefined
  machine.copy(text, what, (given) => {
    notice = given
  })
  return notice
}

/** A folder with a `tmux` that keeps what it reads, or fails. */
const tmux = (code: number): string => {
  writeFileSync(
    join(folder, "tmux"),
    `#!/bin/sh\ncat > "${join(folder, "buffer")}"; echo "$@" > "${join(folder, "args")}"; exit ${code}\n`,
    { mode: 0o755 }
  )
  return folder
}

const inTmux = (code: number, written: Array<string>): Promise<Notice> => {
  const path = process.env["PATH"]
  process.env["PATH"] = `${tmux(code)}:${path}`
  return new Promise<Notice>((resolve) =>
    host({ TMUX: "/run/tmux/default,1,0" }, written).copy("é", "id", resolve)
  ).finally(() => {
    process.env["PATH"] = path
  })
}

describe("copy", () => {
  it("reports copied in tmux only when tmux accepted it", async () => {
    const written: Array<string> = []
    assert.strictEqual((await inTmux(0, written)).text, "id copied with tmux (2 bytes)")
    assert.strictEqual(seen("buffer"), "é")
    assert.strictEqual(seen("args").trim(), "load-buffer -w -")
    assert.deepStrictEqual(written, [])
  })

  it("falls back to the terminal where tmux does not take it", async () => {
    const written: Array<string> = []
    assert.include((await inTmux(1, written)).text, "sent to the terminal's clipboard")
    assert.lengthOf(written, 1)
  })

  it("writes the sequence and reports how much", () => {
    const written: Array<string> = []
    assert.deepStrictEqual(copied(host({}, written), "é", "id"), {
      text: "id sent to the terminal's clipboard (2 bytes); :copied shows it",
      tone: "ok"
    })
    assert.deepStrictEqual(written, ["\u001b]52;c;w6k=\u0007"])
  })

  it("writes nothing when the text is too large", () => {
    const written: Array<string> = []
    assert.strictEqual(copied(host({}, written), "x".repeat(copyLimit + 1), "JSON")?.tone, "warning")
    assert.deepStrictEqual(written, [])
  })
})

describe("save", () => {
  it("makes a new file that only its owner can read", () => {
    const notice = host().save(join(folder, "events.ndjson"), "text\n", "2 events")
    const name = "events.ndjson"
    assert.deepStrictEqual(notice, { text: `2 events saved as ${join(folder, name)}`, tone: "ok" })
    assert.strictEqual(readFileSync(join(folder, name), "utf8"), "text\n")
    assert.strictEqual(statSync(join(folder, name)).mode & 0o777, 0o600)
  })

  it("names the file in the command that uses it, also where its name was taken", () => {
    const what = `3 subscribers: :run ${savedFile}, or run import '${savedFile}';`
    const name = join(folder, "it's.csv")
    const [first = "", second = ""] = [1, 2].map(() => host().save(name, "text\n", what).text)
    assert.strictEqual(first, `3 subscribers: :run ${name}, or run import ${shellWord(name)}; saved as ${name}`)
    const [, path = ""] = / saved as (.*)$/u.exec(second) ?? []
    const file = relative("", path)
    assert.notStrictEqual(path, name)
    assert.strictEqual(second, `3 subscribers: :run ${file}, or run import ${shellWord(file)}; saved as ${path}`)
  })

  it("never overwrites a file: the next one has the time in its name", () => {
    host().save(join(folder, "events.ndjson"), "first\n", "2 events")
    host().save(join(folder, "events.ndjson"), "second\n", "2 events")
    assert.strictEqual(readFileSync(join(folder, "events.ndjson"), "utf8"), "first\n")
    const other = readdirSync(folder).find((name) => name !== "events.ndjson") ?? ""
    assert.match(other, /^events-\d{4}-\d\d-\d\dT[\d-]+Z\.ndjson$/u)
    assert.strictEqual(readFileSync(join(folder, other), "utf8"), "second\n")
  })

  it("reports why it could not", () => {
    const notice = host().save(join(folder, "missing", "events.ndjson"), "", "events")
    assert.strictEqual(notice.tone, "failed")
    assert.include(notice.text, "no such file or directory (ENOENT)")
  })
})

describe("page", () => {
  it("shows the pager a clean private copy and takes it away afterwards", async () => {
    await paged("one\u001b[2J\ntwo", pager())
    assert.strictEqual(seen("seen"), "one^[[2J\ntwo")
    assert.strictEqual(seen("mode"), "-rw-------")
    assert.isFalse(existsSync(seen("place")))
  })

  it("reports that the pager did not run", async () => {
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
