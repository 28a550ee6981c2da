/**
 * The delivery of a step that sends. It depends on the active integrations of the environment and on the subscriber's
 * credentials at that time, so fixing either and triggering again succeeds.
 */
import { channelOfProvider } from "@signalbox/core/Records"
import { type EnvironmentState, layoutId } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type {
  ChannelRecord,
  EventRecord,
  IntegrationRecord,
  JobProviderId,
  StepRecord,
  SubscriberRecord
} from "../state/Records.ts"
import { type Attempt, type Course, courseOf, join, send, type Sending, unaddressed, without } from "./Attempt.ts"
import { filledIn } from "./Conditions.ts"
import { endingOf, type FailureKind, rejectionOf } from "./FailureKind.ts"
import * as Sendings from "./Sendings.ts"
import { line, selected } from "./ServiceDetail.ts"

const activeIntegrations = (state: EnvironmentState, channel: StepRecord["type"]): ReadonlyArray<IntegrationRecord> =>
  state.integrations
    .filter((integration) => integration.active && integration.channel === channel)
    .toSorted((one, other) => other.createdAt - one.createdAt)

/** The provider of a job before it starts: that of an active integration. */
export const providerOf = (
  state: EnvironmentState,
  { type }: StepRecord,
  planned: FailureKind | undefined
): JobProviderId | undefined => {
  if (planned === "no-active-integration") return undefined
  return type === "in_app" ? "service" : activeIntegrations(state, type)[0]?.providerId
}

interface Turn {
  readonly state: EnvironmentState
  readonly event: EventRecord
  readonly step: StepRecord
  readonly subscriber: Partial<SubscriberRecord>
  readonly start: number
  readonly planned: FailureKind | undefined
}

/** A turn with the time at which the provider responds, and the content of the message. */
interface Delivery extends Turn {
  readonly end: number
  readonly content: Sendings.Content
}

const simple = (delivery: Delivery, channel: "email" | "sms", address: string | null | undefined): Course => {
  const { content, end, planned, state } = delivery
  const [integration] = activeIntegrations(state, channel)
  if (integration === undefined) return { lines: [line("noIntegration")], outcome: "failed" }
  const { providerId } = integration
  const sending =
    channel === "email"
      ? Sendings.email(providerId, address ?? undefined, content, end)
      : Sendings.sms(providerId, address ?? undefined, content, end)
  const attempt =
    address == null || address === ""
      ? unaddressed(sending, line(channel === "email" ? "noEmail" : "noPhone"))
      : send(sending, planned)
  return courseOf([join(selected(integration, state.environmentId), [attempt])], providerId)
}

/** Integrations by the subscriber's entries for them. */
const integrationOf = (state: EnvironmentState, entry: ChannelRecord): IntegrationRecord | undefined =>
  state.integrations.find(({ active, id }) => active && id === entry.integrationId)

const chatAttempt = (delivery: Delivery, entry: ChannelRecord): Attempt => {
  const { content, end, planned, state } = delivery
  const integration = integrationOf(state, entry)
  if (integration === undefined) {
    const raw = `Integration with integrationId: ${entry.integrationId} is either deleted or not active`
    return without("failed", line("noIntegration", raw))
  }
  const { webhookUrl } = entry.credentials
  const sending = Sendings.chat(integration.providerId, webhookUrl, content, end)
  const attempt =
    webhookUrl === undefined || webhookUrl === ""
      ? unaddressed(sending, line("noWebhookUrl", `webhookUrl for integrationId: ${integration.identifier} is missing`))
      : send(sending, planned)
  return join(selected(integration, state.environmentId), [attempt])
}

/** The service also tries WhatsApp for each subscriber with a phone number. */
const whatsAppAttempts = ({ content, end, planned, state, subscriber }: Delivery): ReadonlyArray<Attempt> => {
  const { phone } = subscriber
  if (phone == null || phone === "") return []
  const integration = activeIntegrations(state, "chat").find(({ providerId }) => providerId === "whatsapp-business")
  if (integration === undefined) {
    return [without("failed", line("noIntegration", "Integration is either deleted or not active"))]
  }
  const sending = Sendings.chat(integration.providerId, undefined, content, end)
  return [
    join(selected(integration, state.environmentId), [
      send({ ...sending, draft: { ...sending.draft, phone } }, planned)
    ])
  ]
}

const pushAttempt = (delivery: Delivery, entry: ChannelRecord): Attempt => {
  const { content, end, planned, state } = delivery
  const integration = integrationOf(state, entry)
  if (integration === undefined) return without("failed", line("noIntegration"))
  const { deviceTokens } = entry.credentials
  if (deviceTokens === undefined) return without("skipped", line("noTokens"))
  const sendings = deviceTokens.map((token) => Sendings.push(integration.providerId, token, content, end))
  return join(
    selected(integration, state.environmentId),
    sendings.map((sending: Sending) => send(sending, planned))
  )
}

const byCredentials = (delivery: Delivery, channel: "chat" | "push"): Course => {
  const { state, subscriber } = delivery
  const entries = (subscriber.channels ?? []).filter(({ providerId }) => channelOfProvider(providerId) === channel)
  const attempts =
    channel === "chat"
      ? [...entries.map((entry) => chatAttempt(delivery, entry)), ...whatsAppAttempts(delivery)]
      : entries.map((entry) => pushAttempt(delivery, entry))
  const used = entries.map((entry) => integrationOf(state, entry)).find((integration) => integration !== undefined)
  const providerId = (used ?? activeIntegrations(state, channel)[0])?.providerId
  return attempts.length === 0
    ? { ...courseOf([], providerId), lines: [line("noChannel")] }
    : courseOf(attempts, providerId, channel)
}

const usual: Readonly<Record<string, readonly [number, number]>> = {
  in_app: [20, 90],
  email: [350, 2400],
  sms: [600, 3200],
  chat: [180, 900],
  push: [90, 700],
  custom: [120, 1500]
}

/** Milliseconds that failures take which are not usual. */
const slow: Readonly<Partial<Record<FailureKind, number>>> = {
  "provider-outage": 10_000,
  "provider-unreachable": 30_000,
  "provider-outage-recovered": 10_800,
  "rate-limited-recovered": 31_000,
  "bridge-failed": 5000
}

/** When a step that starts at a time ends; it depends on the kind of step, on the seed and on the failure. */
const endOf = (step: StepRecord, seed: number, start: number, planned: FailureKind | undefined): number => {
  const [least, most] = usual[step.type] ?? [20, 90]
  const takes = Random.whole(Random.stream(seed), least, most)
  return start + ((planned === undefined ? undefined : slow[planned]) ?? takes)
}

const called = (end: number, planned: FailureKind | undefined): Course => {
  const processed = line("processed", Sendings.endpointResponse(end))
  const rejection = planned === undefined ? undefined : rejectionOf(planned)
  if (rejection === undefined) return { lines: [processed], outcome: "completed" }
  const { message, recovers, status, title } = rejection
  const failed = line("endpointError", { error: status === undefined ? message : `Response code ${status} (${title})` })
  return recovers === true
    ? { lines: [failed, { ...processed, isRetry: true }], outcome: "completed" }
    : { lines: [failed], outcome: "failed" }
}

const courseOfStep = (delivery: Delivery): Course => {
  const { end, planned, step, subscriber } = delivery
  const ending = planned === undefined ? undefined : endingOf(planned, step.type)
  if (ending !== undefined) return ending
  switch (step.type) {
    case "email":
      return simple(delivery, "email", subscriber.email)
    case "sms":
      return simple(delivery, "sms", subscriber.phone)
    case "chat":
    case "push":
      return byCredentials(delivery, step.type)
    case "in_app":
      return courseOf([send(Sendings.inApp, planned)], "service")
    default:
      return called(end, planned)
  }
}

/** Sends or fails; times vary with the seed. */
export const deliver = (
  turn: Turn,
  seed = Random.hash(turn.state.seed, turn.event.id, turn.step.id)
): { readonly course: Course; readonly end: number } => {
  const { event, planned, start, state, step, subscriber } = turn
  const end = endOf(step, seed, start, planned)
  const content: Sendings.Content = {
    seed,
    layoutId: layoutId(state),
    template: step,
    text: filledIn(step.content ?? "", event, subscriber),
    payload: event.payload
  }
  return { course: courseOfStep({ ...turn, end, content }), end }
}
