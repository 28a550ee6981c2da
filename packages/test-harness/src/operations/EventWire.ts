/**
 * The wire form of an event with its jobs and execution details, as of a given time.
 */
import { type EnvironmentState, progressOf, subscriberOf, workflowOf } from "../state/EnvironmentState.ts"
import * as Random from "../state/Random.ts"
import type { DetailRecord, EventRecord, JobRecord, ProgressRecord, StepRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { generatedProgress } from "../trigger/GeneratedProgress.ts"
import { extraFields, present } from "./WireRecord.ts"
import { wireTime } from "./WireTime.ts"
import { filtersWire, metadataWire, templateWire, triggersWire } from "./WorkflowWire.ts"

/** The progress of the jobs of an event: stored, or computed from the event's seed. */
export const progressNow = (state: EnvironmentState, event: EventRecord): ProgressRecord => {
  const stored = progressOf(state, event.id)
  if (stored !== undefined) return stored
  const workflow = workflowOf(state, event.workflowId)
  return workflow === undefined || event.seed === undefined ? { jobs: [] } : generatedProgress(event, workflow)
}

interface Place {
  readonly state: EnvironmentState
  readonly switches: Switches
  readonly now: number
  readonly event: EventRecord
  readonly jobId: (number: number) => string
}

// A page of 50 events has hundreds of details: their fields are set one by one, without copies.
const detailWire = ({ switches }: Place, id: string, detail: DetailRecord): object => {
  const wire: Record<string, unknown> = {
    _id: id,
    createdAt: wireTime(switches, detail.at),
    status: detail.status,
    detail: detail.detail,
    isRetry: detail.isRetry ?? false,
    isTest: false
  }
  if (detail.providerId !== undefined) wire["providerId"] = detail.providerId
  if (detail.raw !== undefined) wire["raw"] = detail.raw
  else if (switches["detail.raw"] === "null") wire["raw"] = null
  wire["source"] = detail.source
  return wire
}

const stepWire = (switches: Switches, step: StepRecord): object =>
  present({
    _id: step.id,
    active: step.active,
    filters: filtersWire(switches, step),
    _templateId: step.templateId,
    name: step.name,
    _parentId: null,
    metadata: metadataWire(step),
    template: templateWire(switches, step)
  })

const digestWire = (switches: Switches, step: StepRecord, job: JobRecord): object | undefined => {
  const metadata = metadataWire(step)
  if (metadata === undefined) return undefined
  if (step.type === "delay" && switches["job.digestOfDelay"] === "absent") return undefined
  return { ...metadata, events: job.digested ?? [] }
}

const typeOf = (switches: Switches, type: string): string =>
  type === "custom" && switches["enum.values"] === "newer" ? "http_request" : type

const jobWire = (place: Place, step: StepRecord, job: JobRecord, at: number): object => {
  const { event, switches, now } = place
  const details = job.details.filter((detail) => detail.at <= now)
  const status = job.statuses.findLast((entry) => entry.at <= now)
  const detailId = Random.objectIds(Random.hash(place.state.idSeed, event.id, at), "detail")
  return present({
    _id: place.jobId(at),
    type: typeOf(switches, step.type),
    digest: digestWire(switches, step, job),
    executionDetails: details.map((detail, number) => detailWire(place, detailId(number), detail)),
    step: stepWire(switches, step),
    overrides: event.overrides,
    payload: switches["job.payload"] === "present" ? event.payload : undefined,
    providerId: job.providerId ?? (switches["job.providerId"] === "always" ? "service" : undefined),
    status: status?.status ?? "pending",
    updatedAt: wireTime(switches, Math.max(status?.at ?? event.createdAt, details.at(-1)?.at ?? event.createdAt)),
    ...extraFields(switches)
  })
}

const triggerJobWire = (place: Place): object => ({
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

/** The wire form of an event at a time. */
export const eventWire = (state: EnvironmentState, switches: Switches, now: number, event: EventRecord): object => {
  const jobId = Random.objectIds(Random.hash(state.idSeed, event.id), "job")
  const place: Place = { state, switches, now, event, jobId }
  const workflow = workflowOf(state, event.workflowId)
  const subscriber = subscriberOf(state, event.subscriberId)
  const progress = progressNow(state, event)
  const steps = workflow?.steps.filter(({ active }) => active) ?? []
  const jobs = progress.jobs.flatMap((job, at) => {
    const step = steps[at]
    return step === undefined ? [] : [jobWire(place, step, job, at)]
  })
  const optional = switches["event.optionalFields"] === "present"
  return present({
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
        ? present({
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
        ? { _id: workflow.id, name: workflow.name, origin: workflow.origin, triggers: triggersWire(workflow) }
        : undefined,
    jobs: switches["job.triggerJobs"] === "present" ? [triggerJobWire(place), ...jobs] : jobs,
    payload: optional ? event.payload : undefined,
    tags: optional ? event.tags : undefined,
    controls: optional ? {} : undefined,
    to: optional ? { subscriberId: event.subscriberId } : undefined,
    topics: event.topics.map(({ id, key }) => ({ _topicId: id, topicKey: key })),
    severity: event.severity ?? (switches["event.severityDefault"] === "none" ? "none" : undefined),
    critical: event.critical,
    contextKeys: event.contextKeys,
    ...extraFields(switches)
  })
}
