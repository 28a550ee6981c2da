/**
 * The enumerations of the API document, copied from its text and not from the schemas.
 *
 * Where the document writes the values inside of a field, the name here is one of ours.
 */
export const enumerations: Readonly<Record<string, ReadonlyArray<string | number>>> = {
  ChannelProviderId:
    "slack, discord, msteams, mattermost, ryver, zulip, grafana-on-call, getstream, rocket-chat, whatsapp-business, chat-webhook, service-slack, fcm, apns, expo, one-signal, pushpad, push-webhook, pusher-beams, appio".split(
      ", "
    ),
  JobProviderId:
    "emailjs, mailgun, mailjet, mandrill, nodemailer, postmark, sendgrid, sendinblue, ses, netcore, infobip-email, resend, plunk, mailersend, mailtrap, clickatell, outlook365, service-email, sparkpost, email-webhook, braze, nexmo, plivo, sms77, sms-central, sns, telnyx, twilio, gupshup, firetext, infobip-sms, burst-sms, bulk-sms, isend-sms, forty-six-elks, kannel, maqsam, termii, africas-talking, service-sms, sendchamp, generic-sms, clicksend, bandwidth, messagebird, simpletexting, azure-sms, ring-central, brevo-sms, eazy-sms, mobishastra, afro-message, unifonic, smsmode, imedia, sinch, fcm, apns, expo, one-signal, pushpad, push-webhook, pusher-beams, appio, service, slack, discord, msteams, mattermost, ryver, zulip, grafana-on-call, getstream, rocket-chat, whatsapp-business, chat-webhook, service-slack".split(
      ", "
    ),
  JobType: ["in_app", "email", "sms", "chat", "push", "digest", "trigger", "delay", "throttle", "custom"],
  Channel: ["in_app", "email", "sms", "chat", "push"],
  MessageStatus: ["sent", "error", "warning"],
  TriggerType: ["event"],
  FilterType: ["BOOLEAN", "TEXT", "DATE", "NUMBER", "STATEMENT", "LIST", "MULTI_LIST", "GROUP"],
  FilterValue: ["AND", "OR"],
  FilterOperator: [
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
  ],
  FilterSource: ["subscriber", "payload"],
  Unit: ["seconds", "minutes", "hours", "days", "weeks", "months"],
  RegularOrBackoff: ["regular", "backoff"],
  Timed: ["timed"],
  Regular: ["regular"],
  Scheduled: ["scheduled"],
  DigestType: ["regular", "backoff", "timed"],
  WeekDay: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  Ordinal: [1, 2, 3, 4, 5, "last"],
  OrdinalValue: [
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
  ],
  MonthlyType: ["each", "on"],
  EmailBlockType: ["button", "text"],
  TextAlign: ["center", "left", "right"],
  CallToActionType: ["redirect"],
  ActionStatus: ["pending", "done"],
  ButtonType: ["primary", "secondary"],
  Severity: ["high", "medium", "low", "none"],
  Origin: ["service-cloud", "service-cloud-v1", "external"],
  ExecutionDetailStatus: ["Success", "Warning", "Failed", "Pending", "Queued", "ReadConfirmation"],
  ExecutionDetailSource: ["Credentials", "Internal", "Payload", "Webhook"],
  MarkAs: ["read", "seen", "unread", "unseen"]
}
