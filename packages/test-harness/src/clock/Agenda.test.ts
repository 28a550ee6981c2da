import { assert, describe, it } from "@effect/vitest"
import * as Agenda from "./Agenda.ts"
import * as Random from "../random/Random.ts"

describe("Agenda", () => {
  it("returns items in order of time, then of insertion", () => {
    const random = Random.stream(3)
    const items = Array.from({ length: 500 }, (_, sequence) => ({ at: Random.whole(random, 0, 50), sequence }))
    let agenda = items.reduce<Agenda.Agenda<Agenda.Due>>(Agenda.add, undefined)
    const given: Array<Agenda.Due> = []
    while (agenda !== undefined) {
      given.push(agenda.first)
      agenda = Agenda.rest(agenda)
    }
    assert.deepStrictEqual(
      given,
      items.toSorted((one, other) => one.at - other.at || one.sequence - other.sequence)
    )
  })
})
