import { Events } from "@signalbox/core/Events"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { expect, vi } from "vitest"
import { demoSession } from "../src/runtime/Session.ts"
import { visible } from "../src/screens/events/EventsScreen.ts"
import type { Msg } from "../src/state/Msg.ts"
import type { State } from "../src/state/State.ts"
import type { Screen } from "../src/state/State.ts"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { type Action, keyLabel, type Place } from "../src/actions/Action.ts"
import { actionsAt } from "../src/app/Actions.ts"
import { render } from "../src/app/View.ts"
import { painter } from "../src/theme/Theme.ts"
import { terminalSvg } from "./TerminalSvg.ts"
import { initial, now, play, pressed, screen, toLine } from "./Sample.ts"
import type { Size } from "../src/state/Settings.ts"

const large: Size = { columns: 120, rows: 40 }
const usual: Size = { columns: 80, rows: 24 }

const pages: Array<Msg> = []

/** The demo of this moment, as far as the list is read at the start. */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now })
  const session = demoSession({ choices: ["demo"] })
  for (let page = 0, hasMore = true; hasMore; page += 1) {
    const data = await session.runtime.runPromise(Events.use((events) => events.list({ limit: 50, page })))
    pages.push({
      _tag: "EventsLoaded",
      screenId: 0,
      mode: page === 0 ? "first" : "more",
      page: data,
      call: { status: 200, durationMs: 12, attempts: 1, unreadable: [] }
    })
    hasMore = data.hasMore && page < 3
  }
  await session.runtime.dispose()
})

afterAll(() => {
  vi.useRealTimers()
})

const demo = (size: Size): State => play(initial(size), ...pages).state

/** The cursor on the first event whose cause is a missing webhook URL. */
const onMissingWebhook = (state: State): State => {
  const [list] = state.screens
  assert(list?._tag === "Events")
  const at = visible(list).findIndex((event) => diagnose(event)?.cause.includes("webhook URL") === true)
  assert.isAtLeast(at, 0)
  return play(state, toLine(at)).state
}

const url = { _tag: "Paste", text: "https://hooks.example.test/services/T0/B0/K7q2x9" } as const

const id = { _tag: "Paste", text: "65f8db30b729721c5e000001" } as const

const captures: ReadonlyArray<readonly [name: string, size: Size, go: (state: State) => State]> = [
  ["events", large, (state) => onMissingWebhook(state)],
  ["events-small", usual, (state) => onMissingWebhook(state)],
  ["event", large, (state) => play(onMissingWebhook(state), pressed("enter")).state],
  ["event-small", usual, (state) => play(onMissingWebhook(state), pressed("enter")).state],
  ["compare", large, (state) => play(onMissingWebhook(state), pressed("space", "j", "j", "j", "space", "=")).state],
  ["credentials", usual, (state) => play(onMissingWebhook(state), pressed("c"), url).state],
  ["subscriber", usual, (state) => play(onMissingWebhook(state), pressed("s")).state],
  ["messages", usual, (state) => play(onMissingWebhook(state), pressed("enter", "m", "i"), id, pressed("enter")).state],
  ["filter", usual, (state) => play(state, pressed("/", ..."status:")).state],
  ["palette", usual, (state) => play(state, pressed(":", ..."cop")).state],
  ["help", usual, (state) => play(state, pressed("?")).state]
]

/** The captures that are images too, with what a screen reader says. */
const images: ReadonlyMap<string, string> = new Map([
  ["events", "The list of events: failed ones first in view, with the cause of the selected one and what to do next"],
  ["event", "One event: its steps over time, the failed step, its cause and what to do next"],
  ["compare", "Two events side by side: what differs is marked"],
  ["credentials", "The form that stores a webhook URL, prefilled from the failed step"]
])

describe("the captures in docs/tui", () => {
  for (const [name, size, go] of captures) {
    it(name, async () => {
      const text = `${screen(go(demo(size)))
        .map((line) => line.trimEnd())
        .join("\n")}\n`
      await expect(text).toMatchFileSnapshot(`../../../docs/tui/${name}.txt`)
    })

    const title = images.get(name)
    if (title === undefined) continue
    it(`${name}, as an image`, async () => {
      const lines = render(go(demo(size))).map(painter("dark", "256"))
      await expect(terminalSvg(lines, size.columns, title)).toMatchFileSnapshot(`../../../docs/images/${name}.svg`)
    })
  }
})

/** A new screen does not compile until it has a title. */
const placeTitles: Readonly<Record<Screen["_tag"], string>> = {
  Events: "The list of events",
  Causes: "All causes",
  Event: "An event",
  Subscriber: "A subscriber",
  Messages: "Messages",
  Credentials: "The credentials form",
  Compare: "Two events compared",
  Requests: "The request log",
  Run: "The run of a file",
  Text: "A long value"
}

const keysOf = ({ argument, keys, keysLabel, word }: Action): string => {
  const typed = word === undefined ? [] : [`\`:${word}${argument === undefined ? "" : ` ${argument}`}\``]
  const pressed = keysLabel === undefined ? keys.map((key) => `\`${keyLabel(key)}\``) : [`\`${keysLabel}\``]
  return [...(keys.length === 0 ? [] : pressed), ...typed].join(", ") || "palette"
}

describe("docs/tui/keys.md", () => {
  it("has every action of every screen", async () => {
    const cell = (text: string) => text.replaceAll("|", "\\|")
    const rowsOf = new Map(
      Object.entries(placeTitles).map(([place, title]) => [
        title,
        // The keys of a literal record.
        actionsAt(place as Place).map(
          (action) => `| ${cell(keysOf(action))} | ${action.id} | ${cell(action.description)} |`
        )
      ])
    )
    const all = [...rowsOf.values()]
    const places = (row: string) => all.filter((rows) => rows.includes(row)).length
    // In a form, letters are typed; the other screens share most keys.
    const shared: ReadonlyArray<readonly [title: string, count: number]> = [
      ["Every screen", all.length],
      ["Every screen but the credentials form", all.length - 1]
    ]
    const inForm = rowsOf.get(placeTitles.Credentials)
    const tables = [
      ...Array.from(rowsOf, ([title, rows]) => [title, rows.filter((row) => places(row) < all.length - 1)] as const),
      ...shared.map(
        ([title, count]) => [title, [...new Set(all.flat())].filter((row) => places(row) === count)] as const
      )
    ]
    assert.isFalse(tables.at(-1)?.[1].some((row) => inForm?.includes(row)))
    const sections = tables.map(([title, rows]) =>
      [`## ${title}`, "", "| Keys | Action | What it does |", "| --- | --- | --- |", ...rows, ""].join("\n")
    )
    const page = [
      "<!-- Generated from the table of actions by apps/tui/test/docs.test.ts. -->",
      "",
      "# Every key of the terminal UI",
      "",
      "`?` shows the keys of the current screen, `:` finds an action by its name or its key. Other keys for an action go below `[keys]` in [config.toml](README.md#settings). The keys of [every screen](#every-screen) are at the end.",
      "",
      ...sections,
      "## Prompts, the palette, the help and questions",
      "",
      "| Keys | What they do |",
      "| --- | --- |",
      "| `enter` | Apply the filter or the text, run the chosen action, or answer a question with yes. |",
      "| `esc` | Close; a filter under edit is discarded. |",
      "| `up`, `down`, `ctrl-p`, `ctrl-n` | In the palette and the help: choose an action. In a prompt: back and forth through what was typed before. |",
      "| `pgup`, `pgdn` | Ten actions up or down. |",
      "| `tab` | Complete a filter, or the name of an action. |",
      "| `y`, `n` | Answer a question. |",
      "| `left`, `right`, `home`, `end`, `ctrl-a`, `ctrl-e`, `ctrl-b`, `ctrl-f` | Move in the line. |",
      "| `backspace`, `delete`, `ctrl-w`, `ctrl-u`, `ctrl-k` | Delete a character, a word, or all before or after the cursor; `backspace` in an empty line closes it. |",
      ""
    ].join("\n")
    await expect(page).toMatchFileSnapshot("../../../docs/tui/keys.md")
  })
})
