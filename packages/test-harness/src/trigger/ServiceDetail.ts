/**
 * Execution details in the words of the observed service: each string with the status that comes with it. The source is
 * always `Internal`: the service reserves the others for what providers report later.
 */
import type { DetailRecord, EventRecord, IntegrationRecord, JobProviderId } from "../state/Records.ts"

const strings = {
  queued: ["Pending", "Step queued"],
  created: ["Pending", "Message created"],
  sent: ["Success", "Message sent"],
  processed: ["Success", "Step processed"],
  digesting: ["Pending", "Step digested"],
  digested: ["Success", "Digest triggered events"],
  merged: ["Success", "Digest was merged with other digest"],
  delaying: ["Pending", "Step delayed"],
  delayed: ["Success", "Delay is finished"],
  throttled: ["Success", "Throttle limit exceeded for the given window"],
  conditionsNotMet: ["Failed", "Step was skipped based on steps conditions"],
  preferenceOff: ["Success", "Step filtered by subscriber workflow preferences"],
  previousStepFailed: ["Failed", "Step was canceled because a previous step failed"],
  noIntegration: ["Failed", "Subscriber does not have an active integration"],
  noChannel: ["Warning", "Subscriber does not have a configured channel"],
  noEmail: ["Failed", "Subscriber missing email address"],
  noPhone: ["Failed", "Subscriber missing phone number"],
  noWebhookUrl: ["Failed", "Webhook URL for the chat channel is missing"],
  noTokens: ["Failed", "Subscriber credentials is missing the tokens for sending a push notification message"],
  chatFailed: ["Failed", "All chat channels failed to send the message"],
  chatSkipped: ["Warning", "Some chat channels skipped to send the message"],
  pushFailed: ["Failed", "There was one or more errors when trying to execute the notification"],
  pushSkipped: ["Warning", "Some push channels skipped to send the message"],
  providerError: ["Failed", "Unexpected provider error"],
  contentError: ["Failed", "Message content could not be generated"],
  bridgeError: ["Failed", "Bridge execution failed"],
  endpointError: ["Failed", "Action step execution failed"]
} as const satisfies Readonly<Record<string, readonly [DetailRecord["status"], string]>>

export type DetailName = keyof typeof strings

/** An execution detail without its time and provider. */
export type Line = Pick<DetailRecord, "status" | "detail" | "raw" | "isRetry">

/** An execution detail; the service sends objects in `raw` as JSON. */
export const line = (name: DetailName, raw?: string | object): Line => {
  const [status, detail] = strings[name]
  if (raw === undefined) return { status, detail }
  return { status, detail, raw: typeof raw === "string" ? raw : JSON.stringify(raw) }
}

export const subscriptionIdentifier = (topicKey: string, subscriberId: string): string =>
  `tk_${topicKey}:si_${subscriberId}`

/** The start of a job that sends; it names the topics by which the event reached the subscriber. */
export const queued = ({ subscriberId, topics }: Pick<EventRecord, "subscriberId" | "topics">): Line =>
  topics.length === 0
    ? line("queued")
    : line("queued", {
        topics: topics.map(({ key }) => ({
          topic: key,
          preferenceEvaluation: { result: true, subscriptionIdentifier: subscriptionIdentifier(key, subscriberId) }
        }))
      })

const displayNames: Readonly<Partial<Record<JobProviderId, string>>> = {
  nodemailer: "Custom SMTP",
  sendgrid: "SendGrid",
  ses: "Amazon SES",
  "generic-sms": "SMS Webhook",
  fcm: "Firebase Cloud Messaging",
  apns: "APNS",
  expo: "Expo Push",
  "push-webhook": "Push Webhook",
  "whatsapp-business": "WhatsApp Business",
  msteams: "MSTeams"
}

/** The name under which the service shows a provider, in words where the id is not enough. */
const displayName = (providerId: JobProviderId): string =>
  displayNames[providerId] ?? providerId.replaceAll(/(?:^|-)[a-z]/gu, (start) => start.replace("-", " ").toUpperCase())

/** The fields of an integration that an execution detail names. */
export type SelectedIntegration = Pick<IntegrationRecord, "id" | "identifier" | "name" | "providerId">

/** The integration over which a step sends. */
export const selected = ({ id, identifier, name, providerId }: SelectedIntegration, environmentId: string): Line => ({
  status: "Pending",
  detail: `${displayName(providerId)} provider was selected`,
  raw: JSON.stringify({ providerId, identifier, name, _environmentId: environmentId, _id: id })
})

/** Execution details spread evenly over a time, the last one at its end. */
export const timed = (
  lines: ReadonlyArray<Line>,
  start: number,
  end: number,
  providerId?: JobProviderId
): ReadonlyArray<DetailRecord> =>
  lines.map((each, at) => ({
    at: start + Math.round(((end - start) * (at + 1)) / lines.length),
    source: "Internal",
    ...each,
    ...(providerId === undefined ? {} : { providerId })
  }))
