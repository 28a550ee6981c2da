import { assert, describe, it } from "@effect/vitest"
import { event, initial, loaded, page, play, pressed } from "../../test/Sample.ts"
import type { State } from "../state/State.ts"
import { safe } from "@signalbox/operator/text/Safe"
import { width } from "@signalbox/operator/text/Width"
import { plain } from "../view/Row.ts"
import { render } from "./View.ts"

const assertFills = (state: State) => {
  const rows = render(state)
  assert.strictEqual(rows.length, state.size.rows)
  for (const row of rows) assert.strictEqual(width(plain(row)), state.size.columns, plain(row))
}

const hostile = "\u001B[31mred\u001B]0;title\u0007 a\nb\u202Egnp.exe\u200B 👩‍👩‍👧 注文 \u0301\u009B"

const hostileEvent = () => {
  const base = event(1, { fails: true, name: hostile })
  const jobs = Array.from(base.jobs ?? [], (job) =>
    Object.assign({}, job, {
      status: hostile,
      executionDetails: Array.from(job.executionDetails, (detail) =>
        Object.assign({}, detail, { detail: hostile, raw: hostile })
      )
    })
  )
  return {
    ...base,
    transactionId: hostile,
    payload: { [hostile]: hostile, big: "x".repeat(1_000_000) },
    subscriber: { subscriberId: hostile, _id: "i", firstName: hostile },
    tags: [hostile],
    jobs
  }
}

/** The record with every text in it poisoned, those that the screens compute with left out. */
const poisoned = (value: unknown, field = ""): unknown => {
  if (typeof value === "string") return /^(?:createdAt|updatedAt|_id)$/u.test(field) ? value : `${value}${hostile}`
  if (Array.isArray(value)) return value.map((part) => poisoned(part, field))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, poisoned(part, name)]))
}

// oxlint-disable-next-line no-control-regex -- the control characters are what must not be there
const unsafe = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u200B]/u

const small = { columns: 60, rows: 15 }

const textOf = (state: State) =>
  render(state)
    .map((line) => plain(line).trim())
    .join(" ")

describe("render", () => {
  it("fills the terminal exactly, on every screen and at odd sizes", () => {
    const ways = [[], ["enter"], ["s"], ["m"], ["c"], ["p"], ["J"], ["?"], [":"], ["/"], ["V", "j"]]
    for (const columns of [60, 61, 79, 109, 110, 111, 200]) {
      for (const rows of [15, 16, 25, 60]) {
        for (const way of ways) assertFills(play(loaded(60, { columns, rows }), pressed("j", "j", ...way)).state)
      }
    }
  })
  it("fills the terminal before anything is loaded and when nothing is there", () => {
    assertFills(initial())
    assertFills(play(initial(), page([])).state)
  })
  it("requires a larger terminal in one line, at any size", () => {
    for (const [columns, rows] of [
      [59, 15],
      [60, 14],
      [10, 3],
      [1, 1]
    ] as const) {
      assertFills({ ...initial(), size: { columns, rows } })
    }
    assert.include(plain(render({ ...initial(), size: { columns: 59, rows: 20 } })[0] ?? { spans: [] }), "needs 60x15")
    const narrow = render({ ...initial(), size: { columns: 20, rows: 5 } }).map((line) => plain(line).trimEnd())
    assert.deepStrictEqual(narrow, ["Signalbox needs", "60x15; this is 20x5.", "q quits.", "", ""])
  })
  it("shows hostile text safely and aligned", () => {
    const state = play(initial(), page([hostileEvent(), event(2)])).state
    for (const way of [[], ["enter"], ["s"], ["c"], ["p"], ["J"], ["enter", "enter"]]) {
      const next = play(state, pressed(...way)).state
      assertFills(next)
      const text = render(next).map(plain).join("")
      assert.notMatch(text, unsafe)
    }
  })
  it("shows no text of the service raw, in whatever field it is, at any size", () => {
    const record = {
      ...event(1, { fails: true }),
      severity: "high",
      tags: ["tag"],
      topics: [{ _topicId: "t", topicKey: "topic" }],
      contextKeys: ["tenant:acme"],
      channels: ["chat"]
    }
    // Only its strings differ; its shape is that of the record.
    const evil = poisoned(record) as typeof record
    const ways = [
      [],
      ["enter"],
      ["enter", "enter"],
      ["s"],
      ["s", "E"],
      ["m"],
      ["c"],
      ["p"],
      ["J"],
      ["/", ..."sub", "tab"]
    ]
    for (const columns of [60, 80, 100, 160, 200]) {
      const state = play(initial({ columns, rows: 40 }), page([evil, event(2)])).state
      for (const way of ways) {
        const next = play(state, pressed(...way)).state
        assertFills(next)
        const rows = render(next)
        assert.notMatch(rows.map(plain).join(""), unsafe, `${columns} ${way.join(" ")}`)
        assert.notMatch(rows.map(({ spoken = "" }) => spoken).join(""), unsafe, `${columns} ${way.join(" ")}`)
      }
    }
  })
  it("requires a long or unusual id in a visible field, and accepts it in its displayed form", () => {
    for (const subscriberId of [`u_${"x".repeat(180)}`, "田中".repeat(40), "u\u200B 1", " u_1 ", "y".repeat(4000)]) {
      const person = { ...event(2, { fails: true }), subscriber: { subscriberId, _id: "i" } }
      for (const size of [small, { columns: 80, rows: 24 }]) {
        const live = { ...initial(size), connection: { ...initial().connection, kind: "live" as const, name: "acme" } }
        const url = { _tag: "Paste", text: "https://hooks.example.test/T0" } as const
        const asked = play(live, page([person]), pressed("c"), url, pressed("ctrl-s")).state
        assertFills(asked)
        const typed = play(asked, pressed(..."seen")).state
        assert.include(textOf(typed), "confirm: seen")
        for (const text of [subscriberId, safe(subscriberId)]) {
          const { commands } = play(asked, { _tag: "Paste", text }, pressed("enter"))
          assert.strictEqual(commands.at(-1)?._tag, "UpsertCredentials")
        }
      }
    }
  })
  it("keeps the line under edit in view, however much is said above it", () => {
    const wrong = play(
      loaded(9),
      pressed("/"),
      { _tag: "Paste", text: `x:${"y".repeat(9_000)}` },
      pressed("enter")
    ).state
    assertFills(wrong)
    assert.include(plain(render(wrong).at(-3) ?? { spans: [] }), " filter: ")
  })
  it("names the connection and marks a live one", () => {
    const live = { ...loaded(1), connection: { ...loaded(1).connection, kind: "live" as const, name: "acme-prod" } }
    assert.include(plain(render(live)[0] ?? { spans: [] }), "[LIVE acme-prod]")
    assert.include(plain(render(loaded(1))[0] ?? { spans: [] }), "[DEMO]")
  })
  it("names the screen whole on a small terminal, and how fresh it is where there is room", () => {
    const header = (state: State) => plain(render(state)[0] ?? { spans: [] })
    const live = (name: string, columns: number): State => {
      const state = loaded(12, { columns, rows: 15 })
      return { ...state, connection: { ...state.connection, name, kind: "live", readOnly: true } }
    }
    assert.include(header(live("acme-prod", 60)), "]  Events ")
    assert.notInclude(header(live("acme-prod", 60)), "as of")
    assert.include(header(live("acme-prod", 80)), "as of 12:41:07Z")
    assert.match(header(live("acme", 60)), /\] {2}Events +as of/u)
  })

  it("reports no success for records that could not be read", () => {
    const problem = { summary: "events.list failed", advice: "", fields: [], at: 0 }
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 120, rows: 40 }
    ]) {
      const failed = { _tag: "EventsFailed", screenId: 0, mode: "first", problem } as const
      const lines = render(play(initial(size), failed).state)
        .map(plain)
        .join("\n")
      assert.include(lines, "nothing could be read yet")
      assert.notMatch(lines, /no failure|what was here/u)
    }
  })

  it("shows a notice whole, above the status line where it is too long for it", () => {
    const text =
      "connections.production.apiKeyCommand in /home/ana/.config/signalbox/config.toml: the command printed nothing"
    for (const columns of [60, 80, 120]) {
      const state = { ...loaded(20, { columns, rows: 15 }), notice: { text, tone: "failed" as const } }
      assertFills(state)
      const shown = render(state).map(plain)
      assert.include(shown.map((line) => line.trim()).join(" "), text)
      assert.include(shown.at(-1), "help")
    }
  })
  it("shows a filter whole on a small terminal, and reports less of what it finds", () => {
    const events = Array.from({ length: 60 }, (_, index) => event(index, { fails: index % 5 === 2 }))
    const state = play(initial(small), pressed("F"), page(events, true)).state
    assert.match(
      plain(render(state)[1] ?? { spans: [] }),
      /^ status:failed +12 of 60 loaded, B searches further back $/u
    )
    const long = play(state, pressed("/", ..."workflow:order-shipped subscriber:u_10004", "enter")).state
    assertFills(long)
    assert.include(plain(render(play(loaded(60, small, true), pressed("j")).state)[1] ?? { spans: [] }), " no filter ")
  })
  it("shows what is asked, what is wrong and what an action does in full on a small terminal", () => {
    const live = {
      ...loaded(3, small),
      connection: { ...loaded(3).connection, kind: "live" as const, name: "acme-prod" }
    }
    const url = { _tag: "Paste", text: "https://hooks.example.test/T0" } as const
    const asked = play(live, pressed("c", ..."slack", "tab", "tab"), url, pressed("ctrl-s")).state
    assert.include(textOf(asked), "change the slack credentials of u_10000? This cannot be taken back from here.")
    const wrong = play(live, pressed("/", ..."foo:bar", "enter")).state
    assert.include(textOf(wrong), "template, text, payload, search")
    const chosen = play(live, pressed(":", ..."yy")).state
    assert.include(textOf(chosen), "as a short Markdown report for the on-call team.")
    for (const state of [asked, wrong, chosen, play(live, pressed("?")).state]) assertFills(state)
  })
  it("shows the service's message about a step in full", () => {
    for (const way of [[], ["k"], ["k", "k"]]) {
      const state = play(loaded(5, small), pressed("j", "j", "enter", ...way)).state
      assertFills(state)
    }
    const tall = play(loaded(5, { columns: 60, rows: 24 }), pressed("j", "j", "enter")).state
    assert.include(textOf(tall), "SAID  Webhook URL for the chat channel is missing (Failed from Credentials)")
  })
  it("reports how much of a form and of a detail a small terminal does not show", () => {
    assert.match(textOf(play(loaded(5, small), pressed("c")).state), /… \d+ more lines/u)
    const text = textOf(play(loaded(5, small), pressed("j", "j", "enter")).state)
    assert.match(text, /… \d+ more line/u)
    assert.include(text, "then trigger the event again.")
    assert.notMatch(
      textOf(play(loaded(5, { columns: 120, rows: 40 }), pressed("j", "j", "enter")).state),
      /more lines/u
    )
  })
  it("keeps the scrollbar next to the age", () => {
    const digesting = (index: number) => {
      const base = event(index)
      const [first] = base.jobs ?? []
      assert(first !== undefined)
      const details = [{ ...first.executionDetails[0], _id: "d", status: "Pending", detail: "Digesting events" }]
      // The parts of a job that the screens look at.
      return {
        ...base,
        jobs: [{ ...first, type: "digest", status: "delayed", executionDetails: details }]
      } as typeof base
    }
    const many = Array.from({ length: 40 }, (_, index) => digesting(index))
    for (const columns of [60, 80, 120]) {
      const state = play(initial({ columns, rows: 24 }), page(many)).state
      const row = plain(render(state).find((line) => plain(line).includes("DIGESTING")) ?? { spans: [] })
      assert.include(row, "DIGESTING")
      assert.include(row, "┃")
    }
  })
  it("reads every row aloud or leaves it out", () => {
    const spoken = render(loaded(3)).map((row) => row.spoken)
    assert.isTrue(spoken.some((text) => text?.startsWith("current, order-shipped for u_10000") === true))
  })
})
