import { assert, describe, it } from "@effect/vitest"
import { EventPage } from "@signalbox/core/Schemas"
import { failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import * as Schema from "effect/Schema"
import { openDemo } from "./Demo.ts"

const start = Date.UTC(2026, 10, 21, 3, 7, 11)

const open = () => {
  let now = start
  const { fake, flow } = openDemo({}, () => now)
  const request = async (path: string, init: RequestInit = {}) => {
    flow()
    const headers = { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" }
    const response = await fake.fetch(`${fake.baseUrl}${path}`, { ...init, headers })
    const body: unknown = await response.json()
    return body
  }
  const events = async () => Schema.decodeUnknownSync(EventPage)(await request("/v1/notifications?limit=50")).data
  return {
    at: (seconds: number) => {
      now = start + seconds * 1000
    },
    request,
    events,
    causes: async () => {
      const found = await events()
      const since = found.filter(({ createdAt = "" }) => Date.parse(createdAt) > start)
      return new Set(since.flatMap(failuresOf).map(({ title }) => title))
    }
  }
}

const known = "discord webhook missing"
const unknown = "sendgrid error: Requested entity was not found."

describe("the demo", () => {
  it("has traffic without a failure, then an incident of a known and an unknown cause", async () => {
    const demo = open()
    demo.at(20)
    assert.lengthOf(
      (await demo.events()).filter(({ createdAt = "" }) => Date.parse(createdAt) > start),
      8
    )
    assert.isEmpty(await demo.causes())
    demo.at(50)
    assert.deepStrictEqual(await demo.causes(), new Set([known, unknown]))
  })

  it("has the same events, however often it is read", async () => {
    const [often, once] = [open(), open()]
    for (const seconds of [3, 10, 11, 31, 50, 64]) {
      often.at(seconds)
      await often.events()
    }
    once.at(64)
    assert.deepStrictEqual(await once.events(), await often.events())
  })

  it("sends to a subscriber whose credentials were fixed", async () => {
    const demo = open()
    demo.at(60)
    await demo.events()
    const payload = {
      providerId: "discord",
      integrationIdentifier: "discord-community",
      credentials: { webhookUrl: "https://hooks.example.test/ada" }
    }
    await demo.request("/v1/subscribers/u_30011/credentials", { method: "PATCH", body: JSON.stringify(payload) })
    demo.at(120)
    const later = (await demo.events()).filter(({ createdAt = "" }) => Date.parse(createdAt) > start + 60_000)
    const failedFor = (id: string) =>
      later.filter(({ subscriber }) => subscriber?.subscriberId === id).map((event) => failuresOf(event).length)
    assert.deepStrictEqual(new Set(failedFor("u_30011")), new Set([0]))
    assert.include(failedFor("u_30012"), 1)
  })
})
