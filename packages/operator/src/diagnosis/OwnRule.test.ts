import { afterEach, assert, describe, it } from "@effect/vitest"
import { detailOf, eventOf, jobOf } from "../../test/Records.ts"
import { diagnose } from "./Diagnosis.ts"
import { failureGroups } from "./FailureGroup.ts"
import { useOwnRules } from "./OwnRule.ts"

const failed = (detail: string, raw?: object) =>
  eventOf([jobOf("chat", [detailOf(detail, raw === undefined ? {} : { raw: JSON.stringify(raw) })])])

const quota = {
  match: "Quota * exceeded",
  title: "quota of the month used up",
  advice: "Ask sales.",
  owner: "plan"
} as const

afterEach(() => useOwnRules([]))

describe("a rule of the configuration file", () => {
  it("names the cause of the failures that it matches, in the detail or in the raw response", () => {
    useOwnRules([quota])
    for (const event of [
      failed("quota 42 EXCEEDED for acme"),
      failed("Unexpected provider error", { message: "quota of 10,000 exceeded" })
    ]) {
      const diagnosis = diagnose(event)
      assert(diagnosis !== undefined)
      assert.strictEqual(diagnosis.rule, "own-quota-of-the-month-used-up")
      assert.strictEqual(diagnosis.owner, "plan")
      assert.strictEqual(diagnosis.advice, "Ask sales.")
      assert.include(diagnosis.cause, "quota of the month used up. It said:")
    }
  })

  it("comes before the catalogue, and groups what it matches", () => {
    useOwnRules([{ ...quota, match: "webhook url" }])
    const events = [failed("Webhook URL for the chat channel is missing"), failed("webhook URL of 7 is gone")]
    assert.deepStrictEqual(
      failureGroups(events).map(({ cause, events: found }) => [cause, found.length]),
      [["own-quota-of-the-month-used-up/chat", 2]]
    )
  })

  it("matches other characters than * literally, and leaves other failures to the catalogue", () => {
    useOwnRules([{ ...quota, match: "(429)+" }])
    assert.strictEqual(diagnose(failed("Webhook URL for the chat channel is missing"))?.rule, "webhook-url-missing")
    assert.strictEqual(diagnose(failed("provider said (429)+"))?.rule, "own-quota-of-the-month-used-up")
  })

  it("quotes one line of a message, and searches only its start, however long it is", () => {
    useOwnRules([quota])
    const trace = "\n at com.acme.Mail.send(Mail.java:1)".repeat(10_000)
    const { cause = "" } = diagnose(failed(`Quota 42 exceeded${trace}`)) ?? {}
    assert.match(cause, /^quota of the month used up\. It said: "Quota 42 exceeded at com\.acme\.[^\n]+…"$/u)
    assert.isBelow(cause.length, 300)
    assert.notStrictEqual(diagnose(failed(`Quota of acme.${trace}\nexceeded`))?.rule, "own-quota-of-the-month-used-up")
  })
})
