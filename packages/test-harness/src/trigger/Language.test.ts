/**
 * The fake's records of each kind of outcome. `language.txt` has those of the observed service (version 3.15.0): the type,
 * status and provider of each job, and its execution details in order. A detail is `Status Detail`, followed by the
 * keys of the object in `raw`, or by `raw` if it is other than an object.
 */
import { assert, describe, expect, it } from "@effect/vitest"
import { addIntegration, addWorkflow } from "../generate/Builders.ts"
import { listEvents } from "../operations/EventsList.ts"
import { empty, type EnvironmentState, putSubscriber } from "../state/EnvironmentState.ts"
import { isJsonObject, type JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { StepInput } from "../state/RecordInput.ts"
import type { ChannelRecord, Credentials, JobProviderId } from "../state/Records.ts"
import { addSubscriber, type SubscriberFields } from "../state/Subscribers.ts"
import * as Switches from "../switches/Switches.ts"
import type { FailureKind } from "./FailureKind.ts"
import { settle } from "./Settle.ts"
import { trigger } from "./Trigger.ts"

const start = Date.UTC(2026, 10, 1)
const minute = 60_000

/** One outcome: the environment, the subscriber and the workflow, and the jobs of the events that follow. */
interface Outcome {
  readonly steps: ReadonlyArray<StepInput>
  /** Active integrations; those with a minus in front are inactive. */
  readonly providers?: ReadonlyArray<JobProviderId | `-${JobProviderId}`>
  readonly subscriber?: Partial<SubscriberFields>
  /** Credentials of the subscriber, by provider. */
  readonly reached?: Readonly<Partial<Record<JobProviderId, Credentials>>>
  readonly failures?: Readonly<Record<string, FailureKind>>
  /** One event for each, a second apart. */
  readonly payloads?: ReadonlyArray<JsonObject>
  /** How long after the first trigger the jobs are read. */
  readonly afterMs?: number
}

const environment = ({ providers = [], reached = {}, steps, subscriber = {} }: Outcome): EnvironmentState => {
  let state = empty(3)
  for (const provider of providers) {
    const active = !provider.startsWith("-")
    const providerId = (active ? provider : provider.slice(1)) as JobProviderId // the rest of the template
    ;({ state } = addIntegration(state, start, { providerId, active, identifier: `${providerId}-one` }))
  }
  const added = addSubscriber(state, start, { subscriberId: "ana", firstName: "Ana", ...subscriber })
  const channels = Object.entries(reached).flatMap(([providerId, credentials]): ReadonlyArray<ChannelRecord> => {
    const integration = state.integrations.find((known) => known.providerId === providerId)
    const integrationId = integration?.id ?? "a0a0a0a0a0a0a0a0a0a0a0a0"
    return [{ providerId, integrationId, integrationIdentifier: `${providerId}-one`, credentials }]
  })
  return addWorkflow(putSubscriber(added.state, { ...added.subscriber, channels }), start, {
    identifier: "flow",
    steps
  }).state
}

const shapeOf = (raw: unknown): string => {
  if (typeof raw !== "string") return ""
  try {
    const value: unknown = JSON.parse(raw)
    return isJsonObject(value) ? ` {${Object.keys(value).join(",")}}` : ` ${raw}`
  } catch {
    return ` ${raw}`
  }
}

const objects = (value: unknown): ReadonlyArray<JsonObject> => (Array.isArray(value) ? value.filter(isJsonObject) : [])

const jobLine = (job: JsonObject): string =>
  [
    [job["type"], job["status"], job["providerId"] ?? "-"].join(" "),
    ...objects(job["executionDetails"]).map((each) => {
      assert.strictEqual(each["source"], "Internal")
      assert.strictEqual(each["providerId"], job["providerId"])
      assert.isFalse(each["isTest"])
      return `${each["status"]} ${each["detail"]}${shapeOf(each["raw"])}${each["isRetry"] === true ? " (retry)" : ""}`
    })
  ].join(" | ")

const jobsOf = (outcome: Outcome): ReadonlyArray<ReadonlyArray<string>> => {
  let state = environment(outcome)
  const { afterMs = 60 * minute, failures = {}, payloads = [{}] } = outcome
  payloads.forEach((payload, at) => {
    ;({ state } = trigger(state, start + at * 1000, { workflow: "flow", to: "ana", payload, failures }))
  })
  const now = start + afterMs
  const { body } = listEvents(settle(state, now), { switches: Switches.observed, now }, "limit=50").response
  const events = objects(isJsonObject(body) ? body["data"] : undefined)
  return events.toReversed().map((event) => objects(event["jobs"]).map(jobLine))
}

const email: StepInput = { type: "email", subject: "Hello", content: "<p>Hi</p>" }
const sms: StepInput = { type: "sms", content: "Hi" }
const chat: StepInput = { type: "chat", content: "Hi" }
const push: StepInput = { type: "push", subject: "Hello", content: "Hi" }
const inApp: StepInput = { type: "in_app", content: "Hi" }
const webhookUrl = "https://hooks.example.test/ana"
const address = { email: "ana@example.test" }

const condition = (on: "payload" | "subscriber", field: string, value: string): Pick<StepInput, "filters"> => ({
  filters: [{ isNegated: false, type: "GROUP", value: "AND", children: [{ on, field, operator: "EQUAL", value }] }]
})

const outcomes: Readonly<Record<string, Outcome>> = {
  "in-app: sent": { steps: [inApp] },
  "e-mail: sent": { steps: [email], providers: ["nodemailer"], subscriber: address },
  "e-mail: no integration": { steps: [email], subscriber: address },
  "e-mail: integration inactive": { steps: [email], providers: ["-sendgrid"], subscriber: address },
  "e-mail: no address": { steps: [email], providers: ["nodemailer"] },
  "e-mail: the SMTP server refuses the login": {
    steps: [email],
    providers: ["nodemailer"],
    subscriber: address,
    failures: { email: "provider-unauthorized" }
  },
  "e-mail: the SMTP server refuses the recipient": {
    steps: [email],
    providers: ["nodemailer"],
    subscriber: address,
    failures: { email: "recipient-rejected" }
  },
  "e-mail: the SMTP server does not respond": {
    steps: [email],
    providers: ["nodemailer"],
    subscriber: address,
    failures: { email: "provider-unreachable" }
  },
  "e-mail: the provider's API rejects the key": {
    steps: [email],
    providers: ["sendgrid"],
    subscriber: address,
    failures: { email: "provider-unauthorized" }
  },
  "e-mail: broken template": { steps: [email], subscriber: address, failures: { email: "bridge-failed" } },
  "SMS: sent": {
    steps: [sms],
    providers: ["generic-sms"],
    subscriber: { phone: "+15550100" },
    payloads: [{ name: "Ana" }]
  },
  "SMS: no phone number": { steps: [sms], providers: ["twilio"], payloads: [{ name: "Ana" }] },
  "SMS: the provider rejects the number": {
    steps: [sms],
    providers: ["twilio"],
    subscriber: { phone: "+1555" },
    payloads: [{ name: "Ana" }],
    failures: { sms: "recipient-rejected" }
  },
  "chat: sent": { steps: [chat], providers: ["slack"], reached: { slack: { webhookUrl } } },
  "chat: no credentials": { steps: [chat] },
  "chat: no credentials, with a phone number": { steps: [chat], subscriber: { phone: "+15550100" } },
  "chat: no webhook URL": { steps: [chat], providers: ["slack"], reached: { slack: { channel: "#ana" } } },
  "chat: the webhook is gone": {
    steps: [chat],
    providers: ["slack"],
    reached: { slack: { webhookUrl } },
    failures: { chat: "webhook-gone" }
  },
  "chat: the webhook's server does not respond": {
    steps: [chat],
    providers: ["slack"],
    reached: { slack: { webhookUrl } },
    failures: { chat: "provider-unreachable" }
  },
  "chat: the integration was switched off, another one is active": {
    steps: [chat],
    providers: ["-slack", "discord"],
    reached: { slack: { webhookUrl } }
  },
  "chat: sent one way, failed the other": {
    steps: [chat],
    providers: ["slack"],
    subscriber: { phone: "+15550100" },
    reached: { slack: { webhookUrl } }
  },
  "push: sent to two devices": {
    steps: [push],
    providers: ["expo"],
    reached: { expo: { deviceTokens: ["t1", "t2"] } }
  },
  "push: no credentials": { steps: [push] },
  "push: credentials without tokens": { steps: [push], providers: ["fcm"], reached: { fcm: {} } },
  "push: an empty list of tokens": { steps: [push], providers: ["fcm"], reached: { fcm: { deviceTokens: [] } } },
  "push: the integration was switched off": {
    steps: [push],
    providers: ["-fcm"],
    reached: { fcm: { deviceTokens: ["t1"] } }
  },
  "push: both tokens are dead": {
    steps: [push],
    providers: ["expo"],
    reached: { expo: { deviceTokens: ["t1", "t2"] } },
    failures: { push: "token-unregistered" }
  },
  "condition on the payload: skipped": {
    steps: [{ ...inApp, ...condition("payload", "amount", "100") }, inApp],
    payloads: [{ amount: 5 }]
  },
  "condition on the subscriber: met": {
    steps: [{ ...inApp, ...condition("subscriber", "email", "ana@example.test") }],
    subscriber: address
  },
  "preference: the channel is off": { steps: [inApp], failures: { in_app: "preference-off" } },
  "stop on failure": { steps: [{ ...sms, stopOnFail: true }, inApp, email] },
  "endpoint: responds": { steps: [{ type: "custom" }, inApp] },
  "endpoint: fails": { steps: [{ type: "custom", stopOnFail: true }, inApp], failures: { custom: "endpoint-failed" } },
  "delay: waiting": { steps: [{ type: "delay", wait: { amount: 2, unit: "hours" } }, inApp] },
  "delay: over": { steps: [{ type: "delay", wait: { amount: 3, unit: "seconds" } }, inApp] },
  "digest: waiting": {
    steps: [{ type: "digest", wait: { amount: 10, unit: "minutes" } }, inApp],
    payloads: [{ n: 1 }, { n: 2 }],
    afterMs: minute
  },
  "digest: over": {
    steps: [{ type: "digest", wait: { amount: 4, unit: "seconds" } }, inApp],
    payloads: [{ n: 1 }, { n: 2 }]
  },
  "throttle: the first event passes, the second does not": {
    steps: [{ type: "throttle", wait: { amount: 1, unit: "minutes" }, threshold: 1 }, inApp],
    payloads: [{}, {}]
  }
}

describe("the service's language", () => {
  it("language.txt has the jobs of each event, oldest first (vitest run Language -u updates it)", async () => {
    const lines: Array<string> = []
    for (const [name, outcome] of Object.entries(outcomes)) {
      lines.push(name)
      for (const [at, jobs] of jobsOf(outcome).entries()) {
        lines.push(`  event ${at + 1}`, ...jobs.map((each) => `    ${each}`))
      }
      lines.push("")
    }
    const withoutIds = lines.join("\n").replaceAll(/integrationId: [\da-f]{24}/gu, "integrationId: ID")
    await expect(withoutIds).toMatchFileSnapshot("./language.txt")
  })

  it("reports the conditions of a skipped step with their actual values", () => {
    const { state } = trigger(environment({ steps: [{ ...inApp, ...condition("payload", "amount", "100") }] }), start, {
      workflow: "flow",
      to: "ana",
      payload: { amount: 5 }
    })
    const context = { switches: Switches.observed, now: start }
    const { body } = listEvents(state, context, "").response
    const [event] = objects(isJsonObject(body) ? body["data"] : undefined)
    const [only] = objects(event?.["jobs"])
    const raw = objects(only?.["executionDetails"]).at(-1)?.["raw"]
    const evaluated = {
      filter: "Payload",
      field: "amount",
      expected: "100",
      actual: "5",
      operator: "EQUAL",
      passed: false
    }
    assert.deepStrictEqual(JSON.parse(String(raw)), { filter: { conditions: [evaluated], passed: false } })
  })
})
