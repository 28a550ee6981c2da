/**
 * The jobs of a generated event, computed from its seed on every read, so they take no memory.
 */
import { type EnvironmentState, layoutId } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type {
  EventRecord,
  JobProviderId,
  JobRecord,
  ProgressRecord,
  StepRecord,
  WorkflowRecord
} from "../state/Records.ts"
import { type Course, courseOf, join, send } from "./Attempt.ts"
import { endOf } from "./Deliver.ts"
import { endingOf, type FailureKind } from "./FailureKind.ts"
import * as JobCourse from "./JobCourse.ts"
import * as Sendings from "./Sendings.ts"
import { line, selected } from "./ServiceDetail.ts"

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

const courseOfStep = (
  state: EnvironmentState,
  content: Sendings.Content,
  providerId: JobProviderId,
  planned: FailureKind | undefined,
  end: number
): Course => {
  const { seed, template: step } = content
  const ending = planned === undefined ? undefined : endingOf(planned, step.type)
  if (ending !== undefined) return providers[step.type] === undefined ? ending : { ...ending, providerId }
  const integration = {
    providerId,
    identifier: `${providerId}-main`,
    name: providerId,
    id: Random.objectId(seed, "integration", 1)
  }
  const over = (sending: Parameters<typeof send>[0]) =>
    join(selected(integration, state.environmentId), [send(sending, planned)])
  switch (step.type) {
    case "in_app":
      return courseOf([send(Sendings.inApp, planned)], providerId)
    case "email":
      return courseOf([over(Sendings.email(providerId, undefined, content, end))], providerId)
    case "sms":
      return courseOf([over(Sendings.sms(providerId, "+15550100", content, end))], providerId)
    case "chat":
      return courseOf(
        [over(Sendings.chat(providerId, "https://hooks.example.test/generated", content, end))],
        providerId,
        "chat"
      )
    case "push":
      return courseOf([over(Sendings.push(providerId, "generated-token", content, end))], providerId, "push")
    default:
      return { lines: [line("processed", Sendings.endpointResponse(end))], outcome: "completed" }
  }
}

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
  const [first, ...others] = providers[step.type] ?? ["service"]
  const providerId = Random.pick(random, [first, ...others])
  const kinds = likelyFailures[step.type]
  const fails = kinds !== undefined && Random.whole(random, 1, eventsPerFailure) === 1
  const planned = fails ? Random.pick(random, kinds) : undefined
  const seed = Math.floor(random() * 0x100000000)
  const end = endOf(step, seed, start, planned)
  const content = { seed, layoutId: layoutId(state), template: step, text: step.content ?? "", payload: event.payload }
  return {
    job: JobCourse.sending(pending, event, start, end, courseOfStep(state, content, providerId, planned, end)),
    end
  }
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
