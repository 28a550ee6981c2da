import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { clear } from "@signalbox/operator/filter/Filter"
import { makeInitialState } from "../../app/InitialState.ts"
import { event, initial, now, page, play, pressed, screen } from "../../../test/Sample.ts"
import { makeRunner } from "../../runtime/Runner.ts"
import { makeRuntime } from "../../runtime/Session.ts"
import { makeStore } from "../../runtime/Store.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import { make } from "./EventsScreen.ts"

const minute = 60_000

const at = (index: number, minutesAgo: number, fails = false): ActivityNotification => ({
  ...event(index, { fails }),
  createdAt: new Date(now - minutesAgo * minute).toISOString()
})

const events = (state: State) => {
  const top = topScreen(state)
  assert(top._tag === "Events")
  return top
}

describe("a window of the list", () => {
  const first = play(initial(), page([at(1, 1), at(2, 2), at(3, 3)]), pressed("j")).state
  const loading = play(first, pressed("w"))

  it("is read from now back, with the filter, while the list stays on the screen", () => {
    const [command] = loading.commands
    assert(command?._tag === "LoadWindow")
    assert.deepStrictEqual(command.range, { from: now - 24 * 60 * minute, to: now })
    assert.strictEqual(events(loading.state).events.length, 3)
    const typed = play(first, pressed(":", ..."load 6h", "enter")).commands[0]
    assert(typed?._tag === "LoadWindow")
    assert.strictEqual(typed.range.from, now - 360 * minute)
    assert.include(
      screen(play(first, pressed(":", ..."load soon", "enter")).state).join("\n"),
      "is not a time before now"
    )
  })

  it("keeps the cursor on its event and puts the events of the window in order, each once", () => {
    const window = [
      at(4, 0),
      at(1, 1),
      at(2, 2),
      at(3, 3),
      ...Array.from({ length: 900 }, (_, n) => at(10 + n, 4 + n, true))
    ]
    const { state } = play(loading.state, {
      _tag: "EventsLoaded",
      screenId: 0,
      mode: "window",
      page: { data: window, hasMore: true, page: 0, pageSize: 50 },
      call: { status: 200, durationMs: 1, attempts: 1, unreadable: [] }
    })
    const list = events(state)
    assert.deepStrictEqual(
      list.events.map(({ _id }) => _id),
      window.map(({ _id }) => _id)
    )
    assert.strictEqual(list.cursor.at, 2)
    assert.isUndefined(list.loading)
    assert.include(screen(state)[1], "900 failed of 904 loaded, 15 h")
  })

  it("cannot be read where the filter has a time, or while events are being read", () => {
    const filtered = play(first, pressed("/", ..."after:1h", "enter"), page([at(1, 1)])).state
    assert.include(screen(play(filtered, pressed("w")).state).join("\n"), "the filter has a time already")
    assert.include(screen(play(loading.state, pressed("w")).state).join("\n"), "events are being read")
  })
})

/** A service with four events every minute of a day, of which those of the last five hours fail half of the time. */
const serve = (hours: number) => {
  let requests = 0
  const all = Array.from({ length: hours * 60 * 4 }, (_, index) =>
    at(index, index / 4, index < 5 * 60 * 4 && index % 2 === 0)
  )
  const fetch: typeof globalThis.fetch = (input) => {
    requests += 1
    const query = new URL(String(input instanceof Request ? input.url : input)).searchParams
    const [after, before] = ["after", "before"].map((name) => Date.parse(query.get(name) ?? ""))
    const inside = all.filter(({ createdAt }) => {
      const time = Date.parse(createdAt ?? "")
      return !(time <= (after ?? 0)) && !(time >= (before ?? 0))
    })
    const number = Number(query.get("page") ?? 0)
    const data = inside.slice(number * 50, number * 50 + 50)
    return Promise.resolve(
      Response.json({ data, hasMore: inside.length > number * 50 + 50, page: number, pageSize: 50 })
    )
  }
  return { fetch, all, requests: () => requests }
}

const open = ({ hours = 24 } = {}) => {
  const service = serve(hours)
  const connection = {
    name: "acme",
    kind: "live",
    baseUrl: "http://service.test",
    readOnly: false,
    choices: []
  } as const
  const { settings, size } = initial({ columns: 120, rows: 40 })
  const state = makeInitialState({ size, now, settings, connection, screen: make(0, clear) })
  const runner = makeRunner({
    session: {
      info: connection,
      runtime: makeRuntime({ apiKey: "key", baseUrl: connection.baseUrl }, FetchTransport.layer(service.fetch))
    },
    dispatch: (message) => store.dispatch(message),
    // No command of these tests asks for the terminal.
    host: {} as Parameters<typeof makeRunner>[0]["host"],
    connect: () => {
      throw new Error("not connected")
    },
    now: () => now,
    isMasked: () => false
  })
  const store = makeStore(state, runner.run, () => now)
  const until = (ready: () => boolean): Promise<void> =>
    ready() ? Promise.resolve() : new Promise((resolve) => store.subscribe(() => ready() && resolve()))
  return { service, store, until }
}

describe("a day of a service", () => {
  it("is loaded whole, with progress on the way", async () => {
    const { service, store, until } = open()
    const progress: Array<string> = []
    store.subscribe(() => progress.push(store.get().tasks.at(-1)?.progress ?? ""))
    store.dispatch(pressed("w"))
    await until(() => events(store.get()).events.length > 0)
    assert.strictEqual(events(store.get()).events.length, service.all.length)
    assert.isTrue(progress.some((text) => /^\d+ of about \d+/u.test(text)))
    assert.include(screen(store.get())[1], `600 failed of ${service.all.length} loaded, 23 h`)
    assert.isAbove(store.get().requests.length, 100)
  })

  it("is sampled with the share of failures at each point, and since when the cause lasts", async () => {
    const { service, store, until } = open()
    store.dispatch(pressed(":", ..."sample 24h", "enter"))
    await until(() => topScreen(store.get())._tag === "Text")
    assert.isBelow(service.requests(), 70)
    const top = topScreen(store.get())
    assert(top._tag === "Text")
    const text = top.lines.join("\n")
    assert.include(text, "48 points of 24h sampled: 2400 of about 5")
    assert.match(text, / 50 % {2}▒{20} {2}25 failed of 50$/mu)
    assert.match(text, / 0 % {24}0 failed of 50$/mu)
    assert.match(text, /slack webhook missing: began 07:4\d:\d\dZ ±1 min/u)
    // The answer is in view: the points would fill the screen.
    assert.isBelow(text.indexOf("began"), text.indexOf("SHARE OF THE EVENTS"))
  })

  it("is drawn as a sample next to what is loaded, with the onset of its causes on their screen and in the report", async () => {
    const { service, store, until } = open()
    store.dispatch(page(service.all.slice(0, 200), true))
    store.dispatch(pressed(":", ..."sample 24h", "enter"))
    await until(() => topScreen(store.get())._tag === "Text")
    store.dispatch(pressed("escape"))
    const [title, ...bars] = screen(store.get()).slice(2, 8)
    assert.include(title, "100 FAILURES, ▒ SAMPLED, a bar is 30 min")
    assert.match(bars.join("\n"), /▒.*[▁-█]/u)
    // Sampled times first, loaded ones behind.
    assert.match(bars.at(-1) ?? "", /·{9}.*─/u)
    const causes = play(store.get(), pressed("C")).state
    assert.match(screen(causes).join("\n"), /\d+ subscribers?, \d+ workflows?, began 07:4\d:\d\dZ ±1 min/u)
    const nextDay = screen({ ...causes, now: causes.now + 86_400_000 }).join("\n")
    assert.match(nextDay, / 21 Nov 07:4\d ±1m +\d/u)
    const [saved] = play(store.get(), pressed(":", ..."report", "enter")).commands
    assert(saved?._tag === "SaveFile")
    assert.match(saved.text, /- Since: began 2026-11-21 07:4\d:\d\dZ ± 1 min/u)
  })

  it("is no sample any more once all of it is loaded", async () => {
    const { service, store, until } = open({ hours: 20 })
    store.dispatch(page(service.all.slice(0, 200), true))
    store.dispatch(pressed(":", ..."sample 24h", "enter"))
    await until(() => topScreen(store.get())._tag === "Text")
    store.dispatch(pressed("escape", "w"))
    await until(() => events(store.get()).loading === undefined)
    assert.include(screen(store.get())[2], "600 FAILURES, a bar is ")
    assert.notInclude(screen(store.get()).slice(2, 8).join("\n"), "▒")
    assert.match(screen(play(store.get(), pressed("C")).state).join("\n"), /began 07:4\d:\d\dZ ±1 min/u)
  })
})
