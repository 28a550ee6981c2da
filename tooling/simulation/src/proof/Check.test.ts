/**
 * Proves that the check that users run finds what broken clients do wrong, and nothing in the one that ships.
 */
import { assert, describe, it } from "@effect/vitest"
import { checkClient, CheckFailed, type CheckRuleName, type MakeClient } from "@signalbox/test-harness"
import { brokenCallers, brokenGates, brokenQuotas, brokenWriters } from "../BrokenClients.ts"
import { shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import type { BrokenClient } from "../Family.ts"
import { brokenWires } from "./BrokenWire.ts"
import { checkedClient, promises } from "./CheckedClient.ts"

const brokenCalls: Readonly<Record<string, BrokenClient>> = {
  ...brokenCallers,
  ...brokenQuotas,
  ...brokenGates,
  ...brokenWriters
}

/** Why a check cannot see a defect that the simulation finds. */
const unseen: Readonly<Record<string, string>> = {
  "saves up retries without limit": "too few calls to exhaust a quota",
  "stops all operations for the limit of one": "too few calls to exhaust a limit",
  "retries after half of the delay": "too few retries for a distribution",
  "shows what a rejection repeats": "the service of a check repeats no request",
  "ignores the vendor": "no call of a check names a provider of the vendor",
  "ignores its retry quota": "a check makes at most three calls, which do not use up the quota",
  "ignores RateLimit-Remaining: 0": "to wait for a rate limit before a 429 is our own policy",
  "reads tolerantly where it must read strictly": "a client may read tolerantly"
}

/** The rules that a client breaks in a number of programs. */
const rulesBrokenBy = async (client: MakeClient, runs: number): Promise<ReadonlyArray<CheckRuleName>> => {
  const error: unknown = await checkClient(client, { ...promises, runs }).catch((thrown: unknown) => thrown)
  return error instanceof CheckFailed ? error.report.findings.map(({ rule }) => rule) : []
}

/** Asserts that a check finds one of these rules; most clients break one in the first programs, few need more. */
const assertCaught = async (client: MakeClient, isExpected: (rule: CheckRuleName) => boolean) => {
  for (const runs of [15, 60, 300, 500]) {
    if ((await rulesBrokenBy(client, runs)).some(isExpected)) return
  }
  assert.fail("the check finds nothing in it")
}

// The time limit catches hangs; it says nothing about speed.
describe("the check that users run", { timeout: 300_000 }, () => {
  it.each([
    ["over Effect's HTTP client", shipped],
    ["over fetch", shippedOverFetch]
  ])("finds nothing in the client that ships, %s", async (_name, client) => {
    assert.strictEqual((await checkClient(checkedClient(client), { ...promises, runs: 40, seed: 1 })).programs, 40)
  })

  it("is excused for clients that exist", () => {
    assert.includeMembers(Object.keys(brokenCalls), Object.keys(unseen))
  })

  it.each(Object.entries(brokenCalls).filter(([name]) => !(name in unseen)))(
    "catches a client that %s",
    (_name, { client }) => assertCaught(checkedClient(client), () => true)
  )

  it.each(Object.entries(brokenWires))("catches a client that %s", (_name, { client, rules }) =>
    assertCaught(client, (rule) => rules.includes(rule))
  )
})
