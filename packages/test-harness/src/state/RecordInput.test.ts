import { assert, describe, expect, it } from "@effect/vitest"
import { createFake } from "../index.ts"

const fakeWith = () => {
  const fake = createFake({ data: "empty", clock: "2026-05-01T08:00:00Z" })
  fake.addWorkflow({ identifier: "letter", steps: [{ type: "email" }] })
  return fake
}

type Fake = ReturnType<typeof fakeWith>

/** Input of a program without types. */
const any = (input: unknown) => input as never

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe("records to add", () => {
  it("take a time as a Date, in ISO 8601, or in milliseconds", () => {
    const fake = fakeWith()
    const at = Date.UTC(2026, 3, 30)
    for (const createdAt of [at, new Date(at), "2026-04-30", "2026-04-30T02:00:00+02:00"]) {
      assert.strictEqual(fake.addEvent({ subscriberId: "ana", workflow: "letter", createdAt }).createdAt, at)
    }
    const { deliveredAt, lastReadDate } = fake.addMessage({
      subscriberId: "ana",
      deliveredAt: [new Date(at)],
      lastReadDate: "2026-04-30"
    })
    assert.deepStrictEqual({ deliveredAt, lastReadDate }, { deliveredAt: [at], lastReadDate: at })
  })

  it("make an event without a workflow, which has no channels and no jobs", async () => {
    const fake = fakeWith()
    const { channels, critical, tags } = fake.addEvent({ subscriberId: "ana" })
    assert.deepStrictEqual({ channels, critical, tags }, { channels: [], critical: false, tags: [] })
    const headers = { authorization: `ApiKey ${fake.apiKey}` }
    const page = await (await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })).json()
    assert.deepInclude(page, { hasMore: false })
    assert.deepStrictEqual((page as { readonly data: ReadonlyArray<{ readonly jobs: unknown }> }).data[0]?.jobs, [])
  })

  it("treat undefined fields as omitted", () => {
    const fake = fakeWith()
    // Programs without exactOptionalPropertyTypes pass undefined.
    const { subscribers, workflows } = fake.addAll(
      any({
        subscribers: [{ subscriberId: "ana", email: undefined, isOnline: undefined }],
        workflows: [{ identifier: "w", steps: [{ type: "delay", name: undefined }] }]
      })
    )
    assert.include(subscribers[0], { isOnline: false })
    assert.notProperty(subscribers[0], "email")
    assert.strictEqual(workflows[0]?.steps[0]?.name, "delay")
  })

  const mistakes: ReadonlyArray<(fake: Fake) => unknown> = [
    (fake) => fake.addSubscriber(any("ana")),
    (fake) => fake.addSubscriber({ subscriberId: "" }),
    (fake) => fake.addSubscriber(any({ subscriberId: "ana", mail: "ana@example.test" })),
    (fake) => fake.addIntegration(any({ providerId: "pigeon" })),
    (fake) => fake.addWorkflow(any({ identifier: "w" })),
    (fake) => fake.addWorkflow({ identifier: "", steps: [] }),
    (fake) => fake.addWorkflow(any({ identifier: "w", steps: [{ type: "mail" }] })),
    (fake) => fake.addWorkflow({ identifier: "w", steps: [{ type: "delay", wait: { amount: -5, unit: "days" } }] }),
    (fake) =>
      fake.addWorkflow(any({ identifier: "w", steps: [{ type: "delay", wait: { amount: 1, unit: "hurry" } }] })),
    (fake) => fake.addMessage(any({})),
    (fake) => fake.addMessage({ subscriberId: "ana", snoozedUntil: Number.NaN }),
    (fake) => fake.addEvent({ subscriberId: "ana", createdAt: "yesterday" }),
    (fake) => fake.addEvent(any({ subscriberId: "ana", createdAt: null })),
    (fake) => fake.addEvent(any({ subscriberId: "ana", createdAt: true })),
    (fake) => fake.addEvent(any({ subscriberId: "ana", failed: true })),
    (fake) => fake.addAll({ subscribers: [{ subscriberId: "bo" }], messages: [any({})] })
  ]

  it("are rejected in one line of mistakes.txt that names the field, and change nothing", async () => {
    const messages = mistakes.map((add) => {
      const fake = fakeWith()
      const before = fake.snapshot()
      const thrown = thrownBy(() => add(fake))
      assert.instanceOf(thrown, RangeError)
      assert.deepStrictEqual(fake.snapshot(), before)
      return `${(thrown as RangeError).message}\n`
    })
    await expect(messages.join("")).toMatchFileSnapshot("./mistakes.txt")
  })
})
