import { assert, describe, it } from "@effect/vitest"
import { call, event, loaded, play, pressed, screen } from "../../../test/Sample.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import type { Msg } from "../../state/Msg.ts"

const tail = (...data: ReadonlyArray<ReturnType<typeof event>>): Msg => ({
  _tag: "EventsLoaded",
  screenId: 0,
  mode: "tail",
  page: { data, hasMore: false, page: 0, pageSize: 50 },
  call
})

const other = (index: number) => {
  const made = event(index, { fails: true })
  const [, job] = made.jobs ?? []
  assert(job !== undefined)
  return { ...made, jobs: [{ ...job, providerId: "teams" }] }
}

describe("a list that is watched", () => {
  const watching = play(loaded(10), pressed("W")).state

  it("is followed, and rings for a cause that is new, once", () => {
    assert.strictEqual(watching.interval, 5)
    assert.include(screen(watching).join("\n"), "watching 1 cause")
    const news = play(watching, tail(other(-1)))
    assert.deepStrictEqual(news.commands, [{ _tag: "Ring", text: "NEW: teams webhook missing" }])
    assert.include(screen(news.state).join("\n"), "NEW: teams webhook missing")
    assert.deepStrictEqual(play(news.state, tail(other(-1))).commands, [])
  })

  it("starts from its causes, too", () => {
    const { state } = play(loaded(10), pressed("C", "W"))
    assert.strictEqual(state.interval, 5)
    assert.include(screen(state).join("\n"), "watching 1 cause")
  })

  it("is followed and rings below another screen, whose rows stay", () => {
    const above = play(watching, pressed("C")).state
    assert.strictEqual(play(above, { _tag: "RefreshDue" }).commands[0]?._tag, "LoadEvents")
    const { commands, state } = play(above, tail(other(-1)))
    assert.deepStrictEqual(commands, [{ _tag: "Ring", text: "NEW: teams webhook missing" }])
    assert.include(screen(state)[1], "+1 new in the list")
    assert.deepStrictEqual(screen(state).slice(2, 6), screen(above).slice(2, 6))
    const back = topScreen(play(state, pressed("escape"), tail()).state)
    assert(back._tag === "Events")
    assert.strictEqual(back.events[0]?._id, other(-1)._id)
  })

  it("separates the news about several causes", () => {
    const gone = (index: number, name: string) => {
      const made = other(index)
      for (const { executionDetails } of made.jobs) {
        for (const detail of executionDetails) Object.assign(detail, { detail: `${name} was not found.`, raw: null })
      }
      return made
    }
    const [ring] = play(watching, tail(gone(-1, "Anchor"), gone(-2, "Beacon"))).commands
    assert.deepStrictEqual(ring, { _tag: "Ring", text: "NEW: Anchor was not found; NEW: Beacon was not found" })
  })

  it("is silent about causes that were loaded before, and after the key is pressed again", () => {
    assert.deepStrictEqual(play(watching, tail(event(-1, { fails: true }))).commands, [])
    assert.deepStrictEqual(play(watching, pressed("W"), tail(other(-1))).commands, [])
  })
})
