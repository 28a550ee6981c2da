/**
 * The delivery of a step that sends. It depends on the active integrations of the environment and on the subscriber's
 * credentials at that time, so fixing either and triggering again succeeds.
 */
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import * as Random from "../state/Random.ts"
import type {
  Channel,
  ChannelRecord,
  EventRecord,
  IntegrationRecord,
  JobProviderId,
  MessageDraft,
  StepRecord,
  SubscriberRecord
} from "../state/Records.ts"
import type { FailureKind } from "./FailureKind.ts"
import { delivered, type Delivery, failing, lacking } from "./JobCourse.ts"

const activeIntegrations = (state: EnvironmentState, channel: Channel): ReadonlyArray<IntegrationRecord> =>
  state.integrations
    .filter((integration) => integration.active && integration.channel === channel)
    .toSorted((one, other) => other.createdAt - one.createdAt)

interface Reachable {
  readonly providerId: JobProviderId
  readonly draft: MessageDraft
}

const missingOf = (channel: Channel, entry: ChannelRecord): string | undefined => {
  if (channel === "push") {
    return (entry.credentials.deviceTokens ?? []).length === 0 ? "Subscriber has no device tokens" : undefined
  }
  return entry.credentials.webhookUrl === undefined || entry.credentials.webhookUrl === ""
    ? "Webhook URL for the chat channel is missing"
    : undefined
}

/** The entries of a subscriber for active integrations, and what is missing from the unusable ones. */
const entries = (
  active: ReadonlyArray<IntegrationRecord>,
  channel: "chat" | "push",
  subscriber: SubscriberRecord
): {
  readonly reachable: ReadonlyArray<Reachable>
  readonly missing: ReadonlyArray<readonly [JobProviderId, string]>
} => {
  const reachable: Array<Reachable> = []
  const missing: Array<readonly [JobProviderId, string]> = []
  for (const entry of subscriber.channels) {
    const integration = active.find(({ id }) => id === entry.integrationId)
    if (integration === undefined) continue
    const { providerId } = integration
    const lack = missingOf(channel, entry)
    if (lack !== undefined) missing.push([providerId, lack])
    else if (channel === "push") {
      reachable.push({ providerId, draft: { channel, providerId, deviceTokens: entry.credentials.deviceTokens ?? [] } })
    } else {
      const { webhookUrl } = entry.credentials
      reachable.push({
        providerId,
        draft: { channel, providerId, ...(webhookUrl === undefined ? {} : { directWebhookUrl: webhookUrl }) }
      })
    }
  }
  return { reachable, missing }
}

interface Step {
  readonly state: EnvironmentState
  readonly event: EventRecord
  readonly step: StepRecord
  readonly subscriber: SubscriberRecord
  readonly start: number
  readonly planned: FailureKind | undefined
  /** Milliseconds that a delivery takes. */
  readonly takes: number
}

const simple = (
  { state, start, planned, takes }: Step,
  channel: "email" | "sms",
  address: string | null | undefined
): Delivery => {
  const [integration] = activeIntegrations(state, channel)
  if (planned === "no-active-integration" || integration === undefined) {
    return failing("no-active-integration", start, channel === "email" ? "service-email" : "service-sms")
  }
  const { providerId } = integration
  if (address == null || address === "") {
    const lack =
      channel === "email" ? "Subscriber does not have an email address" : "Subscriber does not have a phone number"
    return lacking(start + 70, [lack], "Payload", providerId)
  }
  const draft: MessageDraft =
    channel === "email" ? { channel, providerId, email: address } : { channel, providerId, phone: address }
  return planned === undefined
    ? delivered(start + takes, providerId, [draft])
    : failing(planned, start, providerId, [draft])
}

const byCredentials = ({ state, subscriber, start, planned, takes }: Step, channel: "chat" | "push"): Delivery => {
  const active = activeIntegrations(state, channel)
  const fallback: JobProviderId = channel === "chat" ? "service-slack" : "fcm"
  if (planned === "no-active-integration" || active.length === 0) {
    return failing("no-active-integration", start, fallback)
  }
  const { reachable, missing } = entries(active, channel, subscriber)
  const [first] = reachable
  if (first === undefined) {
    const [lack] = missing
    if (lack === undefined) {
      const detail = subscriber.channels.some(({ integrationId }) =>
        state.integrations.some(({ id, channel: kind }) => id === integrationId && kind === channel)
      )
        ? "Subscriber does not have an active integration"
        : "Subscriber does not have a configured channel"
      return lacking(start + 55, [detail], "Credentials")
    }
    const [providerId, detail] = lack
    const summary = channel === "chat" && missing.length > 1 ? ["Sending message failed on all chat channels"] : []
    return lacking(start + 55, [detail, ...summary], "Credentials", providerId)
  }
  const drafts = reachable.map(({ draft }) => draft)
  if (planned !== undefined) return failing(planned, start, first.providerId, drafts)
  const sent = delivered(start + takes, first.providerId, drafts)
  return missing.length === 0
    ? sent
    : {
        ...sent,
        details: [
          ...missing.map(([providerId, detail]) => ({
            at: start + 55,
            status: "Warning" as const,
            source: "Credentials" as const,
            detail,
            providerId
          })),
          ...sent.details
        ]
      }
}

const usual: Readonly<Record<string, readonly [number, number]>> = {
  in_app: [20, 90],
  email: [350, 2400],
  sms: [600, 3200],
  chat: [180, 900],
  push: [90, 700],
  custom: [120, 1500]
}

/** Assigns ids to the messages, and the id of the message to its success detail. */
const withIds = (delivery: Delivery, { state, event, step }: Omit<Step, "takes">): Delivery => {
  const seed = Random.hash(state.seed, event.id, step.id)
  const drafts = (delivery.drafts ?? []).map((draft, at) =>
    Object.assign({ id: Random.objectId(seed, "message", at + 1) }, draft)
  )
  const [first] = drafts
  if (first === undefined) return delivery
  const details = delivery.details.map((detail) =>
    detail.status === "Success" ? Object.assign({ raw: JSON.stringify({ messageId: first.id }) }, detail) : detail
  )
  return { ...delivery, details, drafts }
}

const send = (input: Omit<Step, "takes">): Delivery => {
  const { state, event, step, subscriber, start, planned } = input
  const [least, most] = usual[step.type] ?? [20, 90]
  const takes = Random.whole(Random.stream(Random.hash(state.seed, event.id, step.id)), least, most)
  const timed: Step = { ...input, takes }
  switch (step.type) {
    case "email":
      return simple(timed, "email", subscriber.email)
    case "sms":
      return simple(timed, "sms", subscriber.phone)
    case "chat":
    case "push":
      return byCredentials(timed, step.type)
    case "in_app":
      return planned === undefined
        ? delivered(start + takes, "service", [{ channel: "in_app", providerId: "service" }])
        : failing(planned, start, "service", [{ channel: "in_app", providerId: "service" }])
    default:
      return planned === undefined ? delivered(start + takes, undefined) : failing(planned, start, "service")
  }
}

/** Sends or fails; times vary with the seed. */
export const deliver = (input: Omit<Step, "takes">): Delivery => withIds(send(input), input)
