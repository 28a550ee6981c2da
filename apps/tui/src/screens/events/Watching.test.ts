import { assert, describe, it } from "@effect/vitest"
import { call, event, loaded, play, pressed, screen } from "../../../test/Sample.ts"
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
    assert.include(screen(watching).join("\n"), "watching 1 cause while this list is on top")
    const news = play(watching, tail(other(-1)))
    assert.deepStrictEqual(news.commands, [{ _tag: "Ring", text: "NEW: teams webhook missing" }])
    assert.include(screen(news.state).join("\n"), "NEW: teams webhook missing")
    assert.deepStrictEqual(play(news.state, tail(other(-1))).commands, [])
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
