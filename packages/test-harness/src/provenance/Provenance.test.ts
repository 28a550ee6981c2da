import { assert, describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { coverage, createFake, type Fake, Fault } from "../index.ts"
import { listen } from "../server.ts"
import { withProvenance } from "./ServiceDocument.ts"

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
    assert.deepStrictEqual(operations, [
      { operation: "credentials.upsert", requests: 3 },
      { operation: "messages.markAs", requests: 0 },
      { operation: "events.list", requests: 1 }
    ])
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
    assert.match(text, /^operations {2}2 of 3; never messages\.markAs$/mu)
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

describe("the OpenAPI document of the service", () => {
  const file = new URL("../../../../openapi.json", import.meta.url)
  const plain = JSON.parse(readFileSync(file, "utf8"))
  const document = JSON.parse(JSON.stringify(withProvenance(plain)))

  it("has the provenance of operations, parameters, responses and fields", () => {
    assert.strictEqual(document["x-observed-version"], "3.15.0")
    const list = document.paths["/v1/notifications"].get
    assert.strictEqual(list["x-provenance"], "documented")
    assert.strictEqual(list.responses["200"]["x-provenance"], "documented")
    for (const parameter of list.parameters) assert.strictEqual(parameter["x-provenance"], "documented")
    const { responses } = document.paths["/v1/subscribers/{subscriberId}/credentials"].patch
    assert.strictEqual(responses["400"]["x-provenance"], "observed")
    assert.include(responses["404"]["x-switches"], "credentials.unknownSubscriber")
    assert.notInclude(JSON.stringify(responses), "list.badLimit")
    assert.strictEqual(responses["409"]["x-provenance"], "observed")
    const { properties } = document.components.schemas.Subscriber
    assert.strictEqual(properties.subscriberId["x-provenance"], "documented")
    assert.strictEqual(properties.id["x-provenance"], "observed")
  })

  it("responses.txt has the responses that it adds (vitest run Provenance -u updates it)", async () => {
    const lines: Array<string> = []
    for (const [path, methods] of Object.entries<Record<string, { readonly responses: object }>>(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        lines.push(`${method} ${path}`)
        for (const response of Object.entries(responses)) {
          if (Number(response[0]) >= 300) lines.push(`  ${JSON.stringify(response)}`)
        }
      }
    }
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./responses.txt")
    for (const schema of Object.values<Record<string, unknown>>(document.components.schemas)) {
      assert.strictEqual(schema["x-provenance"], "documented")
    }
  })

  it("changes nothing that is there", () => {
    const { description, schema } = plain.paths["/v1/notifications"].get.parameters[0]
    assert.deepInclude(document.paths["/v1/notifications"].get.parameters[0], { description, schema })
    assert.deepStrictEqual(document.info, plain.info)
  })
})
