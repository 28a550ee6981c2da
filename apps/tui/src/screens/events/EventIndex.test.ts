import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { event } from "../../../test/Sample.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { eventsOfSubscriber, eventsOfWorkflow, loadedAs } from "./EventIndex.ts"
import { joinEvents } from "./LoadedEvents.ts"

const events: ReadonlyArray<ActivityNotification> = Array.from({ length: 24 }, (_, index) => ({
  ...event(index, { name: `workflow ${index % 4}` }),
  _subscriberId: `internal-${index % 3}`,
  subscriber: { subscriberId: `u_${index % 3}`, _id: `internal-${index % 3}` }
}))

const stranger = event(100)

const isIndexed = (list: ReadonlyArray<ActivityNotification>) => {
  for (const one of list) assert.strictEqual(loadedAs(list, { ...one }), one)
  assert.isUndefined(loadedAs(list, stranger))
  for (const part of [0, 1, 2]) {
    const expected = list.filter((one) => one._subscriberId === `internal-${part}`)
    assert.deepStrictEqual(eventsOfSubscriber(list, `internal-${part}`), expected)
    assert.deepStrictEqual(eventsOfSubscriber(list, `u_${part}`), expected)
  }
  for (const name of ["workflow 0", "workflow 3"]) {
    assert.deepStrictEqual(
      eventsOfWorkflow(list, name),
      list.filter(({ template }) => template?.name === name)
    )
  }
}

describe("the index of loaded events", () => {
  it.each([0, 1, 5, 12, 20, 24])("is that of the whole list when it grew by pages, cut after event %i", (cut) => {
    const newer = events.slice(0, cut)
    const older = events.slice(cut)
    isIndexed(newer)
    isIndexed(older)
    isIndexed(joinEvents(newer, older))
    // A list that gave its index away still answers.
    isIndexed(newer)
    isIndexed(older)
  })

  it("finds no event and no subscriber in an empty list", () => {
    assert.isUndefined(loadedAs([], stranger))
    assert.deepStrictEqual(eventsOfSubscriber([], "u_1"), [])
  })

  it("distinguishes events of one transaction where they have no id", () => {
    const { _id, ...topic } = event(1)
    assert.isString(_id)
    assert.notStrictEqual(eventKey({ ...topic, _subscriberId: "a" }), eventKey({ ...topic, _subscriberId: "b" }))
  })
})
