import { assert, it } from "@effect/vitest"
import type { CallInfo } from "@signalbox/core/CallInfo"
import * as Effect from "effect/Effect"
import * as Clock from "effect/Clock"
import { makeRecorder, type Recording } from "./Recorder.ts"
import { isAsReadBySchema, wrongReadings } from "./SchemaReading.ts"

const page = { hasMore: false, data: [], page: 0, pageSize: 10 }

it.effect("a call that reads something else than the schemas is a finding", () =>
  Effect.gen(function* () {
    const recorder = makeRecorder(1, yield* Clock.Clock)
    recorder.watch.responses.push({ status: 200, requestId: "r", text: JSON.stringify({ ...page, surprise: 1 }) })
    const info: CallInfo = {
      operation: "events.list",
      requestId: "r",
      attempts: [],
      status: 200,
      headers: {},
      replayed: false,
      drift: [{ kind: "unknown-field", path: "surprise" }],
      driftCount: 1,
      unreadable: [],
      durationMs: 1
    }
    const reporting = (drift: CallInfo["drift"]): Recording => ({
      ...recorder,
      infos: [{ ...info, drift, driftCount: drift.length }]
    })
    assert.deepStrictEqual(wrongReadings(reporting(info.drift), "service"), [])
    const finding = ["reports drift that differs from what the schemas read"]
    assert.deepStrictEqual(wrongReadings(reporting([]), "service"), finding)
    assert.deepStrictEqual(wrongReadings(reporting([{ kind: "unknown-field", path: "other" }]), "service"), finding)
    assert.isTrue(isAsReadBySchema(page, reporting(info.drift), "service"))
    assert.isFalse(isAsReadBySchema({ ...page, pageSize: 11 }, reporting(info.drift), "service"))
  })
)
