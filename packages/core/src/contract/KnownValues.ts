/**
 * The enumerations of the API document, as plain lists.
 *
 * **When to use**: in programs without schemas. The modules of the models export the values of their types.
 */

/**
 * A value that is one of `Values` as far as this version knows, and any other string (or number, where some of the
 * known values are numbers) otherwise; editors keep suggesting the known ones.
 */
export type Open<Values extends ReadonlyArray<string | number>> =
  | Values[number]
  | (string & {})
  | (Extract<Values[number], number> extends never ? never : number & {})

/** Whether a value is one of a list; narrows to them. */
export const isOneOf = <const Values extends ReadonlyArray<string | number>>(
  values: Values,
  value: unknown
): value is Values[number] => values.some((known) => known === value)

/**
 * The channels through which a message can reach a subscriber (API document: Resources, Message).
 */
export const channels = ["in_app", "email", "sms", "chat", "push"] as const

/**
 * The kinds of job that an event can consist of: the channels, and the steps that do not send (API document:
 * Resources, ActivityNotification).
 */
// Bundlers keep a spread even if nothing uses the list, but not the result of a pure call.
export const jobTypes = /* @__PURE__ */ (() =>
  [...channels, "digest", "trigger", "delay", "throttle", "custom"] as const)()

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
 * The providers for which a subscriber can have credentials (API document: Resources, ChannelSettings).
 */
export const channelProviderIds = /* @__PURE__ */ (() => [...chatProviderIds, ...pushProviderIds] as const)()

/**
 * The providers that can carry out a job of an event (API document: Resources, ActivityJob).
 */
export const jobProviderIds = /* @__PURE__ */ (() =>
  [
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
  ] as const)()

/** The units in which a digest or delay is measured (API document: Resources, NotificationStep). */
export const timeUnits = ["seconds", "minutes", "hours", "days", "weeks", "months"] as const

/** The days of a week, Monday first (API document: Resources, TimedConfig). */
export const weekDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/** The positions in a month: a number or the word `last` (API document: Resources, TimedConfig). */
export const ordinals = [1, 2, 3, 4, 5, "last"] as const

/** What an ordinal counts (API document: Resources, TimedConfig). */
export const ordinalValues = [
  "day",
  "weekday",
  "weekend",
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday"
] as const

/** The two ways to say when in a month (API document: Resources, TimedConfig). */
export const monthlyTypes = ["each", "on"] as const

/** The shapes of a digest: repeating, with backoff, or at set times (API document: Resources, ActivityJob). */
export const digestTypes = ["regular", "backoff", "timed"] as const

/** The states that an execution detail reports (API document: States and transitions). */
export const executionDetailStatuses = [
  "Success",
  "Warning",
  "Failed",
  "Pending",
  "Queued",
  "ReadConfirmation"
] as const

/** The parts of the service from which an execution detail can come (API document: Resources, ActivityJob). */
export const executionDetailSources = ["Credentials", "Internal", "Payload", "Webhook"] as const

/** The places where a workflow can be made (API document: Resources, ActivityNotification). */
export const workflowOrigins = ["service-cloud", "service-cloud-v1", "external"] as const

/** The levels of severity of an event (API document: Resources, ActivityNotification). */
export const severities = ["high", "medium", "low", "none"] as const

/** The kinds of block that an e-mail consists of (API document: Resources, EmailBlock). */
export const emailBlockTypes = ["button", "text"] as const

/** The alignments of a block (API document: Resources, EmailBlock). */
export const textAligns = ["center", "left", "right"] as const

/** The kinds of call to action (API document: Resources, MessageCTA). */
export const messageCtaTypes = ["redirect"] as const

/** The states of an action (API document: States and transitions). */
export const messageActionStatuses = ["pending", "done"] as const

/** The kinds of button (API document: Resources, MessageButton). */
export const messageButtonTypes = ["primary", "secondary"] as const

/** The states of a message's delivery (API document: States and transitions). */
export const messageStatuses = ["sent", "error", "warning"] as const

/** The ways in which a workflow can be triggered (API document: Resources, Workflow). */
export const triggerTypes = ["event"] as const

/** The kinds of value that a filter compares (API document: Resources, NotificationStep). */
export const filterTypes = ["BOOLEAN", "TEXT", "DATE", "NUMBER", "STATEMENT", "LIST", "MULTI_LIST", "GROUP"] as const

/** How the parts of a filter combine (API document: Resources, NotificationStep). */
export const filterValues = ["AND", "OR"] as const

/** The comparisons of a filter part (API document: Resources, NotificationStep). */
export const filterOperators = [
  "LARGER",
  "SMALLER",
  "LARGER_EQUAL",
  "SMALLER_EQUAL",
  "EQUAL",
  "NOT_EQUAL",
  "ALL_IN",
  "ANY_IN",
  "NOT_IN",
  "BETWEEN",
  "NOT_BETWEEN",
  "LIKE",
  "NOT_LIKE",
  "IN"
] as const

/** Where the value that a filter part compares comes from (API document: Resources, NotificationStep). */
export const filterSources = ["subscriber", "payload"] as const

/** The types of a digest that collects for an amount of time (API document: Resources, NotificationStep). */
export const regularDigestTypes = ["regular", "backoff"] as const
