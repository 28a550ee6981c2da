import { assert, describe, it } from "@effect/vitest"
import { operationNames } from "@signalbox/core/Operations"
import { expect } from "vitest"
import { manualClock } from "../clock/ManualClock.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { createFake, expectFake, Fault, type FakeExpectations, JournalEvicted, UnmetExpectation } from "../index.ts"

const messageId = "0123456789abcdef01234567"

const scene = (options: EnvironmentOptions = {}) => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock, ...options })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
  const send = (path: string, key: string | undefined, init: RequestInit) =>
    fake
      .fetch(`${fake.baseUrl}${path}`, {
        ...init,
        headers: {
          authorization: `ApiKey ${fake.apiKey}`,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key })
        }
      })
      .then(
        ({ status }) => status,
        (error: unknown) => String(error)
      )
  const upsert = (key?: string, token = "device-token-of-ana") =>
    send("/v1/subscribers/ana/credentials", key, {
      method: "PATCH",
      body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: [token] } })
    })
  const mark = (id = messageId, subscriberId = "ana") =>
    send(`/v1/subscribers/${subscriberId}/messages/mark-as`, undefined, {
      method: "POST",
      body: JSON.stringify({ messageId: [id], markAs: "read" })
    })
  const list = (query = "") => send(`/v1/notifications${query}`, undefined, {})
  return { clock, fake, expected: expectFake(fake), send, upsert, mark, list }
}

const unmet = (expectation: () => FakeExpectations): UnmetExpectation => {
  try {
    expectation()
  } catch (error) {
    if (error instanceof UnmetExpectation) return error
    throw error
  }
  throw new Error("the expectation holds")
}

/** The message of an unmet expectation. */
const failure = (expectation: () => FakeExpectations): string => unmet(expectation).message

/** The same without the timeline. */
const issue = (expectation: () => FakeExpectations): string => unmet(expectation).issue

/** Compares the message of an unmet expectation with a file. */
const isUnmet = (name: string, expectation: () => FakeExpectations): Promise<void> =>
  expect(`${failure(expectation)}\n`).toMatchFileSnapshot(`./unmet/${name}.txt`)

describe("expectFake", () => {
  it.each([undefined, {}])("rejects %j, which is no fake", (other) => {
    assert.throws(() => expectFake(other as never), RangeError, "expectFake: must be called with a fake")
  })
})

describe("expectFake: what was applied", () => {
  it("does not count a mark that finds no message as applied, but one that repeats a state", async () => {
    const fake = createFake({ data: "empty" })
    fake.addSubscriber({ subscriberId: "ana" })
    const { id } = fake.addMessage({ subscriberId: "ana" })
    const mark = (messageId: string) =>
      fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/messages/mark-as`, {
        method: "POST",
        headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ messageId: [messageId], markAs: "read" })
      })
    await mark("0".repeat(24))
    expectFake(fake).applied(0, "messages.markAs")
    assert.throws(() => expectFake(fake).noContradictions(), UnmetExpectation, "nothing was applied")
    await mark(id)
    await mark(id)
    expectFake(fake).applied(2, "messages.markAs")
  })

  it("applied once, although the acknowledgement was lost", async () => {
    const { expected, fake, upsert } = scene({ switches: { "idempotency.sameBody": "replay" } })
    using _lost = fake.faults.add(Fault.reset({ at: "committed", attempt: 1 }))
    await upsert("k1")
    await upsert("k1")
    expected
      .appliedOnce()
      .appliedOnce("credentials.upsert")
      .appliedOnce({ operation: "credentials.upsert", subscriberId: "ana", key: "k1" })
      .applied(0, { key: "k2" })
      .noContradictions()
  })

  it("applied twice, with what happened", async () => {
    const { clock, expected, fake, upsert } = scene()
    using _lost = fake.faults.add(Fault.reset({ at: "committed", attempt: 1 }))
    using _slow = fake.faults.add(Fault.latency(250, { attempt: 2 }))
    await upsert("order-7")
    clock.advance(200)
    const again = upsert("order-7")
    clock.advance(250)
    await again
    await isUnmet("applied-twice", () => expected.appliedOnce("credentials.upsert"))
    expected.applied(2)
    expect(issue(() => expected.noContradictions())).toMatchInlineSnapshot(
      `"request 1: device tokens were added 2 times"`
    )
  })

  it("never applied, never requested", async () => {
    const { expected, upsert } = scene()
    await isUnmet("never-requested", () => expected.appliedOnce({ subscriberId: "ana", key: "k1" }))
    await upsert("k1")
    expected.neverRequested("events.list").neverRequested({ key: "k2" })
    expect(issue(() => expected.neverRequested("credentials.upsert"))).toMatchInlineSnapshot(
      `"credentials.upsert was requested once, expected never"`
    )
    expect(issue(() => expected.applied(0, "credentials.upsert"))).toMatchInlineSnapshot(
      `"credentials.upsert was requested once and applied once, expected never to be applied"`
    )
  })

  it("contradictions between what was applied and what the client saw", async () => {
    const { expected, fake, upsert } = scene()
    expect(issue(() => expected.noContradictions())).toMatchInlineSnapshot(
      `"no operation was requested, so there is nothing to check"`
    )
    using _lie = fake.faults.add(Fault.html(502, { at: "committed" }))
    await upsert("k1")
    await isUnmet("contradiction", () => expected.noContradictions())
  })

  it("a target with an unknown operation is rejected, and so is an invalid number", () => {
    const { expected } = scene()
    // @ts-expect-error what a caller without types may write
    const misspelt = () => expected.appliedOnce("credentials.update")
    // @ts-expect-error what a caller without types may write
    assert.throws(() => expected.received({ operation: "credentials.update" }), RangeError, "operation: must be one of")
    // @ts-expect-error what a caller without types may write
    assert.throws(() => Fault.status(503, { operation: "credentials.update" }), RangeError, "operation: must be one of")
    assert.throws(
      misspelt,
      RangeError,
      `expectFake.appliedOnce.target.operation: must be one of ${operationNames.join(", ")}, not "credentials.update"`
    )
    assert.throws(() => expected.appliedOnce("events.list"), RangeError, "events.list changes nothing")
    assert.throws(
      () => expected.applied(-1),
      RangeError,
      "expectFake.applied.count: must be an integer, 0 or more, not -1"
    )
    assert.throws(
      () => expected.hadAtMostInFlight(0),
      RangeError,
      "expectFake.hadAtMostInFlight.count: must be an integer, 1 or more, not 0"
    )
  })

  it("rejects expectations that any requests would meet", async () => {
    const { clock, expected, fake, upsert } = scene()
    using _ = fake.faults.add(Fault.status(503))
    await upsert("k1")
    clock.advance(100)
    await upsert("k1")
    // Callers without types, and objects that are spread, can have any name.
    const named = (name: string): object => ({ [name]: 1 })
    assert.throws(
      () => expected.neverRequested(named("subscriber")),
      RangeError,
      "expectFake.neverRequested.target.subscriber: unknown option; did you mean subscriberId? Expected one of: operation, subscriberId, key"
    )
    assert.throws(
      () => expected.backedOff(named("min")),
      RangeError,
      "expectFake.backedOff.backoff.min: unknown option; expected one of: atLeastMs, atMostMs"
    )
    assert.throws(
      () => expected.backedOff([named("min")]),
      RangeError,
      /^expectFake\.backedOff\.backoff\.0\.min: unknown option$/u
    )
    for (const delay of [{}, { atLeastMs: Number.NaN }, { atLeastMs: 2, atMostMs: 1 }, { atMostMs: -1 }]) {
      for (const backoff of [delay, [delay], () => delay]) {
        assert.throws(() => expected.backedOff(backoff), RangeError, "expectFake.backedOff.backoff")
      }
    }
    // @ts-expect-error what a caller without types may write
    const misread = () => expected.backedOff(100)
    assert.throws(
      misread,
      RangeError,
      "expectFake.backedOff.backoff: must be an object with atLeastMs, atMostMs or both, or an array of such objects, not 100"
    )
    assert.throws(
      () => expected.sentNothingAfter(Number.NaN),
      RangeError,
      "expectFake.sentNothingAfter.deadlineMs: must be "
    )
    expected
      .backedOff({ atLeastMs: 100 })
      .backedOff([{ atMostMs: 100 }])
      .sentNothingAfter(100)
  })

  it("the stack of the error starts in the test", () => {
    const { expected } = scene()
    const { stack = "" } = unmet(() => expected.appliedOnce())
    const first = stack.split("\n").find((line) => line.startsWith("    at "))
    assert.include(first, "ExpectFake.test.ts")
  })

  it("checks throw after requests were evicted", async () => {
    const { expected, list } = scene({ journalCapacity: 1 })
    await list()
    expected.neverRequested("credentials.upsert")
    await list()
    assert.throws(() => expected.neverRequested("credentials.upsert"), JournalEvicted, "journalCapacity: 4")
  })
})

describe("expectFake: how a client retries", () => {
  /** Three equal requests, the first two lost, with these waits before the retries. */
  const repeated = async (waits: readonly [number, number], options: EnvironmentOptions = {}) => {
    const parts = scene(options)
    using _lost = parts.fake.faults.add(Fault.reset({ at: "received", times: 2 }))
    await parts.upsert("k1")
    for (const wait of waits) {
      parts.clock.advance(wait)
      await parts.upsert("k1")
    }
    return parts
  }

  it("backed off, by one rule, by a list, by a formula", async () => {
    const { expected } = await repeated([150, 390])
    expected
      .backedOff({ atLeastMs: 100, atMostMs: 400 })
      .backedOff({ atMostMs: 390 })
      .backedOff([{ atLeastMs: 150, atMostMs: 150 }, { atLeastMs: 390 }])
      .backedOff((repeat) => ({ atMostMs: 200 * 2 ** (repeat - 1) }), "credentials.upsert")
  })

  it("did not back off", async () => {
    const { expected } = await repeated([150, 10])
    await isUnmet("no-backoff", () => expected.backedOff({ atLeastMs: 100, atMostMs: 400 }))
    expect(issue(() => expected.backedOff({ atLeastMs: 100 }))).toMatchInlineSnapshot(
      `"request 3 came 10 ms after the end of request 2, expected at least 100 ms"`
    )
    expect(issue(() => expected.backedOff({ atMostMs: 100 }))).toMatchInlineSnapshot(
      `"request 2 came 150 ms after the end of request 1, expected at most 100 ms"`
    )
    expect(issue(() => expected.backedOff([{ atLeastMs: 100 }]))).toMatchInlineSnapshot(
      `"request 3 is retry 2; no such retry is expected"`
    )
  })

  it("the wait starts when the client gave up on the previous request", async () => {
    const { clock, expected, fake, send, upsert } = scene()
    using _hang = fake.faults.add(Fault.hang())
    const client = new AbortController()
    const given = send("/v1/notifications", undefined, { signal: client.signal })
    clock.advance(10_000)
    client.abort()
    await given
    clock.advance(200)
    await send("/v1/notifications", undefined, {})
    expected.backedOff({ atLeastMs: 200, atMostMs: 200 })
    await upsert()
    await isUnmet("client-gave-up", () => expected.applied(2))
  })

  it("did not wait for the end of the previous request", async () => {
    const { clock, expected, fake, upsert } = scene()
    using _slow = fake.faults.add(Fault.latency(1_000, { attempt: 1 }))
    const first = upsert("k1")
    await upsert("k1")
    expect(issue(() => expected.backedOff({ atLeastMs: 100 }))).toMatchInlineSnapshot(
      `"request 2 retries request 1, which is still in flight"`
    )
    clock.advance(1_000)
    await first
  })

  it("an expectation about retries is not met if nothing was retried", async () => {
    const { expected, list } = scene()
    await list()
    for (const expectation of [
      () => expected.backedOff({ atLeastMs: 1 }),
      () => expected.usedOneKey("events.list"),
      () => expected.honouredRetryAfter(),
      () => expected.neverRetriedOn(400),
      () => expected.sentNothingAfter(1_000, "messages.markAs"),
      () => expected.hadAtMostInFlight(1, "messages.markAs")
    ]) {
      assert.include(issue(expectation), "so there is nothing to check")
    }
  })

  it("honoured Retry-After, in seconds and as a date", async () => {
    for (const as of ["seconds", "http-date"] as const) {
      const { clock, expected, fake, list } = scene()
      using _limit = fake.faults.add(Fault.rateLimited({ retryAfterMs: 2_000, as }))
      await list()
      clock.advance(2_000)
      await list()
      expected.honouredRetryAfter("events.list")
    }
  })

  it("did not honour Retry-After", async () => {
    const { clock, expected, fake, list } = scene()
    using _limit = fake.faults.add(Fault.rateLimited({ retryAfterMs: 2_000 }))
    await list("?limit=5")
    clock.advance(1_999)
    await list("?limit=5")
    await isUnmet("early-retry", () => expected.honouredRetryAfter())
  })

  it("used one key, another key, no key", async () => {
    const { expected } = await repeated([1, 1])
    expected.usedOneKey()
    const other = scene()
    using _lost = other.fake.faults.add(Fault.reset({ times: 3 }))
    await other.upsert("k1")
    await other.upsert("k2")
    await isUnmet("two-keys", () => other.expected.usedOneKey())
    await other.mark()
    await other.mark()
    expect(issue(() => other.expected.usedOneKey("messages.markAs"))).toMatchInlineSnapshot(
      `"request 3 has no idempotency key, and request 4 retries it"`
    )
  })

  it("sent nothing after a deadline", async () => {
    const { expected } = await repeated([150, 390])
    expected.sentNothingAfter(540)
    expect(issue(() => expected.sentNothingAfter(539))).toMatchInlineSnapshot(
      `"request 3 came 540 ms after request 1, expected no request later than 539 ms"`
    )
  })

  it("never retried a rejected request", async () => {
    const { expected, list } = scene()
    await list("?limit=no")
    expected.neverRetriedOn(400).neverRetriedOn([400, 422], "events.list")
    await list("?limit=no")
    await isUnmet("retried-rejection", () => expected.neverRetriedOn(400))
  })

  it("counts what is in flight at once", async () => {
    const { clock, expected, fake, upsert } = scene()
    using _slow = fake.faults.add(Fault.latency(100, { times: 3 }))
    const both = [upsert("k1"), upsert("k2")]
    clock.advance(100)
    await Promise.all(both)
    const third = upsert("k3")
    clock.advance(100)
    await third
    expected.hadAtMostInFlight(2)
    expect(issue(() => expected.hadAtMostInFlight(1))).toMatchInlineSnapshot(
      `"2 requests were in flight when request 2 came, expected at most 1"`
    )
  })
})

describe("expectFake: mistakes in a test", () => {
  it("leaks name the request, the id and the other environment", async () => {
    const { expected, fake, mark } = scene()
    expected.noLeaks()
    const other = fake.environment({ data: "empty" })
    other.addSubscriber({ subscriberId: "bo" })
    other.addMessage({ subscriberId: "bo", id: messageId })
    await mark(messageId)
    await isUnmet("leak", () => expected.noLeaks())
  })

  it("faults that never fired", async () => {
    const { expected, fake, list } = scene()
    const fault = fake.faults.add(Fault.reset({ at: "committed", operation: "messages.markAs" }))
    await list()
    await isUnmet("unfired-fault", () => expected.noUnfiredFaults())
    const other = fake.faults.add(Fault.close({ operation: "credentials.upsert" }))
    const named = issue(() => expected.noUnfiredFaults())
      .split("\n")
      .filter((line) => line.startsWith("fault "))
    assert.lengthOf(named, 2)
    other.remove()
    fault.remove()
    expected.noUnfiredFaults()
  })

  it("requests that match no operation", async () => {
    const { expected, list, send } = scene()
    await list()
    expected.noUnexpectedRequests()
    await send("/v1/messages", undefined, {})
    await isUnmet("unexpected-request", () => expected.noUnexpectedRequests())
    await send("/v1/subscribers", undefined, { method: "POST" })
    assert.strictEqual(
      issue(() => expected.noUnexpectedRequests()),
      "request 2, GET /v1/messages, matches no operation of the API\nrequest 3, POST /v1/subscribers, matches no operation of the API"
    )
  })
})

describe("expectFake: requests for no environment", () => {
  const strange = ({ fake }: ReturnType<typeof scene>, authorization: string) =>
    fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization } })

  it("every unmet expectation reports requests with a wrong key", async () => {
    const at = scene()
    const { expected, fake } = at
    await strange(at, "ApiKey key-of-production")
    using armed = fake.faults.add(Fault.status(503))
    await strange(at, "ApiKey key-of-production")
    const line = "2 requests came with an API key that no environment has: events.list got 401"
    assert.strictEqual(
      failure(() => expected.appliedOnce()),
      `no operation was requested, expected to be applied once\n\nenvironment 1: no request came\n${line}`
    )
    // Requests before it was armed do not matter to the fault.
    const since = "1 request came with an API key that no environment has: events.list got 401"
    assert.strictEqual(
      issue(() => expected.noUnfiredFaults()),
      `fault "status 503 at received" never fired; no request came; ${since}`
    )
    armed.remove()
    await at.list()
    assert.include(
      failure(() => expected.neverRequested()),
      `\n${line}`
    )
    const error = await expected.waitFor(() => false, { timeoutMs: 0 }).catch((reason: unknown) => reason)
    assert.include(String(error), line)
    assert.notInclude(String(error), "key-of-production")
  })

  it("no request had a wrong key", async () => {
    const at = scene()
    await at.list()
    at.expected.noUnmatchedRequests()
    await strange(at, "Bearer key-of-production")
    assert.strictEqual(
      issue(() => at.expected.noUnmatchedRequests()),
      "1 request came without the header Authorization: ApiKey <key>: events.list got 401\n" +
        "Give the code under test the API key of this environment."
    )
    at.fake.reset()
    at.expected.noUnmatchedRequests()
  })
})

describe("expectFake: what was received", () => {
  it("finds a request by a part of its body, its query and its headers", async () => {
    const { expected, list, mark, upsert } = scene()
    await upsert("order-7", "device-token-of-ana")
    await mark()
    await list("?subscriberIds=bob&subscriberIds=ana&limit=5&apiKey=very-secret")
    expected
      .received({ operation: "credentials.upsert", body: { providerId: "fcm" } })
      .received({
        body: { credentials: { deviceTokens: ["device-token-of-ana"] } },
        headers: { "Idempotency-Key": "order-7" }
      })
      .received(
        { operation: "messages.markAs", subscriberId: "ana", body: { messageId: [messageId], markAs: "read" } },
        1
      )
      .received({ operation: "events.list", query: { subscriberIds: ["ana", "bob"], limit: 5, apiKey: "very-secret" } })
      .received({ operation: "events.list", query: { limit: 6 } }, 0)
  })

  it.each([
    ["repeated", (name: string) => name],
    ["in brackets", (name: string) => `${name}[]`],
    ["numbered", (name: string, index: number) => `${name}[${index}]`]
  ])("finds several values of a query that are %s, in any order", async (_how, written) => {
    const { expected, list } = scene()
    const subscriberIds = Array.from({ length: 12 }, (_, index) => `user-${index}`)
    await list(`?${subscriberIds.map((id, index) => `${written("subscriberIds", index)}=${id}`).join("&")}`)
    expected.received({ operation: "events.list", query: { subscriberIds: subscriberIds.toReversed() } })
    expected.received({ operation: "events.list", query: { subscriberIds: subscriberIds.slice(1) } }, 0)
  })

  it("finds several values in one, unless one value is expected", async () => {
    const { expected, list } = scene()
    await list("?subscriberIds=bob,ana")
    expected.received({ operation: "events.list", query: { subscriberIds: ["ana", "bob"] } })
    expected.received({ operation: "events.list", query: { subscriberIds: "bob,ana" } })
    expected.received({ operation: "events.list", query: { subscriberIds: "ana" } }, 0)
  })

  it("reports how the nearest request differs, without secrets", async () => {
    const { expected, list, upsert } = scene()
    await upsert("order-6", "device-token-of-bob")
    await upsert("order-7", "device-token-of-ana")
    await list("?limit=5&apiKey=very-secret")
    const deviceTokens = ["device-token-of-eve"]
    const wrong = unmet(() =>
      expected.received({
        operation: "credentials.upsert",
        body: { providerId: "apns", integrationIdentifier: "fcm-ios", credentials: { deviceTokens } },
        headers: { "idempotency-key": "order-7", authorization: "ApiKey other" }
      })
    )
    assert.strictEqual(
      wrong.issue,
      [
        "credentials.upsert was never received with this content; request 2 is the nearest:",
        '  body.providerId: expected "apns", received "fcm"',
        '  body.integrationIdentifier: expected "fcm-ios", received nothing',
        "  body.credentials.deviceTokens.0: another secret than expected",
        "  headers.authorization: another secret than expected"
      ].join("\n")
    )
    assert.notInclude(wrong.message, "device-token")
    assert.strictEqual(
      issue(() => expected.received({ operation: "events.list", query: { limit: [5, 6], page: 1, apiKey: "other" } })),
      [
        "events.list was never received with this content; request 3 is the nearest:",
        '  query.limit: expected "5,6", received "5"',
        '  query.page: expected "1", received nothing',
        "  query.apiKey: another secret than expected"
      ].join("\n")
    )
  })

  it("reports how often a request came, and that none came", async () => {
    const { expected, upsert } = scene()
    await upsert()
    await upsert()
    assert.strictEqual(
      issue(() => expected.received({ body: { providerId: "fcm" } }, 1)),
      "any operation was received 2 times with this content, expected once"
    )
    assert.strictEqual(
      issue(() => expected.received({ operation: "events.list" })),
      "events.list was never requested"
    )
    expected.received({ operation: "events.list" }, 0)
  })

  it("reports a body that the journal does not keep", async () => {
    const { expected, upsert } = scene()
    await upsert(undefined, "t".repeat(70_000))
    assert.include(
      issue(() => expected.received({ body: { providerId: "fcm" } })),
      "  body: the journal does not keep it (too-large)"
    )
  })

  it("rejects content that is invalid", () => {
    const { expected } = scene()
    assert.throws(
      () => expected.received({ query: { limit: null as unknown as number } }),
      "expectFake.received.request.query.limit: must be"
    )
  })
})
