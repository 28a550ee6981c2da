/**
 * The fake's records of each kind of outcome, compared with those of the observed service (version 3.15.0): the type,
 * status and provider of each job, and its execution details in order. A detail is `Status Detail`, followed by the
 * keys of the object in `raw`, or by `raw` if it is other than an object.
 */
import { assert, describe, it } from "@effect/vitest"
import { addIntegration, addWorkflow } from "../generate/Builders.ts"
import { listEvents } from "../operations/EventsList.ts"
import { empty, type EnvironmentState, putSubscriber } from "../state/EnvironmentState.ts"
import { isJsonObject, type JsonObject } from "../state/JsonObject.ts"
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
  /** The jobs of each event, oldest first. */
  readonly jobs: ReadonlyArray<ReadonlyArray<string>>
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
const integration = "{providerId,identifier,name,_environmentId,_id}"
const created = "Pending Message created {senderName,subject,content,layoutId,contentType,payload}"
const smtp = ["Pending Step queued", `Pending Custom SMTP provider was selected ${integration}`, created]
const slack = [
  "Pending Step queued",
  `Pending Slack provider was selected ${integration}`,
  "Pending Message created Hi"
]
const pushed = "Pending Message created {providerId,content}"
const shown = ["in_app completed service", "Pending Step queued", "Pending Message created", "Success Message sent"]
const job = (...parts: ReadonlyArray<string>): string => parts.join(" | ")
const unregistered = "Failed Unexpected provider error {message,name}"
const allPushFailed = "Failed There was one or more errors when trying to execute the notification"
const allChatFailed = "Failed All chat channels failed to send the message"

const condition = (on: "payload" | "subscriber", field: string, value: string): Pick<StepInput, "filters"> => ({
  filters: [{ isNegated: false, type: "GROUP", value: "AND", children: [{ on, field, operator: "EQUAL", value }] }]
})

const outcomes: Readonly<Record<string, Outcome>> = {
  "in-app: sent": { steps: [inApp], jobs: [[job(...shown)]] },
  "e-mail: sent": {
    steps: [email],
    providers: ["nodemailer"],
    subscriber: address,
    jobs: [[job("email completed nodemailer", ...smtp, "Success Message sent {id,date}")]]
  },
  "e-mail: no integration": {
    steps: [email],
    subscriber: address,
    jobs: [[job("email failed -", "Pending Step queued", "Failed Subscriber does not have an active integration")]]
  },
  "e-mail: integration inactive": {
    steps: [email],
    providers: ["-sendgrid"],
    subscriber: address,
    jobs: [[job("email failed -", "Pending Step queued", "Failed Subscriber does not have an active integration")]]
  },
  "e-mail: no address": {
    steps: [email],
    providers: ["nodemailer"],
    jobs: [[job("email canceled nodemailer", ...smtp, "Failed Subscriber missing email address")]]
  },
  "e-mail: the SMTP server refuses the login": {
    steps: [email],
    providers: ["nodemailer"],
    subscriber: address,
    failures: { email: "provider-unauthorized" },
    jobs: [
      [job("email failed nodemailer", ...smtp, "Failed Unexpected provider error {code,response,responseCode,command}")]
    ]
  },
  "e-mail: the SMTP server refuses the recipient": {
    steps: [email],
    providers: ["nodemailer"],
    subscriber: address,
    failures: { email: "recipient-rejected" },
    jobs: [
      [
        job(
          "email failed nodemailer",
          ...smtp,
          "Failed Unexpected provider error {code,response,responseCode,command,rejected,rejectedErrors}"
        )
      ]
    ]
  },
  "e-mail: the SMTP server does not respond": {
    steps: [email],
    providers: ["nodemailer"],
    subscriber: address,
    failures: { email: "provider-unreachable" },
    jobs: [[job("email failed nodemailer", ...smtp, "Failed Unexpected provider error {code,command}")]]
  },
  "e-mail: the provider's API rejects the key": {
    steps: [email],
    providers: ["sendgrid"],
    subscriber: address,
    failures: { email: "provider-unauthorized" },
    jobs: [
      [
        job(
          "email failed sendgrid",
          "Pending Step queued",
          `Pending SendGrid provider was selected ${integration}`,
          created,
          "Failed Unexpected provider error {message,code,response}"
        )
      ]
    ]
  },
  "e-mail: broken template": {
    steps: [email],
    subscriber: address,
    failures: { email: "bridge-failed" },
    jobs: [[job("email failed -", "Pending Step queued", "Failed Bridge execution failed {message,code,statusCode}")]]
  },
  "SMS: sent": {
    steps: [sms],
    providers: ["generic-sms"],
    subscriber: { phone: "+15550100" },
    payloads: [{ name: "Ana" }],
    jobs: [
      [
        job(
          "sms completed generic-sms",
          "Pending Step queued",
          `Pending SMS Webhook provider was selected ${integration}`,
          "Pending Message created {name}",
          "Success Message sent {id,date}"
        )
      ]
    ]
  },
  "SMS: no phone number": {
    steps: [sms],
    providers: ["twilio"],
    payloads: [{ name: "Ana" }],
    jobs: [
      [
        job(
          "sms canceled twilio",
          "Pending Step queued",
          `Pending Twilio provider was selected ${integration}`,
          "Pending Message created {name}",
          "Failed Subscriber missing phone number"
        )
      ]
    ]
  },
  "SMS: the provider rejects the number": {
    steps: [sms],
    providers: ["twilio"],
    subscriber: { phone: "+1555" },
    payloads: [{ name: "Ana" }],
    failures: { sms: "recipient-rejected" },
    jobs: [
      [
        job(
          "sms failed twilio",
          "Pending Step queued",
          `Pending Twilio provider was selected ${integration}`,
          "Pending Message created {name}",
          "Failed Unexpected provider error {message,name}"
        )
      ]
    ]
  },
  "chat: sent": {
    steps: [chat],
    providers: ["slack"],
    reached: { slack: { webhookUrl } },
    jobs: [[job("chat completed slack", ...slack, "Success Message sent {id,date,channelData}")]]
  },
  "chat: no credentials": {
    steps: [chat],
    jobs: [[job("chat canceled -", "Pending Step queued", "Warning Subscriber does not have a configured channel")]]
  },
  "chat: no credentials, with a phone number": {
    steps: [chat],
    subscriber: { phone: "+15550100" },
    jobs: [
      [
        job(
          "chat failed -",
          "Pending Step queued",
          "Failed Subscriber does not have an active integration Integration is either deleted or not active",
          allChatFailed
        )
      ]
    ]
  },
  "chat: no webhook URL": {
    steps: [chat],
    providers: ["slack"],
    reached: { slack: { channel: "#ana" } },
    jobs: [
      [
        job(
          "chat canceled slack",
          ...slack,
          "Failed Webhook URL for the chat channel is missing webhookUrl for integrationId: slack-one is missing",
          "Warning Some chat channels skipped to send the message"
        )
      ]
    ]
  },
  "chat: the webhook is gone": {
    steps: [chat],
    providers: ["slack"],
    reached: { slack: { webhookUrl } },
    failures: { chat: "webhook-gone" },
    jobs: [
      [
        job(
          "chat failed slack",
          ...slack,
          "Failed Unexpected provider error {channelData,message,responseData}",
          allChatFailed
        )
      ]
    ]
  },
  "chat: the webhook's server does not respond": {
    steps: [chat],
    providers: ["slack"],
    reached: { slack: { webhookUrl } },
    failures: { chat: "provider-unreachable" },
    jobs: [
      [job("chat failed slack", ...slack, "Failed Unexpected provider error {channelData,message}", allChatFailed)]
    ]
  },
  "chat: the integration was switched off, another one is active": {
    steps: [chat],
    providers: ["-slack", "discord"],
    reached: { slack: { webhookUrl } },
    jobs: [
      [
        job(
          "chat failed discord",
          "Pending Step queued",
          "Failed Subscriber does not have an active integration Integration with integrationId: ID is either deleted or not active",
          allChatFailed
        )
      ]
    ]
  },
  "chat: sent one way, failed the other": {
    steps: [chat],
    providers: ["slack"],
    subscriber: { phone: "+15550100" },
    reached: { slack: { webhookUrl } },
    jobs: [
      [
        job(
          "chat completed slack",
          ...slack,
          "Success Message sent {id,date,channelData}",
          "Failed Subscriber does not have an active integration Integration is either deleted or not active"
        )
      ]
    ]
  },
  "push: sent to two devices": {
    steps: [push],
    providers: ["expo"],
    reached: { expo: { deviceTokens: ["t1", "t2"] } },
    jobs: [
      [
        job(
          "push completed expo",
          "Pending Step queued",
          `Pending Expo Push provider was selected ${integration}`,
          pushed,
          "Success Message sent {id,date}",
          pushed,
          "Success Message sent {id,date}"
        )
      ]
    ]
  },
  "push: no credentials": {
    steps: [push],
    jobs: [[job("push canceled -", "Pending Step queued", "Warning Subscriber does not have a configured channel")]]
  },
  "push: credentials without tokens": {
    steps: [push],
    providers: ["fcm"],
    reached: { fcm: {} },
    jobs: [
      [
        job(
          "push canceled fcm",
          "Pending Step queued",
          "Failed Subscriber credentials is missing the tokens for sending a push notification message",
          "Warning Some push channels skipped to send the message"
        )
      ]
    ]
  },
  "push: an empty list of tokens": {
    steps: [push],
    providers: ["fcm"],
    reached: { fcm: { deviceTokens: [] } },
    jobs: [
      [
        job(
          "push failed fcm",
          "Pending Step queued",
          `Pending Firebase Cloud Messaging provider was selected ${integration}`,
          allPushFailed
        )
      ]
    ]
  },
  "push: the integration was switched off": {
    steps: [push],
    providers: ["-fcm"],
    reached: { fcm: { deviceTokens: ["t1"] } },
    jobs: [
      [
        job(
          "push failed -",
          "Pending Step queued",
          "Failed Subscriber does not have an active integration",
          allPushFailed
        )
      ]
    ]
  },
  "push: both tokens are dead": {
    steps: [push],
    providers: ["expo"],
    reached: { expo: { deviceTokens: ["t1", "t2"] } },
    failures: { push: "token-unregistered" },
    jobs: [
      [
        job(
          "push failed expo",
          "Pending Step queued",
          `Pending Expo Push provider was selected ${integration}`,
          pushed,
          unregistered,
          pushed,
          unregistered,
          allPushFailed
        )
      ]
    ]
  },
  "condition on the payload: skipped": {
    steps: [{ ...inApp, ...condition("payload", "amount", "100") }, inApp],
    payloads: [{ amount: 5 }],
    jobs: [
      [
        job(
          "in_app canceled service",
          "Pending Step queued",
          "Failed Step was skipped based on steps conditions {filter}"
        ),
        job(...shown)
      ]
    ]
  },
  "condition on the subscriber: met": {
    steps: [{ ...inApp, ...condition("subscriber", "email", "ana@example.test") }],
    subscriber: address,
    jobs: [[job(...shown)]]
  },
  "preference: the channel is off": {
    steps: [inApp],
    failures: { in_app: "preference-off" },
    jobs: [
      [
        job(
          "in_app canceled service",
          "Pending Step queued",
          "Success Step filtered by subscriber workflow preferences {enabled,channels,overrides}"
        )
      ]
    ]
  },
  "stop on failure": {
    steps: [{ ...sms, stopOnFail: true }, inApp, email],
    jobs: [
      [
        job("sms failed -", "Pending Step queued", "Failed Subscriber does not have an active integration"),
        job("in_app canceled service", "Failed Step was canceled because a previous step failed"),
        job("email canceled -", "Failed Step was canceled because a previous step failed")
      ]
    ]
  },
  "endpoint: responds": {
    steps: [{ type: "custom" }, inApp],
    jobs: [
      [
        job("http_request completed -", "Pending Step queued", "Success Step processed {statusCode,body,headers}"),
        job(...shown)
      ]
    ]
  },
  "endpoint: fails": {
    steps: [{ type: "custom", stopOnFail: true }, inApp],
    failures: { custom: "endpoint-failed" },
    jobs: [
      [
        job("http_request failed -", "Pending Step queued", "Failed Action step execution failed {error}"),
        job("in_app canceled service", "Failed Step was canceled because a previous step failed")
      ]
    ]
  },
  "delay: waiting": {
    steps: [{ type: "delay", wait: { amount: 2, unit: "hours" } }, inApp],
    jobs: [[job("delay delayed -", "Pending Step queued", "Pending Step delayed {delay}"), "in_app pending service"]]
  },
  "delay: over": {
    steps: [{ type: "delay", wait: { amount: 3, unit: "seconds" } }, inApp],
    jobs: [
      [
        job("delay completed -", "Pending Step queued", "Pending Step delayed {delay}", "Success Delay is finished"),
        job(...shown)
      ]
    ]
  },
  "digest: waiting": {
    steps: [{ type: "digest", wait: { amount: 10, unit: "minutes" } }, inApp],
    payloads: [{ n: 1 }, { n: 2 }],
    afterMs: minute,
    jobs: [
      [job("digest delayed -", "Pending Step queued", "Pending Step digested {delay}"), "in_app pending service"],
      [
        job("digest merged -", "Pending Step queued", "Success Digest was merged with other digest"),
        "in_app merged service"
      ]
    ]
  },
  "digest: over": {
    steps: [{ type: "digest", wait: { amount: 4, unit: "seconds" } }, inApp],
    payloads: [{ n: 1 }, { n: 2 }],
    jobs: [
      [
        job(
          "digest completed -",
          "Pending Step queued",
          "Pending Step digested {delay}",
          'Success Digest triggered events [{"n":1},{"n":2}]'
        ),
        job(...shown)
      ],
      [
        job("digest merged -", "Pending Step queued", "Success Digest was merged with other digest"),
        "in_app merged service"
      ]
    ]
  },
  "throttle: the first event passes, the second does not": {
    steps: [{ type: "throttle", wait: { amount: 1, unit: "minutes" }, threshold: 1 }, inApp],
    payloads: [{}, {}],
    jobs: [
      [job("throttle completed -", "Pending Step queued"), job(...shown)],
      [
        job(
          "throttle skipped -",
          "Pending Step queued",
          "Success Throttle limit exceeded for the given window {shouldSkip,executionCount,threshold,throttledUntil}"
        ),
        "in_app skipped service"
      ]
    ]
  }
}

describe("the service's language", () => {
  for (const [name, outcome] of Object.entries(outcomes)) {
    it(name, () => {
      const withoutIds = jobsOf(outcome).map((jobs) =>
        jobs.map((each) => each.replaceAll(/integrationId: [\da-f]{24}/gu, "integrationId: ID"))
      )
      assert.deepStrictEqual(withoutIds, outcome.jobs)
    })
  }

  it("reports the conditions of a skipped step with their actual values", () => {
    const { state } = trigger(
      environment({ steps: [{ ...inApp, ...condition("payload", "amount", "100") }], jobs: [] }),
      start,
      { workflow: "flow", to: "ana", payload: { amount: 5 } }
    )
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
