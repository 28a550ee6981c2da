import { operations } from "@signalbox/core/Operations"
import { assert, describe, it } from "@effect/vitest"
import { createFake } from "../index.ts"

/** Two events that have no value in common. */
const scene = () => {
  const fake = createFake({ data: "empty", switches: { "list.subscriptionId": "filters" } })
  const subscribers = [
    { subscriberId: "ana", email: "ana@example.test" },
    { subscriberId: "bo", email: "bo@example.test" }
  ]
  const workflows = ["welcome", "goodbye"].map((identifier) => ({ identifier, steps: [] }))
  const events = [
    { channels: ["email"], severity: "high" as const, topic: "news", day: "2026-03-01" },
    { channels: ["sms"], severity: "low" as const, topic: "offers", day: "2026-03-02" }
  ].map(({ channels, day, severity, topic }, index) => ({
    channels,
    severity,
    subscriberId: subscribers[index]?.subscriberId ?? "",
    workflow: workflows[index]?.identifier ?? "",
    transactionId: `${topic}-transaction`,
    topics: [{ id: `${index}`.repeat(24), key: topic, subscriptionId: `${topic}-subscription` }],
    contextKeys: [`tenant:${topic}`],
    createdAt: `${day}T12:00:00.000Z`
  }))
  const added = [
    ...subscribers.map((one) => fake.addSubscriber(one)),
    ...workflows.map((one) => fake.addWorkflow(one)),
    ...events.map((one) => fake.addEvent(one))
  ]
  return { fake, values: stringsIn([subscribers, events, added]) }
}

/** All strings in a value. */
const stringsIn = (value: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "string") found.add(part)
    return part
  })
  return found
}

// A page is no filter.
const filters = Object.entries(operations["events.list"].parameters.query).flatMap(([name, { kind }]) =>
  kind === "integer" ? [] : [name]
)

describe("a filter that the contract declares", () => {
  it.each(filters)("%s lists one event for a value of it alone, and none for a value of neither", async (filter) => {
    const { fake, values } = scene()
    const listed = async (value: string) => {
      const url = `${fake.baseUrl}${operations["events.list"].path}?${new URLSearchParams({ [filter]: value })}`
      const response = await fake.fetch(url, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
      const { data } = (await response.json()) as { readonly data?: ReadonlyArray<unknown> }
      return data?.length
    }
    const counts = new Set<number | undefined>()
    for (const value of [...values, "no-such-value", "2000-01-01", "2100-01-01"]) counts.add(await listed(value))
    assert.includeMembers([...counts], [0, 1])
  })
})
