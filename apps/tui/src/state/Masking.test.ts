import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { event, initial, page, play, pressed, screen } from "../../test/Sample.ts"
import { render } from "../app/View.ts"
import { plain } from "../view/Row.ts"
import { masked as maskedValue, maskedText, wholeMaskedText } from "./Masking.ts"
import { fromUpsert } from "./Facts.ts"
import type { Msg } from "./Msg.ts"
import type { State } from "./State.ts"

/** Words, and parts of what is masked. */
const Pieces = Schema.Array(
  Schema.Union([
    Schema.Literals([
      "Step queued ",
      "Bearer ",
      "ApiKey ",
      "basic ",
      "token",
      "webhook-url",
      ": ",
      "=",
      "%3D",
      '"',
      "https://",
      "hook",
      "a.b@c.example",
      "+44 7700 900123",
      "ExponentPushToken[",
      "0123456789abcdef0123456789abcdef01234567",
      "set-cookie",
      ":APA91b-x",
      "abcdefghij"
    ]),
    Schema.String
  ])
)

const large = { columns: 200, rows: 60 }

const personal = ["Zoe", "Quill", "zoe.quill@example.test", "+44 7700 900123", "ORDER-SECRET", "4242", "hooks.example"]

const someone = (index: number) => {
  const base = event(index, { fails: index % 2 === 0 })
  const [first, ...others] = base.jobs ?? []
  assert(first !== undefined)
  const detail = {
    _id: `d${index}`,
    status: "Failed" as const,
    detail: "Message to zoe.quill@example.test (+44 7700 900123) refused",
    raw: JSON.stringify({
      message: "no mailbox zoe.quill@example.test",
      hook: "https://hooks.example.test/services/T0/B0/abcdef"
    }),
    isRetry: false,
    isTest: false,
    source: "Provider" as const
  }
  return {
    ...base,
    subscriber: {
      subscriberId: `u_${index}`,
      _id: "internal",
      firstName: "Zoe",
      lastName: "Quill",
      email: "zoe.quill@example.test",
      phone: "+44 7700 900123"
    },
    payload: { order: "ORDER-SECRET", card: 4242, nested: [{ name: "Zoe" }] },
    jobs: [{ ...first, executionDetails: [...first.executionDetails, detail] }, ...others]
  }
}

const events = Array.from({ length: 6 }, (_, index) => someone(index))

const known = (state: State): State => ({
  ...state,
  facts: fromUpsert(
    state.facts,
    {
      subscriberId: "u_0",
      _organizationId: "organization",
      _environmentId: "environment",
      deleted: false,
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-01-01T00:00:00Z",
      channels: [
        { providerId: "slack", _integrationId: "1", credentials: { webhookUrl: "https://hooks.example.test/x" } }
      ]
    },
    state.now
  )
})

const ways = [[], ["enter"], ["s"], ["s", "v"], ["p"], ["J"], ["z"], ["enter", "n", "z"], ["c"], ["m"], ["L"], ["H"]]

const isClean = (text: string, where: string) => {
  for (const word of personal) assert.notInclude(text, word, where)
}

describe("masking", () => {
  const masked = play(known(play(initial(large), page(events)).state), pressed(":", ..."mask on", "enter")).state

  it("shows nothing personal on any screen, and reports that it is on", () => {
    for (const way of ways) {
      const { state } = play(masked, pressed(...way))
      isClean(screen(state).join("\n"), way.join(" "))
      isClean(
        render(state)
          .map((row) => `${plain(row)} ${row.spoken ?? ""}`)
          .join("\n"),
        way.join(" ")
      )
      assert.include(screen(state)[0], "[MASKED]")
    }
  })
  it("lets nothing personal into copies, exports, reports and the pager", () => {
    for (const way of [
      ["y", "y"],
      ["y", "c"],
      ["e", "enter"],
      ["O"],
      ["enter", "e", "enter"],
      [":", ..."report", "enter"],
      ["*", "y", "y"]
    ]) {
      const { commands } = play(masked, pressed(...way))
      assert.isNotEmpty(commands, way.join(" "))
      isClean(JSON.stringify(commands), way.join(" "))
    }
  })
  it("shows no address of a filter: not in the list, the prompt, copies, reports and the request log", () => {
    const filtered = play(masked, pressed("/", ..."email:zoe.quill@example.test", "enter"), page([someone(1)])).state
    const request: Msg = {
      _tag: "RequestMade",
      request: {
        startedAt: 0,
        method: "GET",
        target: "/v1/notifications?emails=zoe.quill%40example.test&page=0",
        number: 1,
        durationMs: 1,
        delayMs: 0,
        outcome: "success",
        curl: "curl 'http://x/v1/notifications?emails=zoe.quill%40example.test'"
      }
    }
    for (const way of [[], ["/"], ["L"], ["H"]])
      assert.notInclude(screen(play(filtered, request, pressed(...way)).state).join("\n"), "zoe.quill", way.join(" "))
    assert.include(screen(filtered)[1], "email:•••@•••")
    for (const way of [["Y"], ["y", "c"], [":", ..."report", "enter"], ["L", "y", "c"]]) {
      const { commands } = play(filtered, request, pressed(...way))
      assert.isNotEmpty(commands, way.join(" "))
      assert.notInclude(JSON.stringify(commands), "zoe.quill", way.join(" "))
    }
  })
  it("masks notices, and the error of a rejected credentials form", () => {
    const text = "no mailbox zoe.quill@example.test (+44 7700 900123), https://hooks.example.test/services/T0/B0/abcdef"
    const noticed: Msg = { _tag: "Noticed", notice: { text, tone: "failed" } }
    const shown = screen(play(masked, noticed).state).join("\n")
    assert.include(shown, "no mailbox")
    isClean(shown, "the notice")
    const form = play(masked, pressed("c")).state
    const screenId = form.screens.at(-1)?.id ?? 0
    const problem = { summary: text, advice: "Correct it.", fields: [{ path: "deviceTokens", message: text }], at: 0 }
    const refused = play(form, { _tag: "CredentialsRefused", screenId, problem }).state
    assert.include(screen(refused).join("\n"), "no mailbox")
    isClean(screen(refused).join("\n"), "the form")
  })
  it("masks requests and the history that were there before it was switched on", () => {
    const request = {
      startedAt: 0,
      method: "GET",
      target: "/v1/notifications?emails=zoe.quill%40example.test",
      number: 1,
      durationMs: 1,
      delayMs: 0,
      outcome: "success",
      curl: "curl 'http://x/v1/notifications?emails=zoe.quill%40example.test'"
    }
    const noticed: Msg = { _tag: "Noticed", notice: { text: "read zoe.quill@example.test", tone: "failed" } }
    const before = play(initial(large), page(events), { _tag: "RequestMade", request }, noticed).state
    const after = play(before, pressed(":", ..."mask on", "enter")).state
    for (const way of [["L"], ["H"]]) {
      assert.include(screen(play(before, pressed(...way)).state).join("\n"), "zoe.quill", way.join(" "))
      isClean(screen(play(after, pressed(...way)).state).join("\n"), way.join(" "))
    }
    isClean(JSON.stringify([after.requests, after.history]), "the state")
  })
  it("masks what arrives later, and what is typed into a secret field", () => {
    const again: Msg = {
      _tag: "EventsLoaded",
      screenId: 0,
      mode: "first",
      page: { data: [someone(9)], hasMore: false, page: 0, pageSize: 50 },
      call: { status: 200, durationMs: 1, attempts: 1, unreadable: [] }
    }
    const later = play(masked, again).state
    assert.include(screen(later).join("\n"), "u_9")
    isClean(screen(later).join("\n"), "a page")
    const url = { _tag: "Paste", text: "https://hooks.example.test/services/T0/B0/abcdef" } as const
    const form = play(masked, pressed("c", ..."slack", "tab", "tab"), url).state
    isClean(screen(form).join("\n"), "the form")
    assert.include(screen(play(form, pressed("ctrl-v")).state).join("\n"), "the screen is masked")
  })
  it("sends real ids, and reads the list again when it ends", () => {
    const { commands, state } = play(masked, pressed(":", ..."mask off", "enter"))
    assert.strictEqual(commands[0]?._tag, "LoadEvents")
    assert.notInclude(screen(state)[0], "[MASKED]")
    assert.strictEqual(state.facts.subscribers.size, 0)
    const [read] = play(masked, pressed("enter", "r")).commands
    assert(read?._tag === "LoadEvent")
    assert.strictEqual(read.event.subscriber?.subscriberId, "u_0")
  })
  it("masks a long list part by part: a key waits for a bounded number of events, and sees none that is not masked", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => someone(index))
    const long = play(initial(large), page(many), pressed("j", "j", "space")).state
    const list = (state: State) => {
      const top = state.screens[0]
      assert(top?._tag === "Events")
      return top
    }
    let next = play(long, pressed(":", ..."mask on", "enter"))
    assert.deepStrictEqual(next.commands, [{ _tag: "MaskMore" }])
    let before = 0
    let parts = 0
    for (; next.commands.length > 0; parts += 1) {
      const { events: shown, masking } = list(next.state)
      assert.isAtMost(shown.length - before, parts === 0 ? 200 : 50)
      assert.strictEqual(shown.length + (masking?.rest.length ?? 0), 1_000)
      isClean(JSON.stringify(shown), "a part")
      isClean(screen(next.state).join("\n"), "a part on the screen")
      assert.match(screen(next.state)[1] ?? "", /\d+ of 1000 masked/u)
      // Keys work meanwhile, and pages are not asked for.
      const keys = play(next.state, pressed("G", "1", "F", "X"))
      assert.deepStrictEqual(keys.commands, [])
      isClean(screen(keys.state).join("\n"), "after keys")
      before = shown.length
      next = play(next.state, { _tag: "MaskMore" })
    }
    assert.strictEqual(parts, 16)
    const done = list(next.state)
    assert.isUndefined(done.masking)
    assert.strictEqual(done.cursor.at, 3)
    assert.deepStrictEqual(
      done.events.map(({ _id }) => _id),
      many.map(({ _id }) => _id)
    )
    isClean(JSON.stringify(done.events), "the end")
  })

  it("leaves each cause its number, also one of events that are masked last", () => {
    const many = Array.from({ length: 600 }, (_, index) => {
      const made = event(index, { fails: true })
      const jobs = (made.jobs ?? []).map((job) => Object.assign({}, job, { providerId: "discord" }))
      return index < 250 ? made : { ...made, jobs }
    })
    let next = play(initial(large), page(many))
    const causes = (state: State) =>
      screen(state)
        .join("\n")
        .match(/[12] +\d+× \w+/gu)
    const before = causes(next.state)
    assert.deepStrictEqual(before, ["1  350× discord", "2  250× slack"])
    next = play(next.state, pressed(":", ..."mask on", "enter"))
    while (next.commands.length > 0) next = play(next.state, { _tag: "MaskMore" })
    assert.deepStrictEqual(causes(next.state), before)
  })

  it("returns the cursor to a place far down, and keeps pages in their order", () => {
    const many = Array.from({ length: 600 }, (_, index) => someone(index))
    const far = play(initial(large), page(many, true), pressed("G")).state
    let next = play(far, pressed(":", ..."mask on", "enter"))
    const more: Msg = {
      _tag: "EventsLoaded",
      screenId: 0,
      mode: "more",
      page: { data: [someone(600)], hasMore: false, page: 1, pageSize: 50 },
      call: { status: 200, durationMs: 1, attempts: 1, unreadable: [] }
    }
    next = play(next.state, more, { _tag: "MaskMore" })
    while (next.commands.length > 0) next = play(next.state, { _tag: "MaskMore" })
    const [list] = next.state.screens
    assert(list?._tag === "Events")
    assert.strictEqual(list.cursor.at, 599)
    assert.strictEqual(list.events.length, 601)
    assert.strictEqual(list.events.at(-1)?.subscriber?.subscriberId, "u_600")
    isClean(JSON.stringify(list.events), "with a page that arrived meanwhile")
  })

  it.effect.prop("looks at the whole string only where it has something of what is masked", [Pieces], ([pieces]) =>
    Effect.sync(() => {
      const sentence = pieces.join("")
      assert.strictEqual(maskedText(sentence), wholeMaskedText(sentence))
    })
  )

  it("keeps the structure of what is masked, and values that say nothing", () => {
    const payload = { none: null, on: true, off: false, list: [1, "a", undefined, { text: "b" }] }
    const hidden = { none: null, on: true, off: false, list: ["•••", "•••", undefined, { text: "•••" }] }
    const facts = { count: 5, none: null, at: new Date(0), known: new Map([["a.b@c.example", { firstName: "Ana" }]]) }
    assert.deepStrictEqual(maskedValue<unknown>({ payload, facts: [facts], _id: "a.b@c.example" }), {
      payload: hidden,
      facts: [{ ...facts, known: new Map([["a.b@c.example", { firstName: "•••" }]]) }],
      _id: "a.b@c.example"
    })
  })

  it("keeps words that are not personal", () => {
    assert.strictEqual(
      maskedText("attempt 1 failed (ServerFailure) at 12:41:07Z"),
      "attempt 1 failed (ServerFailure) at 12:41:07Z"
    )
    assert.strictEqual(maskedText("to a.b@c.example, +44 7700 900123"), "to •••@•••, •••")
  })
})
