import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { clientOn, emptyPage, json, rejection } from "../test/AnsweredClient.ts"
import { createClient, type EventFilters, isSignalboxError } from "./index.ts"

const queriesOf = async (filters: EventFilters): Promise<ReadonlyArray<string>> => {
  const { client, sent } = clientOn((_, number) => json({ ...emptyPage, hasMore: number === 1 }))
  for await (const { cursor } of client.events.list(filters).pages()) {
    for await (const _ of client.events.list().pages({ cursor })) void _
    break
  }
  return sent.map(({ url }) => new URL(url).search.replace(/&?before=[^&]*/u, ""))
}

describe("a filter that is newer than the document", () => {
  const start = (preset: "document" | "observed") => {
    const fake = createFake({ preset, data: "empty" })
    const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    fake.addWorkflow({ identifier: "digest", steps: [{ type: "in_app" }] })
    const { id } = fake.trigger({ workflow: "digest", to: "ann", topics: ["news"] })
    fake.trigger({ workflow: "digest", to: "ann" })
    return { client, event: fake.state().events.find((event) => event.id === id) }
  }
  it("selects by topic subscription where the service has it", async () => {
    const { client, event } = start("observed")
    const subscriptionId = event?.topics[0]?.subscriptionId
    assert.match(subscriptionId ?? "", /^[0-9a-f]{24}$/u)
    const { data } = await client.events.list({ subscriptionId })
    assert.deepStrictEqual(
      data.map(({ _id }) => _id),
      [event?.id]
    )
    assert.lengthOf((await client.events.list({ subscriptionId: "zz" })).data, 0)
    const several = { unsafe: { subscriptionId: ["zz", "yy"] } }
    const error = await rejection(client.events.list(several))
    assert(isSignalboxError(error))
    assert.strictEqual(error.status, 422)
    assert.include(error.message, "subscriptionId")
  })
  it("is rejected where the service is that of the document", async () => {
    const { client } = start("document")
    const error = await rejection(client.events.list({ subscriptionId: "zz" }))
    assert.include(String(error), "subscriptionId")
    assert(isSignalboxError(error))
    assert.strictEqual(error.reason._tag, "Rejected")
  })
})

describe("unsafe parameters", () => {
  it("are sent unchecked, on every page and after a resumption, and replace filters", async () => {
    const unsafe = { tenantId: "t1", severity: "critical", levels: ["a", "b"], deep: true, absent: undefined }
    const filters = "severity=critical&tenantId=t1&levels=a&levels=b&deep=true"
    const [first, resumed] = await queriesOf({ severity: "high", unsafe })
    for (const query of [first, resumed]) {
      assert.sameMembers(
        [...new URLSearchParams(query).entries()].map(String).filter((pair) => !pair.startsWith("page")),
        [...new URLSearchParams(filters).entries()].map(String)
      )
    }
  })
  it("that are no record are rejected, and nothing is sent", async () => {
    const { client, sent } = clientOn(() => json(emptyPage))
    // Callers without types can pass anything.
    const error = await rejection(client.events.list({ unsafe: "tenantId=t1" as never }))
    assert.include(String(error), "unsafe: Expected ")
    assert.lengthOf(sent, 0)
  })
  it("are named with the filters where the service names nothing", async () => {
    const body = { message: "Validation Error", errors: { general: { messages: [""], value: "" } } }
    const { client } = clientOn(() => json(body, { status: 422 }))
    const error = await rejection(client.events.list({ severity: ["nope"], limit: 5, unsafe: { tenantId: "t1" } }))
    assert.include(String(error), "422 Unprocessable Content: Validation Error: sent: severity, limit, tenantId. ")
    const named = { ...body, errors: { severity: { messages: ["is unknown"] } } }
    const { client: other } = clientOn(() => json(named, { status: 422 }))
    assert.notInclude(String(await rejection(other.events.list({ severity: ["nope"] }))), "sent: ")
  })
})
