import { assert, describe, it } from "@effect/vitest"
import * as Random from "../random/Random.ts"
import { makeAlarms } from "./Alarms.ts"

interface Known {
  readonly at: number
  readonly number: number
}

/** The simplest equivalent implementation. */
const firstOf = (known: ReadonlyArray<Known>, until: number): Known | undefined =>
  known.filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at || one.number - other.number)[0]

describe("Alarms", () => {
  it("run in order of time and of setting, after any cancellations", () => {
    const random = Random.stream(5)
    for (let round = 0; round < 50; round += 1) {
      const alarms = makeAlarms()
      const cancels = new Map<number, () => void>()
      let known: ReadonlyArray<Known> = []
      let rung: number | undefined
      const expectNext = (until: number) => {
        const expected = firstOf(known, until)
        rung = undefined
        alarms.take(until)?.callback()
        assert.strictEqual(rung, expected?.number)
        known = known.filter((one) => one !== expected)
        return expected !== undefined
      }
      for (let number = 0; number < 100; number += 1) {
        const at = Random.whole(random, 0, 20)
        const cancel = alarms.set(at, () => (rung = number))
        cancels.set(number, cancel)
        known = [...known, { at, number }]
        const other = Random.whole(random, 0, number)
        if (random() < 0.3) {
          cancels.get(other)?.()
          known = known.filter((one) => one.number !== other)
        }
        if (random() < 0.3) expectNext(Random.whole(random, 0, 20))
      }
      while (expectNext(20));
      assert.lengthOf(known, 0)
    }
  })

  it("releases cancelled alarms, and handles 100,000 at once", () => {
    const alarms = makeAlarms()
    const cancels = Array.from({ length: 100_000 }, (_, at) => alarms.set(at % 1_000, () => {}))
    for (const cancel of cancels) cancel()
    assert.isUndefined(alarms.take(Infinity))
    for (const cancel of cancels) cancel()
    assert.isUndefined(alarms.take(Infinity))
  })
})
