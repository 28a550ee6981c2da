import { assert, describe, it } from "@effect/vitest"
import { createFake, manualClock } from "../index.ts"

/** A page as text, from an environment that keeps wire forms, and from one that has none. */
const scene = async (vendor: string) => {
  const clock = manualClock("2026-05-01T08:00:00Z")
  const fake = createFake({ data: "empty", clock, vendor })
  fake.addSubscriber({ subscriberId: "ana", firstName: "Ana" })
  fake.addIntegration({ providerId: "sendgrid" })
  fake.addWorkflow({
    identifier: "welcome",
    steps: [{ type: "in_app" }, { type: "delay", wait: { amount: 1, unit: "hours" } }, { type: "email" }]
  })
  fake.trigger({ workflow: "welcome", to: "ana" })
  fake.generate({ events: 30 })
  const headers = { authorization: `ApiKey ${fake.apiKey}` }
  const list = async (apiKey: string) => {
    const own = { authorization: `ApiKey ${apiKey}` }
    return (await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=50`, { headers: own })).text()
  }
  // An environment watches which switches its first thousand requests read, and makes their responses anew.
  for (let request = 0; request < 1_000; request += 1) await fake.fetch(`${fake.baseUrl}/v1/none`, { headers })
  const unseen = async () => {
    const copy = fake.environment({ data: "empty", clock, vendor })
    copy.restore(fake.snapshot())
    const text = await list(copy.apiKey)
    fake.deleteEnvironment(copy.apiKey)
    return text
  }
  return { clock, fake, list: () => list(fake.apiKey), unseen }
}

interface Page {
  readonly data: ReadonlyArray<{
    readonly updatedAt: string
    readonly jobs: ReadonlyArray<{ readonly executionDetails: ReadonlyArray<{ readonly createdAt: string }> }>
  }>
}

describe("kept wire forms", () => {
  it("change with their events, to the millisecond", async () => {
    const later = await scene("service")
    later.clock.advance(86_400_000)
    const page: Page = JSON.parse(await later.list())
    const { clock, fake, list, unseen } = await scene("service")
    const now = new Date(fake.now()).toISOString()
    const details = page.data.flatMap(({ jobs }) => jobs.flatMap(({ executionDetails }) => executionDetails))
    const times = [...new Set(details.map(({ createdAt }) => createdAt))].filter((time) => time > now).toSorted()
    assert.isAbove(times.length, 3)
    let last = await list()
    for (const time of times) {
      clock.set(time)
      const text = await list()
      assert.strictEqual(text, await unseen())
      assert.notStrictEqual(text, last)
      const { data }: Page = JSON.parse(text)
      assert.isTrue(data.some(({ updatedAt }) => updatedAt === time))
      last = text
    }
  })

  for (const vendor of ["service", "acme"]) {
    it(`never differ from new ones (${vendor})`, async () => {
      const { clock, fake, list, unseen } = await scene(vendor)
      const changes: ReadonlyArray<() => unknown> = [
        () => undefined,
        () => clock.advance(1_000),
        () => clock.advance(3_600_000),
        () => fake.addSubscriber({ subscriberId: "ana", firstName: "Bo" }),
        () => fake.setSwitches({ "time.format": "seconds", "response.extraFields": "added" }),
        () => fake.trigger({ workflow: "welcome", to: "ana" }),
        () => clock.advance(86_400_000),
        () => fake.generate({ events: 300 }),
        () => fake.reset()
      ]
      const pages = new Set<string>()
      for (const change of changes) {
        change()
        const text = await list()
        assert.strictEqual(await list(), text)
        assert.strictEqual(text, await unseen())
        assert.strictEqual(text, JSON.stringify(JSON.parse(text)))
        pages.add(text)
      }
      assert.isAtLeast(pages.size, 6)
    })
  }
})
