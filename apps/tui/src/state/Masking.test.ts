import { assert, describe, it } from "@effect/vitest"
import { event, initial, page, play, pressed, screen } from "../../test/Sample.ts"
import { render } from "../app/View.ts"
import { plain } from "../view/Row.ts"
import { maskedText } from "./Masking.ts"
import { fromUpsert } from "./Facts.ts"
import type { Msg } from "./Msg.ts"
import type { State } from "./State.ts"

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

  it("shows nothing personal on any screen, and says that it is on", () => {
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
      ["o"],
      ["enter", "e", "enter"],
      [":", ..."report", "enter"],
      ["*", "y", "y"]
    ]) {
      const { commands } = play(masked, pressed(...way))
      assert.isNotEmpty(commands, way.join(" "))
      isClean(JSON.stringify(commands), way.join(" "))
    }
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
  it("keeps words that are not personal", () => {
    assert.strictEqual(
      maskedText("attempt 1 failed (ServerFailure) at 12:41:07Z"),
      "attempt 1 failed (ServerFailure) at 12:41:07Z"
    )
    assert.strictEqual(maskedText("to a.b@c.example, +44 7700 900123"), "to •••@•••, •••")
  })
})
