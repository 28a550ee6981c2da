/**
 * Brings an environment up to date: jobs that are due start and finish, digests close, messages appear.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Agenda from "../clock/Agenda.ts"
import * as EventLog from "../state/EventLog.ts"
import {
  type EnvironmentState,
  nextId,
  progressOf,
  putMessage,
  putProgress,
  subscriberOf,
  workflowOf
} from "../state/EnvironmentState.ts"
import type {
  Appointment,
  EventRecord,
  JobRecord,
  MessageDraft,
  MessageRecord,
  ProgressRecord,
  StepRecord,
  SubscriberRecord
} from "../state/Records.ts"
import { digestValue, evaluate, filledIn } from "./Conditions.ts"
import { deliver } from "./Deliver.ts"
import { plannedFor } from "./FailureKind.ts"
import * as JobCourse from "./JobCourse.ts"

interface Turn {
  readonly event: EventRecord
  readonly progress: ProgressRecord
  readonly steps: ReadonlyArray<StepRecord>
  readonly step: StepRecord
  readonly job: JobRecord
  readonly subscriber: SubscriberRecord
  readonly at: number
  readonly number: number
}

const appoint = (
  state: EnvironmentState,
  eventId: string,
  job: number,
  what: Appointment["what"],
  at: number
): EnvironmentState => ({
  ...state,
  sequence: state.sequence + 1,
  agenda: Agenda.add(state.agenda, { at, sequence: state.sequence, eventId, job, what })
})

/** The state with the first job of an event due. */
export const startJobs = (state: EnvironmentState, eventId: string, at: number): EnvironmentState =>
  appoint(state, eventId, 0, "start", at)

const putJob = (state: EnvironmentState, { event, progress, number }: Turn, job: JobRecord): EnvironmentState =>
  putProgress(state, event.id, { ...progress, jobs: progress.jobs.with(number, job) })

const appointNext = (state: EnvironmentState, { event, number, steps, at }: Turn): EnvironmentState =>
  number + 1 < steps.length ? appoint(state, event.id, number + 1, "start", at) : state

/** Ends all jobs from a position on. */
const endRest = (
  state: EnvironmentState,
  { event, at }: Turn,
  from: number,
  end: (job: JobRecord, at: number) => JobRecord,
  digestedInto?: string
): EnvironmentState => {
  const progress = progressOf(state, event.id)
  if (progress === undefined) return state
  return putProgress(state, event.id, {
    jobs: progress.jobs.map((job, number) => (number < from ? job : end(job, at))),
    ...(digestedInto === undefined ? {} : { digestedInto })
  })
}

const startDigest = (state: EnvironmentState, turn: Turn): EnvironmentState => {
  const { event, step, at, number, job } = turn
  const key = [event.workflowId, event.subscriberId, step.id, digestValue(step, event)].join("\n")
  const open = Option.getOrUndefined(HashMap.get(state.digests, key))
  if (open !== undefined && open.until > at) {
    const payloads = [...open.payloads, event.payload]
    const owner = progressOf(state, open.eventId)
    const digests = HashMap.set(state.digests, key, { ...open, payloads })
    const taken = owner?.jobs[open.job]
    const own = putJob({ ...state, digests }, turn, JobCourse.merged(turn.job, at))
    const merged = endRest(own, turn, number + 1, JobCourse.mergedLater, open.eventId)
    return owner === undefined || taken === undefined
      ? merged
      : putProgress(merged, open.eventId, {
          ...owner,
          jobs: owner.jobs.with(open.job, JobCourse.collecting(taken, payloads))
        })
  }
  const until = at + JobCourse.waitOf(step)
  const digests = HashMap.set(state.digests, key, { eventId: event.id, job: number, until, payloads: [event.payload] })
  const begun = putJob(
    { ...state, digests },
    turn,
    JobCourse.collecting(JobCourse.waiting(job, at, step), [event.payload])
  )
  return appoint(begun, event.id, number, "finish", until)
}

const startThrottle = (state: EnvironmentState, turn: Turn): EnvironmentState => {
  const { event, step, at, job, number } = turn
  const key = [event.workflowId, event.subscriberId, step.id].join("\n")
  const window = JobCourse.waitOf(step)
  const passed = Option.getOrElse(HashMap.get(state.throttles, key), (): ReadonlyArray<number> => []).filter(
    (time) => time > at - window
  )
  const threshold = step.threshold ?? 1
  if (passed.length >= threshold) {
    const throttledUntil = new Date((passed[0] ?? at) + window).toISOString()
    const facts = { executionCount: passed.length, threshold, throttledUntil }
    const stopped = putJob(state, turn, JobCourse.throttled(job, at, facts))
    return endRest(stopped, turn, number + 1, JobCourse.throttledLater)
  }
  const throttles = HashMap.set(state.throttles, key, [...passed, at])
  return appointNext(putJob({ ...state, throttles }, turn, JobCourse.passed(job, at)), turn)
}

const start = (state: EnvironmentState, turn: Turn): EnvironmentState => {
  const { event, step, subscriber, at, job, number } = turn
  const filter = evaluate(step, event, subscriber)
  if (!filter.passed) return appointNext(putJob(state, turn, JobCourse.conditionsNotMet(job, at, filter)), turn)
  switch (step.type) {
    case "digest":
      return startDigest(state, turn)
    case "throttle":
      return startThrottle(state, turn)
    case "delay": {
      const begun = putJob(state, turn, JobCourse.waiting(job, at, step))
      return appoint(begun, event.id, number, "finish", at + JobCourse.waitOf(step))
    }
    default: {
      const planned = plannedFor(Option.getOrUndefined(HashMap.get(state.planned, event.id)), step)
      const { course, end } = deliver({ state, event, step, subscriber, start: at, planned })
      return appoint(
        putJob(state, turn, JobCourse.sending(job, event, at, end, course)),
        event.id,
        number,
        "finish",
        end
      )
    }
  }
}

const messageFrom = (turn: Turn, draft: MessageDraft, id: string, sequence: number): MessageRecord => {
  const { event, step, subscriber, at } = turn
  const subject = step.subject === undefined ? undefined : filledIn(step.subject, event, subscriber)
  const url = step.redirect === undefined ? undefined : filledIn(step.redirect, event, subscriber)
  const { errorId, errorText, ...addressed } = draft
  return {
    id,
    sequence,
    ...addressed,
    subscriberId: event.subscriberId,
    eventId: event.id,
    workflowId: event.workflowId,
    templateId: step.templateId,
    createdAt: at,
    ...(errorText === undefined ? { deliveredAt: [at] } : { errorText }),
    ...(errorId === undefined ? {} : { errorId }),
    status: errorText === undefined ? "sent" : "error",
    read: false,
    seen: false,
    transactionId: event.transactionId,
    ...(step.content === undefined ? {} : { content: filledIn(step.content, event, subscriber) }),
    ...(subject === undefined ? {} : draft.channel === "push" ? { title: subject } : { subject }),
    ...(draft.channel === "in_app" && (url !== undefined || step.buttons !== undefined)
      ? {
          cta: {
            type: "redirect",
            data: url === undefined ? {} : { url },
            ...(step.buttons === undefined ? {} : { action: { status: "pending", buttons: step.buttons } })
          }
        }
      : {}),
    payload: event.payload,
    ...(event.overrides === undefined ? {} : { overrides: event.overrides }),
    contextKeys: event.contextKeys
  }
}

const finish = (state: EnvironmentState, turn: Turn): EnvironmentState => {
  const { event, step, at, job, number } = turn
  if (step.type === "digest" || step.type === "delay") {
    return appointNext(putJob(state, turn, JobCourse.waited(job, at, step)), turn)
  }
  let left = state
  for (const draft of job.drafts ?? []) {
    const next = nextId(left, "message")
    left = putMessage(next.state, messageFrom(turn, draft, next.id, next.sequence))
  }
  const failed = job.statuses.at(-1)?.status === "failed"
  if (failed && step.stopOnFail) return endRest(left, turn, number + 1, JobCourse.canceled)
  return appointNext(left, { ...turn, event })
}

const turnOf = (state: EnvironmentState, appointment: Appointment): Turn | undefined => {
  const event = EventLog.find(state.events, appointment.eventId)
  const progress = progressOf(state, appointment.eventId)
  if (event === undefined || progress === undefined) return undefined
  const steps = workflowOf(state, event.workflowId)?.steps.filter(({ active }) => active) ?? []
  const step = steps[appointment.job]
  const job = progress.jobs[appointment.job]
  const subscriber = subscriberOf(state, event.subscriberId)
  if (step === undefined || job === undefined || subscriber === undefined) return undefined
  return { event, progress, steps, step, job, subscriber, at: appointment.at, number: appointment.job }
}

/** The state at a time; the same value when nothing was due. */
export const settle = (state: EnvironmentState, now: number): EnvironmentState => {
  let settled = state
  for (let next = settled.agenda; next !== undefined && next.first.at <= now; next = settled.agenda) {
    const { first } = next
    const without = { ...settled, agenda: Agenda.rest(next) }
    const turn = turnOf(without, first)
    settled = turn === undefined ? without : first.what === "start" ? start(without, turn) : finish(without, turn)
  }
  return settled
}
