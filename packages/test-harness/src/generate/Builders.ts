/**
 * Typed builders: each takes a state and the fields that matter, fills in the rest from the state's seed, and returns
 * the new state with the record.
 */
import { channelOfProvider, isKnownJobProviderId } from "@signalbox/core/Provider"
import { inputCheck, NonEmpty } from "../Input.ts"
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
import * as Random from "../state/Random.ts"
import {
  type EventRecord,
  type IntegrationRecord,
  type MessageRecord,
  type StepRecord,
  timeUnits,
  type Wait,
  type WorkflowRecord
} from "../state/Records.ts"
import { ensureSubscriber } from "../state/Subscribers.ts"

/** The rule for a provider, for messages. */
export const providerRule = "a provider of the API document, such as fcm or sendgrid"

/** An integration to add: the provider and optional fields. */
export type IntegrationInput = Pick<IntegrationRecord, "providerId"> & Partial<IntegrationRecord>

/**
 * Adds an integration, active by default.
 *
 * @throws RangeError if the API document has no such provider.
 *
 * @internal
 */
export const addIntegration = (state: EnvironmentState, now: number, input: IntegrationInput) => {
  if (!isKnownJobProviderId(input.providerId)) {
    throw new RangeError(`integration.providerId: must be ${providerRule}, not ${JSON.stringify(input.providerId)}`)
  }
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

/** A step of a workflow to add: its kind and optional fields. */
export type StepInput = Pick<StepRecord, "type"> & Partial<StepRecord>

/** A workflow to add: its identifier, its steps and optional fields. */
export type WorkflowInput = Pick<WorkflowRecord, "identifier"> &
  Partial<Omit<WorkflowRecord, "steps">> & { readonly steps: ReadonlyArray<StepInput> }

const checkWait = (step: number, { amount, unit }: Wait): void => {
  if (amount >= 0 && timeUnits.includes(unit)) return
  throw new RangeError(
    `workflow.steps.${step}.wait: must be an amount from 0 and one of ${timeUnits.join(", ")}, not ${amount} ${unit}`
  )
}

const checkIdentifier = inputCheck("workflow.identifier", NonEmpty)

const checkWorkflow = ({ identifier, steps }: WorkflowInput): void => {
  checkIdentifier(identifier)
  for (const [step, { wait }] of steps.entries()) if (wait !== undefined) checkWait(step, wait)
}

/**
 * Adds a workflow.
 *
 * @throws RangeError if the identifier is empty, or the wait of a step is invalid.
 *
 * @internal
 */
export const addWorkflow = (before: EnvironmentState, now: number, input: WorkflowInput) => {
  checkWorkflow(input)
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

/** A message to add: its subscriber and optional fields. */
export type MessageInput = Pick<MessageRecord, "subscriberId"> & Partial<MessageRecord>

/** Adds a message, by default in the inbox and unseen; creates an unknown subscriber. @internal */
export const addMessage = (before: EnvironmentState, now: number, input: MessageInput) => {
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
    transactionId: Random.uuid(before.idSeed, "transaction", next.sequence),
    content: "You have a new notification",
    status: "sent",
    ...input
  }
  return { state: putMessage(next.state, message), message }
}

/** An event to add: its subscriber, its workflow (identifier, id or name) and optional fields. */
export type EventInput = Pick<EventRecord, "subscriberId"> & Partial<EventRecord> & { readonly workflow?: string }

/** Adds an event without running its jobs; they are computed from its seed when it is read. @internal */
export const addEvent = (before: EnvironmentState, now: number, input: EventInput) => {
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
    transactionId: Random.uuid(before.idSeed, "transaction", next.sequence),
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
