import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { themeNames } from "@signalbox/operator/connections/NamedConnection"
import { painter } from "../src/theme/Theme.ts"
import { glyphs } from "../src/theme/Glyphs.ts"
import type { State } from "../src/state/State.ts"
import { plain } from "../src/view/Row.ts"
import { width } from "@signalbox/operator/text/Width"
import { render } from "../src/app/View.ts"
import { event, loaded, play, pressed } from "./Sample.ts"
import type { Msg } from "../src/state/Msg.ts"
import type { Size } from "../src/state/Settings.ts"

const sizes: ReadonlyArray<Size> = [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 }
]

const url = { _tag: "Paste", text: "https://hooks.example.test/services/T0/B0/secretpart" } as const
const ids = { _tag: "Paste", text: "65f0a1b2c3d4e5f6a7b8c9d0 65f0a1b2c3d4e5f6a7b8c9d1" } as const

const arrived: ReadonlyArray<Msg> = [
  { _tag: "RefreshDue" },
  {
    _tag: "EventsLoaded",
    screenId: 0,
    mode: "tail",
    page: {
      data: [event(-1), { ...event(-1), _id: "65f0a1b2c3d4e5f6a7b8d000" }],
      hasMore: false,
      page: 0,
      pageSize: 50
    },
    call: { status: 200, durationMs: 12, attempts: 1, unreadable: [] }
  }
]

const screens: Readonly<Record<string, (state: State) => State>> = {
  events: (state) => play(state, pressed("j", "j", "space")).state,
  event: (state) => play(state, pressed("j", "j", "enter")).state,
  subscriber: (state) => play(state, pressed("j", "j", "s")).state,
  messages: (state) => play(state, pressed("m"), ids, pressed("space")).state,
  credentials: (state) => play(state, pressed("j", "j", "c"), url).state,
  compare: (state) => play(state, pressed("j", "j", "space", "space", "=")).state,
  masked: (state) => play(state, pressed("j", "j", ":", ..."mask on", "enter")).state,
  live: (state) => play(state, pressed("t", "j", "j"), ...arrived).state,
  payload: (state) => play(state, pressed("p")).state,
  help: (state) => play(state, pressed("?")).state,
  palette: (state) => play(state, pressed(":", ..."fa")).state
}

describe("golden screens", () => {
  for (const size of sizes) {
    for (const [name, go] of Object.entries(screens)) {
      const label = `${name}-${size.columns}x${size.rows}`
      it(label, async () => {
        const rows = render(go(loaded(60, size)))
        expect(rows.length).toBe(size.rows)
        expect(rows.map((row) => width(plain(row)))).toEqual(rows.map(() => size.columns))
        await expect(`${rows.map((row) => plain(row).trimEnd()).join("\n")}\n`).toMatchFileSnapshot(
          `golden/${label}.txt`
        )
      })
    }
  }
  for (const theme of themeNames) {
    it(`theme ${theme}`, async () => {
      const paint = painter(theme, "256")
      const rows = render(play(loaded(12, { columns: 80, rows: 15 }), pressed("j", "j")).state)
      const text = rows.map((row) => paint(row).replaceAll("\u001B", "<ESC>")).join("\n")
      await expect(`${text}\n`).toMatchFileSnapshot(`golden/theme-${theme}.txt`)
    })
  }
  it("ASCII signs", async () => {
    const state = loaded(12, { columns: 80, rows: 15 })
    const rows = render({ ...state, settings: { ...state.settings, glyphs: glyphs.ascii } })
    const text = rows.map(plain).join("\n")
    await expect(`${text}\n`).toMatchFileSnapshot("golden/ascii.txt")
  })
})
