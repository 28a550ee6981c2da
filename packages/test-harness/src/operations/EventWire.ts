import type {
  ActivityJob,
  ActivityNotification,
  ActivityStep,
  ActivitySubscriber,
  ActivityTemplate,
  DigestMetadata,
  ExecutionDetail
} from "@signalbox/core/Records"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import { type EnvironmentState, progressOf, subscriberOf, workflowOf } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { DetailRecord, EventRecord, JobRecord, ProgressRecord, StepRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { generatedProgress } from "../trigger/GeneratedProgress.ts"
import { subscriptionIdentifier } from "../trigger/ServiceDetail.ts"
import { extraFields, notSent, present, stored, wireTime } from "./WireRecord.ts"
import { filtersWire, metadataWire, templateWire, triggersWire } from "./WorkflowWire.ts"

/** The progress of the jobs of an event: stored, or computed from the event's seed. */
export const progressNow = (state: EnvironmentState, event: EventRecord): ProgressRecord => {
  const stored = progressOf(state, event.id)
  if (stored !== undefined) return stored
  const workflow = workflowOf(state, event.workflowId)
  return workflow === undefined || event.seed === undefined ? { jobs: [] } : generatedProgress(state, event, workflow)
}

interface Place {
  readonly state: EnvironmentState
  readonly switches: Switches
  readonly now: number
  readonly event: EventRecord
  /** The active steps of the workflow. */
  readonly steps: ReadonlyArray<StepRecord>
  readonly jobId: (number: number) => string
}

const detailWire = ({ switches }: Place, id: string, detail: DetailRecord): ExecutionDetail =>
  present<ExecutionDetail>({
    _id: id,
    createdAt: wireTime(switches, detail.at),
    status: detail.status,
    detail: detail.detail,
    isRetry: detail.isRetry ?? false,
    isTest: false,
    providerId: detail.providerId,
    raw: detail.raw ?? (switches["detail.raw"] === "null" ? null : undefined),
    source: detail.source
  })

/** The service has these in the metadata of every step. */
const timed = { weekDays: [], monthDays: [] }

const stepWire = ({ state, switches, steps }: Place, step: StepRecord, at: number): ActivityStep =>
  present<ActivityStep>({
    _id: step.id,
    active: step.active,
    metadata: { timed, ...metadataWire(step) },
    _templateId: step.templateId,
    name: step.name,
    _parentId: steps[at - 1]?.id ?? null,
    filters: filtersWire(switches, step),
    template: templateWire(state, switches, step),
    variants: [],
    replyCallback: notSent,
    controlVariables: notSent,
    issues: notSent
  })

/** The service lists the events of a digest when it is complete. */
const digestWire = (
  switches: Switches,
  step: StepRecord,
  job: JobRecord,
  status: string
): DigestMetadata | undefined => {
  const metadata = metadataWire(step)
  if (metadata === undefined) return undefined
  if (step.type === "delay" && switches["job.digestOfDelay"] === "absent") return undefined
  const collected = status === "completed" ? (job.digested ?? []) : []
  const events = collected.map((payload) => stored(switches, payload) ?? null)
  const { amount, digestKey = "No-Key-Provided", type, unit } = metadata
  return present<DigestMetadata>({
    digestKey,
    amount,
    unit,
    type,
    events,
    backoff: notSent,
    backoffAmount: notSent,
    backoffUnit: notSent,
    updateMode: notSent,
    timed: notSent
  })
}

const typeOf = (switches: Switches, type: string): string =>
  type === "custom" && switches["enum.values"] === "newer" ? "http_request" : type

const jobWire = (place: Place, step: StepRecord, job: JobRecord, at: number): ActivityJob => {
  const { event, switches, now } = place
  const details = job.details.filter((detail) => detail.at <= now)
  const status = job.statuses.findLast((entry) => entry.at <= now)
  const detailId = Random.objectIds(Random.hash(place.state.idSeed, event.id, at), "detail")
  return present<ActivityJob>({
    _id: place.jobId(at),
    type: typeOf(switches, step.type),
    digest: digestWire(switches, step, job, status?.status ?? "pending"),
    executionDetails: details.map((detail, number) => detailWire(place, detailId(number), detail)),
    step: stepWire(place, step, at),
    overrides: stored(switches, event.overrides),
    payload: switches["job.payload"] === "present" ? stored(switches, event.payload) : undefined,
    providerId: job.providerId ?? (switches["job.providerId"] === "always" ? "service" : undefined),
    status: status?.status ?? "pending",
    updatedAt: wireTime(switches, Math.max(status?.at ?? event.createdAt, details.at(-1)?.at ?? event.createdAt)),
    scheduleExtensionsCount: notSent,
    ...extraFields(switches)
  })
}

const triggerJobWire = (place: Place): ActivityJob => ({
  _id: place.jobId(999),
  type: "trigger",
  executionDetails: [],
  step: { _id: "", active: true, filters: [], _templateId: "" },
  providerId: "service",
  status: "completed"
})

const lastChange = (progress: ProgressRecord, event: EventRecord, now: number): number =>
  progress.jobs.reduce(
    (latest, job) =>
      [...job.details, ...job.statuses].reduce((last, { at }) => (at <= now && at > last ? at : last), latest),
    event.createdAt
  )

/** The subscriber as the trigger named it, and the topics by which the event reached it. */
const toWire = (state: EnvironmentState, { subscriberId, topics }: EventRecord): JsonObject => {
  const subscribed = topics.map(({ id, key }) => ({
    _topicId: id,
    topicKey: key,
    _topicSubscriptionId: Random.objectId(Random.hash(state.idSeed, subscriberId, id), "subscription", 1),
    subscriptionIdentifier: subscriptionIdentifier(key, subscriberId)
  }))
  return subscribed.length === 0 ? { subscriberId } : { subscriberId, topics: subscribed }
}

export const eventWire = (
  state: EnvironmentState,
  switches: Switches,
  now: number,
  event: EventRecord
): ActivityNotification => {
  const jobId = Random.objectIds(Random.hash(state.idSeed, event.id), "job")
  const workflow = workflowOf(state, event.workflowId)
  const steps = workflow?.steps.filter(({ active }) => active) ?? []
  const place: Place = { state, switches, now, event, steps, jobId }
  const subscriber = subscriberOf(state, event.subscriberId)
  const progress = progressNow(state, event)
  const jobs = progress.jobs.flatMap((job, at) => {
    const step = steps[at]
    return step === undefined ? [] : [jobWire(place, step, job, at)]
  })
  const optional = switches["event.optionalFields"] === "present"
  return present<ActivityNotification>({
    _id: event.id,
    _environmentId: state.environmentId,
    _organizationId: state.organizationId,
    _subscriberId: subscriber?.id ?? Random.objectId(state.idSeed, event.subscriberId, 0),
    transactionId: event.transactionId,
    _templateId: event.workflowId,
    _digestedNotificationId: progress.digestedInto,
    createdAt: wireTime(switches, event.createdAt),
    updatedAt: wireTime(switches, lastChange(progress, event, now)),
    channels: event.channels.map((type) => typeOf(switches, type)),
    subscriber:
      optional && subscriber !== undefined
        ? present<ActivitySubscriber>({
            _id: subscriber.id,
            subscriberId: subscriber.subscriberId,
            firstName: subscriber.firstName ?? undefined,
            lastName: subscriber.lastName ?? undefined,
            email: subscriber.email ?? undefined,
            phone: subscriber.phone ?? undefined
          })
        : undefined,
    template:
      optional && workflow !== undefined
        ? present<ActivityTemplate>({
            _id: workflow.id,
            name: workflow.name,
            origin: workflow.origin,
            triggers: triggersWire(state, switches, workflow)
          })
        : undefined,
    jobs: switches["job.triggerJobs"] === "present" ? [triggerJobWire(place), ...jobs] : jobs,
    payload: optional ? stored(switches, event.payload) : undefined,
    tags: optional ? event.tags : undefined,
    controls: optional ? stored(switches, {}) : undefined,
    to: optional ? toWire(state, event) : undefined,
    topics: event.topics.map(({ id, key }) => ({ _topicId: id, topicKey: key })),
    severity: event.severity ?? (switches["event.severityDefault"] === "none" ? "none" : undefined),
    critical: event.critical,
    contextKeys: event.contextKeys,
    ...extraFields(switches)
  })
}
