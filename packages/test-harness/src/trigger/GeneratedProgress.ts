/**
 * The jobs of a generated event, computed from its seed on every read, so they take no memory. Its providers and its
 * recipient exist only for this: the environment may have neither.
 */
import { channelOfProvider } from "@signalbox/core/Records"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type {
  EventRecord,
  IntegrationRecord,
  JobProviderId,
  JobRecord,
  ProgressRecord,
  StepRecord,
  WorkflowRecord
} from "../state/Records.ts"
import { deliver } from "./Deliver.ts"
import type { FailureKind } from "./FailureKind.ts"
import * as JobCourse from "./JobCourse.ts"

const providers: Readonly<Record<string, readonly [JobProviderId, ...ReadonlyArray<JobProviderId>]>> = {
  in_app: ["service"],
  email: ["sendgrid", "ses"],
  sms: ["twilio"],
  chat: ["slack", "msteams", "discord"],
  push: ["fcm", "apns", "expo"]
}

const likelyFailures: Readonly<Record<string, readonly [FailureKind, ...ReadonlyArray<FailureKind>]>> = {
  in_app: ["content-not-generated"],
  email: ["provider-unauthorized", "provider-forbidden", "provider-limit", "provider-outage"],
  sms: ["provider-limit", "recipient-rejected", "provider-outage"],
  chat: ["webhook-gone", "provider-outage"],
  push: ["token-unregistered"],
  custom: ["endpoint-failed", "bridge-failed"]
}

/** A given step fails in one of this many events. */
const eventsPerFailure = 12

interface Made {
  readonly job: JobRecord
  readonly end: number
}

/** The integration of the environment at the time of an event, or another one where it has none of the provider. */
const integrationOf = (
  { integrations }: EnvironmentState,
  { createdAt }: EventRecord,
  seed: number,
  providerId: JobProviderId
): IntegrationRecord => {
  const known = integrations.find((each) => each.providerId === providerId && each.createdAt <= createdAt)
  const made = {
    id: Random.objectId(seed, "integration", 1),
    identifier: `${providerId}-main`,
    name: providerId,
    providerId,
    channel: channelOfProvider(providerId) ?? "in_app",
    createdAt: 0
  }
  return { ...(known ?? made), active: true }
}

/** A recipient with an address for the channel of an integration, and for no other. */
const recipientOf = ({ channel, id, identifier, providerId }: IntegrationRecord) => ({
  ...(channel === "email" ? { email: "generated@example.test" } : {}),
  ...(channel === "sms" ? { phone: "+15550100" } : {}),
  channels: [
    {
      providerId,
      integrationId: id,
      integrationIdentifier: identifier,
      credentials: { deviceTokens: ["generated-token"], webhookUrl: "https://hooks.example.test/generated" }
    }
  ]
})

const make = (
  state: EnvironmentState,
  random: Random.Stream,
  step: StepRecord,
  start: number,
  event: EventRecord
): Made => {
  const pending = JobCourse.pending(event.createdAt)
  if (step.type === "digest" || step.type === "delay") {
    const end = start + JobCourse.waitOf(step)
    const waiting = JobCourse.waiting(pending, start, step)
    const begun = step.type === "digest" ? JobCourse.collecting(waiting, [event.payload]) : waiting
    return { job: JobCourse.waited(begun, end, step), end }
  }
  if (step.type === "throttle") return { job: JobCourse.passed(pending, start), end: start }
  const known = providers[step.type]
  const providerId = Random.pick<JobProviderId>(random, known ?? ["service"])
  const kinds = likelyFailures[step.type]
  const fails = kinds !== undefined && Random.whole(random, 1, eventsPerFailure) === 1
  const planned = fails ? Random.pick(random, kinds) : undefined
  const seed = Math.floor(random() * 0x100000000)
  const integration = integrationOf(state, event, seed, providerId)
  const subscriber = recipientOf(integration)
  const turn = { state: { ...state, integrations: [integration] }, event, step, subscriber, start, planned }
  const { course, end } = deliver(turn, seed)
  const chosen = JobCourse.pending(event.createdAt, known && providerId)
  return { job: JobCourse.sending(chosen, event, start, end, course), end }
}

export const generatedProgress = (
  state: EnvironmentState,
  event: EventRecord,
  workflow: WorkflowRecord
): ProgressRecord => {
  const random = Random.stream(event.seed ?? 0)
  let start = event.createdAt
  const jobs: Array<JobRecord> = []
  for (const step of workflow.steps) {
    if (!step.active) continue
    const made = make(state, random, step, start, event)
    jobs.push(made.job)
    start = made.end
  }
  return { jobs }
}
