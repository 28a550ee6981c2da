import { defineOperation } from "@signalbox/core/DeclaredOperation"
import { assert, describe, it } from "@effect/vitest"
import { checkClient, type CheckOptions } from "./CheckClient.ts"
import { CheckFailed, type CheckReport } from "./CheckReport.ts"
import type { CheckTarget } from "./CheckTarget.ts"

const addMember = defineOperation({
  name: "members.add",
  method: "POST",
  path: "/v1/topics/:topicKey/members",
  secrets: ["body.token"],
  examples: [
    {
      input: { path: { topicKey: "a/b" }, body: { subscriberId: "ana", token: "the-token-of-ana" } },
      output: { members: ["ana"] }
    }
  ]
})

const storeTopic = defineOperation({
  name: "topics.store",
  method: "PUT",
  path: "/v1/topics/:topicKey",
  idempotent: true,
  examples: [{ input: { path: { topicKey: "news" }, query: { notify: true }, body: {} }, output: {} }]
})

const removeTopic = defineOperation({ name: "topics.remove", method: "DELETE", path: "/v1/topics/:topicKey" })

type Fetch = typeof globalThis.fetch

/** Sends requests again after a failure, without a key, where the test says so. */
const retrying = (isRetried: (url: string) => boolean): CheckTarget => ({
  wrapFetch:
    (fetch: Fetch): Fetch =>
    async (input, init) => {
      const headers = { ...(init?.headers as Record<string, string>) } // those that the check sends
      delete headers["idempotency-key"]
      for (let attempt = 1; ; attempt += 1) {
        const response = await fetch(input, { ...init, headers }).catch(() => undefined)
        if (response !== undefined && response.status < 500) return response
        if (attempt === 3 || !isRetried(String(input))) return response ?? Promise.reject(new Error("no response"))
        await new Promise((resolve) => void setTimeout(resolve, 3_000 * attempt))
      }
    }
})

const reportOf = async (target: CheckTarget, options: CheckOptions): Promise<CheckReport> => {
  try {
    return await checkClient(target, options)
  } catch (error) {
    if (error instanceof CheckFailed) return error.report
    throw error
  }
}

describe("a check of declared operations", () => {
  it("finds a client that sends an append again, and reproduces the finding", async () => {
    const target = retrying((url) => url.endsWith("/members"))
    const { findings } = await reportOf(target, { operations: [addMember], runs: 60 })
    assert.deepStrictEqual(
      findings.map(({ rule }) => rule),
      ["effect-twice", "retried-non-idempotent"]
    )
    const [twice] = findings
    assert.include(twice?.message, "call 1, members.add, POST /v1/topics/:topicKey/members: it was applied 2 times")
    assert.include(twice?.curl, "/v1/topics/a%2Fb/members")
    const again = await reportOf(target, { reproduce: twice?.token ?? "" })
    assert.include(
      again.findings.map(({ rule }) => rule),
      "effect-twice"
    )
  })
  it("finds nothing in a client that sends only idempotent writes again", async () => {
    const target = retrying((url) => url.includes("/v1/topics/news?notify=true"))
    const report = await checkClient(target, { operations: [addMember, storeTopic], runs: 60 })
    assert.deepStrictEqual(report.findings, [])
  })
  it("finds a client that shows a declared secret", async () => {
    const target: CheckTarget = {
      wrapFetch: (fetch) => (input, init) => {
        if (String(input).endsWith("/members")) console.log(init?.body)
        return fetch(input, init)
      }
    }
    const { findings } = await reportOf(target, { operations: [addMember], runs: 20 })
    assert.deepStrictEqual(
      findings.map(({ message, rule }) => `${rule}: ${message}`),
      ["leaked-secret: call 1, members.add, POST /v1/topics/:topicKey/members: the output shows its credentials"]
    )
  })
  it("reports an operation without examples as not checked", async () => {
    const report = await checkClient(
      { wrapFetch: (fetch) => fetch },
      { operations: [storeTopic, removeTopic], runs: 5 }
    )
    assert.deepStrictEqual(report.notChecked, ["topics.remove"])
    assert.match(report.text, /^no rule broken in 5 programs \(.*\); not checked, without examples: topics\.remove$/u)
  })
  it("rejects anything that defineOperation did not make", async () => {
    // Callers without types can pass anything.
    const operations = [{ name: "topics.remove" }] as never
    const error: unknown = await checkClient({ wrapFetch: (fetch) => fetch }, { operations }).catch(
      (thrown: unknown) => thrown
    )
    assert.strictEqual(String(error), "RangeError: checkClient.operations.0: must be an operation from defineOperation")
  })
})
