import type { ExecutionDetail } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { detailOf, jobOf } from "../../test/Records.ts"
import { gather, type NetworkProblem } from "./Evidence.ts"

const evidenceOf = (detail: string, raw?: string, given: Partial<ExecutionDetail> = {}) =>
  gather(jobOf("chat", []), detailOf(detail, { ...(raw === undefined ? {} : { raw }), ...given }))

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

describe("an address", () => {
  it.each([
    "connect ECONNREFUSED 127.0.0.1:503",
    "http://404.test/401",
    '{"message":"no answer of https://10.1.1.1:410/x"}',
    '{"message":"closed","channelData":{"endpoint":{"url":"http://192.168.0.1/"},"status":404}}'
  ])("has no status: %s", (raw) => {
    assert.isUndefined(evidenceOf("odd", raw).status)
  })
})

describe("the response of a mail server", () => {
  it("has the command and the status of SMTP, which is not an HTTP status", () => {
    const { mail, network, providerMessage, status } = evidenceOf(
      "odd",
      '{"code":"EENVELOPE","response":"550 5.1.1 unknown","responseCode":550,"command":"RCPT TO"}'
    )
    assert.deepStrictEqual(mail, { command: "RCPT TO", status: 550, subject: "1.1" })
    assert.strictEqual(providerMessage, "550 5.1.1 unknown")
    assert.isUndefined(status)
    assert.isUndefined(network)
  })

  it("has no status if the server was not reached", () => {
    assert.include(evidenceOf("odd", '{"code":"ETIMEDOUT","command":"CONN"}'), {
      network: "timeout",
      status: undefined
    })
  })
})

describe("a problem of the network", () => {
  it.each<readonly [string, NetworkProblem | undefined]>([
    ['{"errno":-111,"code":"ESOCKET","syscall":"connect","port":1,"command":"CONN"}', "refused"],
    ['{"errno":-61,"code":"ESOCKET"}', "refused"],
    ['{"code":"ESOCKET","message":"self-signed certificate","command":"CONN"}', "tls"],
    ['{"code":"ESOCKET","command":"CONN"}', "broken"],
    ['{"code":"ECONNREFUSED"}', "refused"],
    ['{"code":"CERT_HAS_EXPIRED"}', "tls"],
    ['{"code":"UNABLE_TO_VERIFY_LEAF_SIGNATURE"}', "tls"],
    ['{"code":"ECONNRESET","message":"disconnected before secure TLS connection was established"}', "broken"],
    ['{"code":"EDNS","syscall":"getaddrinfo"}', "host-unknown"],
    ['{"message":"getaddrinfo EAI_AGAIN api.test"}', "dns"],
    ['{"error":"Unable to resolve hostname \\"api.test\\"."}', "host-unknown"],
    ['{"error":"Timeout awaiting \'request\' for 5000ms"}', "timeout"],
    ["timeout of 300 ms exceeded", "timeout"],
    ["read ECONNRESET", "broken"],
    ["socket hang up", "broken"],
    ['{"message":"Request failed","config":{"timeout":3000,"note":"timed out"}}', undefined],
    ['{"message":"Request timed out","status":504}', undefined],
    ["odd", undefined]
  ])("of %s is %s", (raw, problem) => {
    assert.strictEqual(evidenceOf("odd", raw).network, problem)
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
    ['{"message":"Request failed with status code 404","responseData":"no_service"}', "no_service"],
    ['{"message":"Forbidden","response":{"body":{"errors":[{"message":"Not verified"}]}}}', "Not verified"],
    ['{"message":"Forbidden","status":403}', "Forbidden"],
    ['{"message":"Bad Gateway","responseData":"<html>"}', "Bad Gateway"],
    ['{"message":"no","request":{"message":"echo"},"stack":"at x"}', "no"],
    ['{"errors":["The maximum is 1 day."]}', "The maximum is 1 day."],
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
