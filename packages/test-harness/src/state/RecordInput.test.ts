import { assert, describe, it } from "@effect/vitest"
import { createFake } from "../index.ts"

const fakeWith = () => {
  const fake = createFake({ data: "empty", clock: "2026-05-01T08:00:00Z" })
  fake.addWorkflow({ identifier: "letter", steps: [{ type: "email" }] })
  return fake
}

type Fake = ReturnType<typeof fakeWith>

/** Input of a program without types. */
const any = (input: unknown) => input as never

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

  it.each<readonly [add: (fake: Fake) => unknown, message: string]>([
    [(fake) => fake.addSubscriber(any("ana")), 'subscriber: must be an object, not "ana"'],
    [(fake) => fake.addSubscriber({ subscriberId: "" }), 'subscriber.subscriberId: must be a non-empty string, not ""'],
    [
      (fake) => fake.addSubscriber(any({ subscriberId: "ana", mail: "ana@example.test" })),
      "subscriber.mail: unknown option; did you mean email? Expected one of: subscriberId, id, firstName, lastName, email, phone, avatar, " +
        "locale, timezone, data, topics, isOnline, lastOnlineAt, channels, version, deleted, createdAt, updatedAt"
    ],
    [
      (fake) => fake.addIntegration(any({ providerId: "pigeon" })),
      'integration.providerId: must be a provider of the API document, such as fcm or sendgrid, not "pigeon"'
    ],
    [(fake) => fake.addWorkflow(any({ identifier: "w" })), "workflow.steps: is missing"],
    [
      (fake) => fake.addWorkflow({ identifier: "", steps: [] }),
      'workflow.identifier: must be a non-empty string, not ""'
    ],
    [
      (fake) => fake.addWorkflow(any({ identifier: "w", steps: [{ type: "mail" }] })),
      'workflow.steps.0.type: must be one of in_app, email, sms, chat, push, digest, delay, throttle, custom, not "mail"'
    ],
    [
      (fake) => fake.addWorkflow({ identifier: "w", steps: [{ type: "delay", wait: { amount: -5, unit: "days" } }] }),
      "workflow.steps.0.wait.amount: must be a number, 0 or more, not -5"
    ],
    [
      (fake) =>
        fake.addWorkflow(any({ identifier: "w", steps: [{ type: "delay", wait: { amount: 1, unit: "hurry" } }] })),
      'workflow.steps.0.wait.unit: must be one of seconds, minutes, hours, days, weeks, months, not "hurry"'
    ],
    [(fake) => fake.addMessage(any({})), "message.subscriberId: is missing"],
    [
      (fake) => fake.addMessage({ subscriberId: "ana", snoozedUntil: Number.NaN }),
      "message.snoozedUntil: must be a Date, an ISO 8601 time, such as 2026-05-01T08:00:00Z, or milliseconds since " +
        "1970, not NaN"
    ],
    [
      (fake) => fake.addEvent({ subscriberId: "ana", createdAt: "yesterday" }),
      "event.createdAt: must be a Date, an ISO 8601 time, such as 2026-05-01T08:00:00Z, or milliseconds since 1970, " +
        'not "yesterday"'
    ],
    ...[null, true].map(
      (createdAt) =>
        [
          (fake: Fake) => fake.addEvent(any({ subscriberId: "ana", createdAt })),
          "event.createdAt: must be a Date, an ISO 8601 time, such as 2026-05-01T08:00:00Z, or milliseconds since 1970, " +
            `not ${createdAt}`
        ] as const
    ),
    [
      (fake) => fake.addEvent(any({ subscriberId: "ana", failed: true })),
      "event.failed: unknown option; expected one of: subscriberId, id, workflow, workflowId, createdAt, severity, " +
        "critical, transactionId, channels, payload, overrides, tags, topics, contextKeys"
    ],
    [
      (fake) => fake.addAll({ subscribers: [{ subscriberId: "bo" }], messages: [any({})] }),
      "messages.0.subscriberId: is missing"
    ]
  ])("are rejected in one line that names the field: %#", (add, message) => {
    const fake = fakeWith()
    const before = fake.snapshot()
    assert.throws(() => add(fake), RangeError, message)
    assert.deepStrictEqual(fake.snapshot(), before)
  })
})
