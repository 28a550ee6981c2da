import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { detailOf, eventOf, jobOf } from "../../test/Records.ts"
import { matches, parse } from "../filter/Filter.ts"
import { failureGroups, failuresOf, hasCause, joinGroups } from "./FailureGroup.ts"

const failed = (type: string, providerId: string, detail: string): ActivityJob =>
  jobOf(type, [detailOf(detail, { source: "Credentials", providerId })], { _id: `${type}-${providerId}`, providerId })

const phone = failed("sms", "twilio", "Subscriber does not have a phone number")
const slack = failed("chat", "slack", "Webhook URL for the chat channel is missing")
const discord = failed("chat", "discord", "Webhook URL for the chat channel is missing")

let count = 0

const event = (
  subscriberId: string | undefined,
  minute: number | undefined,
  ...jobs: ReadonlyArray<ActivityJob>
): ActivityNotification => {
  count += 1
  return eventOf(jobs, {
    _id: `event-${count}`,
    transactionId: `txn-${count}`,
    ...(minute === undefined ? {} : { createdAt: new Date(minute * 60_000).toISOString() }),
    ...(subscriberId === undefined ? {} : { subscriber: { subscriberId, _id: "internal" } })
  })
}

describe("failuresOf", () => {
  it("names rule, step and provider of each failed job, each cause once", () => {
    const both = event("u_1", 1, phone, slack, { ...slack, _id: "again" })
    assert.deepStrictEqual(
      failuresOf(both).map(({ cause, title }) => [cause, title]),
      [
        ["phone-missing/sms/twilio", "phone number missing"],
        ["webhook-url-missing/chat/slack", "slack webhook missing"]
      ]
    )
    assert.isTrue(hasCause(both, "phone-missing"))
    assert.isTrue(hasCause(both, "webhook-url-missing/chat"))
    assert.isFalse(hasCause(both, "webhook"))
    assert.isFalse(hasCause(both, "webhook-url-missing/chat/discord"))
  })

  it("distinguishes unrecognised failures by their message, without its values", () => {
    const said = (message: string) => {
      const job = failed("email", "own-mail", "Unexpected provider error")
      const [detail] = job.executionDetails
      assert(detail !== undefined)
      return event("u_1", 1, { ...job, executionDetails: [{ ...detail, raw: JSON.stringify({ message }) }] })
    }
    const causesOf = (...messages: ReadonlyArray<string>) =>
      messages.flatMap((message) => failuresOf(said(message)).map(({ cause }) => cause))
    const [boom] = causesOf("Boom 42 at node N7")
    assert.strictEqual(boom, "provider-error/email/own-mail/own-mail-error-boom-at-node")
    assert.deepStrictEqual(
      causesOf("Boom 43 at node 8f00b204e980", 'Boom "now" at node https://n7.test/x', "boom at\nnode ada@acme.test"),
      [boom, boom, boom]
    )
    assert.notStrictEqual(causesOf("Zustellung fehlgeschlagen")[0], boom)
    assert.isTrue(hasCause(said("Boom 1"), "provider-error/email/own-mail"))
    assert.isAtMost((causesOf("boom ".repeat(500))[0] ?? "").length, 100)
  })

  it("titles an unrecognised failure with the service's words if the provider sent a code only", () => {
    const titleOf = (raw: string) => {
      const job = failed("email", "own-mail", "Moon in the wrong house")
      const [detail] = job.executionDetails
      assert(detail !== undefined)
      return failuresOf(event("u_1", 1, { ...job, executionDetails: [{ ...detail, raw }] }))[0]?.title
    }
    assert.strictEqual(titleOf('{"message":"E7"}'), "Moon in the wrong house: E7")
    assert.strictEqual(titleOf('{"message":"It is full"}'), "It is full")
    assert.strictEqual(titleOf(""), "Moon in the wrong house")
  })

  it("is empty for an event without a failure", () => {
    assert.deepStrictEqual(failuresOf(event("u_1", 1)), [])
  })

  it("lets no provider name add a level or end a word of the filter language", () => {
    const [failure] = failuresOf(event("u_1", 1, failed("chat", "sl/ack, inc", "Flux capacitor drained")))
    assert.strictEqual(failure?.cause, "not-recognised/chat/sl-ack-inc/flux-capacitor-drained")
    assert.strictEqual(failure?.title, "Flux capacitor drained")
  })
})

describe("failureGroups", () => {
  it("counts events and subscribers, the largest group first", () => {
    const events = [
      event("u_3", 9, slack, phone),
      event("u_2", 7, phone),
      event("u_2", 5, phone),
      event("u_1", 4, discord),
      event("u_1", 3)
    ]
    const groups = failureGroups(events)
    assert.deepStrictEqual(
      groups.map(({ cause, credentials, events: ofGroup, subscribers }) => [
        cause,
        credentials,
        ofGroup.length,
        subscribers
      ]),
      [
        ["phone-missing/sms/twilio", "elsewhere", 3, ["u_3", "u_2"]],
        ["webhook-url-missing/chat/slack", "cause", 1, ["u_3"]],
        ["webhook-url-missing/chat/discord", "cause", 1, ["u_1"]]
      ]
    )
    const [largest] = groups
    assert.deepStrictEqual([largest?.firstSeen, largest?.lastSeen], [5 * 60_000, 9 * 60_000])
    assert.deepInclude(largest, { rule: "phone-missing", step: "sms", providerId: "twilio" })
  })

  it("has exactly the events that its cause finds as a filter", () => {
    const events = [event("u_3", 9, slack, phone), event("u_2", 7, phone), event("u_1", 3)]
    for (const { cause, events: ofGroup } of failureGroups(events)) {
      const parsed = parse(`cause:${cause}`)
      assert(parsed._tag === "Parsed")
      assert.deepStrictEqual(
        events.filter((one) => matches(parsed.filter, one)),
        ofGroup
      )
    }
  })

  it("accepts events without a time and without a subscriber", () => {
    const [group] = failureGroups([event(undefined, undefined, phone)])
    assert.deepStrictEqual(group?.subscribers, ["internal"])
    assert.isUndefined(group?.firstSeen)
  })

  it("is empty without failures", () => {
    assert.deepStrictEqual(failureGroups([event("u_1", 1)]), [])
  })
})

describe("joinGroups", () => {
  const events = [
    event("u_3", 9, slack, phone),
    event("u_2", 7, phone),
    event("u_1", 6),
    event("u_2", 5, phone, discord),
    event(undefined, undefined, discord),
    event("u_3", 3, discord)
  ]

  it.each([0, 1, 2, 3, 4, 5, 6])("has the groups of the whole list, cut after event %i", (cut) => {
    const joined = joinGroups(failureGroups(events.slice(0, cut)), failureGroups(events.slice(cut)))
    assert.deepStrictEqual(joined, failureGroups(events))
  })
})
