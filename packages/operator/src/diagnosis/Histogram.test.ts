import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { histogram, timeRange } from "./Histogram.ts"

const at = (minute: number | undefined): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: "txn",
  ...(minute === undefined ? {} : { createdAt: new Date(minute * 60_000).toISOString() })
})

describe("timeRange", () => {
  it("spans the events that have a time", () => {
    assert.deepStrictEqual(timeRange([at(9), at(undefined), at(3)]), { from: 180_000, to: 540_000 })
    assert.deepStrictEqual(timeRange([at(3)]), { from: 180_000, to: 180_000 })
    assert.isUndefined(timeRange([at(undefined)]))
    assert.isUndefined(timeRange([]))
  })
})

describe("histogram", () => {
  const range = { from: 0, to: 600_000 }

  it("counts events in equal parts, the oldest first; both ends belong to it", () => {
    assert.deepStrictEqual(histogram([at(10), at(9), at(4), at(0)], range, 5), [1, 0, 1, 0, 2])
  })

  it("leaves out events outside of the range and without a time", () => {
    assert.deepStrictEqual(histogram([at(11), at(undefined), at(5)], range, 2), [0, 1])
  })

  it("puts everything into the last part of a range without length", () => {
    assert.deepStrictEqual(histogram([at(0)], { from: 0, to: 0 }, 3), [0, 0, 1])
  })
})
