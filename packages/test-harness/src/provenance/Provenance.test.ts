import { assert, describe, expect, it } from "@effect/vitest"
import { operationNames } from "@signalbox/core/Operations"
import { coverage, createFake, type Fake, Fault } from "../index.ts"
import { listen } from "../server.ts"

const upsert = (fake: Fake, subscriberId: string, init: RequestInit = {}) =>
  fake.fetch(`${fake.baseUrl}/v1/subscribers/${subscriberId}/credentials`, {
    method: "PATCH",
    body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["t"] } }),
    ...init,
    headers: {
      authorization: `ApiKey ${fake.apiKey}`,
      "content-type": "application/json",
      ...init.headers
    }
  })

const scene = (options: Parameters<typeof createFake>[0] = {}): Fake => {
  const fake = createFake({ data: "empty", ...options })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
  return fake
}

const asked = { headers: { "x-fake-provenance": "1" } }

describe("the provenance of a response", () => {
  it("is in a header, if the client asks for it", async () => {
    const fake = scene()
    assert.isNull((await upsert(fake, "ana")).headers.get("x-fake-provenance"))
    const ok = (await upsert(fake, "ana", asked)).headers.get("x-fake-provenance")
    assert.match(ok ?? "", /^status=200;documented, /u)
    assert.include(ok, ", observed=3.15.0, ")
    assert.include(ok, "credentials.tokens=append;observed")
    assert.include(ok, "credentials.tokenDuplicates=kept;invented")
    const missing = (await upsert(fake, "nobody", asked)).headers.get("x-fake-provenance")
    assert.match(missing ?? "", /^status=404;invented, /u)
    assert.notInclude(missing, "mark.")
    const observed = scene({ switches: { "credentials.unknownSubscriber": "400" } })
    const rejected = (await upsert(observed, "nobody", asked)).headers.get("x-fake-provenance")
    assert.match(rejected ?? "", /^status=400;observed, /u)
  })

  it("does not change the stored response to a key", async () => {
    const fake = scene({ preset: "observed" })
    const keyed = { "idempotency-key": "one" }
    const first = await upsert(fake, "ana", { headers: { ...keyed, ...asked.headers } })
    const second = await upsert(fake, "ana", { headers: keyed })
    assert.strictEqual(second.headers.get("idempotency-replay"), "true")
    assert.isNotNull(first.headers.get("x-fake-provenance"))
    assert.isNull(second.headers.get("x-fake-provenance"))
  })
})

describe("coverage", () => {
  it("reports what a suite exercised, over all environments", async () => {
    const fake = scene()
    await upsert(fake, "ana")
    await upsert(fake, "nobody")
    fake.faults.add(Fault.status(503))
    await upsert(fake, "ana")
    const other = fake.environment({ data: "empty" })
    await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=5&subscriberIds[]=ana`, {
      headers: { authorization: `ApiKey ${other.apiKey}` }
    })
    const { faults, operations, parameters, statuses, switches, text } = coverage(fake.environments())
    const made: Readonly<Record<string, number>> = { "credentials.upsert": 3, "events.list": 1 }
    assert.deepStrictEqual(
      operations,
      operationNames.map((operation) => ({ operation, requests: made[operation] ?? 0 }))
    )
    const used = parameters
      .filter(({ requests }) => requests > 0)
      .map(({ parameter, requests }) => [parameter, requests])
    assert.deepStrictEqual(used, [
      ["providerId", 3],
      ["credentials.deviceTokens", 3],
      ["subscriberIds", 1],
      ["limit", 1]
    ])
    assert.deepStrictEqual(
      statuses.map(({ operation, provenance, status }) => [operation, status, provenance]),
      [
        ["credentials.upsert", 200, "documented"],
        ["credentials.upsert", 404, "invented"],
        ["credentials.upsert", 503, "fault"],
        ["events.list", 200, "documented"]
      ]
    )
    assert.deepStrictEqual(faults, [{ fault: "status 503 at received", requests: 1 }])
    const exercised = switches.filter(({ isExercised }) => isExercised).map((row) => row.switch)
    assert.includeMembers(exercised, ["credentials.tokens", "list.order"])
    assert.notInclude(exercised, "mark.order")
    const never = operationNames.filter((name) => !["credentials.upsert", "events.list"].includes(name))
    assert.include(text, `operations  2 of ${operationNames.length}; never ${never.join(", ")}\n`)
    await expect(`${text}\n`).toMatchFileSnapshot("./coverage.txt")
  })

  it("is part of the control API", async () => {
    const fake = scene()
    await upsert(fake, "ana")
    await using server = await listen(fake)
    const body = await (await fetch(`${server.url}/_fake/coverage`)).json()
    assert.deepStrictEqual(body, JSON.parse(JSON.stringify(coverage(fake.environments()))))
  })
})
