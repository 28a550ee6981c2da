import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { glyphs } from "../../theme/Glyphs.ts"
import { axis, bar } from "./Timeline.ts"

const start = Date.parse("2026-11-21T12:00:00Z")

const iso = (offset: number) => new Date(start + offset).toISOString()

/** A job with signs of life at these milliseconds after the start. */
const job = (...offsets: ReadonlyArray<number>): ActivityJob => ({
  _id: "job",
  type: "email",
  status: "completed",
  step: { _id: "", active: true, filters: [], _templateId: "" },
  executionDetails: offsets.map((offset) => ({
    _id: "detail",
    createdAt: iso(offset),
    status: "Success",
    detail: "",
    isRetry: false,
    isTest: false,
    source: "Internal"
  }))
})

const event = (...jobs: ReadonlyArray<ActivityJob>): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "subscriber",
  transactionId: "transaction",
  jobs
})

const minute = 60_000

const drawn = (jobs: ReadonlyArray<ActivityJob>, columns: number) => {
  const scale = axis(event(...jobs))
  return jobs.map((one) =>
    bar(scale, one, columns, glyphs.ascii)
      .map(({ text }) => text)
      .join("")
  )
}

describe("axis", () => {
  it("is to scale where nothing is cut", () => {
    const scale = axis(event(job(0, 1000), job(1000, 4000)))
    assert.isFalse(scale.broken)
    assert.deepStrictEqual(
      [0, 1000, 2500, 4000].map((offset) => scale.place(start + offset)),
      [0, 0.25, 0.625, 1]
    )
  })

  it("cuts a digest, so that the steps around stay visible", () => {
    const scale = axis(event(job(0, 500), job(500, 10 * minute), job(10 * minute, 10 * minute + 500)))
    assert.isTrue(scale.broken)
    const [before, after] = [500, 10 * minute].map((offset) => scale.place(start + offset))
    assert.approximately((after ?? 0) - (before ?? 0), 0.2, 1e-9)
    assert.approximately(before ?? 0, 0.4, 1e-9)
  })

  it("cuts several waits, however different they are", () => {
    const scale = axis(
      event(
        job(0, 1000),
        job(1000, 60 * minute),
        job(60 * minute, 1440 * minute),
        job(1440 * minute, 1440 * minute + 1000)
      )
    )
    assert.approximately(scale.place(start + 1000), 0.3, 1e-9)
    assert.approximately(scale.place(start + 1440 * minute), 0.7, 1e-9)
  })

  it("cuts nothing that takes a moment, and nothing when a wait is all there is", () => {
    assert.isFalse(axis(event(job(0, 1), job(1, 9000))).broken)
    assert.isFalse(axis(event(job(0, 600 * minute))).broken)
  })

  it("accepts events without times", () => {
    const scale = axis(event({ ...job(), updatedAt: "yesterday" }))
    assert.strictEqual(scale.place(start), 0)
    assert.isUndefined(scale.took(job()))
    assert.strictEqual(axis({ ...event(), jobs: [job(5)] }).place(start), 0)
  })

  it("counts the last update of a job", () => {
    const given = { ...job(1000), updatedAt: iso(3000) }
    assert.strictEqual(axis(event(given)).took(given), 2000)
  })

  const Offsets = Schema.NonEmptyArray(
    Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000 })))
  )

  it.effect.prop("keeps the order of times and stays on the line", [Offsets], ([offsets]) =>
    Effect.sync(() => {
      const scale = axis(event(...offsets.map((one) => job(...one))))
      const places = offsets
        .flat()
        .toSorted((a, b) => a - b)
        .map((offset) => scale.place(start + offset))
      for (const [index, place] of places.entries()) {
        assert.isAtLeast(place, places[index - 1] ?? 0)
        assert.isAtMost(place, 1)
      }
    })
  )

  it.effect.prop(
    "draws every job in exactly its cells",
    [Offsets, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))],
    ([offsets, columns]) =>
      Effect.sync(() => {
        const lines = drawn(
          offsets.map((one) => job(...one)),
          columns
        )
        for (const line of lines) {
          assert.lengthOf(line, columns)
          if (columns > 0) assert.include(line, "#")
        }
      })
  )
})

describe("bar", () => {
  it("shows where jobs were busy and where time is cut", () => {
    assert.deepStrictEqual(drawn([job(0, 1000), job(1000, 10 * minute), job(10 * minute, 10 * minute + 1000)], 20), [
      "########            ",
      "........#::#        ",
      "............########"
    ])
  })

  it("shows a job of no length as one cell", () => {
    assert.deepStrictEqual(drawn([job(0), job(500), job(1000)], 10), ["#         ", ".....#    ", ".........#"])
  })

  it("leaves a job without times empty", () => {
    assert.deepStrictEqual(drawn([job(), job(0, 10)], 4), ["    ", "####"])
  })
})
