import { assert, describe, it } from "@effect/vitest"
import { event } from "../../../test/Sample.ts"
import { joinEvents, summaryOf } from "./LoadedEvents.ts"

const events = Array.from({ length: 12 }, (_, index) =>
  event(index, { fails: index % 3 === 1, name: `workflow-${"x".repeat(index)}`, subscriber: 10 ** (11 - index) })
)

describe("a list that grew", () => {
  it.each([0, 1, 4, 11, 12])("has the summary of a list that was read at once, cut after event %i", (cut) => {
    const grown = joinEvents(events.slice(0, cut), events.slice(cut))
    assert.deepStrictEqual(grown, events)
    assert.deepStrictEqual(summaryOf(grown), summaryOf(events.slice()))
  })

  it("is the same list where nothing was added", () => {
    assert.strictEqual(joinEvents(events, []), events)
    assert.strictEqual(joinEvents([], events), events)
  })
})
