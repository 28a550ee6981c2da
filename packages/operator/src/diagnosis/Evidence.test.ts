import type { ActivityJob, ExecutionDetail } from "@signalbox/core/Activity"
import { assert, describe, it } from "@effect/vitest"
import { gather } from "./Evidence.ts"

const evidenceOf = (detail: string, raw?: string, given: Partial<ExecutionDetail> = {}) => {
  const job: ActivityJob = {
    _id: "job",
    type: "chat",
    status: "failed",
    executionDetails: [],
    step: { _id: "", active: true, filters: [], _templateId: "" }
  }
  const base = { _id: "detail", status: "Failed", detail, isRetry: false, isTest: false, source: "Internal" }
  return gather(job, { ...base, ...(raw === undefined ? {} : { raw }), ...given })
}

describe("the status of a provider's response", () => {
  it.each<readonly [string, number | undefined]>([
    ['{"statusCode":403}', 403],
    ['{"statusCode":"403"}', 403],
    ['{"status":100}', 100],
    ['{"code":599}', 599],
    ['{"http_status":410}', 410],
    ['{"Http-Code":410}', 410],
    ['{"responseCode":410}', 410],
    ['{"error":{"status":422}}', 422],
    ['{"errors":[{"code":99},{"code":404}]}', 404],
    ['{"error":{"status":500},"status":404}', 404],
    ['{"status":"UNAUTHENTICATED","error":{"code":401}}', 401],
    ['{"code":99}', undefined],
    ['{"code":600}', undefined],
    ['{"responseCode":401.5}', undefined],
    ['{"code":"4012"}', undefined],
    ['{"code":""}', undefined],
    ['{"amount":401}', undefined],
    ["null", undefined],
    [`[${"1,".repeat(198)}{"responseCode":401}]`, 401],
    [`[${"1,".repeat(199)}{"responseCode":401}]`, undefined]
  ])("is in %s", (raw, status) => {
    assert.strictEqual(evidenceOf("odd", raw).status, status)
  })

  it.each<readonly [string, number | undefined]>([
    ["Request failed with status code 401", 401],
    ["statuscode: 402", 402],
    ["Status 403", 403],
    ["HTTP 503", 503],
    ["HTTP/1.1 504 Gateway Timeout", 504],
    ["code = 429", 429],
    ["error 500", 500],
    ["refused (404)", 404],
    ["code    404", undefined],
    ["error 600", undefined],
    ["error 4040", undefined],
    ["401 people", undefined]
  ])("is in the words %s", (words, status) => {
    assert.strictEqual(evidenceOf(words).status, status)
    assert.strictEqual(evidenceOf("odd", words).status, status)
  })

  it("is that of the response, not that of the service's own words", () => {
    assert.strictEqual(evidenceOf("error 500", '{"status":401}').status, 401)
    assert.strictEqual(evidenceOf("error 500", "error 401").status, 500)
  })
})

describe("the message of a provider", () => {
  it.each<readonly [string, string | undefined]>([
    ['{"message":"no","error":"other"}', "no"],
    ['{"error":"other","error_description":"better"}', "better"],
    ['{"Description":"no"}', "no"],
    ['{"message":"","reason":"no"}', "no"],
    ['{"error":{"message":"inner"},"title":"outer"}', "outer"],
    ['{"error":{"message":"inner"}}', "inner"],
    ['{"ok":false}', undefined],
    [" plain\n words ", "plain words"],
    [" \n", undefined],
    ['"quoted"', '"quoted"'],
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), `${"x".repeat(199)}…`],
    [`${"x".repeat(198)}👍👍`, `${"x".repeat(198)}…`]
  ])("in %j is %j", (raw, message) => {
    assert.strictEqual(evidenceOf("odd", raw).providerMessage, message)
  })

  it("is looked for in 8,000 characters, and not in longer responses", () => {
    const padded = (length: number) => JSON.stringify({ message: "no", status: 401 }).padEnd(length)
    assert.include(evidenceOf("odd", padded(8000)), { providerMessage: "no", status: 401 })
    const long = evidenceOf("odd", padded(8001))
    assert.isUndefined(long.providerMessage)
    assert.include(long.words, '"message":"no"')
    assert.strictEqual(evidenceOf("odd", "x".repeat(8000)).providerMessage, `${"x".repeat(199)}…`)
    assert.isUndefined(evidenceOf("odd", "x".repeat(8001)).providerMessage)
  })

  it("is a sentence next to that of the service, in lower case", () => {
    assert.deepStrictEqual(evidenceOf("Refused", '{"message":"No Phone"}').sentences, ["refused", "no phone"])
    assert.deepStrictEqual(evidenceOf("Refused").sentences, ["refused", ""])
    assert.deepStrictEqual(gather(evidenceOf("").job, undefined).sentences, ["", ""])
  })
})

describe("the provider of a failure", () => {
  it("is named by the detail, or in its words, as a word", () => {
    assert.include(evidenceOf("odd", undefined, { providerId: "slack" }), {
      channelProvider: "slack",
      provider: "slack"
    })
    assert.include(evidenceOf("sent by Slack"), { channelProvider: "slack", provider: undefined })
    assert.include(evidenceOf("odd", "by discord"), { channelProvider: "discord" })
    assert.include(evidenceOf("odd", undefined, { providerId: "own-mail" }), { provider: "own-mail" })
    for (const word of ["slacker", "my-slack", "slack-like", "unslack"]) {
      assert.isUndefined(evidenceOf(word).channelProvider)
    }
  })
})
