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
  readonly causes: ReadonlyArray<string> | "raw" | undefined
  /** Who writes it, if it is not the API or the worker of version 3.15.0. */
  readonly writer: "earlier versions" | "earlier versions or other parts of the service" | undefined
}

/** Makes a row; one cause may be written without its list. */
const row = (
  kind: DetailKind,
  text: string,
  causes?: string | ReadonlyArray<string>,
  writer?: DetailRow["writer"]
): DetailRow => ({
  text,
  kind,
  causes: typeof causes !== "string" || causes === "raw" ? causes : [causes],
  writer
})

const earlier = "earlier versions"
const other = "earlier versions or other parts of the service"

/** Its raw text has the template of the message and the values that it was rendered with. */
export const messageCreated = "Message created"

/** A provider accepted the message; in the form in which wordings are compared. */
export const messageSent = "message sent"

/** The rows. */
export const detailRows: ReadonlyArray<DetailRow> = [
  // The subscriber's data.
  row("cause", "Webhook URL for the chat channel is missing", "webhook-url-missing"),
  row("cause", "Subscriber is missing a phone number", "phone-missing"),
  row("cause", "Subscriber missing phone number", "phone-missing"),
  row("cause", "Subscriber missing email address", "email-missing"),
  row("cause", "Subscriber does not have a configured channel", "channel-not-configured"),
  row("cause", "Subscriber does not have a configured channel with the given context", "channel-not-configured"),
  row(
    "cause",
    "Subscriber credentials is missing the tokens for sending a push notification message",
    "device-token-missing"
  ),
  row("cause", "Invalid push device token was removed from subscriber", "device-token-rejected"),
  row("cause", "MS Teams channel or user not found", "chat-recipient-not-found", other),
  row("cause", "MS Teams user not found", "chat-recipient-not-found", other),

  // The environment and its integrations.
  row("cause", noActiveIntegration, [
    "integration-of-trigger-unknown",
    "channel-not-configured",
    "integration-switched-off",
    "environment-without-integration"
  ]),
  row("cause", "Provider is missing or not configured", "environment-without-integration", other),
  row("cause", "Test provider can only be used to send emails to current logged in user", "demo-provider", other),
  row("cause", "MS Teams bot is not installed in the team/channel or for the user", "chat-app-not-allowed", other),
  row("cause", "Insufficient permissions to send MS Teams message", "chat-app-not-allowed", other),
  row("cause", "Tenant admin consent not granted for MS Teams", "chat-app-not-allowed", other),
  row("cause", "Invalid MS Teams bot credentials", "provider-unauthorized", other),
  row("cause", "Inbound mail - Missing replay callback URL", "reply-address-missing"),
  row("cause", "Inbound mail - Missing configuration", "reply-address-missing"),
  row("cause", "Inbound mail - Missing MX Record configuration", "reply-address-missing"),
  row("cause", "Inbound mail - Missing MX route domain configuration", "reply-address-missing"),

  // The workflow and the payload of its trigger.
  row("cause", "Message content could not be generated", "content-not-generated"),
  row(
    "cause",
    "Message content could not be generated due to syntax error in email editor",
    "content-not-generated",
    other
  ),
  row("cause", "Layout not found", "layout-missing"),
  row("cause", "Tenant identifier not found", "tenant-missing"),
  row("cause", "Processing step filter failed", "conditions-failed"),
  row("cause", "Invalid delay configuration", "time-invalid"),
  row("cause", "Throttle window date is in the past", "time-invalid"),

  // Your own endpoints. A failed bridge can be a fault of the workflow too.
  row("cause", "Bridge execution failed", ["earlier-result-invalid", "workflow-invalid", "bridge-failed"]),
  row("cause", "Step resolver execution failed", "step-code-failed"),
  row("cause", "Step resolver execution timeout", "step-code-failed", other),
  row("cause", "Action step execution failed", ["http-request-invalid", "http-request-failed"]),
  row("cause", "Response body schema validation failed", "http-response-invalid"),
  row("cause", "HTTP request step received a non-object response", "http-response-invalid"),
  row("cause", "Failed to get response from remote webhook filter on last retry", "condition-webhook-failed"),

  // The provider.
  row("cause", "Unexpected provider error", "raw"),
  row("cause", "Message rejected", "message-dropped", other),
  row("cause", "Message blocked", "message-dropped", other),
  row("cause", "Message dropped", "message-dropped", other),
  row("cause", "Message deferred", "delivery-delayed", other),
  row("cause", "Message delayed", "delivery-delayed", other),
  row("cause", "Message spam", "taken-for-spam", other),
  row("cause", "Message bounced", "recipient-refused", other),
  row("cause", "Message unsubscribed", "recipient-opted-out", other),
  row("cause", "Message complaint", "recipient-opted-out", other),

  // The plan and the service.
  row("cause", "Defer duration limit exceeded", "wait-too-long"),
  row("cause", "{vendor}'s provider limit has been reached", "demo-provider-limit"),
  row("cause", "Message unsnooze failed", "unsnooze-failed"),

  // The cause is in the details before them.
  row("summary", "All chat channels failed to send the message", "all-chat-channels-failed"),
  row("summary", "Some chat channels skipped to send the message", "all-chat-channels-failed"),
  row("summary", "Some push channels skipped to send the message", "all-chat-channels-failed"),
  // Without another failed detail, the subscriber's list of tokens is empty.
  row("summary", "There was one or more errors when trying to execute the notification", "device-token-missing"),

  // The step was skipped.
  ...skips.map((skip) => row("skipped", skip.text, skip.cause, "writer" in skip ? skip.writer : undefined)),

  // The step waits.
  row("waiting", "Step delayed", "delayed"),
  row("waiting", "Step was extended to the next available time in the subscriber schedule", "delayed"),
  row("waiting", "Step digested", "digest-open"),
  row("waiting", "Start digesting", "digest-open", earlier),
  row("waiting", "Digesting events", "digest-open", earlier),
  row("waiting", "Message snoozed", "snoozed"),
  row("waiting", "Webhook filter failed, retry will be executed", "condition-webhook-retry"),

  // The step proceeds.
  row("progress", "Step queued"),
  row("progress", messageCreated, "variables-missing"),
  row("progress", "Message sent"),
  row("progress", "Message unsnoozed"),
  row("progress", "Step processed"),
  row("progress", "{provider} provider was selected"),
  row("progress", "Layout selected"),
  row("progress", "Tenant context selected"),
  row("progress", "Variant was chosen by the provided condition criteria"),
  row("progress", "Severity for the message was overridden"),
  row("progress", "Topic subscription preference evaluated"),
  row("progress", "Delay is finished"),
  // A digest that fails could not read its events.
  row("progress", "Digest triggered events", "digest-unreadable"),
  row("progress", "Step was executed due to maximum number of subscriber schedule extensions reached"),
  row("progress", "Step created", undefined, other),
  row("progress", "Step completed", undefined, earlier),
  row("progress", "Processing step filter", undefined, earlier),
  row("progress", "Integration instance selected", undefined, earlier),
  row("progress", "Message seen", undefined, other),
  row("progress", "Message read", undefined, other),
  row("progress", "Message clicked", undefined, other),
  row("progress", "Message delivered", undefined, other)
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
