import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { format } from "@signalbox/operator/filter/Filter"
import { width } from "@signalbox/operator/text/Width"
import { event, initial, loaded, now, page, play, pressed, screen, toLine } from "../../../test/Sample.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import type { Size } from "../../state/Settings.ts"
import { current, visible } from "./EventsScreen.ts"
import { drawnRange, failureBars, scaleFor } from "./Incident.ts"

const large: Size = { columns: 120, rows: 40 }
const usual: Size = { columns: 80, rows: 24 }
const small: Size = { columns: 60, rows: 15 }

const events = (state: State) => {
  const top = topScreen(state)
  assert(top._tag === "Events")
  return top
}

/** An event whose text message fails without a phone number. */
const phoneMissing = (index: number, minutesAgo: number): ActivityNotification => {
  const base = event(index, { name: "order-shipped" })
  const detail = {
    _id: `phone-${index}`,
    status: "Failed" as const,
    detail: "Subscriber does not have a phone number",
    isRetry: false,
    isTest: false,
    source: "Payload" as const
  }
  const step = { _id: "step-sms", active: true, filters: [], _templateId: "template" }
  const job = {
    _id: `sms-${index}`,
    type: "sms" as const,
    status: "failed",
    providerId: "twilio",
    executionDetails: [detail],
    step
  }
  return { ...base, createdAt: new Date(now - minutesAgo * 60_000).toISOString(), jobs: [...(base.jobs ?? []), job] }
}

/** Nine events without a phone number over two days, and four of sixty without a webhook URL. */
const incident = (size: Size): State => {
  const phones = Array.from({ length: 9 }, (_, index) => phoneMissing(100 + index, 60 + index * 200))
  const others = Array.from({ length: 20 }, (_, index) => event(index, { fails: index % 5 === 2 }))
  return play(initial(size), page([...others, ...phones])).state
}

describe("the preview of a failure", () => {
  const wide: Size = { columns: 200, rows: 60 }
  const raw = (text: string | null) => {
    const base = event(2, { fails: true })
    return {
      ...base,
      jobs: (base.jobs ?? []).map((job) =>
        Object.assign({}, job, {
          executionDetails: job.executionDetails.map((detail) => Object.assign({}, detail, { raw: text }))
        })
      )
    }
  }

  it("has the words of the service and the start of the raw response where there is room for them", () => {
    const shown = screen(play(initial(wide), page([raw(`{"error":"${"x".repeat(400)}"}`)])).state).join("\n")
    assert.match(shown, /SAID +Webhook URL for the chat channel is missing\s/u)
    assert.match(shown, /\{"error":"x+/u)
    assert.match(shown, /x… /u)
    const masked = play(initial(wide), page([raw('{"name":"Ana Ruiz"}')]), pressed(":", ..."mask on", "enter")).state
    assert.include(screen(masked).join("\n"), "SAID")
    assert.notInclude(screen(masked).join("\n"), "Ruiz")
    assert.notInclude(screen(play(initial(wide), page([raw(null)])).state).join("\n"), "error")
    assert.include(screen(play(initial(large), page([raw(null)])).state).join("\n"), "SAID")
    assert.notInclude(screen(play(loaded(60, usual), toLine(2)).state).join("\n"), "SAID")
  })
})

describe("the preview of an event that went well", () => {
  it("reports the changes made, and when the same last failed", () => {
    const failed = { ...phoneMissing(100, 90), _subscriberId: "internal-0" }
    const rows = screen(play(initial(large), page([event(0), failed])).state).join("\n")
    assert.match(rows, /OK +2 steps done in \d+/u)
    assert.match(rows, /BEFORE +failed for this subscriber 1 h ago: phone\s+(?:number missing)?/u)
    assert.include(
      screen(play(initial(large), page([event(0)])).state).join("\n"),
      "no loaded failure for this subscriber and workflow"
    )
  })
})

describe("failure groups on the list", () => {
  it("are on the first screen at every size, before a key is pressed", () => {
    for (const size of [small, usual, large]) {
      const shown = screen(incident(size)).join("\n")
      assert.match(shown, /1 +9× phone n.*missing/u, `${size.columns}`)
      assert.match(shown, /2 +4× slack.*missing.*c fixes 4/u, `${size.columns}`)
    }
  })

  it("keep the largest that credentials fix in view, with its own number", () => {
    const kinds = ["phone number", "email address", "bridge", "content could not be generated"]
    const others = kinds.flatMap((kind, at) =>
      Array.from({ length: 5 }, (_, index) => {
        const base = phoneMissing(200 + at * 10 + index, 5)
        const [first, second, job] = base.jobs ?? []
        assert(first !== undefined && second !== undefined && job !== undefined)
        const [detail] = job.executionDetails
        assert(detail !== undefined)
        const detailText =
          kind.startsWith("content") || kind === "bridge" ? `${kind} failed` : `Subscriber does not have a ${kind}`
        return { ...base, jobs: [{ ...job, executionDetails: [{ ...detail, detail: detailText }] }] }
      })
    )
    for (const size of [usual, large]) {
      const many = play(
        initial(size),
        page([
          event(2, { fails: true }),
          ...others,
          ...others.map((one) => Object.assign({}, one, { _id: `${one._id}b` }))
        ])
      ).state
      assert.match(screen(many).join("\n"), /5 +1× slack webhook missing.*c fixes 1/u, `${size.columns}`)
    }
  })

  it("name the command for a cause that has no key", () => {
    const one = phoneMissing(200, 5)
    const named = (step: number) => ({
      ...one,
      _id: `step-${step}`,
      jobs: (one.jobs ?? []).map((job) =>
        Object.assign({}, job, job.type === "sms" ? { providerId: `sms-${step}` } : {})
      )
    })
    const twice = Array.from({ length: 9 }, (_, at) => [named(at), { ...named(at), _id: `again-${at}` }]).flat()
    const state = play(initial(large), page([...twice, event(2, { fails: true })])).state
    assert.match(screen(state).join("\n"), /10 +1× slack webhook missing.* :cause 10 fixes 1/u)
    assert.include(screen(play(state, pressed(":", ..."cause 10", "enter")).state).at(-1), "c fix ")
  })

  it("shorten wide titles in one row, the second before the first, so that two causes and what credentials fix stay visible", () => {
    const provider = (base: ActivityNotification, name: string, from: string): ActivityNotification => ({
      ...base,
      _id: `${base._id}-${name}`,
      jobs: (base.jobs ?? []).map((job) => Object.assign({}, job, job.providerId === from ? { providerId: name } : {}))
    })
    const detailed = (base: ActivityNotification, detailText: string): ActivityNotification => ({
      ...base,
      jobs: (base.jobs ?? []).map((job) =>
        Object.assign({}, job, {
          executionDetails: job.executionDetails.map((detail) =>
            Object.assign({}, detail, { detail: detailText, source: "Internal" })
          )
        })
      )
    })
    const many = Array.from({ length: 22 }, (_, at) => provider(phoneMissing(300 + at, 90), `sms-${at}`, "twilio"))
    const webhooks = [7, 12, 17, 22].map((at) => event(at, { fails: true }))
    const phones = Array.from({ length: 9 }, (_, at) => phoneMissing(100 + at, 60 + at))
    const long = "Outside of office hours nothing is handed over to any of the recipients"
    const row = (...events: ReadonlyArray<ActivityNotification>) =>
      screen(play(initial(usual), page(events)).state).find((line) => line.includes("9×")) ?? ""

    const wideWebhooks = webhooks.map((base) => provider(base, "a-chat-provider-with-a-very-long-name", "slack"))
    const second = row(...phones, ...wideWebhooks, ...many)
    assert.match(second, /1 9× twilio: phone number missing  2 4× a-ch\S*…\S*ssing: c fixes 4  \+22 *$/u)

    const wide = phones.map((base) => detailed(base, long))
    const first = row(...wide, ...webhooks, ...many)
    assert.match(first, /1 9× Outsi.*….*s  2 4× slack.*: c fixes 4  \+22 *$/u)
    for (const line of [second, first]) assert.strictEqual(width(line), 80)

    const both = row(...wide, ...wideWebhooks, ...many)
    assert.match(both, /1 9× Outside of offi… the recipients  2 4× a-cha…sing: c fixes 4  \+22 *$/u)
  })

  it("say in the form which cause credentials fix, and its keys, for an event that they do not fix", () => {
    const form = screen(play(incident(usual), toLine(0), pressed("c")).state)
      .join(" ")
      .replaceAll(/[ │]+/gu, " ")
    assert.include(form, "Nothing failed here. Credentials fix cause 2 (slack webhook missing): esc, 2, c.")
    const other = screen(play(incident(usual), pressed("1", "c")).state)
      .join(" ")
      .replaceAll(/[ │]+/gu, " ")
    assert.include(other, "Credentials do not fix this failure. They fix cause 2 (slack webhook missing): esc, 2, c.")
    assert.notInclude(screen(play(incident(usual), pressed("2", "c")).state).join(" "), "do not fix")
  })
  describe("of which an event has several", () => {
    /** No phone number, and no webhook URL either. */
    const both = {
      ...phoneMissing(2, 3),
      jobs: [
        ...(phoneMissing(2, 3).jobs ?? []).slice(0, 1),
        ...(phoneMissing(2, 3).jobs ?? []).slice(2),
        ...(event(2, { fails: true }).jobs ?? []).slice(1)
      ]
    }
    const all = [
      both,
      ...[7, 12].map((at) => event(at, { fails: true })),
      ...[20, 21, 22, 23].map((at) => phoneMissing(at, at))
    ]
    const list = play(initial(large), page(all)).state
    const chosen = play(list, pressed("2")).state
    const formOf = (state: State) => {
      const top = topScreen(state)
      assert(top._tag === "Credentials")
      return {
        provider: top.values.providerId.graphemes.join(""),
        subscribers: state.fix?.subscribers,
        reason: top.reason
      }
    }
    it("show the chosen one first, explain it, and c fixes it for all of its subscribers", () => {
      const shown = screen(chosen).join("\n")
      assert.match(shown, /›2 +3× slack webhook missing.* c fixes 3/u)
      assert.match(shown, /✗ 2 slack webhook missing \+1/u)
      assert.match(shown, /WHY +The subscriber has no webhook URL/u)
      assert.match(shown, /ALIKE +3 events of 3 subscribers, \d\d:\d\d to \d\d:\d\d;/u)
      assert.include(shown, "c fix 3 ")
      assert.deepStrictEqual(formOf(play(chosen, pressed("c")).state), {
        provider: "slack",
        subscribers: ["u_10002", "u_10007", "u_10012"],
        reason: "The subscriber has no webhook URL for slack, so the chat step had nowhere to send the message."
      })
    })
    it("are explained by the chosen one on a small terminal and in full, too", () => {
      const low = play(chosen, { _tag: "Resized", size: usual }).state
      for (const state of [low, play(chosen, pressed("z")).state])
        assert.match(screen(state).join("\n"), /WHY +The subscriber has no webhook URL/u)
    })
    it("say on a read-only connection that credentials are the fix, and not which key opens the form", () => {
      const readOnly = { ...chosen, connection: { ...chosen.connection, readOnly: true } }
      for (const state of [
        readOnly,
        play(readOnly, { _tag: "Resized", size: usual }).state,
        play(readOnly, pressed("enter")).state
      ]) {
        const shown = screen(state).join("\n")
        assert.notMatch(shown, /c fixes|c opens the form/u)
      }
      assert.match(screen(readOnly).join("\n"), /2 +3× slack webhook missing.* credentials /u)
    })
    it("open the event at the chosen one, where c does the same", () => {
      const opened = play(chosen, pressed("enter")).state
      const shown = screen(opened).join("\n")
      assert.match(shown, /WHY +The subscriber has no webhook URL/u)
      assert.include(shown, "ALIKE, 2 on the list shows them")
      assert.include(shown, "c fix 3 ")
      assert.strictEqual(formOf(play(opened, pressed("c")).state).provider, "slack")
      const next = play(opened, pressed("]", "[")).state
      assert.match(screen(next).join("\n"), /WHY +The subscriber has no webhook URL/u)
    })
    it("say that c fixes nothing where the shown one is not the fault of credentials, and which other one it fixes", () => {
      const shown = screen(list).join("\n")
      assert.match(shown, /✗ 1 phone number missing \+1/u)
      assert.include(shown, "c form ")
      assert.include(
        formOf(play(list, pressed("c")).state).reason,
        "They fix cause 2 (slack webhook missing): esc, 2, c."
      )
    })
  })
  it("say so when no loaded event has failed", () => {
    const calm = play(initial(large), page([event(0), event(1)])).state
    assert.include(screen(calm).join("\n"), "no failure among the 2 loaded events")
  })

  it("filter by number without asking the service, keep their numbers, and 0 shows all again", () => {
    const { commands, state } = play(incident(large), pressed("1"))
    assert.deepStrictEqual(commands, [])
    assert.strictEqual(format(events(state).filter), "cause:phone-missing")
    assert.strictEqual(visible(events(state)).length, 9)
    assert.match(screen(state).join("\n"), /›1 +9× phone number missing/u)
    const other = play(state, pressed("2")).state
    assert.strictEqual(visible(events(other)).length, 4)
    const all = play(other, pressed("0"))
    assert.deepStrictEqual(all.commands, [])
    assert.strictEqual(format(events(all.state).filter), "")
    assert.strictEqual(format(events(play(state, pressed("1")).state).filter), "")
  })

  it("name the group where two have the same rule", () => {
    const base = event(3, { fails: true })
    const discord = {
      ...base,
      _id: "discord",
      jobs: (base.jobs ?? []).map((job) => Object.assign({}, job, job.type === "chat" ? { providerId: "discord" } : {}))
    }
    const two = play(initial(large), page([event(2, { fails: true }), discord])).state
    assert.match(format(events(play(two, pressed("1")).state).filter), /^cause:[a-z-]+\/chat\/(?:slack|discord)$/u)
  })

  it("complete the key cause: of a filter", () => {
    const typed = play(incident(large), pressed("/", ..."cause:w", "tab")).state
    assert(typed.overlay?._tag === "Prompt")
    assert.strictEqual(typed.overlay.field.graphemes.join(""), "cause:webhook-url-missing ")
    assert.match(
      screen(play(incident(large), pressed("/", ..."cause:")).state).join("\n"),
      /tab: phone-missing +webhook-url-missing/u
    )
  })

  it("say how many there are when a number has none, and take one from the palette", () => {
    assert.include(
      play(incident(large), pressed("7")).state.notice?.text,
      "the loaded events have 2 causes, no cause 7"
    )
    const chosen = play(incident(large), pressed(":", ..."cause 2", "enter")).state
    assert.strictEqual(visible(events(chosen)).length, 4)
  })
})

describe("the histogram", () => {
  it("has bars of a round length that fill the width", () => {
    const minutes = (...all: ReadonlyArray<number>) => all.map((ago, index) => phoneMissing(index, ago))
    assert.deepInclude(scaleFor(minutes(0, 59), 60), { name: "1 min" })
    assert.deepInclude(scaleFor(minutes(0, 22 * 60), 60), { name: "25 min" })
    assert.deepInclude(scaleFor(minutes(0, 60 * 24 * 60), 60), { name: "2 days" })
    assert.isUndefined(scaleFor([], 60))
  })

  it("fills its room, whatever time it covers", () => {
    for (const minutes of [2, 31, 45, 90, 200, 500, 1320, 3000, 9000, 20_000]) {
      for (const columns of [10, 38, 57, 76, 95]) {
        const scale = scaleFor([phoneMissing(0, 1), phoneMissing(1, minutes)], columns)
        assert.strictEqual(scale?.cellOf(scale.count), columns, `${minutes} min in ${columns}`)
      }
    }
  })

  it("leaves out a few old events that would make one bar of all others, and reports how many failures are older", () => {
    const recent = Array.from({ length: 60 }, (_, index) => phoneMissing(index, index * 10))
    const old = Array.from({ length: 5 }, (_, index) => phoneMissing(100 + index, 60 * 24 * (20 + index)))
    const all = [...recent, ...old]
    assert.isAtLeast(
      failureBars(all, drawnRange(all) ?? { from: 0, to: 0 }, 20).filter((count) => count > 0).length,
      18
    )
    const state = play(initial(large), page(all)).state
    assert.match(screen(state).join("\n"), /65 FAILURES \(\d+ older\), a bar is 12 min/u)
    // The old ones are still a move away.
    const last = play(state, pressed("G", "[", "]")).state
    assert.isAtLeast(events(last).cursor.at, 58)
    // All of it is drawn where the old ones are not that far away.
    const near = [...recent, phoneMissing(200, 900)]
    assert.strictEqual(drawnRange(near)?.from, now - 900 * 60_000)
  })

  it("ends with the time that the list was read at, not with the end of a bar in the future", () => {
    for (const [minutes, name] of [
      [20, "1 min"],
      [60 * 20, "25 min"],
      [60 * 24 * 40, "20 hours"]
    ] as const) {
      const state = play(
        initial(large),
        page([phoneMissing(0, 1), phoneMissing(1, minutes / 2), phoneMissing(2, minutes)])
      ).state
      const shown = screen(play(state, pressed("G")).state)
      assert.include(shown.join("\n"), `a bar is ${name}`)
      assert.match(shown.find((line) => line.includes("▲")) ?? "", /12:4[01] /u)
    }
  })
  it("keeps its times apart from the sign of the cursor", () => {
    const state = play(
      initial(large),
      page(Array.from({ length: 60 }, (_, index) => phoneMissing(index, index * 10)))
    ).state
    for (const moves of [0, 3, 30, 52, 59]) {
      const axis = screen(play(state, toLine(moves)).state).find((line) => line.includes("▲")) ?? ""
      assert.notMatch(axis, /\d▲|▲\d/u)
      assert.match(axis, /\d\d:\d\d/u)
    }
  })

  it("moves the list: ] to the next older bar, [ back to the first event of the newer one", () => {
    const state = incident(large)
    const older = play(state, pressed("]")).state
    assert.isAbove(events(older).cursor.at, 0)
    const back = play(older, pressed("]", "[")).state
    assert.strictEqual(events(back).cursor.at, events(older).cursor.at)
    assert.include(play(state, pressed("[")).state.notice?.text, "no newer bar")
  })
})

describe("rows", () => {
  it("say why an event failed, with the number of its cause, and how many causes more there are", () => {
    const both = {
      ...phoneMissing(2, 3),
      jobs: [...(phoneMissing(2, 3).jobs ?? []), ...(event(2, { fails: true }).jobs ?? [])]
    }
    const shown = screen(play(initial(large), page([both])).state).join("\n")
    assert.match(shown, /✗ \d phone number missing \+1/u)
    assert.match(screen(incident(large)).join("\n"), /✗ 2 slack webhook missing/u)
  })

  it("are as wide as the screen, also the separators of days next to the preview", () => {
    const size = { columns: 200, rows: 60 }
    const lines = screen(
      play(initial(size), page([event(0), phoneMissing(1, 60 * 30), phoneMissing(2, 60 * 31)])).state
    )
    assert.isTrue(lines.some((line) => line.includes("─ 20 Nov ─")))
    for (const line of lines) assert.strictEqual(width(line), 200, line)
  })

  it("show how long ago, and a separator for each day instead of dates", () => {
    const state = play(incident(large), toLine(28)).state
    const shown = screen(state)
    assert.isTrue(shown.some((line) => /─ 20 Nov ─/u.test(line)))
    assert.isTrue(shown.some((line) => /order-shipped.* (?:\d+ h|\d+ d)/u.test(line)))
    assert.isTrue(shown.some((line) => line.startsWith("›")))
  })

  it("tell long ids apart: whole where there is room, else cut in the middle", () => {
    const ids = ["9f1c2b7e-5d1a-4e0b-8c11-0d9a8f9b1e44", "9f1c2b7e-5d1a-4e0b-8c11-0d9a8f9b1e45"]
    const long = ids.map((subscriberId, index) => ({
      ...event(index),
      subscriber: { subscriberId, _id: "internal" }
    }))
    for (const size of [small, usual, large]) {
      const rows = screen(play(initial(size), page(long)).state).filter((line) => /^[› ].\d\d:/u.test(line))
      const shown = rows.map((line) => /9f1c\S+/u.exec(line)?.[0])
      assert.notStrictEqual(shown[0], shown[1], `${size.columns}`)
      if (size.columns >= 120) assert.include(shown, ids[0])
    }
  })
})

describe("the start", () => {
  const full = (from: number) => Array.from({ length: 50 }, (_, index) => event(from + index))

  it("reads until 200 events are loaded, without a key", () => {
    let state = initial()
    const reading = { ...events(state), readAhead: { purpose: "start", pagesLeft: 3, until: 200 } as const }
    state = { ...state, screens: [reading] }
    const asked: Array<number> = []
    for (let at = 0; at < 6; at += 1) {
      const list = full(at * 50)
      const next = play(state, {
        _tag: "EventsLoaded",
        screenId: 0,
        mode: at === 0 ? "first" : "more",
        page: { data: list, hasMore: true, page: at, pageSize: 50 },
        call: { status: 200, durationMs: 1, attempts: 1, unreadable: [] }
      })
      state = next.state
      asked.push(next.commands.length)
      if (next.commands.length === 0) break
    }
    assert.deepStrictEqual(asked, [1, 1, 1, 0])
    assert.strictEqual(events(state).events.length, 200)
    assert.isUndefined(state.notice)
  })

  it("stops where the oldest event is older than a day", () => {
    const state = initial()
    for (const [since, requests] of [
      [now - 40_000, 0],
      [now - 100_000_000, 1]
    ] as const) {
      const reading = { ...events(state), readAhead: { purpose: "start", pagesLeft: 3, until: 200, since } as const }
      assert.lengthOf(play({ ...state, screens: [reading] }, page(full(0), true)).commands, requests)
    }
  })
})

describe("the event under the cursor", () => {
  it("reports how many are alike and when it last succeeded", () => {
    const good = event(19, { name: "order-shipped" })
    const failed = { ...phoneMissing(19, 1), _id: "failed", template: good.template ?? { name: "", triggers: [] } }
    const state = play(initial(large), page([failed, phoneMissing(30, 90), good])).state
    assert.strictEqual(current(events(state))?._id, "failed")
    const shown = screen(state).join("\n")
    assert.match(shown, /ALIKE +2 events of 2 subscribers, 11:11 to \d\d:\d\d; 1 shows them/u)
    assert.include(shown, "this workflow last succeeded for this subscriber 5 min ago")
  })
})

describe("the incident report", () => {
  it("has what the filter leaves, and reports which filter", () => {
    const [command] = play(incident(large), pressed("2"), pressed(":", ..."report a.md", "enter")).commands
    assert(command?._tag === "SaveFile")
    assert.match(command.text, /^4 failed of 4 events that match `cause:webhook-url-missing`, among 29 loaded events/mu)
    assert.notInclude(command.text, "phone number")
  })
})

describe("saved views", () => {
  const withViews: State = {
    ...incident(large),
    connection: {
      ...incident(large).connection,
      views: [
        { name: "failing", filter: "status:failed" },
        { name: "phones", filter: "cause:phone-missing" }
      ]
    }
  }

  it("are chosen by number and by name", () => {
    const numbered = play(withViews, pressed("g", "2")).state
    assert.strictEqual(format(events(numbered).filter), "cause:phone-missing")
    const named = play(withViews, pressed(":", ..."view failing", "enter")).state
    assert.strictEqual(format(events(named).filter), "status:failed")
    assert.include(play(withViews, pressed("g", "3")).state.notice?.text, "saved views: 1 failing, 2 phones")
  })

  it("report where to save a filter when none is saved", () => {
    assert.include(play(incident(large), pressed("g", "1")).state.notice?.text, "[views] in config.toml")
  })
})
