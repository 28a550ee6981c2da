import { assert, describe, it } from "@effect/vitest"
import * as Agenda from "./Agenda.ts"
import * as Random from "../random/Random.ts"

describe("Agenda", () => {
  it("returns appointments in order of time, then of insertion", () => {
    const random = Random.stream(3)
    const appointments = Array.from({ length: 500 }, (_, sequence): Agenda.Appointment => ({
      at: Random.whole(random, 0, 50),
      sequence,
      eventId: "e",
      job: 0,
      what: "start"
    }))
    let agenda = appointments.reduce<Agenda.Agenda>(Agenda.add, undefined)
    const given: Array<Agenda.Appointment> = []
    while (agenda !== undefined) {
      given.push(agenda.first)
      agenda = Agenda.rest(agenda)
    }
    assert.deepStrictEqual(
      given,
      appointments.toSorted((one, other) => one.at - other.at || one.sequence - other.sequence)
    )
  })
})
