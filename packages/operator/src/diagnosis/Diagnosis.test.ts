import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Activity"
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { diagnose } from "./Diagnosis.ts"
import { detailRows } from "./Catalogue.ts"
import { gather } from "./Evidence.ts"
import { failureRules } from "./FailureRules.ts"
import { ownerNotes } from "./Owner.ts"
import type { Rule } from "./Rule.ts"
import { stateRules } from "./StateRules.ts"

type Given = Partial<ExecutionDetail> & { readonly type?: string; readonly jobProvider?: string }

const detailOf = (text: string, given: Given = {}): ExecutionDetail => {
  const { type: _, jobProvider: __, ...rest } = given
  return { _id: "detail", status: "Failed", detail: text, isRetry: false, isTest: false, source: "Internal", ...rest }
}

const jobOf = (
  type: string,
  details: ReadonlyArray<ExecutionDetail>,
  given: Partial<ActivityJob> = {}
): ActivityJob => ({
  _id: "job",
  type,
  status: "failed",
  executionDetails: details,
  step: { _id: "", active: true, filters: [], _templateId: "" },
  ...given
})

const eventOf = (...jobs: ReadonlyArray<ActivityJob>): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: "transaction",
  subscriber: { subscriberId: "u_31870", _id: "internal" },
  jobs
})

const explain = (text: string, given: Given = {}) => {
  const diagnosis = diagnose(
    eventOf(
      jobOf(
        given.type ?? "email",
        [detailOf(text, given)],
        given.jobProvider === undefined ? {} : { providerId: given.jobProvider }
      )
    )
  )
  assert(diagnosis !== undefined)
  return diagnosis
}

const chat: Given = { type: "chat", providerId: "slack", source: "Credentials" }
const push: Given = { type: "push", providerId: "fcm", source: "Credentials" }
const sms: Given = { type: "sms", providerId: "twilio" }
const mail: Given = { type: "email", providerId: "sendgrid" }

const unexpected = "Unexpected provider error"

const answered = (status: number, message = ""): Given => ({ raw: JSON.stringify({ statusCode: status, message }) })

/** The content of a failed execution detail, and the rule that explains it. */
const failures: ReadonlyArray<readonly [string, Given, string]> = [
  // Credentials of the subscriber are the cause.
  ["Webhook URL for the chat channel is missing", chat, "webhook-url-missing"],
  ["Subscriber has no webhookUrl", chat, "webhook-url-missing"],
  ["Subscriber does not have an active channel", push, "channel-not-configured"],
  ["Subscriber does not have a configured channel", chat, "channel-not-configured"],
  ["Chat channel is not configured", chat, "channel-not-configured"],
  ["No configured channels found", chat, "channel-not-configured"],
  ["Subscriber has no device tokens", push, "device-token-missing"],
  ["Push token is missing for the subscriber", push, "device-token-missing"],
  [
    "Subscriber credentials is missing the tokens for sending a push notification message",
    push,
    "device-token-missing"
  ],
  ["Push provider rejected the device token", push, "device-token-rejected"],
  ["Device token is not registered", push, "device-token-rejected"],
  [unexpected, { ...push, raw: '{"code":"messaging/registration-token-not-registered"}' }, "device-token-rejected"],
  [
    unexpected,
    { ...push, providerId: "apns", raw: '{"reason":"Unregistered","status":"410"}' },
    "device-token-rejected"
  ],
  [unexpected, { ...push, providerId: "apns", raw: '{"reason":"BadDeviceToken"}' }, "device-token-rejected"],
  [
    unexpected,
    { ...push, providerId: "expo", raw: '{"details":{"error":"DeviceNotRegistered"}}' },
    "device-token-rejected"
  ],
  [unexpected, { ...push, ...answered(410) }, "device-token-rejected"],
  ["apns: token rejected", { ...push, providerId: "apns" }, "device-token-rejected"],
  [unexpected, { ...push, raw: '{"error":{"status":"SENDER_ID_MISMATCH"}}' }, "device-token-of-another-app"],
  [unexpected, { ...chat, ...answered(404, "no_service") }, "webhook-refused"],
  [unexpected, { ...chat, ...answered(403, "invalid_token") }, "webhook-refused"],
  [unexpected, { ...chat, raw: "channel_is_archived" }, "webhook-refused"],
  [
    unexpected,
    { ...chat, providerId: "discord", raw: '{"message":"Unknown Webhook","code":10015}' },
    "webhook-refused"
  ],
  // The account, the environment, the profile or the message is the cause.
  [unexpected, { ...mail, ...answered(401, "The provided authorization grant is invalid") }, "provider-unauthorized"],
  [unexpected, { ...mail, source: "Credentials", ...answered(401) }, "provider-unauthorized"],
  [
    unexpected,
    { ...push, ...answered(401, "Request had invalid authentication credentials. Expected OAuth 2 access token") },
    "provider-unauthorized"
  ],
  [
    unexpected,
    { ...push, providerId: "apns", raw: '{"reason":"ExpiredProviderToken","status":403}' },
    "provider-unauthorized"
  ],
  [unexpected, { ...chat, providerId: "whatsapp-business", ...answered(401) }, "provider-unauthorized"],
  [
    unexpected,
    { ...mail, ...answered(403, "The from address does not match a verified Sender Identity") },
    "provider-forbidden"
  ],
  ["Subscriber does not have an active integration", mail, "environment-without-integration"],
  ["Subscriber does not have an active integration", { type: "in_app" }, "environment-without-integration"],
  ["Environment does not have an active integration", chat, "environment-without-integration"],
  ["No active integration for the step", sms, "environment-without-integration"],
  ["Integration was not found", mail, "environment-without-integration"],
  ["Subscriber does not have a phone number", sms, "phone-missing"],
  ["Missing phone", sms, "phone-missing"],
  [
    unexpected,
    { ...sms, raw: '{"status":400,"message":"The \'To\' number +1 is not a valid phone number."}' },
    "phone-invalid"
  ],
  ["Subscriber does not have an email address", mail, "email-missing"],
  [
    unexpected,
    { ...sms, raw: '{"code":21610,"message":"Attempt to send to unsubscribed recipient"}' },
    "recipient-opted-out"
  ],
  ["Message bounced", { ...mail, source: "Webhook" }, "recipient-refused"],
  ["Message content could not be generated", { ...mail, source: "Payload" }, "content-not-generated"],
  ["Message content could not be generated due to a syntax error", mail, "content-not-generated"],
  ["Payload variable order.id is missing", mail, "content-not-generated"],
  ["Provider rate limit reached", mail, "provider-rate-limit"],
  [unexpected, { ...mail, ...answered(429) }, "provider-rate-limit"],
  ["Too many requests", sms, "provider-rate-limit"],
  ["Provider limit exceeded", mail, "provider-limit"],
  ["Provider limit exceeded", { ...mail, ...answered(429, "Monthly sending limit reached") }, "provider-limit"],
  ["Rate limit exceeded", mail, "provider-rate-limit"],
  ["Limit passed for the service-email provider", mail, "provider-limit"],
  [unexpected, { ...sms, ...answered(400, "Insufficient balance") }, "provider-limit"],
  ["Bridge execution failed", mail, "bridge-failed"],
  [
    "Bridge execution failed",
    { ...mail, raw: '{"message":"The step has invalid controls syntax.","code":"StepControlCompilationFailedError"}' },
    "workflow-invalid"
  ],
  [
    "Bridge execution failed",
    { ...mail, raw: '{"message":"The step before has invalid result.","code":"ExecutionStateResultInvalidError"}' },
    "earlier-result-invalid"
  ],
  ["Step resolver execution failed", mail, "step-code-failed"],
  [
    "Action step execution failed",
    { type: "http_request", raw: '{"error":"Response code 404 (Not Found)"}' },
    "http-request-failed"
  ],
  [
    "Action step execution failed",
    { type: "http_request", raw: '{"error":"HTTP request step is missing a URL."}' },
    "http-request-invalid"
  ],
  [
    "HTTP request step received a non-object response",
    { type: "http_request", status: "Warning" },
    "http-response-invalid"
  ],
  [
    "Failed to get response from remote webhook filter on last retry",
    { ...mail, status: "Pending", source: "Webhook" },
    "condition-webhook-failed"
  ],
  ["Processing step filter failed", mail, "conditions-failed"],
  ["Invalid delay configuration", { type: "delay" }, "time-invalid"],
  ["Defer duration limit exceeded", { type: "delay" }, "wait-too-long"],
  ["Acme's provider limit has been reached", mail, "demo-provider-limit"],
  ["Test provider can only be used to send emails to current logged in user", mail, "demo-provider"],
  ["Digest triggered events", { type: "digest" }, "digest-unreadable"],
  ["Message unsnooze failed", { type: "in_app" }, "unsnooze-failed"],
  ["Inbound mail - Missing configuration", { ...mail, status: "Warning" }, "reply-address-missing"],
  ["Layout not found ", mail, "layout-missing"],
  ["Tenant identifier not found", mail, "tenant-missing"],
  [unexpected, { ...chat, raw: '{"message":"getaddrinfo ENOTFOUND hooks.acme.test"}' }, "webhook-address-wrong"],
  [
    unexpected,
    { type: "email", providerId: "nodemailer", raw: '{"code":"EDNS","syscall":"getaddrinfo","command":"CONN"}' },
    "integration-address-wrong"
  ],
  [unexpected, { ...mail, raw: '{"message":"getaddrinfo EAI_AGAIN api.acme.test"}' }, "service-cannot-reach-provider"],
  [unexpected, { type: "push", providerId: "push-webhook", ...answered(500) }, "endpoint-failed"],
  [
    "Subscriber does not have an active integration",
    { ...mail, raw: '{"integrationIdentifier":"mail-2"}' },
    "integration-of-trigger-unknown"
  ],
  [
    "Subscriber does not have an active integration",
    { ...chat, raw: "Integration with integrationId: 1 is either deleted or not active" },
    "integration-switched-off"
  ],
  [unexpected, { ...push, raw: '{"message":"Config is not valid for fcm"}' }, "integration-config-invalid"],
  [
    unexpected,
    {
      type: "email",
      providerId: "nodemailer",
      raw: '{"code":"EMESSAGE","response":"554 5.7.1 Spam","responseCode":554,"command":"DATA"}'
    },
    "taken-for-spam"
  ],
  [
    unexpected,
    {
      type: "email",
      providerId: "nodemailer",
      raw: '{"code":"EENVELOPE","response":"553 5.7.1 Sender not allowed","responseCode":553,"command":"MAIL FROM"}'
    },
    "sender-refused"
  ],
  ["Message deferred", mail, "delivery-delayed"],
  ["Message dropped", mail, "message-dropped"],
  [
    "Insufficient permissions to send MS Teams message",
    { type: "chat", providerId: "msteams" },
    "chat-app-not-allowed"
  ],
  ["MS Teams user not found", { type: "chat", providerId: "msteams" }, "chat-recipient-not-found"],
  ["Bridge endpoint did not answer", { ...mail, ...answered(504) }, "bridge-failed"],
  [unexpected, { ...mail, ...answered(503) }, "provider-unavailable"],
  [unexpected, { ...mail, raw: "connect ECONNREFUSED 10.0.0.1:443" }, "provider-unavailable"],
  ["Provider did not answer: request timed out", mail, "provider-unavailable"],
  [unexpected, { ...mail, ...answered(422, "subject is too long") }, "provider-refused-message"],
  // A raw response that repeats the request is no evidence of the cause.
  [unexpected, { ...sms, raw: '{"statusCode":500,"phone":"+34600","error":"no route"}' }, "provider-unavailable"],
  [
    unexpected,
    { ...mail, raw: '{"statusCode":401,"from":"bridge@acme.test","email":"","hint":"no address"}' },
    "provider-unauthorized"
  ],
  ["Subscriber u_1 was deleted", mail, "subscriber-missing"],
  // Only a summary is known.
  ["Sending message failed on all chat channels", chat, "all-chat-channels-failed"],
  ["All chat channels failed", chat, "all-chat-channels-failed"],
  [unexpected, mail, "provider-error"],
  // Nothing is known.
  ["The moon is in the wrong house", mail, "not-recognised"],
  ["", mail, "not-recognised"]
]

/** A step that did not send its message without failing, and the rule that explains it. */
const states: ReadonlyArray<readonly [string, ActivityJob, string]> = [
  [
    "a message with empty places",
    jobOf(
      "email",
      [
        detailOf("Message created", {
          status: "Pending",
          raw: '{"subject":"Hi {{user.first}}","content":"{{order.total}}","payload":{"order":{"total":1}}}'
        }),
        detailOf("Message sent", { status: "Success" })
      ],
      { status: "completed" }
    ),
    "variables-missing"
  ],
  [
    "a retry of the webhook of a condition",
    jobOf("email", [detailOf("Webhook filter failed, retry will be executed", { status: "Pending" })], {
      status: "running"
    }),
    "condition-webhook-retry"
  ],
  [
    "the first event of a digest with look-back",
    jobOf("digest", [detailOf("Digest was skipped, first backoff event", { status: "Success" })], {
      status: "skipped"
    }),
    "first-of-digest"
  ],
  [
    "a preference of the workflow",
    jobOf("in_app", [detailOf("Step filtered by workflow preferences", { status: "Success" })], { status: "canceled" }),
    "workflow-preference"
  ],
  [
    "a schedule of the subscriber",
    jobOf(
      "sms",
      [detailOf("The step was skipped as it fell outside the subscriber's schedule", { status: "Success" })],
      { status: "canceled" }
    ),
    "subscriber-schedule"
  ],
  [
    "a step after a failed one",
    jobOf("in_app", [detailOf("Step was canceled because a previous step failed")], { status: "canceled" }),
    "previous-step-failed"
  ],
  [
    "a snoozed message",
    jobOf("in_app", [detailOf("Message snoozed", { status: "Pending" })], { status: "pending" }),
    "snoozed"
  ],
  [
    "a repeat under way",
    jobOf("email", [detailOf("odd"), detailOf("again", { status: "Queued", isRetry: true })]),
    "retrying"
  ],
  ["a merged digest", jobOf("digest", [detailOf("merged", { status: "Success" })], { status: "merged" }), "merged"],
  [
    "a preference",
    jobOf("email", [detailOf("Step was filtered based on subscriber preferences", { status: "Success" })], {
      status: "skipped"
    }),
    "subscriber-preference"
  ],
  [
    "a condition",
    jobOf("email", [detailOf("Step was filtered based on step conditions", { status: "Success" })], {
      status: "skipped"
    }),
    "step-conditions"
  ],
  [
    "a throttle",
    jobOf("throttle", [detailOf("Event was throttled: the limit of its window is reached", { status: "Success" })], {
      status: "skipped"
    }),
    "throttled"
  ],
  [
    "a wait of a throttle",
    jobOf("throttle", [detailOf("Waiting", { status: "Pending" })], { status: "delayed" }),
    "delayed"
  ],
  [
    "a throttle that skipped without saying why",
    jobOf("throttle", [detailOf("Skipped", { status: "Success" })], { status: "skipped" }),
    "throttled"
  ],
  [
    "a throttled step of a channel",
    jobOf("email", [detailOf("Throttled", { status: "Success" })], { status: "skipped" }),
    "throttled"
  ],
  ...["Subscriber unsubscribed", "The subscriber opted out", "Opted-out", "Workflow muted"].map(
    (text) =>
      [
        `a preference: ${text}`,
        jobOf("email", [detailOf(text, { status: "Success" })], { status: "skipped" }),
        "subscriber-preference"
      ] as const
  ),
  ["a skipped step without details", jobOf("email", [], { status: "skipped" }), "step-conditions"],
  ...["Filtered", "A condition is not met", "It was skipped"].map(
    (text) =>
      [
        `a queue: ${text}`,
        jobOf("email", [detailOf(text, { status: "Queued" })], { status: "queued" }),
        "step-conditions"
      ] as const
  ),
  ["a canceled step", jobOf("email", [], { status: "canceled" }), "canceled"],
  ["a cancelled step", jobOf("email", [], { status: "cancelled" }), "canceled"],
  [
    "an open digest",
    jobOf("digest", [detailOf("Digesting", { status: "Pending" })], { status: "delayed" }),
    "digest-open"
  ],
  ["a delay", jobOf("delay", [detailOf("Delaying", { status: "Pending" })], { status: "delayed" }), "delayed"],
  ["a delay without the status", jobOf("delay", [detailOf("On", { status: "Pending" })], { status: "new" }), "delayed"],
  [
    "a throttle without the status",
    jobOf("throttle", [detailOf("On", { status: "Queued" })], { status: "new" }),
    "delayed"
  ],
  ["a delayed e-mail", jobOf("email", [detailOf("On", { status: "Pending" })], { status: "delayed" }), "delayed"],
  ["a queue", jobOf("email", [detailOf("Step queued", { status: "Queued" })], { status: "queued" }), "queued"]
]

const credentialsNotes = {
  cause: "Credentials of the subscriber fix it.",
  elsewhere: "Credentials of the subscriber do not change it.",
  unknown: "Credentials of the subscriber may or may not fix it."
}

const wordingsOf = (rule: string): string => {
  const rows = detailRows.filter(({ causes }) => causes !== "raw" && causes?.includes(rule) === true)
  return rows.length === 0
    ? "Recognised in the responses of providers."
    : `Execution details: ${rows.map(({ text }) => `“${text}”`).join(", ")}.`
}

const tableOfRows = (): ReadonlyArray<string> => {
  const rows = [
    ["Execution detail", "Kind", "Cause", "Written by"],
    ...detailRows.map(({ causes, kind, text, writer }) => [
      text,
      kind,
      causes === "raw" ? "by the raw text" : (causes ?? []).map((id) => `\`${id}\``).join(", "),
      writer ?? "3.15.0"
    ])
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>, fill: string) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`
  const [head = [], ...body] = rows
  return [line(head, " "), line(["", "", "", ""], "-"), ...body.map((row) => line(row, " "))]
}

/** Shows every rule by its first example; fails for a rule without one. */
const causesPage = (): string => {
  const failureSection = ({ id, owner }: Rule): string => {
    const example = failures.find(([, , rule]) => rule === id)
    assert(example !== undefined, `the rule ${id} has no example`)
    const { advice, cause, credentials, title } = explain(example[0], example[1])
    return `### ${title}\n\n\`${id}\`, here of the ${example[1].type} step. ${wordingsOf(id)}\n\n${cause}\n\nWho can fix it: ${ownerNotes[owner ?? "unknown"]}. ${advice} ${credentialsNotes[credentials]}\n`
  }
  const stateSection = ({ id, owner }: Rule): string => {
    const example = states.find(([, , rule]) => rule === id)
    assert(example !== undefined, `the rule ${id} has no example`)
    const diagnosis = diagnose(eventOf(example[1]))
    const who = owner === undefined ? "as for the failure" : ownerNotes[owner]
    return `### ${example[0]}\n\n\`${id}\`. ${wordingsOf(id)}\n\n${diagnosis?.cause}\n\nWho can fix it: ${who}. ${diagnosis?.advice}\n`
  }
  return [
    "# Causes",
    "",
    "<!-- Generated by the tests of `packages/operator/src/diagnosis`. Edit the catalogue or the rules instead. -->",
    "",
    "Every cause that Signalbox recognises in an event, with the advice that the terminal UI, `signalbox events diagnose` and the MCP server give. The wording of an execution detail decides, if it is in [the catalogue](#execution-details); patterns decide for all other wordings and for the responses of providers. Filter by a cause with `cause:` and its name: `signalbox events list cause:phone-missing`. Failures that no rule recognises are grouped by the words of their message, without addresses, quoted values and numbers.",
    "",
    "## Failures",
    "",
    ...failureRules.map(failureSection),
    "## Steps without a failure",
    "",
    "Skipped and waiting steps are no failures and count nowhere as such, even where the service writes their reason with the status `Failed`.",
    "",
    ...stateRules.map(stateSection),
    "## Execution details",
    "",
    "The wordings that version 3.15.0 of the service writes, and those of its earlier versions and other parts. `{…}` stands for any words. A cause is the first of those listed that applies.",
    "",
    ...tableOfRows(),
    ""
  ].join("\n")
}

describe("diagnose", () => {
  it.each(failures)("%s %j: %s", (text, given, rule) => {
    assert.strictEqual(explain(text, given).rule, rule)
  })

  it("has an example for every rule, on docs/causes.md", async () => {
    await expect(causesPage()).toMatchFileSnapshot("../../../../docs/causes.md")
  })

  it("opens the form with what is known", () => {
    assert.deepStrictEqual(explain("Webhook URL for the chat channel is missing", chat).prefill, {
      subscriberId: "u_31870",
      providerId: "slack",
      fields: ["webhookUrl"]
    })
    assert.deepStrictEqual(explain("Subscriber has no device tokens", push).prefill?.fields, ["deviceTokens"])
    assert.deepStrictEqual(explain("Subscriber does not have a configured channel", push).prefill?.fields, [
      "deviceTokens"
    ])
    assert.deepStrictEqual(explain("Webhook URL is missing", { ...chat, providerId: "mattermost" }).prefill?.fields, [
      "webhookUrl",
      "channel"
    ])
  })

  it("reads the provider from the job or from the words when the detail does not name it", () => {
    const { providerId: _, ...unnamed } = chat
    assert.strictEqual(
      explain("Webhook URL is missing", { ...unnamed, jobProvider: "discord" }).prefill?.providerId,
      "discord"
    )
    assert.strictEqual(
      explain("Subscriber does not have an active channel (slack)", unnamed).prefill?.providerId,
      "slack"
    )
    assert.notProperty(explain("Webhook URL is missing", unnamed).prefill, "providerId")
  })

  it("offers no form where credentials are not the cause, and reports it", () => {
    const refused = explain(unexpected, { ...mail, source: "Credentials", ...answered(401) })
    assert.strictEqual(refused.credentials, "elsewhere")
    assert.strictEqual(
      refused.credentialsNote,
      "Credentials of the subscriber are not the cause; changing them does not help."
    )
    assert.notProperty(refused, "prefill")
    assert.strictEqual(refused.providerId, "sendgrid")
  })

  it("quotes what the provider said, on one line and not too long", () => {
    assert.include(explain(unexpected, { ...mail, ...answered(401, "grant\nis   invalid") }).cause, "(401)")
    assert.include(
      explain(unexpected, { ...mail, ...answered(401, "grant\nis   invalid") }).cause,
      'It said: "grant is invalid"'
    )
    assert.isBelow(explain(unexpected, { ...mail, ...answered(401, "x".repeat(5000)) }).cause.length, 600)
  })

  it("is honest about what it does not know", () => {
    const diagnosis = explain("Flux capacitor drained", {
      ...mail,
      source: "Webhook",
      ...answered(301, "gone elsewhere")
    })
    assert.strictEqual(
      diagnosis.cause,
      'Not recognised. The service says "Flux capacitor drained" (source Webhook), the provider responded with 301: "gone elsewhere"'
    )
    assert.strictEqual(diagnosis.advice, "Read the raw response of the execution detail.")
    for (const raw of ["", null]) {
      assert.strictEqual(
        explain("Flux capacitor drained", { ...mail, raw }).advice,
        "Search the logs of the service or of the provider for the transaction id."
      )
    }
    assert.strictEqual(diagnosis.credentials, "unknown")
    const silent = diagnose(eventOf(jobOf("email", [])))
    assert.include(silent?.cause, "without an execution detail")
    assert.notProperty(silent, "detail")
  })

  it("looks behind a summary at the detail that says why", () => {
    const why = detailOf("Webhook URL for the chat channel is missing", { providerId: "slack" })
    const summary = detailOf("Sending message failed on all chat channels")
    const known = detailOf("All chat channels failed to send the message")
    const diagnosis = diagnose(eventOf(jobOf("chat", [why, summary])))
    assert.strictEqual(diagnosis?.rule, "webhook-url-missing")
    assert.strictEqual(diagnosis?.detail, why)
    assert.include(diagnose(eventOf(jobOf("chat", [detailOf("odd"), known])))?.cause, '"odd"')
    assert.strictEqual(diagnose(eventOf(jobOf("chat", [known])))?.rule, "all-chat-channels-failed")
  })

  it("goes by the last word of several", () => {
    const first = detailOf(unexpected, { ...answered(503) })
    const last = detailOf(unexpected, { isRetry: true, ...answered(401) })
    assert.strictEqual(diagnose(eventOf(jobOf("email", [first, last])))?.rule, "provider-unauthorized")
  })

  it("explains warnings like failures", () => {
    const warning = detailOf("apns: token rejected", { status: "Warning", providerId: "apns" })
    const diagnosis = diagnose(eventOf(jobOf("push", [warning, detailOf("Message sent", { status: "Success" })])))
    assert.strictEqual(diagnosis?.rule, "device-token-rejected")
  })

  it("explains the job that decided the event unless another one is asked for", () => {
    const good = jobOf("email", [detailOf("sent", { status: "Success" })], { status: "completed" })
    const bad = jobOf("chat", [detailOf("Webhook URL is missing")])
    const event = eventOf(good, bad)
    assert.strictEqual(diagnose(event)?.job, bad)
    assert.isUndefined(diagnose(event, good))
    assert.isUndefined(diagnose(eventOf(good)))
    assert.isUndefined(diagnose(eventOf()))
    assert.isUndefined(diagnose(eventOf(jobOf("email", [], { status: "new" }))))
  })

  it.each(states)("explains %s", (_, job, rule) => {
    const diagnosis = diagnose(eventOf(job))
    assert.strictEqual(diagnosis?.rule, rule)
    assert.strictEqual(diagnosis?.credentials, rule === "retrying" ? "unknown" : "elsewhere")
    assert.notProperty(diagnosis, "prefill")
  })

  it("reports the events of a digest, and how often a delay was put off", () => {
    const pending = [detailOf("Digesting", { status: "Pending" })]
    const digest = jobOf("digest", pending, {
      status: "delayed",
      digest: { type: "regular", amount: 10, unit: "minutes", events: [{}, {}] }
    })
    assert.strictEqual(
      diagnose(eventOf(digest))?.cause,
      "The digest is still collecting events for 10 minutes; it contains 2 events so far."
    )
    const causeOf = (given: Partial<ActivityJob>, type = "digest") =>
      diagnose(eventOf(jobOf(type, pending, { status: "delayed", ...given })))?.cause
    const collecting = "The digest is still collecting events"
    assert.strictEqual(causeOf({ digest: { type: "regular" } }), `${collecting}.`)
    assert.strictEqual(causeOf({ digest: { type: "regular", amount: 10 } }), `${collecting}.`)
    assert.strictEqual(causeOf({ digest: { type: "regular", unit: "minutes", events: [] } }), `${collecting}.`)
    assert.strictEqual(
      causeOf({ digest: { type: "regular", events: [{}] } }),
      `${collecting}; it contains 1 event so far.`
    )
    assert.strictEqual(
      causeOf({ scheduleExtensionsCount: 2 }, "delay"),
      "The step waits for its time; it was postponed 2 times to fit the schedule of the subscriber."
    )
    for (const given of [{}, { scheduleExtensionsCount: 0 }]) {
      assert.strictEqual(causeOf(given, "delay"), "The step waits for its time.")
    }
  })

  it("names conditions and the failure of a retry", () => {
    const filtered = jobOf("email", [], { status: "skipped" })
    assert.strictEqual(diagnose(eventOf(filtered))?.cause, "The step was skipped.")
    const conditions = { ...filtered.step, filters: [{ value: "AND" as const, children: [] }] }
    assert.strictEqual(
      diagnose(eventOf({ ...filtered, step: conditions }))?.cause,
      "The conditions of the step were not met, so it was skipped."
    )
    assert.strictEqual(
      diagnose(eventOf(jobOf("email", [detailOf("odd"), detailOf("again", { status: "Queued", isRetry: true })])))
        ?.cause,
      'It failed ("odd") and the service is trying again.'
    )
    assert.include(
      diagnose(eventOf(jobOf("in_app", [detailOf("muted", { status: "Success" })], { status: "skipped" })))?.cause,
      "switched in-app off"
    )
  })

  it.each([...failureRules, ...stateRules])("returns advice that suits every program: $id", ({ advice }) => {
    assert.notMatch(advice(gather(jobOf("chat", []), undefined)), /\b(?:form|screen|view|press)\b/u)
  })

  const Raw = Schema.Union([
    Schema.String,
    Schema.Literals(["{", "[]", "null", "401", '{"status":null}', '{"a":{"b":{"statusCode":"403"}}}'])
  ])

  it.effect.prop("answers any detail, in sentences of one line", [Schema.String, Raw], ([text, raw]) =>
    Effect.sync(() => {
      for (const type of ["chat", "push", "email"]) {
        const { cause, advice, prefill, credentials } = explain(text, { type, raw })
        assert.isNotEmpty(cause)
        assert.match(advice, /\.$/u)
        assert.strictEqual(prefill !== undefined, credentials === "cause")
      }
    })
  )

  it("ends on raw answers of a megabyte", () => {
    const deep = `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`
    for (const raw of [
      deep,
      "no ".repeat(350_000),
      "web hook ".repeat(120_000),
      "missing device token ".repeat(50_000)
    ]) {
      assert.isNotEmpty(explain(unexpected, { type: "chat", raw }).cause)
    }
  })
})

describe("the rules", () => {
  const all = [...failureRules, ...stateRules]

  it("have names of their own", () => {
    assert.lengthOf(new Set(all.map(({ id }) => id)), all.length)
  })

  it("name fields only where credentials are the cause", () => {
    for (const { id, credentials, fields } of all) {
      if (fields !== undefined) assert.strictEqual(credentials, "cause", id)
    }
  })
})
