import { type ExecutionDetail, failures, isFailed, isSkip } from "@signalbox/core/Records"
import { EventPage } from "@signalbox/core/Schemas"
import { createFake, type Fake, manualClock } from "@signalbox/test-harness"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventResult } from "../status/Status.ts"
import { diagnose } from "./Diagnosis.ts"
import { failureGroups, groupDiagnosis } from "./FailureGroup.ts"

const page = Effect.fnUntraced(function* (seed: number, number: number, given?: Fake) {
  const fake = given ?? createFake({ data: "demo", seed })
  const body = yield* Effect.promise(() =>
    fake
      .fetch(`${fake.baseUrl}/v1/notifications?limit=50&page=${number}`, {
        headers: { authorization: `ApiKey ${fake.apiKey}` }
      })
      .then((response): Promise<unknown> => response.json())
  )
  return (yield* Schema.decodeUnknownEffect(EventPage)(body)).data
})

it.effect("finds the failed events that programs find", () =>
  Effect.gen(function* () {
    const details: Array<ExecutionDetail> = []
    for (const seed of [1, 7]) {
      for (const number of [0, 1, 2]) {
        for (const event of yield* page(seed, number)) {
          const { job, kind } = eventResult(event)
          assert.strictEqual(isFailed(event), kind === "failed", event.transactionId)
          assert.strictEqual(failures(event)[0]?.job, kind === "failed" ? job : undefined)
          details.push(...(event.jobs ?? []).flatMap(({ executionDetails }) => executionDetails))
        }
      }
    }
    assert.isTrue(details.some((detail) => detail.status === "Failed" && isSkip(detail)))
  })
)

it.effect.each(["provider-outage-recovered", "rate-limited-recovered", "provider-outage"] as const)(
  "agrees on %s",
  (kind) =>
    Effect.gen(function* () {
      const clock = manualClock("2026-11-20T12:00:00Z")
      const fake = createFake({ clock, data: "demo" })
      const { transactionId } = fake.trigger({ workflow: "order-confirmed", to: "u_10377", failures: { email: kind } })
      clock.advance(86_400_000)
      const event = (yield* page(1, 0, fake)).find((one) => one.transactionId === transactionId)
      assert(event !== undefined)
      assert.deepStrictEqual(
        [isFailed(event), eventResult(event).kind === "failed"],
        kind === "provider-outage" ? [true, true] : [false, false]
      )
    })
)

it.effect("names every integration that a failure of a group concerns", () =>
  Effect.gen(function* () {
    const events = (yield* Effect.forEach([0, 1], (number) => page(1, number))).flat()
    const group = failureGroups(events).find(({ cause }) => cause === "webhook-url-missing/chat/slack")
    assert(group !== undefined)
    const all = groupDiagnosis(group)
    assert.include(all?.advice, "webhook URL for slack (integrations slack-operations, slack-support)")
    assert.include(all?.cause, "webhook URL for slack (integrations slack-operations, slack-support)")
    assert.isUndefined(all?.prefill?.integrationIdentifier)
    const one = groupDiagnosis({ ...group, events: group.events.slice(0, 1) })
    assert.match(one?.advice ?? "", /for slack \(integration slack-\w+\)/u)
  })
)

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
