/**
 * The wordings of execution details: one row each, with what it says about its step. Compiled from version 3.15.0 of the
 * service; wordings of other versions are marked.
 *
 * A wording with a row is never guessed: the patterns of the rules only match wordings without one.
 */
import { comparableText, noActiveIntegration, skips } from "@signalbox/core/Records"

/**
 * The role of a detail: the `cause` of a failure or a warning; a `summary` of earlier details, which have the cause;
 * the reason for a `skipped` step, which is not a failure; the event that a step is `waiting` for; or `progress`.
 */
export type DetailKind = "cause" | "summary" | "skipped" | "waiting" | "progress"

/** One wording that a service writes into execution details. */
export interface DetailRow {
  /** The whole wording; `{…}` stands for any words. */
  readonly text: string
  readonly kind: DetailKind
  /** Ids of rules. The first that matches is the cause; the last one needs no match. `raw`: the patterns of all rules decide. */
  readonly causes?: ReadonlyArray<string> | "raw"
  /** Who writes it, if it is not the API or the worker of version 3.15.0. */
  readonly writer?: "earlier versions" | "earlier versions or other parts of the service"
}

const earlier = "earlier versions"
const other = "earlier versions or other parts of the service"

/** Its raw text has the template of the message and the values that it was rendered with. */
export const messageCreated = "Message created"

/** The rows. */
export const detailRows: ReadonlyArray<DetailRow> = [
  // The subscriber's data.
  { text: "Webhook URL for the chat channel is missing", kind: "cause", causes: ["webhook-url-missing"] },
  { text: "Subscriber is missing a phone number", kind: "cause", causes: ["phone-missing"] },
  { text: "Subscriber missing phone number", kind: "cause", causes: ["phone-missing"] },
  { text: "Subscriber missing email address", kind: "cause", causes: ["email-missing"] },
  { text: "Subscriber does not have a configured channel", kind: "cause", causes: ["channel-not-configured"] },
  {
    text: "Subscriber does not have a configured channel with the given context",
    kind: "cause",
    causes: ["channel-not-configured"]
  },
  {
    text: "Subscriber credentials is missing the tokens for sending a push notification message",
    kind: "cause",
    causes: ["device-token-missing"]
  },
  {
    text: "Invalid push device token was removed from subscriber",
    kind: "cause",
    causes: ["device-token-rejected"]
  },
  {
    text: "MS Teams channel or user not found",
    kind: "cause",
    causes: ["chat-recipient-not-found"],
    writer: other
  },
  { text: "MS Teams user not found", kind: "cause", causes: ["chat-recipient-not-found"], writer: other },

  // The environment and its integrations.
  {
    text: noActiveIntegration,
    kind: "cause",
    causes: [
      "integration-of-trigger-unknown",
      "channel-not-configured",
      "integration-switched-off",
      "environment-without-integration"
    ]
  },
  {
    text: "Provider is missing or not configured",
    kind: "cause",
    causes: ["environment-without-integration"],
    writer: other
  },
  {
    text: "Test provider can only be used to send emails to current logged in user",
    kind: "cause",
    causes: ["demo-provider"],
    writer: other
  },
  {
    text: "MS Teams bot is not installed in the team/channel or for the user",
    kind: "cause",
    causes: ["chat-app-not-allowed"],
    writer: other
  },
  {
    text: "Insufficient permissions to send MS Teams message",
    kind: "cause",
    causes: ["chat-app-not-allowed"],
    writer: other
  },
  {
    text: "Tenant admin consent not granted for MS Teams",
    kind: "cause",
    causes: ["chat-app-not-allowed"],
    writer: other
  },
  { text: "Invalid MS Teams bot credentials", kind: "cause", causes: ["provider-unauthorized"], writer: other },
  { text: "Inbound mail - Missing replay callback URL", kind: "cause", causes: ["reply-address-missing"] },
  { text: "Inbound mail - Missing configuration", kind: "cause", causes: ["reply-address-missing"] },
  { text: "Inbound mail - Missing MX Record configuration", kind: "cause", causes: ["reply-address-missing"] },
  { text: "Inbound mail - Missing MX route domain configuration", kind: "cause", causes: ["reply-address-missing"] },

  // The workflow and the payload of its trigger.
  { text: "Message content could not be generated", kind: "cause", causes: ["content-not-generated"] },
  {
    text: "Message content could not be generated due to syntax error in email editor",
    kind: "cause",
    causes: ["content-not-generated"],
    writer: other
  },
  { text: "Layout not found", kind: "cause", causes: ["layout-missing"] },
  { text: "Tenant identifier not found", kind: "cause", causes: ["tenant-missing"] },
  { text: "Processing step filter failed", kind: "cause", causes: ["conditions-failed"] },
  { text: "Invalid delay configuration", kind: "cause", causes: ["time-invalid"] },
  { text: "Throttle window date is in the past", kind: "cause", causes: ["time-invalid"] },

  // Your own endpoints. A failed bridge can be a fault of the workflow too.
  {
    text: "Bridge execution failed",
    kind: "cause",
    causes: ["earlier-result-invalid", "workflow-invalid", "bridge-failed"]
  },
  { text: "Step resolver execution failed", kind: "cause", causes: ["step-code-failed"] },
  { text: "Step resolver execution timeout", kind: "cause", causes: ["step-code-failed"], writer: other },
  {
    text: "Action step execution failed",
    kind: "cause",
    causes: ["http-request-invalid", "http-request-failed"]
  },
  { text: "Response body schema validation failed", kind: "cause", causes: ["http-response-invalid"] },
  { text: "HTTP request step received a non-object response", kind: "cause", causes: ["http-response-invalid"] },
  {
    text: "Failed to get response from remote webhook filter on last retry",
    kind: "cause",
    causes: ["condition-webhook-failed"]
  },

  // The provider.
  { text: "Unexpected provider error", kind: "cause", causes: "raw" },
  { text: "Message rejected", kind: "cause", causes: ["message-dropped"], writer: other },
  { text: "Message blocked", kind: "cause", causes: ["message-dropped"], writer: other },
  { text: "Message dropped", kind: "cause", causes: ["message-dropped"], writer: other },
  { text: "Message deferred", kind: "cause", causes: ["delivery-delayed"], writer: other },
  { text: "Message delayed", kind: "cause", causes: ["delivery-delayed"], writer: other },
  { text: "Message spam", kind: "cause", causes: ["taken-for-spam"], writer: other },
  { text: "Message bounced", kind: "cause", causes: ["recipient-refused"], writer: other },
  { text: "Message unsubscribed", kind: "cause", causes: ["recipient-opted-out"], writer: other },
  { text: "Message complaint", kind: "cause", causes: ["recipient-opted-out"], writer: other },

  // The plan and the service.
  { text: "Defer duration limit exceeded", kind: "cause", causes: ["wait-too-long"] },
  { text: "{vendor}'s provider limit has been reached", kind: "cause", causes: ["demo-provider-limit"] },
  { text: "Message unsnooze failed", kind: "cause", causes: ["unsnooze-failed"] },

  // The cause is in the details before them.
  { text: "All chat channels failed to send the message", kind: "summary", causes: ["all-chat-channels-failed"] },
  { text: "Some chat channels skipped to send the message", kind: "summary", causes: ["all-chat-channels-failed"] },
  { text: "Some push channels skipped to send the message", kind: "summary", causes: ["all-chat-channels-failed"] },
  {
    text: "There was one or more errors when trying to execute the notification",
    kind: "summary",
    // Without another failed detail, the subscriber's list of tokens is empty.
    causes: ["device-token-missing"]
  },

  // The step was skipped.
  ...skips.map(({ cause, ...row }) => Object.assign(row, { kind: "skipped" as const, causes: [cause] })),

  // The step waits.
  { text: "Step delayed", kind: "waiting", causes: ["delayed"] },
  {
    text: "Step was extended to the next available time in the subscriber schedule",
    kind: "waiting",
    causes: ["delayed"]
  },
  { text: "Step digested", kind: "waiting", causes: ["digest-open"] },
  { text: "Start digesting", kind: "waiting", causes: ["digest-open"], writer: earlier },
  { text: "Digesting events", kind: "waiting", causes: ["digest-open"], writer: earlier },
  { text: "Message snoozed", kind: "waiting", causes: ["snoozed"] },
  { text: "Webhook filter failed, retry will be executed", kind: "waiting", causes: ["condition-webhook-retry"] },

  // The step proceeds.
  { text: "Step queued", kind: "progress" },
  { text: messageCreated, kind: "progress", causes: ["variables-missing"] },
  { text: "Message sent", kind: "progress" },
  { text: "Message unsnoozed", kind: "progress" },
  { text: "Step processed", kind: "progress" },
  { text: "{provider} provider was selected", kind: "progress" },
  { text: "Layout selected", kind: "progress" },
  { text: "Tenant context selected", kind: "progress" },
  { text: "Variant was chosen by the provided condition criteria", kind: "progress" },
  { text: "Severity for the message was overridden", kind: "progress" },
  { text: "Topic subscription preference evaluated", kind: "progress" },
  { text: "Delay is finished", kind: "progress" },
  // A digest that fails could not read its events.
  { text: "Digest triggered events", kind: "progress", causes: ["digest-unreadable"] },
  {
    text: "Step was executed due to maximum number of subscriber schedule extensions reached",
    kind: "progress"
  },
  { text: "Step created", kind: "progress", writer: other },
  { text: "Step completed", kind: "progress", writer: earlier },
  { text: "Processing step filter", kind: "progress", writer: earlier },
  { text: "Integration instance selected", kind: "progress", writer: earlier },
  { text: "Message seen", kind: "progress", writer: other },
  { text: "Message read", kind: "progress", writer: other },
  { text: "Message clicked", kind: "progress", writer: other },
  { text: "Message delivered", kind: "progress", writer: other }
]

const isTemplate = ({ text }: DetailRow): boolean => text.includes("{")

const exact: ReadonlyMap<string, DetailRow> = new Map(
  detailRows.filter((row) => !isTemplate(row)).map((row) => [comparableText(row.text), row])
)

/** A wording with words that depend on the event, as its first and its last part. */
const templates = detailRows.filter(isTemplate).map((row) => {
  const [before = "", after = ""] = comparableText(row.text).split(/\{\w+\}/u)
  return { row, before, after }
})

const find = (text: string): DetailRow | undefined => {
  const wanted = comparableText(text)
  return (
    exact.get(wanted) ??
    templates.find(
      ({ before, after }) =>
        wanted.length > before.length + after.length && wanted.startsWith(before) && wanted.endsWith(after)
    )?.row
  )
}

/** Lists have thousands of details with a few dozen wordings. */
const found = new Map<string, DetailRow | undefined>()

const foundLimit = 1000

/** Returns the row of a detail; `undefined` if no row has its wording. */
export const rowOf = (text: string): DetailRow | undefined => {
  // No wording of the catalogue is as long; a hostile one can be a megabyte.
  if (text.length > 300) return undefined
  if (found.has(text)) return found.get(text)
  if (found.size >= foundLimit) found.clear()
  const row = find(text)
  found.set(text, row)
  return row
}
