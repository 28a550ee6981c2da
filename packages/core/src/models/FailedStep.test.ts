import { assert, describe, it } from "@effect/vitest"
import { type ExecutionDetail, failures, isFailed } from "./Records.ts"

describe("failures", () => {
  const detail = {
    _id: "d",
    status: "Failed",
    detail: "No credentials",
    isRetry: false,
    isTest: false,
    source: "Internal"
  }
  const skip = { ...detail, detail: "Step was skipped based on steps conditions" }
  const sent = { ...detail, status: "Success" }
  const retry = { ...detail, isRetry: true }
  const job = { _id: "j", type: "chat", step: { _id: "s", active: true, filters: [], _templateId: "t" } }
  const event = { _environmentId: "e", _organizationId: "o", _subscriberId: "s", transactionId: "t" }

  it.each<readonly [string, string, ReadonlyArray<ExecutionDetail>, ReadonlyArray<number | undefined>]>([
    ["each failure of a failed step", "failed", [detail, retry], [0, 1]],
    ["a failure, whatever the job says of itself", "completed", [detail], [0]],
    ["a failed job without a failure", "failed", [], [undefined]],
    ["no skipped step", "canceled", [skip], []],
    ["no skipped step of a failed job", "failed", [skip], []],
    ["no step that a retry delivered", "completed", [detail, { ...retry, status: "Success" }], []],
    ["no step that was delivered in another way", "completed", [detail, sent], []],
    ["no step that is being retried", "queued", [detail, { ...retry, status: "Queued" }], []]
  ])("return %s", (_, status, executionDetails, places) => {
    const failed = { ...job, status, executionDetails }
    const given = { ...event, jobs: [failed] }
    assert.deepStrictEqual(
      failures(given).map((one) => [one.job, one.detail]),
      places.map((place) => [failed, place === undefined ? undefined : executionDetails[place]])
    )
    assert.strictEqual(isFailed(given), places.length > 0)
  })

  it("are none without jobs", () => {
    assert.deepStrictEqual(failures(event), [])
    assert.isFalse(isFailed(event))
  })
})
