import { assert, describe, it } from "@effect/vitest"
import { eventOf, slackJob } from "../../test/Records.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventReport } from "./EventReport.ts"

const event = ({ detail, name = "comment-mention", ...given }: { name?: string; detail?: string; raw?: string } = {}) =>
  eventOf([slackJob(detail, given)], {
    _id: "65f0a41c",
    transactionId: "txn_8f2c",
    createdAt: "2026-11-21T12:40:30.112Z",
    subscriber: {
      subscriberId: "u_31870",
      _id: "internal",
      firstName: "Ana",
      lastName: "Ruiz",
      email: "ana@acme.test",
      phone: "+34600000012"
    },
    template: { name, triggers: [] }
  })

describe("eventReport", () => {
  it("reports what, who, when, why and what next", () => {
    assert.strictEqual(
      eventReport(event(), "acme-prod"),
      [
        "**comment-mention: FAILED** for `u_31870` at 2026-11-21 12:40:30Z in `acme-prod`",
        "- Step: `chat` by `slack`: `Webhook URL for the chat channel is missing` (source `Credentials`)",
        "- Cause: The subscriber has no webhook URL for slack, so the chat step had nowhere to send the message.",
        "- Who can fix it: you, in the subscriber's profile or credentials",
        "- Next: Store the webhook URL for slack, then trigger the event again.",
        "- Transaction `txn_8f2c`, event `65f0a41c`",
        ""
      ].join("\n")
    )
  })

  it("explains every failure of the event, each cause once", () => {
    const [chat] = event().jobs ?? []
    assert(chat !== undefined)
    const [detail] = chat.executionDetails
    assert(detail !== undefined)
    const sms = {
      ...chat,
      _id: "job-sms",
      type: "sms" as const,
      providerId: "twilio",
      executionDetails: [{ ...detail, _id: "detail-sms", detail: "Subscriber does not have a phone number" }]
    }
    const report = eventReport({ ...event(), jobs: [chat, sms, { ...sms, _id: "job-sms-2" }] }, "acme-prod")
    assert.lengthOf(report.match(/^- Cause: /gmu) ?? [], 2)
    assert.include(report, "- Cause: The subscriber has no webhook URL for slack")
    assert.include(report, "- Cause: The subscriber has no phone number.")
  })

  it("is short where nothing needs an explanation", () => {
    const { jobs: _, subscriber: __, template: ___, createdAt: ____, _id: _____, ...bare } = event()
    assert.strictEqual(
      eventReport(bare, "demo"),
      "**(workflow deleted): no jobs** for `internal` at an unknown time in `demo`\n- Transaction `txn_8f2c`\n"
    )
  })

  it("leaves secrets and personal data out", () => {
    const hook = "https://hooks.slack.test/services/T0/B0/abcdef"
    const report = eventReport(
      event({
        detail: `POST ${hook} failed`,
        raw: JSON.stringify({ statusCode: 500, message: `no answer from ${hook}` })
      }),
      "demo"
    )
    assert.notInclude(report, "hooks.slack.test")
    for (const personal of ["Ana", "ana@", "+34600000012"]) assert.notInclude(report, personal)
  })

  it("lets nothing of the service be markup, a link or a call to a channel", () => {
    const report = eventReport(
      event({
        name: "**x** [click](http://evil.test) @everyone <!channel>",
        detail: "``` `` ` @here",
        raw: '{"statusCode":500,"message":"@channel see http://evil.test `rm`"}'
      }),
      "demo"
    )
    const [first = ""] = report.split("\n")
    assert.isTrue(
      first.startsWith("**\\*\\*x\\*\\* \\[click\\](http:\u2060//evil.test) @\u2060everyone \\<!channel\\>: FAILED**")
    )
    assert.include(report, "```` ``` `` ` @here ````")
    assert.include(report, "@\u2060channel see http:\u2060//evil.test \\`rm\\`")
  })

  it.effect.prop("has the same lines whatever the service says", [Schema.String, Schema.String], ([name, detail]) =>
    Effect.sync(() => {
      const report = eventReport(event({ name, detail }), "demo")
      assert.lengthOf(report.split("\n"), 7)
      assert.notMatch(report.replaceAll("\n", ""), /\p{Control}/u)
    })
  )
})
