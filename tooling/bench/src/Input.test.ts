import { assert, describe, it } from "@effect/vitest"
import { eventPage } from "./Input.ts"

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe("Input", () => {
  it("is a page of 180 to 280 KB: 50 events, three jobs each, four execution details a job, payloads", () => {
    for (const seed of [1, 2, 3]) {
      const page = eventPage({ seed })
      assert.isAtLeast(bytes(page), 180_000)
      assert.isAtMost(bytes(page), 280_000)
      assert.lengthOf(page.data, 50)
      for (const event of page.data) {
        assert.lengthOf(event.jobs, 3)
        assert.deepStrictEqual(
          event.jobs.map((job) => job.executionDetails.length),
          [4, 4, 4]
        )
        assert.isNotEmpty(event.payload.items)
      }
    }
  })

  it("is the same for the same seed and another for another", () => {
    assert.deepStrictEqual(eventPage({ seed: 7 }), eventPage({ seed: 7 }))
    assert.notDeepEqual(eventPage({ seed: 7 }), eventPage({ seed: 8 }))
  })

  it("differs between vendors in the vendor's name only", () => {
    const ours = JSON.stringify(eventPage())
    assert.strictEqual(JSON.stringify(eventPage({ vendor: "novu" })).replaceAll("novu", "service"), ours)
  })
})
