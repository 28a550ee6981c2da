import { assert, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Tracer from "effect/Tracer"
import { makeService, tempFolder, tokenLines, write } from "../../test/TestService.ts"
import { startImport } from "../index.ts"

describe("telemetry of a run", () => {
  it.live("has a span around the calls, and a counter of lines by outcome", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      environment.faults.add(Fault.status(422, { operation: "credentials.upsert", times: 2, body: { message: "no" } }))
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const registry = new Map()
      const input = write(folder, "tokens.ndjson", tokenLines(10))
      const { id } = yield* startImport({ input }).pipe(
        Effect.provide(layer),
        Effect.provideService(Tracer.Tracer, tracer),
        Effect.provideService(Metric.MetricRegistry, registry)
      )
      const run = spans.find(({ name }) => name === "signalbox.bulk.import")
      assert.deepStrictEqual(Object.fromEntries(run?.attributes ?? []), {
        "signalbox.bulk.run": id,
        "signalbox.bulk.succeeded": 8,
        "signalbox.bulk.failed": 2,
        "signalbox.bulk.unknown": 0,
        "signalbox.bulk.invalid": 0
      })
      assert.strictEqual(run?.status._tag, "Ended")
      const calls = spans.filter(({ name }) => name.includes("credentials"))
      assert.lengthOf(calls, 10)
      assert.isTrue(calls.every(({ parent }) => parent._tag === "Some" && parent.value === run))
      const snapshots = yield* Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
      const lines = snapshots.flatMap(({ attributes, id: name, state }) =>
        name === "signalbox.bulk.lines" ? [[attributes?.["outcome"], state]] : []
      )
      assert.deepStrictEqual(lines.map(([outcome, state]) => `${String(outcome)} ${JSON.stringify(state)}`).sort(), [
        'failed {"count":2,"incremental":false}',
        'succeeded {"count":8,"incremental":false}'
      ])
    }).pipe(Effect.scoped)
  )
})
