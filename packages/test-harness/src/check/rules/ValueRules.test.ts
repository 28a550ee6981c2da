import { assert, describe, it } from "@effect/vitest"
import { createFake, Fault } from "../../index.ts"
import type { CallResult, ReportedRecord } from "../CallResult.ts"
import type { CheckRun } from "../CheckRun.ts"
import { valueRules } from "./ValueRules.ts"

/** A list of three events, newest first, as a client could report it. */
const listing = async (faults: ReadonlyArray<Fault.Fault> = []) => {
  const fake = createFake({ data: "empty", faults, switches: { "list.order": "newest-first" } })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addWorkflow({ identifier: "order", steps: [] })
  for (const ago of [3_000, 2_000, 1_000])
    fake.addEvent({ workflow: "order", subscriberId: "ana", createdAt: fake.now() - ago })
  const response = await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=10`, {
    headers: { authorization: `ApiKey ${fake.apiKey}` }
  })
  const text = await response.text()
  const records = faults.length > 0 ? [] : (JSON.parse(text) as { readonly data: ReadonlyArray<ReportedRecord> }).data
  /** The message of a rule about a client that reports this. */
  const messageOf = (rule: keyof typeof valueRules, result: Partial<CallResult>): string | undefined => {
    const made = {
      call: { operation: "events.list", limit: 10 },
      requests: fake.journal.entries(),
      result: { outcome: "ok", ...result }
    }
    // Only the parts of a run that these rules read.
    const run = { vendor: "service", isConcurrent: false, calls: [made] } as unknown as CheckRun
    return valueRules[rule].check(run)[0]?.message.replace("call 1, events.list, limit 10: ", "")
  }
  return { records, messageOf }
}

const idOf = (record: ReportedRecord | undefined): string => String(record?.["_id"])

describe("the values of a list that a client returns", () => {
  it("are all of those of the response", async () => {
    const { messageOf, records } = await listing()
    const ids = records.map(idOf)
    assert.isUndefined(messageOf("silent-loss", { ids }))
    assert.isUndefined(messageOf("silent-loss", { records }))
    assert.isUndefined(messageOf("silent-loss", {}))
    assert.isUndefined(messageOf("silent-loss", { outcome: "failed", ids: [] }))
    assert.include(messageOf("silent-loss", { ids: ids.slice(1) }), "1 of 3 records are missing")
    assert.include(messageOf("silent-loss", { records: [] }), "3 of 3 records are missing")
  })

  it("are unknown where the response is not JSON", async () => {
    const { messageOf } = await listing([Fault.malformedJson()])
    assert.include(messageOf("silent-loss", { ids: [] }), "the response is not JSON, so its records are unknown")
    assert.isUndefined(messageOf("silent-loss", {}))
    assert.isUndefined(messageOf("silent-loss", { outcome: "unknown", ids: [] }))
  })

  it("come once, in the order of the response", async () => {
    const { messageOf, records } = await listing()
    const [first, second, third] = records.map(idOf)
    const wrong = (...ids: ReadonlyArray<string | undefined>) =>
      messageOf("wrong-record", { ids: ids.map((id) => id ?? "") })
    assert.isUndefined(wrong(first, second, third))
    assert.isUndefined(wrong(first, third))
    assert.isUndefined(wrong())
    assert.include(wrong(first, third, second), "returned records in another order than the response")
    assert.include(wrong(second, first), "returned records in another order than the response")
    assert.include(wrong(first, second, second), "returned a record twice")
    assert.include(wrong(first, "another"), "returned a record that the response does not have: another")
  })

  it("are those of the response in each field that both have", async () => {
    const { messageOf, records } = await listing()
    const [first = {}, second = {}, third = {}] = records
    const wrong = (...changed: ReadonlyArray<ReportedRecord>) => messageOf("wrong-record", { records: changed })
    assert.isUndefined(wrong(first, second, third))
    assert.isUndefined(wrong({ _id: idOf(first), own: "field" }, third))
    const renamed = "returned another value than the response has: record 2.transactionId: expected "
    assert.include(wrong(first, { ...second, transactionId: "other" }), renamed)
    assert.include(wrong(first, { ...third, transactionId: "other" }), renamed)
    // Without an id, the place tells which record it is.
    const { _id: _, ...nameless } = first
    assert.isUndefined(wrong(nameless))
    const { _id: __, ...alsoNameless } = second
    assert.isUndefined(wrong(nameless, alsoNameless, third))
    assert.isUndefined(messageOf("silent-loss", { records: [nameless, alsoNameless, third] }))
    assert.include(messageOf("silent-loss", { records: [nameless, third] }), "1 of 3 records are missing")
    assert.include(wrong({ ...nameless, transactionId: "other" }), renamed.replace("2", "1"))
    assert.isUndefined(
      messageOf("wrong-record", { outcome: "failed", records: [{ ...first, transactionId: "other" }] })
    )
  })
})
