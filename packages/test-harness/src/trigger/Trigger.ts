import { severities } from "@signalbox/core/internal/contract/KnownValues"
import * as HashMap from "effect/HashMap"
import * as Schema from "effect/Schema"
import { inputCheck, NonEmpty } from "../input/Input.ts"
import { meantBy } from "@signalbox/core/Nearest"
import { addEvent, type EnvironmentState, nextId, putProgress, workflowNamed } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { EventRecord, Severity, WorkflowRecord } from "../state/Records.ts"
import { ensureSubscriber } from "../state/Subscribers.ts"
import { providerOf } from "./Deliver.ts"
import { type FailureKind, failureKinds, plannedFor } from "./FailureKind.ts"
import * as JobCourse from "./JobCourse.ts"
import { settle, startJobs } from "./Settle.ts"

/** The input of a trigger. */
export interface TriggerInput {
  /** Identifier, internal id or name of the workflow. */
  readonly workflow: string
  /** External id of the subscriber; an unknown subscriber is created. */
  readonly to: string
  readonly payload?: JsonObject
  readonly overrides?: JsonObject
  /** Default: made from the seed. */
  readonly transactionId?: string
  /** Default: the severity of the workflow. */
  readonly severity?: Severity
  /** Keys of the topics that the event was sent to. */
  readonly topics?: ReadonlyArray<string>
  /** Each of the form `type:id`. */
  readonly contextKeys?: ReadonlyArray<string>
  /** Failures of this event, by name or type of the step. */
  readonly failures?: Readonly<Record<string, FailureKind>>
}

/** The schema of a trigger. @internal */
export const TriggerSchema = Schema.Struct({
  workflow: Schema.String,
  to: NonEmpty,
  payload: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  overrides: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  transactionId: Schema.optionalKey(Schema.String),
  severity: Schema.optionalKey(Schema.Literals(severities)),
  topics: Schema.optionalKey(Schema.Array(Schema.String)),
  contextKeys: Schema.optionalKey(Schema.Array(Schema.String)),
  failures: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(failureKinds)))
})

const checkInput = inputCheck("trigger", () => TriggerSchema)

/** The state after a trigger, and the event. @internal */
export interface Triggered {
  readonly state: EnvironmentState
  readonly event: EventRecord
}

const workflowFor = (state: EnvironmentState, name: string): WorkflowRecord => {
  const workflow = workflowNamed(state, name)
  if (workflow !== undefined) return workflow
  const known = [...HashMap.values(state.workflows)].map(({ identifier }) => identifier).toSorted()
  throw new RangeError(
    `trigger.workflow: no workflow ${JSON.stringify(name)}; ${known.length === 0 ? "add one first, with addWorkflow or POST /_fake/seed" : `expected one of: ${known.join(", ")}${meantBy(name, known)}`}`
  )
}

const checkFailures = (workflow: WorkflowRecord, failures: Readonly<Record<string, string>>): void => {
  const known = workflow.steps.map(({ name }) => name).join(", ")
  for (const step of Object.keys(failures)) {
    if (workflow.steps.some(({ name, type }) => name === step || type === step)) continue
    throw new RangeError(
      `trigger.failures.${step}: workflow ${workflow.identifier} has no such step; its steps: ${known}`
    )
  }
}

/**
 * Creates an event; its first job starts at once, the others follow as the clock advances.
 *
 * @throws RangeError for an unknown workflow, step, failure or option.
 *
 * @internal
 */
export const trigger = (before: EnvironmentState, now: number, input: TriggerInput): Triggered => {
  checkInput(input)
  return triggerChecked(before, now, input)
}

/** Creates an event from input of this package, which needs no check of its types. @internal */
export const triggerChecked = (before: EnvironmentState, now: number, input: TriggerInput): Triggered => {
  const settled = settle(before, now)
  const workflow = workflowFor(settled, input.workflow)
  checkFailures(workflow, input.failures ?? {})
  const { state: withSubscriber, subscriber } = ensureSubscriber(settled, now, input.to)
  const next = nextId(withSubscriber, "event")
  const steps = workflow.steps.filter(({ active }) => active)
  const severity = input.severity ?? workflow.severity
  const event: EventRecord = {
    id: next.id,
    sequence: next.sequence,
    createdAt: now,
    subscriberId: subscriber.subscriberId,
    workflowId: workflow.id,
    transactionId: input.transactionId ?? Random.transactionId(settled.idSeed, next.sequence),
    channels: [...new Set(steps.map(({ type }) => type))],
    ...(severity === undefined ? {} : { severity }),
    critical: workflow.critical,
    tags: workflow.tags,
    topics: (input.topics ?? []).map((key) => ({
      id: Random.objectId(settled.idSeed, "topic", Random.hash(key)),
      key,
      subscriptionId: Random.objectId(settled.idSeed, "subscription", Random.hash(`${key} ${subscriber.subscriberId}`))
    })),
    contextKeys: input.contextKeys ?? [],
    payload: input.payload ?? {},
    ...(input.overrides === undefined ? {} : { overrides: input.overrides })
  }
  let state = addEvent(next.state, event)
  state = putProgress(state, event.id, {
    jobs: steps.map((step) => JobCourse.pending(now, providerOf(settled, step, plannedFor(input.failures, step))))
  })
  if (input.failures !== undefined) {
    state = { ...state, planned: HashMap.set(state.planned, event.id, input.failures) }
  }
  return { state: settle(startJobs(state, event.id, now), now), event }
}
