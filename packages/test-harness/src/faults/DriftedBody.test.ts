import { assert, describe, it } from "@effect/vitest"
import * as CallInfo from "@signalbox/core/CallInfo"
import * as Client from "@signalbox/core/Client"
import type { ListEventsError, MarkMessagesAsError, UpsertCredentialsError } from "@signalbox/core/Errors"
import type { OperationName } from "@signalbox/core/Operations"
import { Credentials } from "@signalbox/core/Credentials"
import { Events } from "@signalbox/core/Events"
import { Messages } from "@signalbox/core/Messages"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { manualClock } from "../clock/ManualClock.ts"
import { createFake, Fault, type Switches, timeline } from "../index.ts"
import { driftedBody } from "./DriftedBody.ts"
import { layer as fakeLayer } from "../effect.ts"

const messageId = "a".repeat(24)

const scene = (switches: Partial<Switches> = {}) => {
  const fake = createFake({ data: "empty", switches, clock: manualClock() })
  fake.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addMessage({ subscriberId: "ana", id: messageId })
  fake.addWorkflow({ identifier: "welcome", steps: [{ type: "email" }] })
  fake.trigger({ workflow: "welcome", to: "ana" })
  const client = Client.layer({ apiKey: fake.apiKey, baseUrl: fake.baseUrl }).pipe(Layer.provide(fakeLayer(fake)))
  return { fake, client }
}

const fcm = { providerId: "fcm", credentials: { deviceTokens: ["a"] } } as const

/** The outcome of a call with a tolerant client: kinds of drift, or the reason for its failure. */
const notices = <A, R>(
  call: Effect.Effect<A, UpsertCredentialsError | MarkMessagesAsError | ListEventsError, R>
): Effect.Effect<string, never, R> =>
  CallInfo.withInfo(call).pipe(
    Effect.match({
      onSuccess: ({ call: { drift } }) => drift.map(({ kind }) => kind).join(),
      onFailure: ({ reason }) => reason._tag
    })
  )

const drifted = ["credentials.upsert", "messages.markAs", "events.list"] as const satisfies ReadonlyArray<OperationName>

const calls: Readonly<Record<(typeof drifted)[number], Effect.Effect<string, never, Client.Client>>> = {
  "credentials.upsert": notices(Credentials.use((credentials) => credentials.upsert("ana", fcm))),
  "messages.markAs": notices(Messages.use((messages) => messages.markAs("ana", { messageId, markAs: "read" }))),
  "events.list": notices(Events.use((events) => events.list()))
}

const kinds = ["unknown-enum-value", "unknown-field", "missing-field", "null"] as const

/** The client's report for kinds that it cannot detect. */
const instead: Readonly<Record<string, string>> = {
  "missing-field in credentials.upsert": "MalformedResponse",
  "null in credentials.upsert": "MalformedResponse",
  "missing-field in messages.markAs": "unreadable",
  "null in messages.markAs": "unreadable",
  "missing-field in events.list": "unreadable",
  "null in events.list": "unreadable"
}

describe("Fault.drift", () => {
  for (const envelope of ["bare", "data"] as const) {
    for (const operation of drifted) {
      for (const kind of kinds) {
        const drift = `${kind} in ${operation}`
        it.effect(`${drift}, envelope ${envelope}: its client notices`, () =>
          Effect.gen(function* () {
            const { client, fake } = scene({ envelope })
            const call = Effect.provide(calls[operation], client)
            assert.strictEqual(yield* call, "")
            const fault = fake.faults.add(Fault.drift({ kind }))
            assert.strictEqual(yield* call, instead[drift] ?? kind)
            assert.strictEqual(fault.fired(), 1)
          })
        )
      }
    }
  }

  it("applies to the named field at any place", () => {
    const body = [{ a: 1, deep: [{ cta: { data: "x" } }] }]
    const drift = (kind: Fault.DriftKind, field: string) => driftedBody(body, { kind, field })?.value
    assert.deepStrictEqual(drift("null", "cta"), [{ a: 1, deep: [{ cta: null }] }])
    assert.deepStrictEqual(drift("missing-field", "data"), [{ a: 1, deep: [{ cta: {} }] }])
    assert.deepStrictEqual(drift("unknown-enum-value", "data"), [{ a: 1, deep: [{ cta: { data: "of-tomorrow" } }] }])
    assert.deepStrictEqual(drift("unknown-field", "z"), [{ ...body[0], z: "of-tomorrow" }])
    assert.isUndefined(drift("null", "nowhere"))
    assert.isUndefined(drift("unknown-enum-value", "a"))
    assert.deepStrictEqual(body, [{ a: 1, deep: [{ cta: { data: "x" } }] }])
  })

  it.each<readonly [Fault.DriftKind, string | undefined, string | undefined]>([
    ["missing-field", "data[].jobs[].type", "removed data[1].jobs[0].type"],
    ["missing-field", "data[1].jobs[1].type", "removed data[1].jobs[1].type"],
    ["null", "jobs[].type", "set data[1].jobs[0].type to null"],
    ["unknown-enum-value", "type", 'set data[1].jobs[0].type to "of-tomorrow"'],
    ["unknown-enum-value", "channels", 'set data[0].channels[0] to "of-tomorrow"'],
    ["unknown-field", "data[].jobs[].z", "added data[1].jobs[0].z"],
    ["unknown-field", undefined, "added data[0].fieldOfTomorrow"],
    ["missing-field", undefined, "removed hasMore"],
    ["missing-field", "data[2].jobs[].type", undefined],
    ["missing-field", "data[].jobs[].none", undefined]
  ])("describes %s in %s by its path", (kind, field, effect) => {
    const jobs = [{ type: "email" }, { type: "push" }]
    const body = {
      hasMore: false,
      data: [
        { channels: ["email"], jobs: [] },
        { channels: [], jobs }
      ]
    }
    assert.strictEqual(driftedBody(body, { kind, ...(field === undefined ? {} : { field }) })?.effect, effect)
  })

  it("shows its effect in the journal and the timeline, and names the field that a response lacks", async () => {
    const { fake } = scene()
    const list = () =>
      fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
    fake.faults.add(Fault.drift({ kind: "missing-field", field: "data[].jobs[].status" }))
    await list()
    assert.strictEqual(fake.journal.entries()[0]?.faultEffect, "removed data[0].jobs[0].status")
    assert.include(timeline(fake), "met missing-field in data[].jobs[].status at answering\n")
    assert.include(timeline(fake), " removed data[0].jobs[0].status\n")
    const typo = fake.faults.add(Fault.drift({ kind: "null", field: "data[].jobs[].staus" }))
    await list()
    assert.throws(() => typo[Symbol.dispose](), "its response has no staus; did you mean status?")
  })
})
