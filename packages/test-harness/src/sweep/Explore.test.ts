import { assert, describe, it } from "@effect/vitest"
import { createFake, type Fake, readToken } from "../index.ts"
import { switchNames, switchRow } from "../switches/Switches.ts"
import { explore } from "./Explore.ts"

const ordersOf = async (fake: Fake): Promise<ReadonlyArray<string>> => {
  const headers = { authorization: `ApiKey ${fake.apiKey}` }
  const response = await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=3`, { headers })
  const page = (await response.json()) as { readonly data: ReadonlyArray<{ readonly transactionId: string }> }
  return page.data.map(({ transactionId }) => transactionId)
}

const addEvents = (fake: Fake): void => {
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addWorkflow({ identifier: "order", steps: [{ type: "in_app", content: "Hello" }] })
  fake.addEvent({ workflow: "order", subscriberId: "ana", transactionId: "first", createdAt: fake.now() - 2_000 })
  fake.addEvent({ workflow: "order", subscriberId: "ana", transactionId: "last", createdAt: fake.now() - 1_000 })
}

describe("explore", () => {
  it("reports the switches that a test depends on, with the sentence of the document", async () => {
    const report = await explore(async (fake) => {
      addEvents(fake)
      assert.deepStrictEqual(await ordersOf(fake), ["last", "first"])
    })
    assert.deepStrictEqual(report.dependsOn, ["list.order"])
    const [dependency] = report.dependencies
    const { sentence } = switchRow("list.order")
    assert.strictEqual(dependency?.sentence, sentence)
    assert.strictEqual(createFake(readToken(dependency?.token ?? "")).switches["list.order"], "oldest-first")
    assert.include(report.text, "this test depends on 1 thing that the API document does not say: list.order")
    assert.include(report.text, `"${sentence}"\n  newest-first: passes\n  oldest-first: `)
    assert.strictEqual(report.switches, switchNames.length)
    assert.strictEqual(report.runs, 1 + switchNames.reduce((sum, name) => sum + switchRow(name).values.length - 1, 0))
  })

  it("reports nothing for a test that relies on the document only", async () => {
    const report = await explore(async (fake) => {
      addEvents(fake)
      assert.sameMembers([...(await ordersOf(fake))], ["first", "last"])
    })
    assert.strictEqual(
      report.text,
      `this test depends on none of ${switchNames.length} open questions of the API document`
    )
  })

  it("reports a value with which the test never finishes, and starts from the given options", async () => {
    const untilForbidden = async (fake: Fake): Promise<void> => {
      const response = await fake.fetch(`${fake.baseUrl}/v1/notifications`)
      if (response.status !== 403) await new Promise(() => {})
    }
    const report = await explore(untilForbidden, { switches: { "auth.missingKey": "403" } })
    assert.deepStrictEqual(
      report.dependencies.map(({ outcome, passesWith, value }) => [value, passesWith, outcome]),
      [
        ["401", "403", "hung"],
        ["400", "403", "hung"]
      ]
    )
  })

  it("is an error for a test that sends no request, because it would show nothing", async () => {
    const error: unknown = await explore(() => {}).catch((thrown: unknown) => thrown)
    assert.include((error as Error).message, "explore: the test sent no request to its fake")
  })

  it("does not start with a test that fails anyway", async () => {
    const error: unknown = await explore(() => Promise.reject(new Error("broken"))).catch((thrown: unknown) => thrown)
    const [reason] = (error as Error).message.split("\n")
    assert.strictEqual(reason, "explore: the test does not pass with the given options: broken")
  })
})
