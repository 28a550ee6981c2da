import { assert, describe, it } from "@effect/vitest"
import { event } from "../Sample.ts"
import { serve } from "./Service.ts"
import { open, type Terminal } from "./Terminal.ts"

/** `home, erase down`, and erases of everything: they make a terminal flicker. */
const fullErases = ["\u001B[H\u001B[J", "\u001B[H\u001B[0J", "\u001B[1;1H\u001B[J", "\u001B[2J", "\u001B[3J"]

/** The output since the last call, without the reports to the test. */
const drawn = (terminal: Terminal): string =>
  terminal
    .taken()
    .split("\u001B]7747;idle;")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("\u001B\\") + 2)))
    .join("")

const press = async (terminal: Terminal, keys: string): Promise<number> => {
  drawn(terminal)
  await terminal.press(keys)
  return Buffer.byteLength(drawn(terminal))
}

/** The bytes drawn by each of `moves` key presses: eight down, then eight up, and so on. */
const bytesOfMoves = async (terminal: Terminal, moves: number): Promise<ReadonlyArray<number>> => {
  const bytes: Array<number> = []
  for (let move = 0; move < moves; move += 1) {
    bytes.push(await press(terminal, Math.floor(move / 8) % 2 === 0 ? "j" : "k"))
  }
  return bytes
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

describe("the theme", () => {
  it.each([
    ["light", "ffff/ffff/ffff", "48;5;254"],
    ["dark", "0000/0000/0000", "48;5;236"]
  ])("is %s on a terminal that reports such a background", async (_, background, selection) => {
    using terminal = open({ background })
    await terminal.idle()
    assert.include(terminal.painted().join("\n"), selection)
    await terminal.press("j")
    assert.notInclude(terminal.text(), "rgb:")
  })
})

describe("what is written to the terminal", () => {
  for (const [columns, rows, limit] of [
    [80, 24, 1_000],
    [60, 15, 1_000],
    // With the preview repainting.
    [100, 40, 3_000],
    [120, 40, 3_000],
    [200, 60, 3_500]
  ] as const) {
    it(`is at most ${limit} bytes for a move of the selection at ${columns}x${rows}`, async () => {
      using terminal = open({ columns, rows })
      await terminal.idle()
      assert.isAtMost(median(await bytesOfMoves(terminal, 24)), limit)
    })
  }
  it("is nothing for a key that changes nothing", async () => {
    using terminal = open()
    await terminal.idle()
    assert.isAbove(await press(terminal, "j"), 0)
    // A key without an action says so, once.
    assert.isAbove(await press(terminal, "Z"), 0)
    assert.strictEqual(await press(terminal, "Z"), 0)
    assert.isAbove(await press(terminal, "\u001B"), 0)
    assert.strictEqual(await press(terminal, "\u001B"), 0)
    assert.strictEqual(await press(terminal, "jjkk"), 0)
  })
  it("never erases the whole screen, wherever the keys lead", async () => {
    using terminal = open({ columns: 120, rows: 40 })
    await terminal.idle()
    terminal.taken()
    for (const keys of [
      "jjj",
      "\r",
      "nn",
      "p",
      "/o\r",
      "\u001B",
      "\u001B",
      "s",
      "\u001B",
      "c",
      "\u001B",
      "?",
      "\u001B"
    ]) {
      await terminal.press(keys)
    }
    await terminal.press(":theme light\r")
    await terminal.press("F")
    await terminal.press("G")
    const written = terminal.taken()
    for (const sequence of fullErases) assert.notInclude(written, sequence)
  })
  it("comes back with ctrl-l after another program has written over it, also under a prompt", async () => {
    using terminal = open()
    await terminal.idle()
    for (const keys of ["jj", "/"]) {
      await terminal.press(keys)
      const before = terminal.text()
      await terminal.scribble("\u001B[2;8r\u001B[5;1HBroadcast message\r\nfrom root\r\n\n\n\n\n\u001B[31m")
      assert.notStrictEqual(terminal.text(), before)
      await terminal.press("\u000C")
      assert.strictEqual(terminal.text(), before)
      await terminal.press("\u001B")
      assert.include(terminal.lines()[0], "SIGNALBOX")
      assert.include(terminal.lines()[23], "help")
    }
  })
  it("is nothing of the sequences in what the service answers, on any screen", async () => {
    const evil = "\u001B[8;44mx\u001B]8;;http://evil.test\u0007y\u009B2J"
    const base = event(1, { fails: true, name: evil })
    const record = {
      ...base,
      severity: evil,
      tags: [evil],
      transactionId: evil,
      payload: { [evil]: evil },
      subscriber: { subscriberId: evil, _id: "i", firstName: evil },
      jobs: Array.from(base.jobs ?? [], (job) => Object.assign({}, job, { status: evil, providerId: evil, type: evil }))
    }
    using service = await serve((response) =>
      response.end(JSON.stringify({ data: [record, event(2)], hasMore: false, page: 0, pageSize: 50 }))
    )
    for (const columns of [100, 200]) {
      using terminal = open({
        columns,
        rows: 15,
        environment: { SIGNALBOX_API_KEY: "key", SIGNALBOX_BASE_URL: service.url }
      })
      await terminal.idle()
      assert.include(terminal.text(), "^[[8;44mx")
      for (const keys of ["\r", "\r", "J", "\u001B", "\u001B", "s", "\u001B", "m", "\u001B", "c"]) {
        await terminal.press(keys)
      }
      const written = terminal.taken()
      for (const sequence of ["\u001B]8", "\u009B"]) assert.notInclude(written, sequence)
      // oxlint-disable-next-line no-control-regex -- concealed text, or text on blue
      assert.notMatch(written, /\u001B\[(?:\d+;)*(?:8|44)(?:;\d+)*m/u)
    }
  })
  it("fills the screen, also with rows that are empty", async () => {
    using terminal = open()
    await terminal.idle()
    for (const keys of ["", "jr", "j", "j", "j", "j", "j"]) {
      await terminal.press(keys)
      assert.include(terminal.lines()[0], "SIGNALBOX")
      assert.include(terminal.lines()[23], "help")
    }
  })
})
