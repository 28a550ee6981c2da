import type { ExecutionDetail } from "@signalbox/core/Records"
import { assert, describe, expect, it } from "@effect/vitest"
import { detailOf, jobOf } from "../../test/Records.ts"
import { gather } from "./Evidence.ts"
import { failureRules } from "./FailureRules.ts"

type Channel = "chat" | "email" | "push" | "sms" | "in_app"

const providers: Readonly<Record<Channel, string | undefined>> = {
  chat: "slack",
  email: "sendgrid",
  push: "fcm",
  sms: "twilio",
  in_app: undefined
}

const evidenceOf = (type: Channel, text: string, given: Partial<ExecutionDetail> = {}) => {
  const providerId = providers[type]
  const detail = detailOf(text, { ...(providerId === undefined ? {} : { providerId }), ...given })
  return gather(jobOf(type, [detail]), detail)
}

const ruleFor = (type: Channel, text: string, given?: Partial<ExecutionDetail>): string => {
  const evidence = evidenceOf(type, text, given)
  return failureRules.find(({ matches }) => matches?.(evidence) === true)?.id ?? "not recognised"
}

const status = (code: number, message = ""): Partial<ExecutionDetail> => ({
  raw: JSON.stringify({ statusCode: code, message })
})

/** Ways in which services and providers word each failure, separated by semicolons. */
const wordings: ReadonlyArray<readonly [rule: string, type: Channel, wordings: string]> = [
  ["bridge-failed", "email", `Bridge execution failed; No response of the bridge`],
  [
    "service-cannot-reach-provider",
    "email",
    `
    getaddrinfo ENOTFOUND api.test; getaddrinfo EAI_AGAIN api.test; Could not resolve host: api.test`
  ],
  [
    "webhook-url-missing",
    "chat",
    `
    Missing webhookUrl; Webhook URL not set; The webhook URL was not found; Webhook URL not provided;
    webhookUrl not defined; Webhook URL not configured; Subscriber does not have a webhook URL;
    Subscriber doesn't have a webhookUrl; There is no webhook URL; Subscriber without webhook URL;
    The webhook URL is empty`
  ],
  [
    "device-token-of-another-app",
    "push",
    `
    SenderIdMismatch; Sender id mismatch; messaging/mismatched-credential; DeviceTokenNotForTopic;
    BadDeviceToken: it belongs to the sandbox environment; MismatchSenderId;
    The VAPID credentials do not correspond to the credentials used to create the subscriptions.`
  ],
  [
    "device-token-rejected",
    "push",
    `
    messaging/registration-token-not-registered; messaging/invalid-registration-token; Unregistered; NotRegistered;
    InvalidRegistration; BadDeviceToken; DeviceNotRegistered; The device is not registered;
    The device token is invalid; devicetoken expired; Devicetoken invalid; The device token is no longer valid;
    Rejected 2 push tokens; Invalid push-token; Expired registration_token; Unknown pushtoken; Refused device token;
    Token not valid; The token is no longer registered; That token was not valid; Token expired;
    2 tokens were refused; The token is rejected; Tokens are expired; Its token was rejected;
    Requested entity was not found.; The registration token is not a valid FCM registration token;
    "ExponentPushToken[x]" is not a registered push notification recipient; ExpiredToken;
    Incorrect subscription_id format (not a valid UUID); invalid_external_user_ids; The provided installation ID is not registered.`
  ],
  [
    "device-token-missing",
    "push",
    `
    Subscriber has no device tokens; push_token missing; Pushtoken not set; Sent without device-token;
    The device token was not found`
  ],
  [
    "channel-not-configured",
    "push",
    `
    Subscriber doesn't have active channels; Subscriber has no active channel; No active channels;
    No valid push channel; No configured chat channel; Channel not configured; Push channels are not configured;
    The channel is unconfigured, no provider knows it; The channel was not configured`
  ],
  [
    "environment-without-integration",
    "email",
    `
    No primary integration; No active integration; Integration missing; Integration inactive;
    The integration acme-mail is disabled; Integration of this channel deactivated; That integration was deleted;
    Provider not found; Provider sendgrid is inactive; The provider was disabled; Triggered without integration`
  ],
  [
    "sender-refused",
    "email",
    `
    Sender not verified; Domain unverified; The domain is still unverified; Domain not found: b.test; Sender id mismatch; Invalid \`from\` field.;
    The from.email domain must be verified in your account to send emails.; The sender you used x is not valid.`
  ],
  [
    "sender-refused",
    "sms",
    `
    The 'From' number +1 is not a valid, SMS-capable phone number; The From phone number +1 is not a valid number;
    Alphanumeric Sender ID cannot be used as the 'From' for this destination; Illegal Sender Address - rejected;
    Mismatch between the 'From' number +1 and the account AC1; The Messaging Service contains no phone numbers.; The source number is invalid; Not 10DLC registered;
    Message from an Unregistered Number;
    src 14155551234 is not a Plivo phone number or is not owned by this account`
  ],
  [
    "recipient-opted-out",
    "email",
    `
    Unsubscribed; The person opted out; They opted-out; opt-out list; Spam complaint; Address suppressed;
    On the suppression list; Blocked recipient; The message From/To pair violates a blacklist rule.;
    On the blocklist for recipients; The recipient is blocked; Blocked due to STOP message; Address blacklisted.;
    Destination number is on the blacklist; Phone has blocked SMS;
    Contact registered on Do Not Disturb.`
  ],
  ["email-missing", "email", `Subscriber has no e-mail; Email address missing; No recipients defined`],
  [
    "recipient-refused",
    "email",
    `
    Hard bounce; Message bounced; Mailbox full; Mailbox is unavailable; The mailbox of them does not exist;
    Mailbox not found; User unknown; No such user here; Recipient rejected; Recipient address invalid;
    Recipient refused; Invalid recipient; Invalid email; Invalid e-mail; Invalid address;
    Local address contains control or whitespace; Domain contains illegal character; email is not valid in to;
    Does not contain a valid address.; x is not a valid email address; Invalid 'To' address: 'ada'.;
    Error parsing 'To': Illegal email address 'ada@'.; Message rejected: hard-bounce`
  ],
  ["phone-missing", "sms", `Subscriber does not have a phone number; Phone not set`],
  [
    "phone-invalid",
    "sms",
    `
    Phone number invalid; The phone number is not valid; Malformed phone number; Phone unreachable;
    The 'To' number is a landline; The to number is not a valid one; Number Barred; Invalid 'to' address;
    Phone number must be in +E.164 format; REJECTED_DESTINATION: Invalid destination address.;
    EC_UNKNOWN_SUBSCRIBER; Absent Subscriber; Destination is not numeric; Unroutable message - rejected;
    The destination number is not SMS capable; REJECTED_DESTINATION_NOT_REGISTERED; ERR 2010 Destination number is invalidly formatted; dst is invalid`
  ],
  [
    "content-not-generated",
    "email",
    `
    Content empty; Message content could not be generated; The content is not rendered; Content not compiled;
    Rendering failed for: render subject; Could not compile the base layout; Generating content threw;
    Rendered a broken template; Template invalid; Liquid parse error; Handlebars failed; Layout has an invalid tag;
    Variable order.id is undefined; Variables missing; Payload order.id required; Payload not provided;
    payloads not defined; Missing variable; Missing the order.id variable; Missing payload; Syntax error`
  ],
  [
    "provider-limit",
    "email",
    `
    Quota used up; Monthly limit; The sending limit applies; Limit reached; The limit of your plan hit;
    Limit was exceeded; Exceeded limit; You passed the agreed limit; Reached the limit; Insufficient funds;
    Insufficient credit; Insufficient credits; Out of credit; Out of credits; Maximum credits exceeded;
    Payment required; Not enough balance (code: 25); not_enough_credits; Business eligibility payment issue;
    Insufficient account credits.; No credit left`
  ],
  [
    "provider-rate-limit",
    "email",
    `
    Ratelimit quota; Rate limit exceeded; The sending rate exceeds your account limit: rate_limit;
    Too many requests: daily limit; Too many messages; Throttled; TooManyRequests; Slow down;
    Rate exceeded; Too Many Attempts.; SMS queue is full.; Queue overflow;
    600 notifications per second`
  ],
  [
    "webhook-refused",
    "chat",
    `
    no_service; no_team; invalid_token; channel_not_found; channel_is_archived; action_prohibited; Unknown webhook;
    Webhook disabled; The webhook url has been revoked; Webhook was rejected; Webhook URL expired; Invalid webhook;
    no_active_hooks; Unknown Channel; token_revoked; trigger is not enabled; Thread is archived;
    Incoming webhooks have been disabled by the system admin.`
  ],
  [
    "chat-app-not-allowed",
    "chat",
    `not_in_channel; Missing Access; missing_scope; restricted_action; bot was kicked from the chat`
  ],
  [
    "chat-recipient-not-found",
    "chat",
    `user_not_found; Bad Request: chat not found; Stream 'alerts' does not exist; user is deactivated`
  ],
  [
    "provider-unauthorized",
    "email",
    `
    Unauthorized; Unauthorised; UNAUTHENTICATED; Authentication failed; Authentication error; Invalid API key;
    invalid api_key; Invalid apikey; Invalid credentials; Invalid grant; invalid_grant; invalid_client;
    invalid_api_key; unauthorized_client; The authorization grant is gone; API key expired; api-key was revoked;
    The ApiKey is now disabled; InvalidProviderToken; ExpiredProviderToken; Authenticate;
    Request is missing required authentication credential; InvalidCredentials; Bad Credentials; incorrect access_key;
    Auth error from APNS or Web Push Service; BadCertificateEnvironment; Invalid username or password;
    The security token included in the request is expired; Request does not contain a valid Server token.;
    The request signature we calculated does not match the signature you provided.; Error validating access token;
    Your Unique Key is incorrect.; Malformed API key; not_authed; Project not found;
    Access denied. Please include a header with a valid API key`
  ],
  [
    "provider-forbidden",
    "email",
    `
    Forbidden; Permission denied; Not permitted; Not allowed; Access denied;
    The number +1 is unverified. Trial accounts cannot send to it; Partner Account Barred; Account is not active;
    Permission to send an SMS has not been enabled for the region; Your account is suspended; TopicDisallowed;
    (#131030) Recipient phone number not in allowed list; The caller does not have permission; Authorization failed;
    User arn:aws:iam::1:user/notify is not authorized to perform: SNS:Publish; Your account is pending approval;
    Account is deactivated; The app is disabled; Non-Whitelisted Destination - rejected; Account not registered;
    Your account is temporarily blocked.`
  ],
  [
    "provider-unavailable",
    "email",
    `
    Timeout; Time out; Request timed out; ETIMEDOUT; read ECONNRESET; Socket hang up; Network error;
    Connection closed; The connection was refused; Service unavailable; The server is overloaded; Temporarily down;
    Bad gateway; It did not answer; It didn't answer; Internal server error; Internal error encountered.;
    The service is currently unavailable.; The server could not process the request in time.; IdleTimeout`
  ],
  [
    "provider-refused-message",
    "sms",
    `
    Payload too large; Message too long; MessageTooBig; The message body exceeds the 1600 character limit.; BadPriority;
    Message body is required.; The payload exceeds the FCM size limits.; (#132000) Number of params does not match;
    Invalid TTL; message contains forbidden words; Message length is more than 10485760 bytes long;
    Template name does not exist in the translation`
  ],
  [
    "subscriber-missing",
    "email",
    `
    Subscriber not found; Subscriber u_1 does not exist; The subscriber was deleted; Subscriber u_1 (main) is deleted`
  ],
  ["all-chat-channels-failed", "chat", `All channels failed; All chat channels: no active channel`],
  [
    "provider-error",
    "email",
    `
    Provider error; Provider send failure; Sending failed; Sending the message failed; Failed to send`
  ]
]

/** Failures that a rule decides by the status of the response or by the channel, and those next to them. */
const decided: ReadonlyArray<readonly [Channel, string, Partial<ExecutionDetail>, string]> = [
  ["push", "Odd", status(410), "device-token-rejected"],
  ["push", "Odd", status(404, "The token is unheard of"), "device-token-rejected"],
  ["push", "Odd", status(404, "Nowhere"), "not recognised"],
  ["push", "Odd", status(400, "A token is odd"), "provider-refused-message"],
  ["email", "Token rejected", {}, "not recognised"],
  ...["Access token", "auth-token", "Authentication token", "bearer_token", "idtoken", "ApiToken"].map(
    (account) => ["push", `The ${account} was rejected`, {}, "not recognised"] as const
  ),
  ["push", "The refresh token of this push token is missing", {}, "not recognised"],
  ["email", "The payload is odd", { source: "Payload" }, "content-not-generated"],
  ["email", "The payload is odd", { source: "Payload", ...status(422) }, "provider-refused-message"],
  ["email", "Odd", status(402), "provider-limit"],
  ["email", "Odd", status(429), "provider-rate-limit"],
  ...[401, 403, 404, 410].map((code) => ["chat", "Odd", status(code), "webhook-refused"] as const),
  ["chat", "Web hook odd", { providerId: "own-chat", ...status(404) }, "webhook-refused"],
  ["chat", "Odd", { providerId: "own-chat", ...status(404) }, "not recognised"],
  ["chat", "Odd", { providerId: "whatsapp-business", ...status(404) }, "not recognised"],
  ["chat", "Odd", { providerId: "getstream", ...status(403) }, "provider-forbidden"],
  ["email", "The webhook is odd", status(404), "not recognised"],
  ["email", "Odd", status(401), "provider-unauthorized"],
  ["email", "Odd", status(403), "provider-forbidden"],
  ...[408, 500, 599].map((code) => ["email", "Odd", status(code), "provider-unavailable"] as const),
  ...[400, 413, 415, 422].map((code) => ["email", "Odd", status(code), "provider-refused-message"] as const),
  ["email", "Odd", status(499), "not recognised"],
  ["email", "", {}, "not recognised"]
]

describe("the rules for failures", () => {
  it.each(wordings)("%s: every wording", (rule, type, wordingsOfRule) => {
    const others = wordingsOfRule.split(";").filter((text) => ruleFor(type, text.trim()) !== rule)
    assert.deepStrictEqual(others, [])
  })

  it("have wordings, except where the catalogue or the job decides", () => {
    const worded = new Set(wordings.map(([rule]) => rule))
    assert.deepStrictEqual(
      [...worded],
      failureRules.map(({ id }) => id).filter((id) => worded.has(id))
    )
    const others = failureRules.filter(({ id, matches }) => matches !== undefined && !worded.has(id))
    expect(others.map(({ id }) => id).join(" ")).toMatchInlineSnapshot(
      `"earlier-result-invalid workflow-invalid http-request-invalid http-request-failed condition-webhook-failed conditions-failed webhook-address-wrong integration-address-wrong endpoint-failed integration-of-trigger-unknown integration-switched-off integration-config-invalid taken-for-spam"`
    )
  })

  it.each(decided)("%s %s %j: %s", (type, text, given, rule) => {
    assert.strictEqual(ruleFor(type, text, given), rule)
  })

  it.each(failureRules)("$id describes a failure of an unnamed provider by its channel", ({ advice, cause, title }) => {
    const evidence = evidenceOf("in_app", "Odd")
    for (const sentences of [cause(evidence), advice(evidence)]) {
      assert.match(sentences, /^(?:[A-Z][^.]+\.(?: |$))+$/u)
      assert.notMatch(`${title(evidence)} ${sentences}`, /\b(\w+) \1\b|undefined|in_app/u)
    }
  })

  it("name the provider, or else its channel", () => {
    const causesOf = (type: Channel) =>
      failureRules
        .filter(({ id }) => ["device-token-of-another-app", "provider-limit", "provider-rate-limit"].includes(id))
        .map(({ cause }) => cause(evidenceOf(type, "Odd")))
    expect(causesOf("in_app")).toMatchInlineSnapshot(`
      [
        "A device token of the subscriber was issued for a different app or sandbox than the in-app integration uses.",
        "The account at the in-app provider has reached the limit of its plan. The subscriber is not the cause.",
        "The in-app provider limits the sending rate, and the limit was exceeded. The subscriber is not the cause.",
      ]
    `)
    expect(causesOf("sms")).toMatchInlineSnapshot(`
      [
        "A device token of the subscriber was issued for a different app or sandbox than the twilio integration uses.",
        "The account at twilio has reached the limit of its plan. The subscriber is not the cause.",
        "twilio limits the sending rate, and the limit was exceeded. The subscriber is not the cause.",
      ]
    `)
  })

  it("quote status and message of the provider where they help", () => {
    const evidence = evidenceOf("email", "Odd", status(418, "I am a teapot"))
    const quoting = (quoted: string) => failureRules.filter(({ cause }) => cause(evidence).includes(quoted))
    expect(quoting("(418)").map(({ id }) => id)).toMatchInlineSnapshot(`
      [
        "bridge-failed",
        "http-request-failed",
        "endpoint-failed",
        "sender-refused",
        "provider-limit",
        "provider-rate-limit",
        "webhook-refused",
        "provider-unauthorized",
        "provider-forbidden",
        "provider-unavailable",
        "provider-refused-message",
      ]
    `)
    expect(
      quoting('It said: "I am a teapot"')
        .map(({ id }) => id)
        .join(" ")
    ).toMatchInlineSnapshot(
      `"earlier-result-invalid workflow-invalid bridge-failed step-code-failed http-request-invalid http-response-invalid http-request-failed conditions-failed time-invalid wait-too-long webhook-address-wrong integration-address-wrong service-cannot-reach-provider endpoint-failed integration-config-invalid taken-for-spam sender-refused recipient-opted-out recipient-refused phone-invalid content-not-generated delivery-delayed message-dropped webhook-refused chat-app-not-allowed chat-recipient-not-found provider-unauthorized provider-forbidden provider-unavailable provider-refused-message provider-error"`
    )
  })
})
