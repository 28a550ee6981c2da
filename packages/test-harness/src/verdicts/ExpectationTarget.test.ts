import { assert, describe, it } from "@effect/vitest"
import { manualClock } from "../clock/ManualClock.ts"
import { createFake, expectFake, Fault, verdicts } from "../index.ts"

const scene = () => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock })
  for (const subscriberId of ["ana", "ben"]) fake.addSubscriber({ subscriberId })
  fake.addIntegration({ providerId: "fcm" })
  const send = (method: string, path: string, key: string | undefined, body?: unknown): Promise<unknown> =>
    fake
      .fetch(`${fake.baseUrl}/v1/${path}`, {
        method,
        headers: {
          authorization: `ApiKey ${fake.apiKey}`,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      .catch(() => undefined)
  const upsert = (subscriberId: string, key?: string, credentials: object = { deviceTokens: ["a-device-token"] }) =>
    send("PATCH", `subscribers/${subscriberId}/credentials`, key, { providerId: "fcm", credentials })
  return { clock, fake, expected: expectFake(fake), upsert, list: () => send("GET", "notifications", undefined) }
}

describe("an expectation about one subscriber", () => {
  it("ignores the requests of others", async () => {
    const { expected, upsert } = scene()
    await upsert("ana")
    expected
      .appliedOnce({ subscriberId: "ana" })
      .neverRequested({ subscriberId: "ben" })
      .applied(0, { subscriberId: "ben" })
    assert.throws(() => expected.neverRequested({ subscriberId: "ana" }))
    await upsert("ben")
    expected.appliedOnce({ subscriberId: "ana" }).appliedOnce({ operation: "credentials.upsert", subscriberId: "ben" })
    assert.throws(() => expected.appliedOnce())
  })
  it("ignores the contradictions of others", async () => {
    const { expected, fake, upsert } = scene()
    using _failure = fake.faults.add(Fault.status(500, { at: "committed" }))
    await upsert("ana", "k1")
    await upsert("ben", "k2")
    expected.noContradictions({ subscriberId: "ben" }).noContradictions({ key: "k2" })
    assert.throws(
      () => expected.noContradictions({ subscriberId: "ana" }),
      /request 1: the client saw a failure, but the change was applied once$/mu
    )
  })
})

describe("an expectation about responses", () => {
  it("is met if some responses had this status and no such request was retried", async () => {
    const { expected, fake, list, upsert } = scene()
    await list()
    using _refused = fake.faults.add(Fault.status(503))
    await upsert("ana")
    expected.neverRetriedOn(503)
    assert.throws(() => expected.neverRetriedOn(500), /got a response 500, so there is nothing to check/u)
  })
  it("ignores incomplete responses", async () => {
    const { expected, fake, list } = scene()
    using _cut = fake.faults.add(Fault.cutBody({ afterBytes: 3 }))
    await list()
    assert.strictEqual(fake.journal.entries()[0]?.outcome._tag, "CutResponse")
    assert.throws(() => expected.neverRetriedOn(200), /got a response 200, so there is nothing to check/u)
  })
})

describe("requests in flight", () => {
  it("include unfinished requests", async () => {
    const { clock, expected, fake, upsert } = scene()
    using _slow = fake.faults.add(Fault.latency(100, { times: 2 }))
    const both = [upsert("ana", "k1"), upsert("ben", "k2")]
    expected.hadAtMostInFlight(2)
    assert.throws(() => expected.hadAtMostInFlight(1), /2 requests were in flight when request 2 came/u)
    clock.advance(100)
    await Promise.all(both)
  })
})

describe("a write that was applied twice", () => {
  it("is a contradiction only with device tokens", async () => {
    for (const [credentials, contradictions] of [
      [{ webhookUrl: "https://chat.example/room" }, 0],
      [{ deviceTokens: ["a-device-token"] }, 1]
    ] as const) {
      const { fake, upsert } = scene()
      using _lost = fake.faults.add(Fault.reset({ at: "committed", attempt: 1 }))
      await upsert("ana", "k1", credentials)
      await upsert("ana", "k1", credentials)
      const environment = verdicts(fake.journal)
      assert.deepStrictEqual(
        environment.map(({ applied }) => applied),
        [2]
      )
      assert.lengthOf(
        environment.filter(({ contradiction }) => contradiction !== undefined),
        contradictions
      )
    }
  })
})
