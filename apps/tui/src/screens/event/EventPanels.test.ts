import { assert, describe, it } from "@effect/vitest"
import { event, initial, page, play, pressed, screen } from "../../../test/Sample.ts"
import type { Size } from "../../state/Settings.ts"

const failed = event(2, { fails: true })
const same = {
  ...event(8, { fails: true }),
  _subscriberId: failed._subscriberId,
  ...(failed.subscriber === undefined ? {} : { subscriber: failed.subscriber })
}

const opened = (size: Size) => screen(play(initial(size), page([failed, same, event(9)]), pressed("enter")).state)

describe("an event on a large terminal", () => {
  it("shows more than on a small one, never less", () => {
    const small = opened({ columns: 80, rows: 24 }).join(" ")
    for (const size of [
      { columns: 120, rows: 40 },
      { columns: 200, rows: 60 }
    ]) {
      const large = opened(size)
      for (const part of ["WHY", "NEXT", "SAID", "Webhook URL for the chat channel is missing"]) {
        assert.include(small, part)
        assert.include(large.join(" "), part)
      }
      for (const part of ["ALIKE", "THIS WORKFLOW FOR THIS SUBSCRIBER", "PAYLOAD", "SUBSCRIBER", "›✗ "]) {
        assert.isTrue(
          large.some((line) => line.includes(part)),
          `${size.columns}: ${part}`
        )
      }
    }
  })

  it("draws the steps over time on the whole width, with a scale and a sign for each execution detail", () => {
    for (const columns of [120, 200]) {
      const lines = opened({ columns, rows: 40 })
      const scale = lines.find((line) => line.includes("STEP ")) ?? ""
      assert.match(scale, /STEP +TYPE +PROVIDER +TOOK +12:40:04\.000 .*\+1\.0 s .*12:40:06\.000 \(2\.0 s\)/u)
      const bars = lines.filter((line) => line.includes("█"))
      assert.isAtLeast(bars.length, 1)
      assert.isTrue(lines.some((line) => /Webhook URL for the chat channel is missing .*✗ *$/u.test(line)))
    }
  })

  it("reports how many failures are alike, and of whom", () => {
    const lines = opened({ columns: 120, rows: 40 }).join("\n")
    assert.match(lines, /ALIKE, 1 on the list shows them/u)
    assert.include(lines, "2 events of 1 subscriber")
    assert.include(lines, "u_10002 ×2")
    assert.include(lines, "no success among the loaded events")
  })

  it("has the workflows of similar failures in one column, however long their ids are", () => {
    const made = [2, 200, 20_000].map((subscriber, at) => event(at, { fails: true, subscriber }))
    const long = made.map((one, at) =>
      Object.assign({}, one, { subscriber: { ...one.subscriber, subscriberId: "u".repeat(4 + at * 5) } })
    )
    const state = play(initial({ columns: 160, rows: 48 }), page(long), pressed("enter")).state
    const [, ...columns] = screen(state).map((line) => / u+ +comment-mention I/u.exec(line)?.[0].length)
    assert.strictEqual(new Set(columns.filter((one) => one !== undefined)).size, 1)
  })
  it("fills the room that is left with other events of the subscriber and other failures like it", () => {
    const size = { columns: 120, rows: 40 }
    const events = [
      event(0, { fails: true, subscriber: 1 }),
      event(1, { subscriber: 1 }),
      event(2, { subscriber: 2 }),
      event(3, { fails: true, subscriber: 3 }),
      event(4, { name: "welcome", subscriber: 1 })
    ]
    const lines = screen(play(initial(size), page(events), pressed("enter")).state).map((line) => line.split(/[│├┤┼]/u))
    const left = lines.map(([part = ""]) => part.trim())
    const right = lines.map(([, part = ""]) => part.trim())
    const others = left.findIndex((line) => line.includes("OTHER EVENTS OF THIS SUBSCRIBER, 2 loaded"))
    assert.deepStrictEqual(left.slice(others + 1, others + 3), [
      "✓ 12:40:20 order-shipped I✓ C✓  ok",
      "✓ 12:39:29 welcome       I✓ C✓  ok"
    ])
    assert.include(right, "✗ 12:39:46 u_10003  comment-mention I✓ C✗")
  })

  it("reports in each panel of related events if no loaded event belongs there, and how to read more", () => {
    const lines = (hasMore: boolean) =>
      screen(play(initial({ columns: 120, rows: 40 }), page([event(0)], hasMore), pressed("enter")).state).join("\n")
    for (const panel of [
      /THIS WORKFLOW FOR THIS SUBSCRIBER .*\n.* no other event loaded/u,
      /THIS WORKFLOW FOR OTHER SUBSCRIBERS .*\n.* no event loaded/u,
      /OTHER EVENTS OF THIS SUBSCRIBER .*\n.* no event loaded/u
    ])
      assert.match(lines(false), panel)
    assert.notInclude(lines(false), "older")
    assert.include(lines(true), "no event loaded; B on the list reads older events")
  })

  it("leaves free rows to related events: the payload is on the left where it fits there", () => {
    const failures = Array.from({ length: 60 }, (_, index) => event(index, { fails: true }))
    for (const size of [
      { columns: 120, rows: 40 },
      { columns: 200, rows: 60 }
    ]) {
      const lines = screen(play(initial(size), page(failures), pressed("enter")).state)
      const [left, right] = [0, 1].map((at) => lines.map((line) => line.split(/[│├┤┼]/u)[at]?.trim() ?? ""))
      assert.isTrue(left?.some((line) => line.includes("PAYLOAD")))
      const first = right?.findIndex((line) => line.includes("ALIKE")) ?? -1
      assert.isFalse(right?.slice(first, -3).includes(""))
    }
  })

  it("shows whether the workflow fails for other subscribers, too", () => {
    const size = { columns: 120, rows: 40 }
    const events = [
      event(0, { fails: true, subscriber: 1 }),
      event(1, { fails: true, subscriber: 1 }),
      event(2, { name: "comment-mention", subscriber: 2 }),
      event(3, { subscriber: 3 })
    ]
    const lines = screen(play(initial(size), page(events), pressed("enter")).state)
    const at = lines.findIndex((line) => line.includes("THIS WORKFLOW FOR OTHER SUBSCRIBERS, 1 loaded"))
    assert.match(lines[at + 1] ?? "", /✓ 12:40:03 u_10002 I✓ C✓ {2}ok *$/u)
    assert.match(lines[at + 2] ?? "", /│ *$/u)
  })

  it("shows the execution details of a folded step", () => {
    const lines = opened({ columns: 120, rows: 40 }).join("\n")
    assert.notInclude(lines, "DETAILS")
    const { state } = play(initial({ columns: 120, rows: 40 }), page([event(1)]), pressed("enter", "j"))
    assert.match(
      screen(state).join("\n"),
      /DETAILS[^]*12:40:22\.000 Queued +Internal +Step queued[^]*12:40:23\.000 Success/u
    )
    assert.notInclude(screen(play(state, pressed("l")).state).join("\n"), "DETAILS")
  })

  it("counts the event as it was read last, not as the list has it", () => {
    const size = { columns: 120, rows: 40 }
    const { state } = play(initial(size), page([failed, same]), pressed("enter"))
    const done = { ...failed, jobs: event(2).jobs ?? [] }
    const lines = screen(play(state, { _tag: "EventLoaded", screenId: 1, event: done }).state)
    assert.isTrue(lines.some((line) => line.includes("›✓ ")))
    assert.notInclude(lines.join("\n"), "no success among")
  })
})
