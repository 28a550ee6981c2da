/**
 * The jobs of a generated event, computed from its seed on every read, so they take no memory.
 */
import * as Random from "../state/Random.ts"
import type {
  EventRecord,
  JobProviderId,
  JobRecord,
  ProgressRecord,
  StepRecord,
  WorkflowRecord
} from "../state/Records.ts"
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
  email: ["provider-unauthorized", "provider-outage-recovered", "provider-limit", "provider-outage"],
  sms: ["provider-limit", "rate-limited-recovered", "provider-outage"],
  chat: ["webhook-gone", "rate-limited-recovered", "provider-outage"],
  push: ["token-unregistered", "provider-outage-recovered"],
  custom: ["bridge-failed"]
}

/** A given step fails in one of this many events. */
const eventsPerFailure = 12

interface Made {
  readonly job: JobRecord
  readonly end: number
}

const make = (random: Random.Stream, step: StepRecord, start: number, event: EventRecord): Made => {
  const pending = JobCourse.pending(event.createdAt)
  if (step.type === "digest" || step.type === "delay") {
    const end = start + JobCourse.waitOf(step)
    const job = JobCourse.waited(JobCourse.waiting(pending, start, step), end, step)
    return { job: step.type === "digest" ? { ...job, digested: [event.payload] } : job, end }
  }
  const [first, ...others] = providers[step.type] ?? ["service"]
  const providerId = Random.pick(random, [first, ...others])
  const kinds = likelyFailures[step.type]
  const fails = kinds !== undefined && Random.whole(random, 1, eventsPerFailure) === 1
  const delivery = fails
    ? JobCourse.failing(Random.pick(random, kinds), start, providerId)
    : JobCourse.delivered(
        start + Random.whole(random, 40, 1800),
        providers[step.type] === undefined ? undefined : providerId
      )
  return { job: JobCourse.sending(pending, start, delivery), end: delivery.end }
}

/** The jobs of an event. */
export const generatedProgress = (event: EventRecord, workflow: WorkflowRecord): ProgressRecord => {
  const random = Random.stream(event.seed ?? 0)
  let start = event.createdAt
  const jobs: Array<JobRecord> = []
  for (const step of workflow.steps) {
    if (!step.active) continue
    const made = make(random, step, start, event)
    jobs.push(made.job)
    start = made.end
  }
  return { jobs }
}
