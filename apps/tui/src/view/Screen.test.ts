import { assert, describe, it } from "@effect/vitest"
import { event, initial, loaded, page, play, pressed } from "../../test/Sample.ts"
import type { State } from "../state/State.ts"
import { width } from "../text/Width.ts"
import { plain } from "./Row.ts"
import { render } from "./Screen.ts"

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
  it("asks for a larger terminal in one line, at any size", () => {
    for (const [columns, rows] of [
      [59, 15],
      [60, 14],
      [10, 3],
      [1, 1]
    ] as const) {
      assertFills({ ...initial(), size: { columns, rows } })
    }
    assert.include(plain(render({ ...initial(), size: { columns: 59, rows: 20 } })[0] ?? { spans: [] }), "needs 60x15")
  })
  it("shows hostile text safely and aligned", () => {
    const state = play(initial(), page([hostileEvent(), event(2)])).state
    for (const way of [[], ["enter"], ["s"], ["c"], ["p"], ["J"], ["enter", "enter"]]) {
      const next = play(state, pressed(...way)).state
      assertFills(next)
      const text = render(next).map(plain).join("")
      // oxlint-disable-next-line no-control-regex -- the control characters are what must not be there
      assert.notMatch(text, /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u200B]/u)
    }
  })
  it("names the connection and marks a live one", () => {
    const live = { ...loaded(1), connection: { ...loaded(1).connection, kind: "live" as const, name: "acme-prod" } }
    assert.include(plain(render(live)[0] ?? { spans: [] }), "[LIVE acme-prod]")
    assert.include(plain(render(loaded(1))[0] ?? { spans: [] }), "[DEMO]")
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
  it("reads every row aloud or leaves it out", () => {
    const spoken = render(loaded(3)).map((row) => row.spoken)
    assert.isTrue(spoken.some((text) => text?.startsWith("selected, order-shipped for u_10000") === true))
  })
})
