/**
 * Events as version 3.15.0 of the service records them: the wordings, statuses and orders of its execution details, with ids,
 * names and payloads of our own. For each: the result, the cause and who can fix it.
 */
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Activity"
import { assert, describe, it } from "@effect/vitest"
import { eventResult, jobResult } from "../status/Status.ts"
import { diagnose } from "./Diagnosis.ts"
import { failuresOf } from "./FailureGroup.ts"
import type { Owner } from "./Owner.ts"

type Line = readonly [status: string, text: string, raw?: unknown]

let made = 0

const detailOf = ([status, text, raw]: Line): ExecutionDetail => ({
  _id: `detail-${(made += 1)}`,
  status,
  detail: text,
  isRetry: false,
  isTest: false,
  source: "Internal",
  ...(raw === undefined ? {} : { raw: typeof raw === "string" ? raw : JSON.stringify(raw) })
})

const queued: Line = ["Pending", "Step queued"]

const created: Line = ["Pending", "Message created"]

const sent: Line = ["Success", "Message sent"]

const jobOf = (
  type: string,
  status: string,
  lines: ReadonlyArray<Line>,
  given: Partial<ActivityJob> = {}
): ActivityJob => ({
  _id: `job-${(made += 1)}`,
  type,
  status,
  executionDetails: lines.map(detailOf),
  step: { _id: "step", active: true, filters: [], _templateId: "template" },
  ...given
})

const eventOf = (jobs: ReadonlyArray<ActivityJob>): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: "txn_1",
  subscriber: { subscriberId: "grace", _id: "internal" },
  jobs
})

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

const selected = (providerId: string): Line => ["Pending", `${names[providerId] ?? providerId} provider was selected`]

const wrapUps: Readonly<Record<string, Line>> = {
  chat: ["Failed", "All chat channels failed to send the message"],
  push: ["Failed", "There was one or more errors when trying to execute the notification"]
}

/** A step that failed at its provider, which left `raw`. */
const refused = (type: string, providerId: string, raw: unknown): ActivityJob => {
  const wrapUp = wrapUps[type]
  return jobOf(
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

const noIntegration = "Subscriber does not have an active integration"

const stopped = (type = "in_app") =>
  jobOf(type, "canceled", [["Failed", "Step was canceled because a previous step failed"]], { providerId: "service" })

const inApp = jobOf("in_app", "completed", [queued, created, sent], { providerId: "service" })

const request = (error: string) => [
  jobOf("http_request", "failed", [queued, ["Failed", "Action step execution failed", { error }]]),
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
 * The scenario, the jobs of the record, the result of the event, and the cause and its owner; both absent if all is
 * well.
 */
const scenarios: ReadonlyArray<readonly [string, ReadonlyArray<ActivityJob>, string, (readonly [string, Owner])?]> = [
  // Sent.
  ["an in-app message", [inApp], "ok"],
  [
    "an e-mail",
    [jobOf("email", "completed", [queued, selected("nodemailer"), created, sent], { providerId: "nodemailer" })],
    "ok"
  ],
  [
    "a variant, a tenant and a severity",
    [
      jobOf("in_app", "completed", [
        queued,
        ["Pending", "Tenant context selected", { identifier: "north" }],
        ["Pending", "Variant was chosen by the provided condition criteria", { conditions: [] }],
        ["Pending", "Severity for the message was overridden"],
        created,
        sent
      ])
    ],
    "ok"
  ],
  [
    "a request to an endpoint",
    [jobOf("http_request", "completed", [queued, ["Success", "Step processed"]]), inApp],
    "ok"
  ],

  // The environment.
  ...["email", "sms", "in_app"].map(
    (type) =>
      [
        `${type} without an integration`,
        [jobOf(type, "failed", [queued, ["Failed", noIntegration]])],
        "failed",
        ["environment-without-integration", "environment"]
      ] as const
  ),
  [
    "an SMS without an integration, and the steps after it",
    [jobOf("sms", "failed", [queued, ["Failed", noIntegration]]), stopped(), stopped("email")],
    "failed",
    ["environment-without-integration", "environment"]
  ],
  [
    "a chat integration that was switched off",
    [
      jobOf("chat", "failed", [
        queued,
        ["Failed", noIntegration, "Integration with integrationId: 5d1 is either deleted or not active"],
        ["Failed", "All chat channels failed to send the message"]
      ])
    ],
    "failed",
    ["integration-switched-off", "environment"]
  ],
  [
    "a push integration that was deleted",
    [
      jobOf("push", "failed", [
        queued,
        ["Failed", noIntegration],
        ["Failed", "There was one or more errors when trying to execute the notification"]
      ])
    ],
    "failed",
    ["integration-switched-off", "environment"]
  ],
  [
    "a wrong password of SMTP",
    [mail("EAUTH", "AUTH LOGIN", "535 5.7.8 Authentication credentials invalid")],
    "failed",
    ["provider-unauthorized", "environment"]
  ],
  [
    "a sender that SMTP refuses",
    [mail("EENVELOPE", "MAIL FROM", "550 5.7.60 not permitted to send as")],
    "failed",
    ["sender-refused", "environment"]
  ],
  [
    "a login that SMTP misses",
    [mail("EENVELOPE", "MAIL FROM", "530 5.7.0 Authentication required")],
    "failed",
    ["provider-unauthorized", "environment"]
  ],
  [
    "a relay that SMTP denies",
    [mail("EENVELOPE", "RCPT TO", "554 5.7.1 Relay access denied")],
    "failed",
    ["sender-refused", "environment"]
  ],
  [
    "an unknown host of SMTP",
    [
      refused("email", "nodemailer", {
        errno: -3008,
        code: "EDNS",
        syscall: "getaddrinfo",
        hostname: "mx.test",
        command: "CONN"
      })
    ],
    "failed",
    ["integration-address-wrong", "environment"]
  ],
  [
    "a certificate that SMTP does not accept",
    [refused("email", "nodemailer", { code: "ESOCKET", message: "self-signed certificate", command: "CONN" })],
    "failed",
    ["integration-address-wrong", "environment"]
  ],
  [
    "a key that a provider refuses",
    [
      refused("email", "sendgrid", {
        message: "Unauthorized",
        code: 401,
        response: { body: { errors: [{ message: "The key is gone" }] } }
      })
    ],
    "failed",
    ["provider-unauthorized", "environment"]
  ],
  [
    "a sender that a provider has not verified",
    [
      refused("email", "mailgun", {
        message: "Forbidden",
        code: 403,
        response: { body: { errors: [{ message: "The from address is not verified" }] } }
      })
    ],
    "failed",
    ["provider-forbidden", "environment"]
  ],
  [
    "a key that an SMS endpoint refuses",
    [refused("sms", "generic-sms", { message: { error: "answered 401" }, name: "AxiosError" })],
    "failed",
    ["provider-unauthorized", "environment"]
  ],
  [
    "an account that an SMS provider refuses",
    [refused("sms", "twilio", { message: "Authenticate", name: "Error" })],
    "failed",
    ["provider-unauthorized", "environment"]
  ],
  [
    "an incomplete push integration",
    [refused("push", "fcm", { message: "Config is not valid for fcm", name: "Error" })],
    "failed",
    ["integration-config-invalid", "environment"]
  ],
  [
    "replies by mail that are not set up",
    [
      jobOf("email", "completed", [
        queued,
        selected("mailgun"),
        ["Warning", "Inbound mail - Missing MX Record configuration"],
        created,
        sent
      ])
    ],
    "warning",
    ["reply-address-missing", "environment"]
  ],

  // The subscriber.
  [
    "chat without credentials",
    [jobOf("chat", "canceled", [queued, ["Warning", "Subscriber does not have a configured channel"]])],
    "warning",
    ["channel-not-configured", "subscriber"]
  ],
  [
    "chat without credentials for the context",
    [
      jobOf("chat", "canceled", [
        queued,
        ["Warning", "Subscriber does not have a configured channel with the given context"]
      ])
    ],
    "warning",
    ["channel-not-configured", "subscriber"]
  ],
  [
    "chat with nothing but a phone number, in an environment without WhatsApp",
    [
      jobOf("chat", "failed", [
        queued,
        ["Failed", noIntegration, "Integration is either deleted or not active"],
        ["Failed", "All chat channels failed to send the message"]
      ])
    ],
    "failed",
    ["channel-not-configured", "subscriber"]
  ],
  [
    "a webhook that is gone, of a subscriber with a phone number",
    [
      jobOf(
        "chat",
        "failed",
        [
          queued,
          selected("slack"),
          created,
          [
            "Failed",
            "Unexpected provider error",
            { message: "Request failed with status code 404", responseData: "no_service" }
          ],
          ["Failed", noIntegration, "Integration is either deleted or not active"],
          ["Failed", "All chat channels failed to send the message"]
        ],
        { providerId: "slack" }
      )
    ],
    "failed",
    ["webhook-refused", "subscriber"]
  ],
  [
    "a chat failure that is not recognised, of a subscriber with a phone number",
    [
      jobOf("chat", "failed", [
        queued,
        ["Failed", "Unexpected provider error", { message: "Boom" }],
        ["Failed", noIntegration, "Integration is either deleted or not active"],
        ["Failed", "All chat channels failed to send the message"]
      ])
    ],
    "failed",
    ["provider-error", "unknown"]
  ],
  [
    "a chat integration that was switched off, of a subscriber with a phone number",
    [
      jobOf("chat", "failed", [
        queued,
        ["Failed", noIntegration, "Integration with integrationId: 5d1 is either deleted or not active"],
        ["Failed", noIntegration, "Integration is either deleted or not active"],
        ["Failed", "All chat channels failed to send the message"]
      ])
    ],
    "failed",
    ["integration-switched-off", "environment"]
  ],
  [
    "chat without a webhook URL",
    [
      jobOf(
        "chat",
        "canceled",
        [
          queued,
          [
            "Failed",
            "Webhook URL for the chat channel is missing",
            "webhookUrl for integrationId: discord-1 is missing"
          ],
          ["Warning", "Some chat channels skipped to send the message"]
        ],
        { providerId: "discord" }
      )
    ],
    "failed",
    ["webhook-url-missing", "subscriber"]
  ],
  [
    "push without a list of tokens",
    [
      jobOf("push", "canceled", [
        queued,
        ["Failed", "Subscriber credentials is missing the tokens for sending a push notification message"],
        ["Warning", "Some push channels skipped to send the message"]
      ])
    ],
    "failed",
    ["device-token-missing", "subscriber"]
  ],
  [
    "push with an empty list of tokens",
    [
      jobOf("push", "failed", [
        queued,
        selected("apns"),
        created,
        ["Failed", "There was one or more errors when trying to execute the notification"]
      ])
    ],
    "failed",
    ["device-token-missing", "subscriber"]
  ],
  [
    "a dead token",
    [refused("push", "expo", { message: '"ExponentPushToken[gone]" is not a registered push notification recipient' })],
    "failed",
    ["device-token-rejected", "subscriber"]
  ],
  [
    "a dead token of Firebase",
    [refused("push", "fcm", { message: 'Sending message failed due to "Requested entity was not found."' })],
    "failed",
    ["device-token-rejected", "subscriber"]
  ],
  [
    "a dead token that the service removed",
    [
      jobOf("push", "failed", [
        queued,
        ["Failed", "Unexpected provider error", { message: "Sending message failed" }],
        ["Success", "Invalid push device token was removed from subscriber"],
        ["Failed", "There was one or more errors when trying to execute the notification"]
      ])
    ],
    "failed",
    ["device-token-rejected", "subscriber"]
  ],
  [
    "an e-mail without an address",
    [jobOf("email", "canceled", [queued, ["Failed", "Subscriber missing email address"]])],
    "failed",
    ["email-missing", "subscriber"]
  ],
  [
    "an SMS without a number",
    [jobOf("sms", "canceled", [queued, selected("twilio"), ["Failed", "Subscriber missing phone number"]])],
    "failed",
    ["phone-missing", "subscriber"]
  ],
  [
    "an SMS to an invalid number",
    [refused("sms", "twilio", { message: "Invalid 'To' Phone Number: +1" })],
    "failed",
    ["phone-invalid", "subscriber"]
  ],
  [
    "a mailbox that does not exist",
    [mail("EENVELOPE", "RCPT TO", "550 5.1.1 No such user, check the e-mail address")],
    "failed",
    ["recipient-refused", "subscriber"]
  ],
  [
    "a full mailbox",
    [mail("EENVELOPE", "RCPT TO", "552 5.2.2 Over quota")],
    "failed",
    ["recipient-refused", "subscriber"]
  ],
  ["a revoked webhook", [hook(404, "no_team")], "failed", ["webhook-refused", "subscriber"]],
  ["an archived channel", [hook(410, "channel_is_archived")], "failed", ["webhook-refused", "subscriber"]],
  [
    "a forbidden webhook",
    [hook(403, { error: "action_prohibited" }, "discord")],
    "failed",
    ["webhook-refused", "subscriber"]
  ],
  [
    "a webhook with an unknown host",
    [hookError("getaddrinfo ENOTFOUND chat.acme.test", "mattermost")],
    "failed",
    ["webhook-address-wrong", "subscriber"]
  ],
  ["a webhook that is no URL", [hookError("Invalid URL")], "failed", ["webhook-address-wrong", "subscriber"]],
  [
    "a webhook that leads to another service",
    [hookError("Slack Webhook Error")],
    "failed",
    ["webhook-address-wrong", "subscriber"]
  ],
  [
    "one of two chat channels",
    [
      jobOf(
        "chat",
        "completed",
        [
          queued,
          selected("slack"),
          [
            "Failed",
            "Unexpected provider error",
            { message: "Request failed with status code 404", responseData: "no_service" }
          ],
          selected("discord"),
          created,
          sent
        ],
        { providerId: "slack" }
      )
    ],
    "warning",
    ["webhook-refused", "subscriber"]
  ],
  [
    "a chat message next to an attempt by phone",
    [
      jobOf("chat", "completed", [
        queued,
        selected("slack"),
        created,
        sent,
        ["Failed", noIntegration, "Integration is either deleted or not active"]
      ])
    ],
    "ok"
  ],

  // The provider.
  ["an SMTP server that does not respond", [mail("ETIMEDOUT", "CONN")], "failed", ["provider-unavailable", "provider"]],
  [
    "an SMTP server that refuses the connection",
    [
      refused("email", "nodemailer", {
        errno: -111,
        code: "ESOCKET",
        syscall: "connect",
        address: "10.1.1.1",
        port: 587,
        command: "CONN"
      })
    ],
    "failed",
    ["provider-unavailable", "provider"]
  ],
  [
    "an SMTP server that is busy",
    [mail("ECONNECTION", "CONN", "421 4.3.2 Service not available")],
    "failed",
    ["delivery-delayed", "provider"]
  ],
  [
    "an SMTP server that asks to retry",
    [mail("EENVELOPE", "RCPT TO", "451 4.7.1 Greylisted, try again later")],
    "failed",
    ["delivery-delayed", "provider"]
  ],
  ["too many messages for a webhook", [hook(429, { retry_after: 30 })], "failed", ["provider-rate-limit", "provider"]],
  [
    "too many SMS",
    [refused("sms", "twilio", { message: "Too Many Requests", name: "Error" })],
    "failed",
    ["provider-rate-limit", "provider"]
  ],
  [
    "a failing SMS endpoint",
    [refused("sms", "generic-sms", { message: { error: "answered 500" } })],
    "failed",
    ["provider-unavailable", "provider"]
  ],
  [
    "a failing chat provider",
    [hook(502, "<html><h1>502 Bad Gateway</h1></html>")],
    "failed",
    ["provider-unavailable", "provider"]
  ],
  [
    "a chat provider that closes the connection",
    [hookError("socket hang up")],
    "failed",
    ["provider-unavailable", "provider"]
  ],
  [
    "a chat provider that refuses the connection",
    [hookError("connect ECONNREFUSED 127.0.0.1:401")],
    "failed",
    ["provider-unavailable", "provider"]
  ],

  // The workflow, and the payload of its trigger.
  [
    "content that SMTP takes for spam",
    [mail("EMESSAGE", "DATA", "550 5.7.1 Message looks like spam")],
    "failed",
    ["taken-for-spam", "workflow"]
  ],
  [
    "content that SMTP refuses",
    [mail("EMESSAGE", "DATA", "552 5.3.4 Message too big")],
    "failed",
    ["provider-refused-message", "workflow"]
  ],
  ["content that a webhook refuses", [hook(400, "invalid_blocks")], "failed", ["provider-refused-message", "workflow"]],
  [
    "a template with an error",
    [
      jobOf("email", "failed", [
        queued,
        [
          "Failed",
          "Bridge execution failed",
          {
            message: "Workflow with id: `w` has invalid controls syntax in step with id: `s`.",
            code: "StepControlCompilationFailedError"
          }
        ]
      ])
    ],
    "failed",
    ["workflow-invalid", "workflow"]
  ],
  [
    "an integration of the trigger that does not exist",
    [
      jobOf("email", "failed", [queued, ["Failed", noIntegration]], {
        overrides: { email: { integrationIdentifier: "mail-9" } }
      })
    ],
    "failed",
    ["integration-of-trigger-unknown", "workflow"]
  ],
  [
    "a delay until a past date",
    [
      jobOf("delay", "failed", [
        queued,
        ["Failed", "Invalid delay configuration", { error: "Delay date must be a future date" }]
      ]),
      jobOf("in_app", "pending", [])
    ],
    "failed",
    ["time-invalid", "workflow"]
  ],
  [
    "a throttle with a past date",
    [
      jobOf("throttle", "failed", [
        queued,
        ["Failed", "Throttle window date is in the past"],
        ["Failed", "Invalid delay configuration"]
      ]),
      stopped()
    ],
    "failed",
    ["time-invalid", "workflow"]
  ],
  [
    "a condition that cannot be evaluated",
    [jobOf("in_app", "failed", [queued], conditional("payload"))],
    "failed",
    ["conditions-failed", "workflow"]
  ],
  [
    "a request without a URL",
    request("HTTP request step is missing a URL."),
    "failed",
    ["http-request-invalid", "workflow"]
  ],
  [
    "a request to an unknown host",
    request('Unable to resolve hostname "nowhere.test".'),
    "failed",
    ["http-request-invalid", "workflow"]
  ],
  [
    "a request to a private address",
    request('Requests to "10.0.0.1" are not allowed.'),
    "failed",
    ["http-request-invalid", "workflow"]
  ],
  [
    "a channel that the workflow switches off",
    [jobOf("in_app", "canceled", [queued, ["Success", "Step filtered by user preferences", { enabled: true }]])],
    "skipped",
    ["workflow-preference", "workflow"]
  ],

  // Your own endpoint.
  ["a failing push endpoint", [refused("push", "push-webhook", axios(503))], "failed", ["endpoint-failed", "endpoint"]],
  [
    "a push endpoint that is not there",
    [refused("push", "push-webhook", axios(404))],
    "failed",
    ["endpoint-failed", "endpoint"]
  ],
  [
    "a failing webhook of a condition",
    [jobOf("in_app", "failed", [queued], conditional("webhook"))],
    "failed",
    ["condition-webhook-failed", "endpoint"]
  ],
  [
    "a failing request",
    request("Response code 500 (Internal Server Error)"),
    "failed",
    ["http-request-failed", "endpoint"]
  ],
  ["a refused request", request("connect ECONNREFUSED 10.2.0.1:404"), "failed", ["http-request-failed", "endpoint"]],
  ["a slow request", request("Timeout awaiting 'request' for 5000ms"), "failed", ["http-request-failed", "endpoint"]],
  [
    "a failing request that the workflow tolerates",
    [
      jobOf("http_request", "failed", [
        queued,
        ["Failed", "Action step execution failed", { error: "Response code 503" }]
      ]),
      inApp
    ],
    "failed",
    ["http-request-failed", "endpoint"]
  ],
  [
    "a response that does not fit the schema",
    [
      jobOf("http_request", "failed", [
        queued,
        ["Failed", "Response body schema validation failed", { message: "must have required property 'id'" }]
      ]),
      stopped()
    ],
    "failed",
    ["http-response-invalid", "endpoint"]
  ],
  [
    "a response that a later step cannot use",
    [
      jobOf("http_request", "completed", [
        queued,
        ["Warning", "HTTP request step received a non-object response", { receivedType: "array" }],
        ["Success", "Step processed", { statusCode: 200 }]
      ]),
      jobOf("in_app", "failed", [
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
    "failed",
    ["earlier-result-invalid", "endpoint"]
  ],
  [
    "a bridge that does not respond",
    [
      jobOf("in_app", "failed", [
        queued,
        ["Failed", "Bridge execution failed", { message: "Bridge request timeout", code: "BRIDGE_REQUEST_TIMEOUT" }]
      ])
    ],
    "failed",
    ["bridge-failed", "endpoint"]
  ],

  // The plan and the service.
  [
    "a delay that is longer than the plan allows",
    [
      jobOf("delay", "failed", [
        queued,
        ["Failed", "Defer duration limit exceeded", { errors: ["The maximum delay is 1 days."] }]
      ]),
      stopped()
    ],
    "failed",
    ["wait-too-long", "plan"]
  ],
  [
    "a service that cannot reach the provider",
    [
      refused("push", "fcm", {
        message:
          'failed to fetch a valid access token: "request to https://token.test/v4 failed, reason: getaddrinfo ENOTFOUND token.test".'
      })
    ],
    "failed",
    ["service-cannot-reach-provider", "service"]
  ],

  // Nothing is wrong.
  [
    "a condition that is not met",
    [
      jobOf(
        "in_app",
        "canceled",
        [
          queued,
          ["Failed", "Step was skipped based on steps conditions", condition("Payload", "tier", "gold", "silver")]
        ],
        conditional("payload")
      )
    ],
    "skipped",
    ["step-conditions", "nothing-wrong"]
  ],
  [
    "a condition of a workflow of the dashboard",
    [jobOf("in_app", "canceled", [queued, ["Failed", "Bridge execution skipped"]])],
    "skipped",
    ["step-conditions", "nothing-wrong"]
  ],
  [
    "a preference of the subscriber for one workflow",
    [jobOf("in_app", "canceled", [queued, ["Success", "Step filtered by subscriber workflow preferences"]])],
    "skipped",
    ["subscriber-preference", "nothing-wrong"]
  ],
  [
    "a preference of the subscriber for all workflows",
    [jobOf("email", "canceled", [queued, ["Success", "Step filtered by subscriber global preferences"]])],
    "skipped",
    ["subscriber-preference", "nothing-wrong"]
  ],
  [
    "a schedule of the subscriber",
    [
      jobOf("sms", "canceled", [
        queued,
        ["Success", "The step was skipped as it fell outside the subscriber's schedule"]
      ])
    ],
    "skipped",
    ["subscriber-schedule", "nothing-wrong"]
  ],
  [
    "a throttled event",
    [
      jobOf("throttle", "skipped", [
        queued,
        ["Success", "Throttle limit exceeded for the given window", { threshold: 1 }]
      ]),
      jobOf("in_app", "skipped", [])
    ],
    "skipped",
    ["throttled", "nothing-wrong"]
  ],
  [
    "a merged event",
    [
      jobOf("digest", "merged", [queued, ["Success", "Digest was merged with other digest"]]),
      jobOf("in_app", "merged", [])
    ],
    "skipped",
    ["merged", "nothing-wrong"]
  ],
  [
    "an open digest",
    [
      jobOf("digest", "delayed", [queued, ["Pending", "Step digested", { delay: 4000 }]]),
      jobOf("in_app", "pending", [])
    ],
    "waiting",
    ["digest-open", "nothing-wrong"]
  ],
  [
    "a finished digest",
    [
      jobOf("digest", "completed", [
        queued,
        ["Pending", "Step digested"],
        ["Success", "Digest triggered events", "[null]"]
      ]),
      inApp
    ],
    "ok"
  ],
  [
    "the first event of a digest with look-back",
    [jobOf("digest", "skipped", [queued, ["Success", "Digest was skipped, first backoff event"]]), inApp],
    "ok"
  ],
  [
    "a canceled digest",
    [jobOf("digest", "canceled", [queued, ["Pending", "Step digested"]]), jobOf("in_app", "canceled", [])],
    "skipped",
    ["canceled", "nothing-wrong"]
  ],
  [
    "an open delay",
    [jobOf("delay", "delayed", [queued, ["Pending", "Step delayed", { delay: 3000 }]]), jobOf("in_app", "pending", [])],
    "waiting",
    ["delayed", "nothing-wrong"]
  ],
  [
    "a canceled delay",
    [jobOf("delay", "canceled", [queued, ["Pending", "Step delayed"]]), jobOf("in_app", "canceled", [])],
    "skipped",
    ["canceled", "nothing-wrong"]
  ],
  [
    "a finished delay",
    [jobOf("delay", "completed", [queued, ["Pending", "Step delayed"], ["Success", "Delay is finished"]]), inApp],
    "ok"
  ],
  [
    "a snoozed message",
    [inApp, jobOf("in_app", "pending", [["Pending", "Message snoozed"]])],
    "waiting",
    ["snoozed", "nothing-wrong"]
  ]
]

describe("an event in the words of the service", () => {
  const cases = scenarios.map(([name, jobs, kind, expected]) => ({ name, jobs, kind, expected }))

  it.each(cases)("$name", ({ jobs, kind, expected }) => {
    const event = eventOf(jobs)
    const diagnosis = diagnose(event)
    assert.strictEqual(eventResult(event).kind, kind)
    assert.strictEqual(diagnosis?.rule, expected?.[0])
    assert.strictEqual(diagnosis?.owner, expected?.[1])
    assert.strictEqual(failuresOf(event).length, kind === "failed" ? 1 : 0)
  })

  it("blames the trigger only if it names an integration of this channel", () => {
    const other = jobOf("email", "failed", [queued, ["Failed", noIntegration]], {
      overrides: { sms: { integrationIdentifier: "sms-1" } }
    })
    assert.strictEqual(diagnose(eventOf([other]))?.rule, "environment-without-integration")
  })

  it("reports for a canceled step why the step before it failed, and who can fix that", () => {
    const after = stopped()
    const event = eventOf([jobOf("sms", "failed", [queued, ["Failed", noIntegration]]), after])
    assert.include(diagnose(event, after), {
      rule: "previous-step-failed",
      owner: "environment",
      cause:
        "The step was canceled because a step before it failed. sms: The environment has no active integration for sms, so the service had no provider to send with. This affects every subscriber."
    })
    assert.include(diagnose(eventOf([after])), { rule: "previous-step-failed", owner: "unknown" })
    assert.strictEqual(jobResult(after).kind, "skipped")
  })

  it("names the conditions that were not met, without the values of subscriber and payload", () => {
    const skipped = jobOf("in_app", "canceled", [
      ["Failed", "Step was skipped based on steps conditions", condition("Subscriber", "data.tier", "gold", "silver")]
    ])
    assert.strictEqual(
      diagnose(eventOf([skipped]))?.cause,
      'The step was skipped, because its conditions were not met: subscriber.data.tier equal "gold".'
    )
    for (const raw of [
      "{",
      "null",
      '{"filter":{"conditions":[null,5]}}',
      '{"filter":5}',
      '{"filter":{"conditions":{}}}'
    ]) {
      const odd = jobOf("in_app", "canceled", [["Failed", "Step was skipped based on steps conditions", raw]])
      assert.strictEqual(diagnose(eventOf([odd]))?.cause, "The conditions of the step were not met, so it was skipped.")
    }
  })

  it("names the variables that the payload of a sent message lacks", () => {
    const sentWith = (raw: unknown) =>
      eventOf([jobOf("email", "completed", [queued, ["Pending", "Message created", raw], sent])])
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
      assert.notMatch(diagnose(eventOf([hookError(message)]))?.cause ?? "", /\(\d+\)/u)
    }
  })

  it("quotes the reason that a provider gave, not the phrase of its status", () => {
    assert.include(diagnose(eventOf([hook(404, "no_service")]))?.cause, '"no_service"')
    const forbidden = {
      message: "Forbidden",
      code: 403,
      response: { body: { errors: [{ message: "Not your domain" }] } }
    }
    assert.include(diagnose(eventOf([refused("email", "sendgrid", forbidden)]))?.cause, '"Not your domain"')
  })
})
