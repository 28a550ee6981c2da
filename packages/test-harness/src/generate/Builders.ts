/**
 * Typed builders: each takes a state and the fields that matter, fills in the rest from the state's seed, and returns
 * the new state with the record.
 */
import { channelOfProvider } from "@signalbox/core/Records"
import * as EventLog from "../state/EventLog.ts"
import {
  addEvent as storeEvent,
  type EnvironmentState,
  nextId,
  putIntegration,
  putMessage,
  putWorkflow,
  workflowNamed
} from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import {
  type EventRecord,
  type IntegrationRecord,
  type MessageRecord,
  type StepRecord,
  type WorkflowRecord
} from "../state/Records.ts"
import type { Fields, StepInput } from "../state/RecordInput.ts"
import { ensureSubscriber } from "../state/Subscribers.ts"

/** Adds an integration, active by default. @internal */
export const addIntegration = (
  state: EnvironmentState,
  now: number,
  input: Fields<IntegrationRecord, "providerId">
) => {
  const next = nextId(state, "integration")
  const integration: IntegrationRecord = {
    id: next.id,
    identifier: `${input.providerId}-${next.id.slice(-4)}`,
    name: input.providerId,
    channel: channelOfProvider(input.providerId) ?? "sms",
    active: true,
    createdAt: now,
    ...input
  }
  return { state: putIntegration(next.state, integration), integration }
}

/** The fields of a workflow to add. @internal */
export type WorkflowFields = Omit<Fields<WorkflowRecord, "identifier">, "steps"> & {
  readonly steps: ReadonlyArray<StepInput>
}

/** Adds a workflow. @internal */
export const addWorkflow = (before: EnvironmentState, now: number, input: WorkflowFields) => {
  const next = nextId(before, "workflow")
  let { state } = next
  const steps: Array<StepRecord> = []
  for (const step of input.steps) {
    const made = nextId(state, "step")
    const template = nextId(made.state, "template")
    ;({ state } = template)
    const defaults: Omit<StepRecord, "type"> = {
      id: made.id,
      templateId: template.id,
      name: step.type,
      active: true,
      stopOnFail: false,
      filters: []
    }
    steps.push(Object.assign(defaults, step))
  }
  const workflow: WorkflowRecord = {
    id: next.id,
    name: input.identifier,
    description: "",
    active: true,
    critical: false,
    tags: [],
    origin: "service-cloud",
    variables: [],
    createdAt: now,
    ...input,
    steps
  }
  return { state: putWorkflow(state, workflow), workflow }
}

/** Adds a message, by default in the inbox and unseen; creates an unknown subscriber. @internal */
export const addMessage = (before: EnvironmentState, now: number, input: Fields<MessageRecord, "subscriberId">) => {
  const next = nextId(ensureSubscriber(before, now, input.subscriberId).state, "message")
  const message: MessageRecord = {
    id: next.id,
    sequence: next.sequence,
    eventId: Random.objectId(before.idSeed, "event", next.sequence),
    channel: "in_app",
    providerId: "service",
    createdAt: now,
    deliveredAt: [now],
    read: false,
    seen: false,
    transactionId: Random.transactionId(before.idSeed, next.sequence),
    content: "You have a new notification",
    status: "sent",
    ...input
  }
  return { state: putMessage(next.state, message), message }
}

/** The fields of an event to add; `workflow` is an identifier, an id or a name. @internal */
export type EventFields = Fields<EventRecord, "subscriberId"> & { readonly workflow?: string }

/** Adds an event without running its jobs; they are computed from its seed when it is read. @internal */
export const addEvent = (before: EnvironmentState, now: number, input: EventFields) => {
  const { workflow: name, ...given } = input
  const workflow = name === undefined ? undefined : workflowNamed(before, name)
  if (name !== undefined && workflow === undefined) {
    throw new RangeError(`addEvent: unknown workflow ${JSON.stringify(name)}; add it first`)
  }
  const next = nextId(ensureSubscriber(before, now, input.subscriberId).state, "event")
  if (given.id !== undefined && EventLog.find(before.events, given.id) !== undefined) {
    throw new RangeError(`addEvent: an event with id ${given.id} already exists`)
  }
  const event: EventRecord = {
    id: next.id,
    sequence: next.sequence,
    createdAt: now,
    workflowId: workflow?.id ?? Random.objectId(before.idSeed, "workflow", 0),
    transactionId: Random.transactionId(before.idSeed, next.sequence),
    channels: [...new Set((workflow?.steps ?? []).filter(({ active }) => active).map(({ type }) => type))],
    critical: workflow?.critical ?? false,
    tags: workflow?.tags ?? [],
    topics: [],
    contextKeys: [],
    payload: {},
    seed: Random.hash(before.seed, next.sequence),
    ...(workflow?.severity === undefined ? {} : { severity: workflow.severity }),
    ...given
  }
  return { state: storeEvent(next.state, event), event }
}
