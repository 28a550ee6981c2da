import { assert, describe, it } from "@effect/vitest"
import { checkClient, CheckFailed, type CheckRuleName } from "@signalbox/test-harness"
import { brokenCallers } from "../BrokenClients.ts"
import { type ClientUnderTest, shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import { checkedClient } from "./CheckedClient.ts"

const rulesOf = async (client: ClientUnderTest, runs: number): Promise<ReadonlyArray<CheckRuleName>> => {
  try {
    await checkClient(checkedClient(client), { runs })
    return []
  } catch (error) {
    if (error instanceof CheckFailed) return error.report.findings.map(({ rule }) => rule)
    throw error
  }
}

/**
 * The broken clients whose defect shows in requests, outcomes or output. The others differ in what only their own process
 * sees, such as attempt logs, spans and metrics, or in a policy of our own, such as a backoff: the simulation catches
 * those.
 */
const visible: Readonly<Record<string, CheckRuleName>> = {
  "retries device tokens after an unknown delivery": "effect-twice",
  "makes a new key for every attempt": "new-key-on-retry",
  "reports every failed connection as refused": "false-failure",
  "swallows failures": "lost-after-ack",
  "sends different device tokens": "lost-after-ack",
  "marks messages in a different way": "lost-after-ack",
  "uses one key for all calls": "shared-key",
  "ignores Retry-After": "ignored-retry-after",
  "ignores its deadline": "hang",
  "sends every request twice": "effect-twice",
  "never reports that a change may have been applied": "false-failure",
  "shows a secret in its errors": "leaked-secret",
  "drops a record of a listing": "silent-loss"
}

describe("the check that users run", () => {
  it.each([
    ["over Effect's HTTP client", shipped],
    ["over fetch", shippedOverFetch]
  ])("finds nothing in the client that ships, %s", async (_name, client) => {
    assert.deepStrictEqual(await rulesOf(client, 60), [])
  })

  it.each(Object.entries(visible))("catches the client that %s: %s", async (name, rule) => {
    const broken = brokenCallers[name]
    assert.isDefined(broken)
    if (broken !== undefined) assert.include(await rulesOf(broken.client, 80), rule)
  })
})
