import type { ActivityJob, ExecutionDetail } from "@signalbox/core/Records"
import { assert, describe, expect, it } from "@effect/vitest"
import { detailOf, eventOf, jobOf } from "../../test/Records.ts"
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

const detailWith = (text: string, given: Given = {}) => {
  const { jobProvider: _, type: __, ...fields } = given
  return detailOf(text, fields)
}

const eventWith = (...jobs: ReadonlyArray<ActivityJob>) =>
  eventOf(jobs, { subscriber: { subscriberId: "u_31870", _id: "internal" } })

const explain = (text: string, given: Given = {}) => {
  const diagnosis = diagnose(
    eventWith(
      jobOf(
        given.type ?? "email",
        [detailWith(text, given)],
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

/** The contents of failed execution details, by the rule that explains them. */
const failures: Readonly<Record<string, ReadonlyArray<readonly [text: string, given: Given]>>> = {
  // Credentials of the subscriber are the cause.
  "webhook-url-missing": [["Webhook URL for the chat channel is missing", chat]],
  "channel-not-configured": [["Subscriber does not have an active channel", push]],
  "device-token-missing": [
    ["Subscriber has no device tokens", push],
    ["Subscriber credentials is missing the tokens for sending a push notification message", push]
  ],
  "device-token-rejected": [
    ["Push provider rejected the device token", push],
    [unexpected, { ...push, raw: '{"code":"messaging/registration-token-not-registered"}' }],
    [unexpected, { ...push, providerId: "apns", raw: '{"reason":"Unregistered","status":"410"}' }],
    [unexpected, { ...push, providerId: "expo", raw: '{"details":{"error":"DeviceNotRegistered"}}' }],
    [unexpected, { ...push, ...answered(410) }]
  ],
  "device-token-of-another-app": [[unexpected, { ...push, raw: '{"error":{"status":"SENDER_ID_MISMATCH"}}' }]],
  "webhook-refused": [
    [unexpected, { ...chat, ...answered(404, "no_service") }],
    [unexpected, { ...chat, raw: "channel_is_archived" }],
    [unexpected, { ...chat, providerId: "discord", raw: '{"message":"Unknown Webhook","code":10015}' }]
  ],
  // The account, the environment, the profile or the message is the cause.
  "provider-unauthorized": [
    [unexpected, { ...mail, ...answered(401, "The provided authorization grant is invalid") }],
    [unexpected, { ...mail, source: "Credentials", ...answered(401) }],
    [
      unexpected,
      { ...push, ...answered(401, "Request had invalid authentication credentials. Expected OAuth 2 access token") }
    ],
    [unexpected, { ...push, providerId: "apns", raw: '{"reason":"ExpiredProviderToken","status":403}' }],
    [unexpected, { ...chat, providerId: "whatsapp-business", ...answered(401) }],
    [unexpected, { ...mail, raw: '{"statusCode":401,"from":"bridge@acme.test","email":"","hint":"no address"}' }]
  ],
  "provider-forbidden": [[unexpected, { ...mail, ...answered(403, "access forbidden") }]],
  "environment-without-integration": [
    ["Subscriber does not have an active integration", mail],
    ["Subscriber does not have an active integration", { type: "in_app" }]
  ],
  "phone-missing": [["Subscriber does not have a phone number", sms]],
  "phone-invalid": [
    [unexpected, { ...sms, raw: '{"status":400,"message":"The \'To\' number +1 is not a valid phone number."}' }]
  ],
  "email-missing": [["Subscriber does not have an email address", mail]],
  "recipient-opted-out": [
    [unexpected, { ...sms, raw: '{"code":21610,"message":"Attempt to send to unsubscribed recipient"}' }]
  ],
  "recipient-refused": [["Message bounced", { ...mail, source: "Webhook" }]],
  "content-not-generated": [["Message content could not be generated", { ...mail, source: "Payload" }]],
  "provider-rate-limit": [
    ["Provider rate limit reached", mail],
    [unexpected, { ...mail, ...answered(429) }]
  ],
  "provider-limit": [
    ["Provider limit exceeded", mail],
    ["Provider limit exceeded", { ...mail, ...answered(429, "Monthly sending limit reached") }],
    [unexpected, { ...sms, ...answered(400, "Insufficient balance") }]
  ],
  "bridge-failed": [
    ["Bridge execution failed", mail],
    ["Bridge endpoint did not answer", { ...mail, ...answered(504) }]
  ],
  "workflow-invalid": [
    [
      "Bridge execution failed",
      { ...mail, raw: '{"message":"The step has invalid controls syntax.","code":"StepControlCompilationFailedError"}' }
    ]
  ],
  "earlier-result-invalid": [
    [
      "Bridge execution failed",
      { ...mail, raw: '{"message":"The step before has invalid result.","code":"ExecutionStateResultInvalidError"}' }
    ]
  ],
  "step-code-failed": [["Step resolver execution failed", mail]],
  "http-request-failed": [
    ["Action step execution failed", { type: "http_request", raw: '{"error":"Response code 404 (Not Found)"}' }]
  ],
  "http-request-invalid": [
    ["Action step execution failed", { type: "http_request", raw: '{"error":"HTTP request step is missing a URL."}' }]
  ],
  "http-response-invalid": [
    ["HTTP request step received a non-object response", { type: "http_request", status: "Warning" }]
  ],
  "condition-webhook-failed": [
    [
      "Failed to get response from remote webhook filter on last retry",
      { ...mail, status: "Pending", source: "Webhook" }
    ]
  ],
  "conditions-failed": [["Processing step filter failed", mail]],
  "time-invalid": [["Invalid delay configuration", { type: "delay" }]],
  "wait-too-long": [["Defer duration limit exceeded", { type: "delay" }]],
  "demo-provider-limit": [["Acme's provider limit has been reached", mail]],
  "demo-provider": [["Test provider can only be used to send emails to current logged in user", mail]],
  "digest-unreadable": [["Digest triggered events", { type: "digest" }]],
  "unsnooze-failed": [["Message unsnooze failed", { type: "in_app" }]],
  "reply-address-missing": [["Inbound mail - Missing configuration", { ...mail, status: "Warning" }]],
  "layout-missing": [["Layout not found ", mail]],
  "tenant-missing": [["Tenant identifier not found", mail]],
  "webhook-address-wrong": [[unexpected, { ...chat, raw: '{"message":"getaddrinfo ENOTFOUND hooks.acme.test"}' }]],
  "integration-address-wrong": [
    [
      unexpected,
      { type: "email", providerId: "nodemailer", raw: '{"code":"EDNS","syscall":"getaddrinfo","command":"CONN"}' }
    ]
  ],
  "service-cannot-reach-provider": [
    [unexpected, { ...mail, raw: '{"message":"getaddrinfo EAI_AGAIN api.acme.test"}' }]
  ],
  "endpoint-failed": [[unexpected, { type: "push", providerId: "push-webhook", ...answered(500) }]],
  "integration-of-trigger-unknown": [
    ["Subscriber does not have an active integration", { ...mail, raw: '{"integrationIdentifier":"mail-2"}' }]
  ],
  "integration-switched-off": [
    [
      "Subscriber does not have an active integration",
      { ...chat, raw: "Integration with integrationId: 1 is either deleted or not active" }
    ]
  ],
  "integration-config-invalid": [[unexpected, { ...push, raw: '{"message":"Config is not valid for fcm"}' }]],
  "taken-for-spam": [
    [
      unexpected,
      {
        type: "email",
        providerId: "nodemailer",
        raw: '{"code":"EMESSAGE","response":"554 5.7.1 Spam","responseCode":554,"command":"DATA"}'
      }
    ]
  ],
  "sender-refused": [
    [
      unexpected,
      {
        type: "email",
        providerId: "nodemailer",
        raw: '{"code":"EENVELOPE","response":"553 5.7.1 Sender not allowed","responseCode":553,"command":"MAIL FROM"}'
      }
    ]
  ],
  "delivery-delayed": [["Message deferred", mail]],
  "message-dropped": [["Message dropped", mail]],
  "chat-app-not-allowed": [
    ["Insufficient permissions to send MS Teams message", { type: "chat", providerId: "msteams" }]
  ],
  "chat-recipient-not-found": [["MS Teams user not found", { type: "chat", providerId: "msteams" }]],
  "provider-unavailable": [
    [unexpected, { ...mail, ...answered(503) }],
    [unexpected, { ...mail, raw: "connect ECONNREFUSED 10.0.0.1:443" }],
    ["Provider did not answer: request timed out", mail],
    // A raw response that repeats the request is no evidence of the cause.
    [unexpected, { ...sms, raw: '{"statusCode":500,"phone":"+34600","error":"no route"}' }]
  ],
  "provider-refused-message": [[unexpected, { ...mail, ...answered(422, "subject is too long") }]],
  "subscriber-missing": [["Subscriber u_1 was deleted", mail]],
  // Only a summary is known.
  "all-chat-channels-failed": [["Sending message failed on all chat channels", chat]],
  "provider-error": [[unexpected, mail]],
  // Nothing is known.
  "not-recognised": [
    ["The moon is in the wrong house", mail],
    ["", mail]
  ]
}

/** A step, and the statuses and words of its execution details. */
const step = (
  type: string,
  status: string,
  ...details: ReadonlyArray<readonly [status: string, text: string, given?: Given]>
): ActivityJob =>
  jobOf(
    type,
    details.map(([detailStatus, text, given]) => detailWith(text, { status: detailStatus, ...given })),
    { status }
  )

/** Steps that did not send their message without failing, by the rule that explains them. */
const states: ReadonlyArray<readonly [rule: string, name: string, job: ActivityJob]> = [
  [
    "variables-missing",
    "a message with empty places",
    step(
      "email",
      "completed",
      [
        "Pending",
        "Message created",
        { raw: '{"subject":"Hi {{user.first}}","content":"{{order.total}}","payload":{"order":{"total":1}}}' }
      ],
      ["Success", "Message sent"]
    )
  ],
  [
    "condition-webhook-retry",
    "a retry of the webhook of a condition",
    step("email", "running", ["Pending", "Webhook filter failed, retry will be executed"])
  ],
  [
    "first-of-digest",
    "the first event of a digest with look-back",
    step("digest", "skipped", ["Success", "Digest was skipped, first backoff event"])
  ],
  [
    "workflow-preference",
    "a preference of the workflow",
    step("in_app", "canceled", ["Success", "Step filtered by workflow preferences"])
  ],
  [
    "subscriber-schedule",
    "a schedule of the subscriber",
    step("sms", "canceled", ["Success", "The step was skipped as it fell outside the subscriber's schedule"])
  ],
  [
    "previous-step-failed",
    "a step after a failed one",
    step("in_app", "canceled", ["Failed", "Step was canceled because a previous step failed"])
  ],
  ["snoozed", "a snoozed message", step("in_app", "pending", ["Pending", "Message snoozed"])],
  [
    "retrying",
    "a repeat under way",
    step("email", "failed", ["Failed", "odd"], ["Queued", "again", { isRetry: true }])
  ],
  ["merged", "a merged digest", step("digest", "merged", ["Success", "merged"])],
  [
    "subscriber-preference",
    "a preference",
    step("email", "skipped", ["Success", "Step was filtered based on subscriber preferences"])
  ],
  [
    "subscriber-preference",
    "a preference: Subscriber unsubscribed",
    step("email", "skipped", ["Success", "Subscriber unsubscribed"])
  ],
  [
    "subscriber-preference",
    "a preference: The subscriber opted out",
    step("email", "skipped", ["Success", "The subscriber opted out"])
  ],
  ["subscriber-preference", "a preference: Opted-out", step("email", "skipped", ["Success", "Opted-out"])],
  ["subscriber-preference", "a preference: Workflow muted", step("email", "skipped", ["Success", "Workflow muted"])],
  [
    "step-conditions",
    "a condition",
    step("email", "skipped", ["Success", "Step was filtered based on step conditions"])
  ],
  ["step-conditions", "a skipped step without details", step("email", "skipped")],
  ["step-conditions", "a queue: Filtered", step("email", "queued", ["Queued", "Filtered"])],
  ["step-conditions", "a queue: A condition is not met", step("email", "queued", ["Queued", "A condition is not met"])],
  ["step-conditions", "a queue: It was skipped", step("email", "queued", ["Queued", "It was skipped"])],
  [
    "throttled",
    "a throttle",
    step("throttle", "skipped", ["Success", "Event was throttled: the limit of its window is reached"])
  ],
  ["throttled", "a throttle that skipped without saying why", step("throttle", "skipped", ["Success", "Skipped"])],
  ["throttled", "a throttled step of a channel", step("email", "skipped", ["Success", "Throttled"])],
  ["delayed", "a wait of a throttle", step("throttle", "delayed", ["Pending", "Waiting"])],
  ["delayed", "a delay", step("delay", "delayed", ["Pending", "Delaying"])],
  ["delayed", "a delay without the status", step("delay", "new", ["Pending", "On"])],
  ["delayed", "a throttle without the status", step("throttle", "new", ["Queued", "On"])],
  ["delayed", "a delayed e-mail", step("email", "delayed", ["Pending", "On"])],
  ["canceled", "a canceled step", step("email", "canceled")],
  ["canceled", "a cancelled step", step("email", "cancelled")],
  ["digest-open", "an open digest", step("digest", "delayed", ["Pending", "Digesting"])],
  ["queued", "a queue", step("email", "queued", ["Queued", "Step queued"])]
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
    const example = failures[id]?.[0]
    assert(example !== undefined, `the rule ${id} has no example`)
    const { advice, cause, credentials, title } = explain(example[0], example[1])
    return `### ${title}\n\n\`${id}\`, here of the ${example[1].type} step. ${wordingsOf(id)}\n\n${cause}\n\nWho can fix it: ${ownerNotes[owner ?? "unknown"]}. ${advice} ${credentialsNotes[credentials]}\n`
  }
  const stateSection = ({ id, owner }: Rule): string => {
    const [, name, job] = states.find(([rule]) => rule === id) ?? []
    assert(job !== undefined, `the rule ${id} has no example`)
    const diagnosis = diagnose(eventWith(job))
    const who = owner === undefined ? "as for the failure" : ownerNotes[owner]
    return `### ${name}\n\n\`${id}\`. ${wordingsOf(id)}\n\n${diagnosis?.cause}\n\nWho can fix it: ${who}. ${diagnosis?.advice}\n`
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
  it.each(Object.entries(failures))("recognises %s", (rule, details) => {
    const rulesOf = details.map(([text, given]) => [text, explain(text, given).rule])
    assert.deepStrictEqual(
      rulesOf,
      details.map(([text]) => [text, rule])
    )
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

  it("quotes one line of a message, however long it is", () => {
    const trace = Array.from({ length: 10_000 }, (_, at) => `at com.acme.Mail.send(Mail.java:${at})`).join("\n")
    const { cause, title = "" } = explain(trace, mail)
    for (const text of [cause, title]) {
      assert.include(text, "at com.acme.Mail.send(Mail.java:0) at com.acme.Mail.send(Mail.java:1) ")
      assert.isBelow(text.length, 300)
    }
    // Nor is all of it searched: it can be a megabyte.
    assert.include(explain("Daily message quota exceeded.", mail).cause, "limit of its plan")
    assert.include(explain(`${trace}\nDaily message quota exceeded.`, mail).cause, "Not recognised")
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
    const silent = diagnose(eventWith(jobOf("email", [])))
    assert.include(silent?.cause, "without an execution detail")
    assert.notProperty(silent, "detail")
  })

  it("looks behind a summary at the detail that says why", () => {
    const why = detailWith("Webhook URL for the chat channel is missing", { providerId: "slack" })
    const summary = detailWith("Sending message failed on all chat channels")
    const known = detailWith("All chat channels failed to send the message")
    const diagnosis = diagnose(eventWith(jobOf("chat", [why, summary])))
    assert.strictEqual(diagnosis?.rule, "webhook-url-missing")
    assert.strictEqual(diagnosis?.detail, why)
    assert.include(diagnose(eventWith(jobOf("chat", [detailWith("odd"), known])))?.cause, '"odd"')
    assert.strictEqual(diagnose(eventWith(jobOf("chat", [known])))?.rule, "all-chat-channels-failed")
  })

  it("uses the last word of several", () => {
    const first = detailWith(unexpected, { ...answered(503) })
    const last = detailWith(unexpected, { isRetry: true, ...answered(401) })
    assert.strictEqual(diagnose(eventWith(jobOf("email", [first, last])))?.rule, "provider-unauthorized")
  })

  it("explains warnings like failures", () => {
    const warning = detailWith("apns: token rejected", { status: "Warning", providerId: "apns" })
    const diagnosis = diagnose(eventWith(jobOf("push", [warning, detailWith("Message sent", { status: "Success" })])))
    assert.strictEqual(diagnosis?.rule, "device-token-rejected")
  })

  it("explains the job that decided the event unless another one is asked for", () => {
    const good = jobOf("email", [detailWith("sent", { status: "Success" })], { status: "completed" })
    const bad = jobOf("chat", [detailWith("Webhook URL is missing")])
    const event = eventWith(good, bad)
    assert.strictEqual(diagnose(event)?.job, bad)
    assert.isUndefined(diagnose(event, good))
    assert.isUndefined(diagnose(eventWith(good)))
    assert.isUndefined(diagnose(eventWith()))
    assert.isUndefined(diagnose(eventWith(jobOf("email", [], { status: "new" }))))
  })

  it.each(states)("%s: explains %s", (rule, _, job) => {
    const diagnosis = diagnose(eventWith(job))
    assert.strictEqual(diagnosis?.rule, rule)
    assert.strictEqual(diagnosis?.credentials, rule === "retrying" ? "unknown" : "elsewhere")
    assert.notProperty(diagnosis, "prefill")
  })

  it("reports the events of a digest, and how often a delay was put off", () => {
    const pending = [detailWith("Digesting", { status: "Pending" })]
    const digest = jobOf("digest", pending, {
      status: "delayed",
      digest: { type: "regular", amount: 10, unit: "minutes", events: [{}, {}] }
    })
    assert.strictEqual(
      diagnose(eventWith(digest))?.cause,
      "The digest is still collecting events for 10 minutes; it contains 2 events so far."
    )
    const causeOf = (given: Partial<ActivityJob>, type = "digest") =>
      diagnose(eventWith(jobOf(type, pending, { status: "delayed", ...given })))?.cause
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
    assert.strictEqual(diagnose(eventWith(filtered))?.cause, "The step was skipped.")
    const conditions = { ...filtered.step, filters: [{ value: "AND" as const, children: [] }] }
    assert.strictEqual(
      diagnose(eventWith({ ...filtered, step: conditions }))?.cause,
      "The conditions of the step were not met, so it was skipped."
    )
    assert.strictEqual(
      diagnose(eventWith(jobOf("email", [detailWith("odd"), detailWith("again", { status: "Queued", isRetry: true })])))
        ?.cause,
      'It failed ("odd") and the service is trying again.'
    )
    assert.include(
      diagnose(eventWith(jobOf("in_app", [detailWith("muted", { status: "Success" })], { status: "skipped" })))?.cause,
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
