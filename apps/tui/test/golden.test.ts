import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { themeNames } from "@signalbox/operator/connections/NamedConnection"
import { painter } from "../src/theme/Theme.ts"
import { glyphs } from "../src/theme/Glyphs.ts"
import type { State } from "../src/state/State.ts"
import { isSelected, plain, type Row, type Tone } from "../src/view/Row.ts"
import { width } from "@signalbox/operator/text/Width"
import { render } from "../src/app/View.ts"
import { event, initial, loaded, now, page, play, pressed, toLine } from "./Sample.ts"
import type { ActivityJob, ActivityNotification } from "@signalbox/core/Activity"
import type { RequestRecord } from "../src/state/Requests.ts"
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

const request = (secondsAgo: number, more: Partial<RequestRecord> = {}): Msg => ({
  _tag: "RequestMade",
  request: {
    at: now - secondsAgo * 1000,
    method: "GET",
    target: "/v1/notifications?limit=50&page=0",
    attempt: 1,
    status: 200,
    durationMs: 143,
    delayMs: 0,
    outcome: "success",
    requestId: `req-${4700 + secondsAgo}`,
    curl: "curl --request GET 'https://api.example.test/v1/notifications'",
    ...more
  }
})

const requests = [
  request(9),
  request(8, { status: 503, outcome: "ServerFailure", target: "/v1/notifications?limit=50&page=1" }),
  request(7, { attempt: 2, delayMs: 312, target: "/v1/notifications?limit=50&page=1" })
]

const exporting: ReadonlyArray<Msg> = [
  { _tag: "TaskStarted", task: { id: 1, label: "saving 60 events", startedAt: now - 3000, writes: false } },
  { _tag: "TaskProgressed", id: 1, progress: "40 of 60" }
]

/** A failure of another cause. */
const phoneMissing = (index: number): ActivityNotification => {
  const base = event(index, { name: "order-confirmed" })
  const failure = {
    _id: `phone-${index}`,
    status: "Failed",
    detail: "Subscriber does not have a phone number",
    isRetry: false,
    isTest: false,
    source: "Payload",
    createdAt: new Date(now - 25_000 - index * 17_000).toISOString()
  } as const
  const [first] = base.jobs ?? []
  return first === undefined
    ? base
    : {
        ...base,
        jobs: [
          first,
          { ...first, _id: "sms", type: "sms", status: "failed", providerId: "twilio", executionDetails: [failure] }
        ]
      }
}

/** Three causes, a few days old events, and an event that waited for ten minutes. */
const incident = (size: Size): State => {
  const recent = Array.from({ length: 56 }, (_, index) =>
    index % 4 === 1 ? phoneMissing(index) : event(index, { fails: index % 5 === 2 })
  )
  const old = [20_000, 20_010, 25_000, 30_000].map((index) => event(index, { fails: true }))
  return play(
    initial(size),
    page(
      [...recent, ...old].map((one, index) =>
        index === 4 ? Object.assign({}, one, { jobs: waited(one.jobs ?? []) }) : one
      ),
      true
    )
  ).state
}

/** The jobs with the first one ten minutes before the others. */
const waited = (jobs: ReadonlyArray<ActivityJob>): ReadonlyArray<ActivityJob> =>
  jobs.map((job, index) =>
    index > 0
      ? job
      : {
          ...job,
          type: "digest",
          executionDetails: job.executionDetails.map((detail) => ({
            ...detail,
            createdAt: new Date(now - 720_000).toISOString()
          }))
        }
  )

/** Screens of an incident with several causes. */
const incidentScreens: Readonly<Record<string, (state: State) => State>> = {
  incident: (state) => play(state, pressed("j", "j")).state,
  group: (state) => play(state, pressed("1", "j")).state,
  queue: (state) => play(state, pressed("2", "c"), url).state,
  waterfall: (state) => play(state, toLine(4), pressed("enter")).state,
  filter: (state) => play(state, pressed("/", ..."status:failed cau")).state,
  requests: (state) => play(state, ...requests, pressed("L")).state,
  exporting: (state) => play(state, ...exporting, pressed("j")).state,
  leaving: (state) => play(state, pressed("2", "c"), url, pressed("ctrl-c")).state
}

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

/** Letters of the tones: their colours in each theme have tests of their own. */
const letters: Readonly<Record<Tone, string>> = {
  plain: "p",
  dim: "d",
  strong: "s",
  title: "t",
  accent: "a",
  key: "k",
  ok: "o",
  failed: "f",
  warning: "w",
  waiting: "q",
  demo: "e",
  live: "l",
  notice: "n",
  field: "i",
  cursor: "c",
  match: "m"
}

const withGround: ReadonlySet<Tone> = new Set(["field", "cursor", "match", "demo", "live"])

/** The tone of each cell as a letter, upper case where it is selected; empty cells that show no tone are left empty. */
const toneMap = (row: Row): string =>
  row.spans
    .map((span) => {
      const selected = row.selected === true || isSelected(span)
      const letter = selected ? letters[span.tone].toUpperCase() : letters[span.tone]
      return Array.from(span.text, (character) =>
        (character === " " && !selected && !withGround.has(span.tone) ? " " : letter).repeat(width(character))
      ).join("")
    })
    .join("")

const lines = (all: ReadonlyArray<string>): string => `${all.map((line) => line.trimEnd()).join("\n")}\n`

describe("golden screens", () => {
  for (const size of sizes) {
    const states = [
      ...Object.entries(screens).map(([name, go]) => [name, () => go(loaded(60, size))] as const),
      ...Object.entries(incidentScreens).map(([name, go]) => [name, () => go(incident(size))] as const)
    ]
    for (const [name, state] of states) {
      const label = `${name}-${size.columns}x${size.rows}`
      it(label, async () => {
        const rows = render(state())
        expect(rows.length).toBe(size.rows)
        expect(rows.map((row) => width(plain(row)))).toEqual(rows.map(() => size.columns))
        await expect(lines(rows.map(plain))).toMatchFileSnapshot(`golden/${label}.txt`)
        await expect(lines(rows.map(toneMap))).toMatchFileSnapshot(`golden/${label}.tones.txt`)
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
