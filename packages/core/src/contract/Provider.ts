/**
 * The providers of the API document (Resources, ChannelSettings and ActivityJob).
 *
 * **When to use**: to hold a service or a fake against the document. Programs read with the module of the same name
 * outside of `contract`, which takes what services really send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** The chat providers, whose credentials are a webhook URL (API document: Resources, ChannelSettings). */
export const chatProviderIds = [
  "slack",
  "discord",
  "msteams",
  "mattermost",
  "ryver",
  "zulip",
  "grafana-on-call",
  "getstream",
  "rocket-chat",
  "whatsapp-business",
  "chat-webhook",
  "service-slack"
] as const

/** The push providers, whose credentials are device tokens (API document: Resources, ChannelSettings). */
export const pushProviderIds = [
  "fcm",
  "apns",
  "expo",
  "one-signal",
  "pushpad",
  "push-webhook",
  "pusher-beams",
  "appio"
] as const

/**
 * The providers for which a subscriber can hold credentials (API document: Resources, ChannelSettings).
 */
export const channelProviderIds = [...chatProviderIds, ...pushProviderIds] as const

/**
 * A provider for which a subscriber can hold credentials, exactly the 20 values of the document (API document:
 * Resources, ChannelSettings).
 */
export const ChannelProviderId = Schema.Literals(channelProviderIds).annotate({
  identifier: "ChannelProviderId",
  // Requests are checked by it, and a caller needs to be told what is allowed.
  message: `Expected one of ${channelProviderIds.join(", ")}`
})

/**
 * The providers that can carry out a job of an event (API document: Resources, ActivityJob).
 */
export const jobProviderIds = [
  "emailjs",
  "mailgun",
  "mailjet",
  "mandrill",
  "nodemailer",
  "postmark",
  "sendgrid",
  "sendinblue",
  "ses",
  "netcore",
  "infobip-email",
  "resend",
  "plunk",
  "mailersend",
  "mailtrap",
  "clickatell",
  "outlook365",
  "service-email",
  "sparkpost",
  "email-webhook",
  "braze",
  "nexmo",
  "plivo",
  "sms77",
  "sms-central",
  "sns",
  "telnyx",
  "twilio",
  "gupshup",
  "firetext",
  "infobip-sms",
  "burst-sms",
  "bulk-sms",
  "isend-sms",
  "forty-six-elks",
  "kannel",
  "maqsam",
  "termii",
  "africas-talking",
  "service-sms",
  "sendchamp",
  "generic-sms",
  "clicksend",
  "bandwidth",
  "messagebird",
  "simpletexting",
  "azure-sms",
  "ring-central",
  "brevo-sms",
  "eazy-sms",
  "mobishastra",
  "afro-message",
  "unifonic",
  "smsmode",
  "imedia",
  "sinch",
  ...pushProviderIds,
  "service",
  ...chatProviderIds
] as const

/**
 * A provider that can carry out a job of an event (API document: Resources, ActivityJob).
 */
export const JobProviderId = Schema.Literals(jobProviderIds).annotate({ identifier: "JobProviderId" })
