import { assert, describe, it } from "@effect/vitest"
import { manualClock } from "../clock/ManualClock.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { createFake, Fault, JournalEvicted, verdicts } from "../index.ts"

const key = (idempotencyKey?: string): Record<string, string> =>
  idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }

const scene = (options: EnvironmentOptions = {}) => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock, ...options })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
  const ask = (path: string, init: RequestInit = {}) =>
    fake.fetch(`${fake.baseUrl}${path}`, {
      ...init,
      headers: {
        authorization: `ApiKey ${fake.apiKey}`,
        "content-type": "application/json",
        ...(init.headers as Record<string, string>)
      }
    })
  const upsert = (token: string, idempotencyKey?: string, signal?: AbortSignal) =>
    ask("/v1/subscribers/ana/credentials", {
      method: "PATCH",
      headers: key(idempotencyKey),
      body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: [token] } }),
      ...(signal === undefined ? {} : { signal })
    }).then(
      ({ status }) => status,
      (error: unknown) => String(error)
    )
  const environment = () =>
    verdicts(fake.journal).map(({ applied, attempts, contradiction, outcome }) => ({
      attempts: attempts.length,
      applied,
      outcome,
      contradiction
    }))
  return { clock, fake, ask, upsert, environment }
}

const good = { contradiction: undefined }

describe("verdicts", () => {
  it("a success, a list and a rejection have the expected verdicts", async () => {
    const { ask, environment, upsert } = scene()
    await upsert("a")
    await ask("/v1/notifications")
    await ask("/v1/notifications?limit=no")
    assert.deepStrictEqual(environment(), [
      { attempts: 1, applied: 1, outcome: "success", ...good },
      { attempts: 1, applied: 0, outcome: "success", ...good },
      { attempts: 1, applied: 0, outcome: "failure", ...good }
    ])
  })

  it("names the operation, its subscriber and its key; requests that match no operation have no verdict", async () => {
    const { ask, fake, upsert } = scene()
    await upsert("a", "k1")
    await ask("/v1/nothing")
    assert.deepStrictEqual(
      verdicts(fake.journal).map(({ idempotencyKey, call, operation, subscriberId }) => ({
        idempotencyKey,
        call,
        operation,
        subscriberId
      })),
      [{ idempotencyKey: "k1", call: 1, operation: "credentials.upsert", subscriberId: "ana" }]
    )
  })

  it("a retry after a lost response is applied twice, or once if keys are honoured", async () => {
    for (const [sameBody, applied, contradiction] of [
      ["apply", 2, "device tokens were added 2 times"],
      ["replay", 1, undefined]
    ] as const) {
      const { fake, environment, upsert } = scene({ switches: { "idempotency.sameBody": sameBody } })
      using _lost = fake.faults.add(Fault.reset({ at: "committed" }))
      await upsert("a", "k1")
      assert.deepStrictEqual(environment(), [{ attempts: 1, applied: 1, outcome: "unknown", ...good }])
      await upsert("a", "k1")
      assert.deepStrictEqual(environment(), [{ attempts: 2, applied, outcome: "success", contradiction }])
    }
  })

  it("a failure that was applied is a contradiction, and so is a success that was not", async () => {
    const { fake, environment, upsert } = scene()
    using _failure = fake.faults.add(Fault.status(500, { at: "committed" }))
    await upsert("a", "k1")
    using _success = fake.faults.add(Fault.status(200, { at: "received", body: {} }))
    await upsert("b", "k2")
    assert.deepStrictEqual(environment(), [
      {
        attempts: 1,
        applied: 1,
        outcome: "failure",
        contradiction: "the client saw a failure, but the change was applied once"
      },
      {
        attempts: 1,
        applied: 0,
        outcome: "success",
        contradiction: "the client saw a success, but nothing was applied"
      }
    ])
  })

  it("a refused connection is a failure, unless the outcome of an earlier request is unknown", async () => {
    const { fake, environment, upsert } = scene()
    using _refused = fake.faults.add(Fault.refuse({ attempt: 1, key: "k1" }))
    await upsert("a", "k1")
    using _lost = fake.faults.add(Fault.reset({ attempt: 1, key: "k2" }))
    using _later = fake.faults.add(Fault.refuse({ attempt: 2, key: "k2" }))
    await upsert("a", "k2")
    await upsert("a", "k2")
    assert.deepStrictEqual(environment(), [
      { attempts: 1, applied: 0, outcome: "failure", ...good },
      { attempts: 2, applied: 0, outcome: "unknown", ...good }
    ])
  })

  it("a waiting client has no outcome yet; a disconnected one knows nothing", async () => {
    const { clock, fake, environment, upsert } = scene()
    using _slow = fake.faults.add(Fault.latency(1_000))
    const client = new AbortController()
    const answer = upsert("a", undefined, client.signal)
    assert.deepStrictEqual(environment(), [{ attempts: 1, applied: 0, outcome: "pending", ...good }])
    client.abort()
    await answer
    clock.advance(1_000)
    assert.deepStrictEqual(environment(), [{ attempts: 1, applied: 1, outcome: "unknown", ...good }])
  })

  it("an unfinished response is pending, and unknown if the client disconnects", async () => {
    const { ask, clock, fake, environment } = scene()
    const slow = Fault.slowBody({ bytes: 10, everyMs: 100 })
    using _first = fake.faults.add(slow)
    const whole = await ask("/v1/notifications")
    assert.deepStrictEqual(environment(), [{ attempts: 1, applied: 0, outcome: "pending", ...good }])
    clock.advance(60_000)
    await whole.text()
    assert.deepStrictEqual(environment(), [{ attempts: 1, applied: 0, outcome: "success", ...good }])

    using _second = fake.faults.add(slow)
    const client = new AbortController()
    await ask("/v1/notifications", { signal: client.signal })
    client.abort()
    assert.deepStrictEqual(environment()[1], { attempts: 1, applied: 0, outcome: "unknown", ...good })
  })

  it("a response that is neither a success nor an error is a failure", async () => {
    const { ask, fake, environment } = scene()
    for (const status of [299, 300, 304]) {
      using _other = fake.faults.add(Fault.status(status))
      await ask(`/v1/notifications?page=${status}`, { redirect: "manual" })
    }
    assert.deepStrictEqual(
      environment().map(({ outcome }) => outcome),
      ["success", "failure", "failure"]
    )
  })

  it("an incomplete response has an unknown outcome", async () => {
    const { ask, fake, environment } = scene()
    using _cut = fake.faults.add(Fault.cutBody({ afterBytes: 5 }))
    const response = await ask("/v1/notifications")
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(environment(), [{ attempts: 1, applied: 0, outcome: "unknown", ...good }])
  })

  it("checks throw after requests were evicted, with advice", async () => {
    const { environment, upsert } = scene({ journalCapacity: 2 })
    await upsert("a")
    await upsert("b")
    assert.lengthOf(environment(), 2)
    await upsert("c")
    assert.throws(
      environment,
      JournalEvicted,
      "cannot check the requests: the journal keeps 2 and has evicted the oldest 1 of 3; " +
        "create the environment with { journalCapacity: 6 }, or check earlier"
    )
  })
})
