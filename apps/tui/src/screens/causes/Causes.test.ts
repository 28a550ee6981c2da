import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { changed, noKnownCauses } from "@signalbox/operator/connections/KnownCauses"
import { format } from "@signalbox/operator/filter/Filter"
import { call, event, initial, now, page, play, pressed, screen } from "../../../test/Sample.ts"
import type { Msg } from "../../state/Msg.ts"
import { listOf, putScreen, topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { groupsOf } from "../events/EventsScreen.ts"

/** Events of which the step of each fails by another provider: as many causes as counts. */
const causes = (...counts: ReadonlyArray<number>): ReadonlyArray<ActivityNotification> =>
  counts.flatMap((count, cause) =>
    Array.from({ length: count }, (_, index) => {
      const base = event(cause * 100 + index, { fails: true })
      const [, job] = base.jobs ?? []
      assert(job !== undefined)
      return { ...base, jobs: [{ ...job, providerId: `provider-${cause}` }] }
    })
  )

const more = (data: ReadonlyArray<ActivityNotification>): Msg => ({
  _tag: "EventsLoaded",
  screenId: 0,
  mode: "more",
  page: { data, hasMore: false, page: 1, pageSize: 50 },
  call
})

const many = play(initial(), page(causes(...Array.from({ length: 27 }, (_, at) => 30 - at)), true)).state

const rows = (state: State) => screen(state).slice(3, 12)

describe("the causes", () => {
  it("are all on one screen, with numbers, counts, owners and what credentials fix", () => {
    const shown = rows(play(many, pressed("C")).state)
    assert.match(shown[0] ?? "", /^› 1 +30 .*provider-0 webhook missing.* c fixes 30 /u)
    assert.match(shown[8] ?? "", /^ {2}9 +22 /u)
    const last = play(many, pressed("C", "G")).state
    assert.match(screen(last).join("\n"), /› 27 +4 .*provider-26/u)
    assert.include(screen(last).join("\n"), "WHY    The subscriber has no webhook URL")
    assert.include(screen(play(many, pressed("C")).state)[1], "27 causes, by count")
  })

  it("open on the cause of the event under the cursor, in view", () => {
    assert.match(screen(play(many, pressed("G", "C")).state).join("\n"), /› 27 +4 .*provider-26/u)
    const without = play(initial(), page([...causes(2, 1), event(999)], true), pressed("G", "C")).state
    assert.match(rows(without)[0] ?? "", /^› 1 +2 /u)
  })

  it("answer in 60×15 of what, how many, since when, and who can fix it", () => {
    const small = play({ ...many, size: { columns: 60, rows: 15 } }, pressed("C")).state
    const text = screen(small).join("\n")
    assert.match(text, /› 1 +30 .*provider-0 webhook missing +c fixes 30 /u)
    assert.match(text, /─ 30 subscribers, 1 workflow, first 12:3\d:\d\dZ ─/u)
    assert.include(screen(small).at(-1), "c fix")
    const readOnly = { ...small, connection: { ...small.connection, readOnly: true } }
    assert.notInclude(screen(readOnly).at(-1), "c fix")
  })

  it("are first seen when the oldest loaded failure was, where a sample saw only a later one", () => {
    const state = play(initial(), page(causes(3, 1)), pressed("C")).state
    const list = listOf(state)
    assert(list !== undefined)
    const cause = groupsOf(list)[0]?.cause ?? ""
    const sampled = (firstSeen: number): State => {
      const onsets = new Map([[cause, { _tag: "Intermittent", firstSeen } as const]])
      return putScreen(state, { ...list, sampled: { range: { from: now - 86_400_000, to: now }, rates: [], onsets } })
    }
    assert.include(screen(sampled(now)).join("\n"), "intermittent, first seen 12:40:03Z")
    assert.include(screen(sampled(now - 7_200_000)).join("\n"), "intermittent, first seen 10:41:07Z")
    const small = { ...sampled(now - 86_000_000), size: { columns: 60, rows: 15 } }
    assert.include(screen(small).join("\n"), "─ 3 subscribers, intermittent, first seen 20 Nov 12:47Z ─")
  })

  it("filter the list with enter, by number too where there is no key", () => {
    const list = topScreen(play(many, pressed("C", "G", "enter")).state)
    assert(list._tag === "Events")
    assert.strictEqual(format(list.filter), "cause:webhook-url-missing/chat/provider-26")
    assert.include(screen(play(many, pressed(":", ..."cause 20")).state).join("\n"), "11 × provider-19 webhook missing")
    assert.match(screen(play(many, pressed(":", ..."cause 20", "enter")).state).join("\n"), / 20 provider-19 webhook/u)
  })

  it("name the provider where several have the same words", () => {
    const withText = (job: ActivityJob): ActivityJob => ({
      ...job,
      executionDetails: job.executionDetails.map((one) => ({ ...one, detail: "E2" }))
    })
    const same = causes(2, 1).map((each) => Object.assign({}, each, { jobs: (each.jobs ?? []).map(withText) }))
    const shown = rows(play(initial(), page([...same, ...causes(0, 0, 1)], true), pressed("C")).state)
    assert.match(shown[0] ?? "", / 2 .*provider-0: E2 /u)
    assert.match(shown[1] ?? "", / 1 .*provider-1: E2 /u)
    assert.match(shown[2] ?? "", / 1 .* provider-2 webhook missing /u)
  })

  it("open the form for the first subscriber that still needs it, with the others as a queue", () => {
    const form = play(many, pressed("C", "j", "c")).state
    const top = topScreen(form)
    assert(top._tag === "Credentials")
    assert.strictEqual(form.fix?.subscribers.length, 29)
    assert.include(form.fix?.subscribers ?? [], top.subscriberId)
  })

  it("hand the subscribers over to a bulk import, as a file with empty values", () => {
    const [command] = play(many, pressed("C", "F")).commands
    assert(command?._tag === "SaveFile")
    assert.strictEqual(command.name, "signalbox-fixes.csv")
    assert.match(command.text, /^subscriberId,providerId,webhookUrl\nu_\d+,,\n/u)
    assert.lengthOf(command.text.trim().split("\n"), 31)
    assert.strictEqual(
      command.what,
      "30 subscribers: fill in the empty values, then open signalbox ui, and :run {file} on its demo;"
    )
    const told = (settings: Partial<State["settings"]>, connection: Partial<State["connection"]>) => {
      const state = { ...many, settings: { ...many.settings, ...settings } }
      const saved = play({ ...state, connection: { ...state.connection, ...connection } }, pressed("C", "F"))
        .commands[0]
      return saved?._tag === "SaveFile" ? saved.what.replace(/^.*values, then /u, "") : ""
    }
    assert.strictEqual(told({ runsFiles: true }, {}), ":run {file} here;")
    const eu = { name: "eu", kind: "live" } as const
    assert.strictEqual(told({}, eu), "run signalbox bulk import '{file}' -c 'eu';")
    assert.strictEqual(told({ runsFiles: true }, eu), ":run {file} here, or signalbox bulk import '{file}' -c 'eu';")
  })

  it("show which subscribers a run has changed, which count until their next message", () => {
    const changed = (...subscribers: ReadonlyArray<number>): Msg => ({
      _tag: "RunReported",
      report: {},
      changed: subscribers.map((subscriber) => [`u_${10_000 + subscriber}`, "slack"] as const)
    })
    const run: Partial<State> = {
      fileRun: {
        file: "fixes.csv",
        connection: "demo",
        state: "running",
        isSending: true,
        resume: undefined,
        progress: undefined
      }
    }
    const state = { ...many, ...run, size: { columns: 120, rows: 40 } }
    const some = play(state, changed(0, 1, 2, 9999), pressed("C")).state
    assert.match(rows(some)[0] ?? "", /^› 1 +30 .* c fixes 27 /u)
    assert.include(
      screen(some).join("\n"),
      "SENT   credentials of 3 of 30 subscribers; each counts until its next message"
    )
    assert.isFalse(some.facts.subscribers.has("u_19999"))
    const all = play(state, changed(...Array.from({ length: 30 }, (_, at) => at)), pressed("C")).state
    assert.match(rows(all)[0] ?? "", /^› 1 +30 .* 30 changed /u)
    assert.match(screen(play(all, pressed("escape", "1")).state).join("\n"), /1 +30× .* 30 changed/u)
    // Their credentials are those of another connection.
    const other = play({ ...state, connection: { ...state.connection, name: "eu" } }, changed(0), pressed("C")).state
    assert.match(rows(other)[0] ?? "", / c fixes 30 /u)
  })

  it("are sorted by the key and by name", () => {
    const sorted = play(many, pressed("C", "s", "s")).state
    assert.include(screen(sorted)[1], "by first")
    assert.include(screen(play(many, pressed("C", ":", ..."sort subscribers", "enter")).state)[1], "by subscribers")
  })

  it("keep the cursor on its cause when they are sorted", () => {
    const under = (state: State) =>
      screen(state)
        .find((line) => line.startsWith("›"))
        ?.slice(0, 10)
    const far = play(many, pressed("C", ...Array.from({ length: 20 }, () => "j"))).state
    assert.strictEqual(under(far), "› 21    10")
    assert.strictEqual(under(play(far, pressed("s")).state), "› 21    10")
    assert.strictEqual(under(play(far, pressed("s", "s", "s")).state), "› 21    10")
  })
})

describe("what is kept about causes", () => {
  const live: State = {
    ...initial(),
    connection: { ...initial().connection, name: "eu", kind: "live", known: noKnownCauses }
  }
  const list = play(live, page(causes(3, 9), true)).state
  const [look] = play(list, pressed("q")).commands

  it("is their rate at the end of a session, and the next one shows what is new, grown and gone", () => {
    assert(look?._tag === "KeepCauses")
    assert.strictEqual(look.connection, "eu")
    assert.deepStrictEqual(play(list, pressed("q")).commands.at(-1), { _tag: "Quit" })
    const { connection } = live
    const next = { ...live, connection: { ...connection, known: changed(noKnownCauses, look.change) } }
    const shown = screen(play(next, page(causes(20, 0, 2), true), pressed("C")).state)
    assert.include(shown[1], "2 causes, by count; 1 new, 1 grown, 1 gone  ")
    const wide = { ...next, size: { columns: 120, rows: 40 } }
    const whole = screen(play(wide, page(causes(20, 0, 2), true), pressed("C")).state)
    assert.include(whole[1], "1 gone since 12:41:07")
    assert.match(shown.join("\n"), /GROWN provider-0 webhook/u)
    assert.match(shown.join("\n"), /NEW provider-2 webhook/u)
    // Before the first look, everything would be new.
    assert.notInclude(screen(play(list, pressed("C")).state)[1], "new")
  })

  it("are notes and silences, which do not ring", () => {
    const noted = play(list, pressed("C", "g", "g", ":", ..."note ticket 4711", "enter"))
    assert.deepStrictEqual(noted.commands, [
      {
        _tag: "KeepCauses",
        connection: "eu",
        change: { _tag: "Noted", cause: "webhook-url-missing/chat/provider-1", note: "ticket 4711" }
      }
    ])
    const silent = play(noted.state, pressed(":", ..."silence 8h", "enter")).state
    assert.include(screen(silent).join("\n"), "NOTE   silent until 20:41:07Z; ticket 4711")
    const tail = { ...more(causes(0, 0, 1)), mode: "tail" } as Msg
    const watching = play(live, page(causes(1), true), pressed("W")).state
    const rings = (state: State) => play(state, tail).commands.filter(({ _tag }) => _tag === "Ring").length
    assert.strictEqual(rings(watching), 1)
    const known = changed(noKnownCauses, {
      _tag: "Silenced",
      cause: "webhook-url-missing/chat/provider-2",
      until: now + 1
    })
    assert.strictEqual(rings({ ...watching, connection: { ...live.connection, known } }), 0)
    assert.include(
      screen(play(list, pressed("C", ":", ..."silence soon", "enter")).state).join("\n"),
      "silence takes a time"
    )
    assert.include(screen(play(many, pressed("C", ":", ..."note x", "enter")).state).join("\n"), "nothing is kept")
  })
})

describe("the number of a cause", () => {
  const first = play(initial(), page(causes(3, 2), true)).state
  const grown = play(first, more(causes(3, 2, 9, 0).slice(5))).state
  const numbers = (state: State) =>
    rows(play(state, pressed("C", ":", ..."sort number", "enter")).state)
      .slice(0, 3)
      .map((row) => /^[› ] (\d+) +(\d+) .*(provider-\d)/u.exec(row)?.slice(1, 4).join(" "))

  it("stays with its cause while more events are loaded, and a new cause takes the next", () => {
    assert.deepStrictEqual(numbers(grown), ["1 3 provider-0", "2 2 provider-1", "3 9 provider-2"])
    const filtered = topScreen(play(grown, pressed("3")).state)
    assert(filtered._tag === "Events")
    assert.strictEqual(format(filtered.filter), "cause:webhook-url-missing/chat/provider-2")
    // The largest is in the band, with its number.
    assert.match(screen(grown).join("\n"), /3 9× /u)
  })

  it("is given anew by r", () => {
    const refreshed: Msg = { ...more([]), mode: "refresh" } as Msg
    assert.deepStrictEqual(numbers(play(grown, pressed("r"), refreshed).state), [
      "1 9 provider-2",
      "2 3 provider-0",
      "3 2 provider-1"
    ])
  })
})

describe("the numbers of causes at the start", () => {
  it("are those of all its pages, and no key uses them before", () => {
    const started = initial()
    const [list] = started.screens
    assert(list?._tag === "Events")
    const reading = {
      ...started,
      screens: [{ ...list, readAhead: { purpose: "start", pagesLeft: 1, until: 99 } as const }]
    }
    const first = play(reading, page(causes(3, 2), true)).state
    assert.include(screen(play(first, pressed("1")).state).join("\n"), "the causes are being counted")
    const second = play(first, more(causes(3, 2, 9).slice(5))).state
    assert.match(rows(play(second, pressed("C", "g", "g")).state)[0] ?? "", /^› 1 +9 .*provider-2/u)
  })
})
