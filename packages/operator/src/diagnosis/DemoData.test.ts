import { EventPage } from "@signalbox/core/Schemas"
import { createFake } from "@signalbox/test-harness"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventResult } from "../status/Status.ts"
import { diagnose } from "./Diagnosis.ts"

const page = Effect.fnUntraced(function* (seed: number, number: number) {
  const fake = createFake({ data: "demo", seed })
  const body = yield* Effect.promise(() =>
    fake
      .fetch(`${fake.baseUrl}/v1/notifications?limit=50&page=${number}`, {
        headers: { authorization: `ApiKey ${fake.apiKey}` }
      })
      .then((response): Promise<unknown> => response.json())
  )
  return (yield* Schema.decodeUnknownEffect(EventPage)(body)).data
})

describe("the demo data", () => {
  it.effect.each([1, 2, 3, 4])("has no failure without an explanation (seed %i)", (seed) =>
    Effect.gen(function* () {
      const events = [...(yield* page(seed, 0)), ...(yield* page(seed, 1))]
      const troubled = events.filter((event) => ["failed", "warning"].includes(eventResult(event).kind))
      assert.isAbove(troubled.length, 3)
      for (const event of troubled) {
        const diagnosis = diagnose(event)
        assert.notInclude(["not-recognised", "provider-error", undefined], diagnosis?.rule, diagnosis?.cause)
      }
    })
  )

  it.effect("has failures that credentials cause, ready for the form, and others", () =>
    Effect.gen(function* () {
      const events = [...(yield* page(1, 0)), ...(yield* page(1, 1))]
      const roles = new Set(events.map((event) => diagnose(event)?.credentials))
      assert.isTrue(roles.has("cause"))
      assert.isTrue(roles.has("elsewhere"))
      for (const event of events) {
        const prefill = diagnose(event)?.prefill
        if (prefill !== undefined) assert.strictEqual(prefill.subscriberId, event.subscriber?.subscriberId)
      }
    })
  )
})
