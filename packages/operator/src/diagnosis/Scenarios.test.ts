/**
 * Events as version 3.15.0 of the service records them: the wordings, statuses and orders of its execution details, with ids,
 * names and payloads of our own. For each: the result, the cause and who can fix it.
 */
import type { ActivityJob, ExecutionDetail } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { detailOf, eventOf, jobOf } from "../../test/Records.ts"
import { eventResult, jobResult } from "../status/Status.ts"
import { diagnose } from "./Diagnosis.ts"
import { failuresOf } from "./FailureGroup.ts"

type Line = readonly [status: string, text: string, raw?: unknown]

let made = 0

const detail = ([status, text, raw]: Line): ExecutionDetail =>
  detailOf(text, {
    _id: `detail-${(made += 1)}`,
    status,
    ...(raw === undefined ? {} : { raw: typeof raw === "string" ? raw : JSON.stringify(raw) })
  })

const queued: Line = ["Pending", "Step queued"]

const created: Line = ["Pending", "Message created"]

const sent: Line = ["Success", "Message sent"]

const step = (type: string, status: string, lines: ReadonlyArray<Line>, given: Partial<ActivityJob> = {}) =>
  jobOf(type, lines.map(detail), { _id: `job-${(made += 1)}`, status, ...given })

const eventWith = (jobs: ReadonlyArray<ActivityJob>) =>
  eventOf(jobs, { transactionId: "txn_1", subscriber: { subscriberId: "grace", _id: "internal" } })

const names: Readonly<Record<string, string>> = {
  nodemailer: "Custom SMTP",
  sendgrid: "SendGrid",
  mailgun: "Mailgun",
  twilio: "Twilio",
  "generic-sms": "SMS Webhook",
  slack: "Slack",
  discord: "Discord",
  mattermost: "Mattermost",
  fcm: "Firebase Cloud Messaging",
  apns: "APNS",
  expo: "Expo Push",
  "push-webhook": "Push Webhook"
}

const selected = (providerId: string, raw?: unknown): Line => [
  "Pending",
  `${names[providerId] ?? providerId} provider was selected`,
  raw
]

const selectedAs = (providerId: string, identifier: string): Line => selected(providerId, { providerId, identifier })

const noUrlOf = (identifier: string): Line => [
  "Failed",
  "Webhook URL for the chat channel is missing",
  `webhookUrl for integrationId: ${identifier} is missing`
]

const allChatFailed: Line = ["Failed", "All chat channels failed to send the message"]

const pushFailed: Line = ["Failed", "There was one or more errors when trying to execute the notification"]

const noIntegration = "Subscriber does not have an active integration"

const wrapUps: Readonly<Record<string, Line>> = { chat: allChatFailed, push: pushFailed }

/** A chat attempt by phone, in an environment without WhatsApp. */
const byPhone: Line = ["Failed", noIntegration, "Integration is either deleted or not active"]

/** The response of Slack for a webhook that is gone. */
const noWebhook: Line = [
  "Failed",
  "Unexpected provider error",
  { message: "Request failed with status code 404", responseData: "no_service" }
]

/** A step that failed at its provider, which left `raw`. */
const refused = (type: string, providerId: string, raw: unknown): ActivityJob => {
  const wrapUp = wrapUps[type]
  return step(
    type,
    "failed",
    [
      queued,
      selected(providerId),
      created,
      ["Failed", "Unexpected provider error", raw],
      ...(wrapUp === undefined ? [] : [wrapUp])
    ],
    { providerId }
  )
}

const mail = (code: string, command: string, response?: string) =>
  refused("email", "nodemailer", {
    code,
    ...(response === undefined ? {} : { response, responseCode: Number(response.slice(0, 3)) }),
    command
  })

/** A chat step whose webhook responded with a status and a body. */
const hook = (status: number, body: unknown, providerId = "slack") =>
  refused("chat", providerId, {
    channelData: { identifier: "-", type: "webhook", endpoint: { url: "http://192.168.4.1:500/hook" } },
    message: `Request failed with status code ${status}`,
    responseData: body
  })

const hookError = (message: string, providerId = "slack") =>
  refused("chat", providerId, {
    channelData: { identifier: "-", type: "webhook", endpoint: { url: "http://127.0.0.1:401/hook" } },
    message
  })

/** An error of axios, with all that it repeats of the request. */
const axios = (status: number) => ({
  message: `Request failed with status code ${status}`,
  name: "AxiosError",
  stack: "at settle (timeout.js:1:429)",
  config: { timeout: 300_000, data: '{"target":["device token missing"]}', headers: { code: "401" } },
  code: status < 500 ? "ERR_BAD_REQUEST" : "ERR_BAD_RESPONSE",
  status
})

const stopped = (type = "in_app") =>
  step(type, "canceled", [["Failed", "Step was canceled because a previous step failed"]], { providerId: "service" })

const inApp = step("in_app", "completed", [queued, created, sent], { providerId: "service" })

const request = (error: string) => [
  step("http_request", "failed", [queued, ["Failed", "Action step execution failed", { error }]]),
  stopped()
]

const condition = (on: string, field: string, expected: string, actual: string) => ({
  filter: { conditions: [{ filter: on, field, expected, actual, operator: "EQUAL", passed: false }], passed: false }
})

const conditional = (on: "payload" | "webhook"): Partial<ActivityJob> => ({
  step: {
    _id: "step",
    active: true,
    _templateId: "template",
    filters: [
      {
        value: "AND",
        isNegated: false,
        type: "GROUP",
        children: [{ on, field: "tier", value: "gold", operator: "IN" }]
      }
    ]
  }
})

/**
 * Events by their result and by the owner of its cause, if there is one: the name of each with that cause, and its job or
 * jobs.
 */
const scenarios: Readonly<Record<string, Readonly<Record<string, ActivityJob | ReadonlyArray<ActivityJob>>>>> = {
  ok: {
    "an in-app message": inApp,
    "an e-mail": step("email", "completed", [queued, selected("nodemailer"), created, sent], {
      providerId: "nodemailer"
    }),
    "a variant, a tenant and a severity": step("in_app", "completed", [
      queued,
      ["Pending", "Tenant context selected", { identifier: "north" }],
      ["Pending", "Variant was chosen by the provided condition criteria", { conditions: [] }],
      ["Pending", "Severity for the message was overridden"],
      created,
      sent
    ]),
    "a request to an endpoint": [step("http_request", "completed", [queued, ["Success", "Step processed"]]), inApp],
    "a chat message next to an attempt by phone": step("chat", "completed", [
      queued,
      selected("slack"),
      created,
      sent,
      byPhone
    ]),
    "a finished digest": [
      step("digest", "completed", [
        queued,
        ["Pending", "Step digested"],
        ["Success", "Digest triggered events", "[null]"]
      ]),
      inApp
    ],
    "the first event of a digest with look-back": [
      step("digest", "skipped", [queued, ["Success", "Digest was skipped, first backoff event"]]),
      inApp
    ],
    "a finished delay": [
      step("delay", "completed", [queued, ["Pending", "Step delayed"], ["Success", "Delay is finished"]]),
      inApp
    ]
  },
  "failed environment": {
    ...Object.fromEntries(
      ["email", "sms", "in_app"].map((type) => [
        `${type} without an integration: environment-without-integration`,
        step(type, "failed", [queued, ["Failed", noIntegration]])
      ])
    ),
    "an SMS without an integration, and the steps after it: environment-without-integration": [
      step("sms", "failed", [queued, ["Failed", noIntegration]]),
      stopped(),
      stopped("email")
    ],
    "a chat integration that was switched off: integration-switched-off": step("chat", "failed", [
      queued,
      ["Failed", noIntegration, "Integration with integrationId: 5d1 is either deleted or not active"],
      allChatFailed
    ]),
    "a push integration that was deleted: integration-switched-off": step("push", "failed", [
      queued,
      ["Failed", noIntegration],
      pushFailed
    ]),
    "a wrong password of SMTP: provider-unauthorized": mail(
      "EAUTH",
      "AUTH LOGIN",
      "535 5.7.8 Authentication credentials invalid"
    ),
    "an unknown host of SMTP: integration-address-wrong": refused("email", "nodemailer", {
      errno: -3008,
      code: "EDNS",
      syscall: "getaddrinfo",
      hostname: "mx.test",
      command: "CONN"
    }),
    "a certificate that SMTP does not accept: integration-address-wrong": refused("email", "nodemailer", {
      code: "ESOCKET",
      message: "self-signed certificate",
      command: "CONN"
    }),
    "a key that a provider refuses: provider-unauthorized": refused("email", "sendgrid", {
      message: "Unauthorized",
      code: 401,
      response: { body: { errors: [{ message: "The key is gone" }] } }
    }),
    "a sender that a provider has not verified: sender-refused": refused("email", "mailgun", {
      message: "Forbidden",
      code: 403,
      response: { body: { errors: [{ message: "The from address is not verified" }] } }
    }),
    "a key that an SMS endpoint refuses: provider-unauthorized": refused("sms", "generic-sms", {
      message: { error: "answered 401" },
      name: "AxiosError"
    }),
    "an incomplete push integration: integration-config-invalid": refused("push", "fcm", {
      message: "Config is not valid for fcm",
      name: "Error"
    }),
    "a chat integration that was switched off, of a subscriber with a phone number: integration-switched-off": step(
      "chat",
      "failed",
      [
        queued,
        ["Failed", noIntegration, "Integration with integrationId: 5d1 is either deleted or not active"],
        byPhone,
        allChatFailed
      ]
    )
  },
  "warning environment": {
    "replies by mail that are not set up: reply-address-missing": step("email", "completed", [
      queued,
      selected("mailgun"),
      ["Warning", "Inbound mail - Missing MX Record configuration"],
      created,
      sent
    ])
  },
  "warning subscriber": {
    "chat without credentials: channel-not-configured": step("chat", "canceled", [
      queued,
      ["Warning", "Subscriber does not have a configured channel"]
    ]),
    "chat without credentials for the context: channel-not-configured": step("chat", "canceled", [
      queued,
      ["Warning", "Subscriber does not have a configured channel with the given context"]
    ]),
    "one of two chat channels: webhook-refused": step(
      "chat",
      "completed",
      [queued, selected("slack"), noWebhook, selected("discord"), created, sent],
      { providerId: "slack" }
    )
  },
  "failed subscriber": {
    "chat with nothing but a phone number, in an environment without WhatsApp: channel-not-configured": step(
      "chat",
      "failed",
      [queued, byPhone, allChatFailed]
    ),
    "a webhook that is gone, of a subscriber with a phone number: webhook-refused": step(
      "chat",
      "failed",
      [queued, selected("slack"), created, noWebhook, byPhone, allChatFailed],
      { providerId: "slack" }
    ),
    "chat without a webhook URL: webhook-url-missing": step(
      "chat",
      "canceled",
      [
        queued,
        ["Failed", "Webhook URL for the chat channel is missing", "webhookUrl for integrationId: discord-1 is missing"],
        ["Warning", "Some chat channels skipped to send the message"]
      ],
      { providerId: "discord" }
    ),
    "push without a list of tokens: device-token-missing": step("push", "canceled", [
      queued,
      ["Failed", "Subscriber credentials is missing the tokens for sending a push notification message"],
      ["Warning", "Some push channels skipped to send the message"]
    ]),
    "push with an empty list of tokens: device-token-missing": step("push", "failed", [
      queued,
      selected("apns"),
      created,
      pushFailed
    ]),
    "a dead token: device-token-rejected": refused("push", "expo", {
      message: '"ExponentPushToken[gone]" is not a registered push notification recipient'
    }),
    "a dead token of Firebase: device-token-rejected": refused("push", "fcm", {
      message: 'Sending message failed due to "Requested entity was not found."'
    }),
    "a dead token that the service removed: device-token-rejected": step("push", "failed", [
      queued,
      ["Failed", "Unexpected provider error", { message: "Sending message failed" }],
      ["Success", "Invalid push device token was removed from subscriber"],
      pushFailed
    ]),
    "an e-mail without an address: email-missing": step("email", "canceled", [
      queued,
      ["Failed", "Subscriber missing email address"]
    ]),
    "an SMS without a number: phone-missing": step("sms", "canceled", [
      queued,
      selected("twilio"),
      ["Failed", "Subscriber missing phone number"]
    ]),
    "an SMS to an invalid number: phone-invalid": refused("sms", "twilio", {
      message: "Invalid 'To' Phone Number: +1"
    }),
    "a mailbox that does not exist: recipient-refused": mail(
      "EENVELOPE",
      "RCPT TO",
      "550 5.1.1 No such user, check the e-mail address"
    ),
    "a revoked webhook: webhook-refused": hook(404, "no_team"),
    "an archived channel: webhook-refused": hook(410, "channel_is_archived"),
    "a forbidden webhook: webhook-refused": hook(403, { error: "action_prohibited" }, "discord"),
    "a webhook with an unknown host: webhook-address-wrong": hookError(
      "getaddrinfo ENOTFOUND chat.acme.test",
      "mattermost"
    ),
    "a webhook that is no URL: webhook-address-wrong": hookError("Invalid URL"),
    "a webhook that leads to another service: webhook-address-wrong": hookError("Slack Webhook Error")
  },
  "failed unknown": {
    "a chat failure that is not recognised, of a subscriber with a phone number: provider-error": step(
      "chat",
      "failed",
      [queued, ["Failed", "Unexpected provider error", { message: "Boom" }], byPhone, allChatFailed]
    )
  },
  "failed provider": {
    "an SMTP server that does not respond: provider-unavailable": mail("ETIMEDOUT", "CONN"),
    "an SMTP server that refuses the connection: provider-unavailable": refused("email", "nodemailer", {
      errno: -111,
      code: "ESOCKET",
      syscall: "connect",
      address: "10.1.1.1",
      port: 587,
      command: "CONN"
    }),
    "an SMTP server that is busy: delivery-delayed": mail("ECONNECTION", "CONN", "421 4.3.2 Service not available"),
    "too many messages for a webhook: provider-rate-limit": hook(429, { retry_after: 30 }),
    "a failing SMS endpoint: provider-unavailable": refused("sms", "generic-sms", {
      message: { error: "answered 500" }
    }),
    "a failing chat provider: provider-unavailable": hook(502, "<html><h1>502 Bad Gateway</h1></html>"),
    "a chat provider that closes the connection: provider-unavailable": hookError("socket hang up"),
    "a chat provider that refuses the connection: provider-unavailable": hookError("connect ECONNREFUSED 127.0.0.1:401")
  },
  "failed workflow": {
    "content that SMTP takes for spam: taken-for-spam": mail("EMESSAGE", "DATA", "550 5.7.1 Message looks like spam"),
    "content that a webhook refuses: provider-refused-message": hook(400, "invalid_blocks"),
    "a template with an error: workflow-invalid": step("email", "failed", [
      queued,
      [
        "Failed",
        "Bridge execution failed",
        {
          message: "Workflow with id: `w` has invalid controls syntax in step with id: `s`.",
          code: "StepControlCompilationFailedError"
        }
      ]
    ]),
    "an integration of the trigger that does not exist: integration-of-trigger-unknown": step(
      "email",
      "failed",
      [queued, ["Failed", noIntegration]],
      {
        overrides: { email: { integrationIdentifier: "mail-9" } }
      }
    ),
    "a delay until a past date: time-invalid": [
      step("delay", "failed", [
        queued,
        ["Failed", "Invalid delay configuration", { error: "Delay date must be a future date" }]
      ]),
      step("in_app", "pending", [])
    ],
    "a throttle with a past date: time-invalid": [
      step("throttle", "failed", [
        queued,
        ["Failed", "Throttle window date is in the past"],
        ["Failed", "Invalid delay configuration"]
      ]),
      stopped()
    ],
    "a condition that cannot be evaluated: conditions-failed": step(
      "in_app",
      "failed",
      [queued],
      conditional("payload")
    ),
    "a request without a URL: http-request-invalid": request("HTTP request step is missing a URL."),
    "a request to an unknown host: http-request-invalid": request('Unable to resolve hostname "nowhere.test".'),
    "a request to a private address: http-request-invalid": request('Requests to "10.0.0.1" are not allowed.')
  },
  "skipped workflow": {
    "a channel that the workflow switches off: workflow-preference": step("in_app", "canceled", [
      queued,
      ["Success", "Step filtered by user preferences", { enabled: true }]
    ])
  },
  "failed endpoint": {
    "a failing push endpoint: endpoint-failed": refused("push", "push-webhook", axios(503)),
    "a push endpoint that is not there: endpoint-failed": refused("push", "push-webhook", axios(404)),
    "a failing webhook of a condition: condition-webhook-failed": step(
      "in_app",
      "failed",
      [queued],
      conditional("webhook")
    ),
    "a failing request: http-request-failed": request("Response code 500 (Internal Server Error)"),
    "a refused request: http-request-failed": request("connect ECONNREFUSED 10.2.0.1:404"),
    "a slow request: http-request-failed": request("Timeout awaiting 'request' for 5000ms"),
    "a failing request that the workflow tolerates: http-request-failed": [
      step("http_request", "failed", [
        queued,
        ["Failed", "Action step execution failed", { error: "Response code 503" }]
      ]),
      inApp
    ],
    "a response that does not fit the schema: http-response-invalid": [
      step("http_request", "failed", [
        queued,
        ["Failed", "Response body schema validation failed", { message: "must have required property 'id'" }]
      ]),
      stopped()
    ],
    "a response that a later step cannot use: earlier-result-invalid": [
      step("http_request", "completed", [
        queued,
        ["Warning", "HTTP request step received a non-object response", { receivedType: "array" }],
        ["Success", "Step processed", { statusCode: 200 }]
      ]),
      step("in_app", "failed", [
        queued,
        [
          "Failed",
          "Bridge execution failed",
          {
            message: "Workflow with id: `w` has an invalid state. Step with id: `s` has invalid result.",
            code: "ExecutionStateResultInvalidError"
          }
        ]
      ])
    ],
    "a bridge that does not respond: bridge-failed": step("in_app", "failed", [
      queued,
      ["Failed", "Bridge execution failed", { message: "Bridge request timeout", code: "BRIDGE_REQUEST_TIMEOUT" }]
    ])
  },
  "failed plan": {
    "a delay that is longer than the plan allows: wait-too-long": [
      step("delay", "failed", [
        queued,
        ["Failed", "Defer duration limit exceeded", { errors: ["The maximum delay is 1 days."] }]
      ]),
      stopped()
    ]
  },
  "failed service": {
    "a service that cannot reach the provider: service-cannot-reach-provider": refused("push", "fcm", {
      message:
        'failed to fetch a valid access token: "request to https://token.test/v4 failed, reason: getaddrinfo ENOTFOUND token.test".'
    })
  },
  "skipped nothing-wrong": {
    "a condition that is not met: step-conditions": step(
      "in_app",
      "canceled",
      [
        queued,
        ["Failed", "Step was skipped based on steps conditions", condition("Payload", "tier", "gold", "silver")]
      ],
      conditional("payload")
    ),
    "a condition of a workflow of the dashboard: step-conditions": step("in_app", "canceled", [
      queued,
      ["Failed", "Bridge execution skipped"]
    ]),
    "a preference of the subscriber for one workflow: subscriber-preference": step("in_app", "canceled", [
      queued,
      ["Success", "Step filtered by subscriber workflow preferences"]
    ]),
    "a preference of the subscriber for all workflows: subscriber-preference": step("email", "canceled", [
      queued,
      ["Success", "Step filtered by subscriber global preferences"]
    ]),
    "a schedule of the subscriber: subscriber-schedule": step("sms", "canceled", [
      queued,
      ["Success", "The step was skipped as it fell outside the subscriber's schedule"]
    ]),
    "a throttled event: throttled": [
      step("throttle", "skipped", [
        queued,
        ["Success", "Throttle limit exceeded for the given window", { threshold: 1 }]
      ]),
      step("in_app", "skipped", [])
    ],
    "a merged event: merged": [
      step("digest", "merged", [queued, ["Success", "Digest was merged with other digest"]]),
      step("in_app", "merged", [])
    ],
    "a canceled digest: canceled": [
      step("digest", "canceled", [queued, ["Pending", "Step digested"]]),
      step("in_app", "canceled", [])
    ],
    "a canceled delay: canceled": [
      step("delay", "canceled", [queued, ["Pending", "Step delayed"]]),
      step("in_app", "canceled", [])
    ]
  },
  "waiting nothing-wrong": {
    "an open digest: digest-open": [
      step("digest", "delayed", [queued, ["Pending", "Step digested", { delay: 4000 }]]),
      step("in_app", "pending", [])
    ],
    "an open delay: delayed": [
      step("delay", "delayed", [queued, ["Pending", "Step delayed", { delay: 3000 }]]),
      step("in_app", "pending", [])
    ],
    "a snoozed message: snoozed": [inApp, step("in_app", "pending", [["Pending", "Message snoozed"]])]
  }
}

describe("an event in the words of the service", () => {
  const cases = Object.entries(scenarios).flatMap(([outcome, events]) => {
    const [kind, owner] = outcome.split(" ")
    return Object.entries(events).map(([title, jobs]) => ({ title, kind, owner, jobs: [jobs].flat() }))
  })

  it.each(cases)("$title", ({ jobs, kind, owner, title }) => {
    const event = eventWith(jobs)
    const diagnosis = diagnose(event)
    assert.strictEqual(eventResult(event).kind, kind)
    assert.strictEqual(diagnosis?.rule, title.split(": ")[1])
    assert.strictEqual(diagnosis?.owner, owner)
    assert.strictEqual(failuresOf(event).length, kind === "failed" ? 1 : 0)
  })

  it("blames the trigger only if it names an integration of this channel", () => {
    const other = step("email", "failed", [queued, ["Failed", noIntegration]], {
      overrides: { sms: { integrationIdentifier: "sms-1" } }
    })
    assert.strictEqual(diagnose(eventWith([other]))?.rule, "environment-without-integration")
  })

  it("reports for a canceled step why the step before it failed, and who can fix that", () => {
    const after = stopped()
    const event = eventWith([step("sms", "failed", [queued, ["Failed", noIntegration]]), after])
    assert.include(diagnose(event, after), {
      rule: "previous-step-failed",
      owner: "environment",
      cause:
        "The step was canceled because a step before it failed. sms: The environment has no active integration for sms, so the service had no provider to send with. This affects every subscriber."
    })
    assert.include(diagnose(eventWith([after])), { rule: "previous-step-failed", owner: "unknown" })
    assert.strictEqual(jobResult(after).kind, "skipped")
  })

  it("names the conditions that were not met, without the values of subscriber and payload", () => {
    const skipped = step("in_app", "canceled", [
      ["Failed", "Step was skipped based on steps conditions", condition("Subscriber", "data.tier", "gold", "silver")]
    ])
    assert.strictEqual(
      diagnose(eventWith([skipped]))?.cause,
      'The step was skipped, because its conditions were not met: subscriber.data.tier equal "gold".'
    )
    for (const raw of [
      "{",
      "null",
      '{"filter":{"conditions":[null,5]}}',
      '{"filter":5}',
      '{"filter":{"conditions":{}}}'
    ]) {
      const odd = step("in_app", "canceled", [["Failed", "Step was skipped based on steps conditions", raw]])
      assert.strictEqual(
        diagnose(eventWith([odd]))?.cause,
        "The conditions of the step were not met, so it was skipped."
      )
    }
  })

  it("names the variables that the payload of a sent message lacks", () => {
    const sentWith = (raw: unknown) =>
      eventWith([step("email", "completed", [queued, ["Pending", "Message created", raw], sent])])
    const event = sentWith({
      subject: "Hi {{user.first}} {{ user.last }}",
      content: "{{{order}}} {{subscriber.email}} {{payload.total}} {{name | default: 'you'}} {{#if vip}}{{vip}}{{/if}}",
      payload: { vip: true }
    })
    assert.include(diagnose(event), {
      rule: "variables-missing",
      owner: "workflow",
      cause: "The message was sent with empty places: the payload lacks user, order."
    })
    assert.strictEqual(eventResult(event).kind, "ok")
    assert.isEmpty(failuresOf(event))
    for (const raw of [
      { content: "{{#each items}}{{title}}{{/each}}", payload: {} },
      { content: "{{name}}", payload: { name: "" } },
      { content: "{{name}}" },
      { content: { text: "{{name}}" }, payload: {} },
      null,
      "{{name}}",
      { content: `{{name}}${" ".repeat(20_000)}`, payload: {} }
    ]) {
      assert.isUndefined(diagnose(sentWith(raw)), JSON.stringify(raw).slice(0, 60))
    }
  })

  it("reads no status from an address or a port", () => {
    for (const message of ["connect ECONNREFUSED 127.0.0.1:503", "no answer of http://404.test:410/401"]) {
      assert.notMatch(diagnose(eventWith([hookError(message)]))?.cause ?? "", /\(\d+\)/u)
    }
  })

  it("quotes the reason that a provider gave, not the phrase of its status", () => {
    assert.include(diagnose(eventWith([hook(404, "no_service")]))?.cause, '"no_service"')
    const forbidden = {
      message: "Forbidden",
      code: 403,
      response: { body: { errors: [{ message: "Not your domain" }] } }
    }
    assert.include(diagnose(eventWith([refused("email", "sendgrid", forbidden)]))?.cause, '"Not your domain"')
  })

  describe("a subscriber with several integrations", () => {
    const support = selectedAs("slack", "slack-support")
    const operations = selectedAs("slack", "slack-operations")
    const diagnosed = (job: ActivityJob) => {
      const diagnosis = diagnose(eventWith([job]))
      assert(diagnosis !== undefined)
      return diagnosis
    }
    const ofOrder = (...lines: ReadonlyArray<Line>) =>
      diagnosed(step("chat", "completed", [queued, ...lines], { providerId: "slack" }))

    it("names the integration that lacks its webhook, and does not advise to send a sent message again", () => {
      for (const diagnosis of [
        ofOrder(support, created, noUrlOf("slack-support"), operations, created, sent),
        ofOrder(operations, created, sent, support, created, noUrlOf("slack-support"))
      ]) {
        assert.strictEqual(
          diagnosis.cause,
          "The subscriber has no webhook URL for slack (integration slack-support). The message was sent in another way."
        )
        assert.strictEqual(
          diagnosis.advice,
          "Store the webhook URL for slack (integration slack-support). Do not trigger the event again: the message was sent."
        )
        assert.deepStrictEqual(diagnosis.prefill, {
          subscriberId: "grace",
          providerId: "slack",
          integrationIdentifier: "slack-support",
          fields: ["webhookUrl"]
        })
      }
    })

    it("names provider and integration of the attempt that failed, not of the job", () => {
      const job = step(
        "chat",
        "completed",
        [queued, selectedAs("discord", "discord-1"), created, sent, operations, created, noWebhook],
        { providerId: "discord" }
      )
      assert.include(diagnosed(job).prefill, { providerId: "slack", integrationIdentifier: "slack-operations" })
    })

    it("names no integration where none was selected for the failure, or only by an internal id", () => {
      const byId = step("chat", "canceled", [queued, noUrlOf("6b0000000000000000000240")], { providerId: "slack" })
      assert.notProperty(diagnosed(byId).prefill, "integrationIdentifier")
      const several = step("push", "failed", [
        queued,
        selectedAs("fcm", "fcm-1"),
        selectedAs("fcm", "fcm-2"),
        pushFailed
      ])
      assert.notProperty(diagnosed(several).prefill, "integrationIdentifier")
    })

    it("advises to trigger again where the failure took the sending back, or nothing was sent", () => {
      const bounced = step("push", "failed", [
        queued,
        selectedAs("fcm", "fcm-1"),
        created,
        sent,
        ["Failed", "Unexpected provider error", { statusCode: 503 }]
      ])
      assert.match(diagnosed(bounced).advice, /^Trigger the event again; if/u)
      const unsent = step("chat", "canceled", [queued, support, created, noUrlOf("slack-support")])
      assert.match(diagnosed(unsent).advice, /, then trigger the event again\.$/u)
    })

    it("never advises to trigger a sent event again", () => {
      const outage: Line = ["Failed", "Unexpected provider error", { statusCode: 503 }]
      const { advice } = ofOrder(support, created, outage, operations, created, sent)
      assert.strictEqual(
        advice,
        "If it happens again, check the status page of slack. Do not trigger the event again: the message was sent."
      )
    })
  })
})
