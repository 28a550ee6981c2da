/**
 * All state behind one API key: one immutable value. A change makes a new value that shares everything unchanged, so
 * resetting an environment restores the old value.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { Agenda } from "../clock/Agenda.ts"
import type { Buckets } from "./Buckets.ts"
import * as EventLog from "./EventLog.ts"
import * as Random from "../random/Random.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { KeptKeys } from "./KeptKeys.ts"
import type {
  Appointment,
  EventRecord,
  IntegrationRecord,
  MessageRecord,
  ProgressRecord,
  SubscriberRecord,
  WorkflowRecord
} from "./Records.ts"

/** A digest that still accepts events. */
export interface OpenDigest {
  readonly eventId: string
  /** Position of the digest job. */
  readonly job: number
  readonly until: number
  readonly payloads: ReadonlyArray<JsonObject>
}

export interface EnvironmentState {
  readonly seed: number
  /** Ids are made from this seed, so that environments with equal data have different ids. */
  readonly idSeed: number
  readonly environmentId: string
  readonly organizationId: string
  /** Number of the next id. */
  readonly sequence: number
  /** By external id. */
  readonly subscribers: HashMap.HashMap<string, SubscriberRecord>
  /** External ids by e-mail address. */
  readonly emails: HashMap.HashMap<string, ReadonlyArray<string>>
  readonly integrations: ReadonlyArray<IntegrationRecord>
  readonly workflows: HashMap.HashMap<string, WorkflowRecord>
  readonly messages: HashMap.HashMap<string, MessageRecord>
  readonly events: EventLog.EventLog
  /** The progress of the jobs of triggered events; generated events have none. */
  readonly progress: HashMap.HashMap<string, ProgressRecord>
  /** Failures that a trigger requested, by event and step. */
  readonly planned: HashMap.HashMap<string, Readonly<Record<string, string>>>
  readonly digests: HashMap.HashMap<string, OpenDigest>
  /** Times at which a throttle let events through. */
  readonly throttles: HashMap.HashMap<string, ReadonlyArray<number>>
  readonly agenda: Agenda<Appointment>
  /** Idempotency keys whose requests are in flight or finished. */
  readonly keys: KeptKeys
  /** State of the handlers of declared operations, by the name of the operation. */
  readonly routes: HashMap.HashMap<string, unknown>
  readonly buckets: Buckets
}

export const empty = (seed = 1, idSeed = seed): EnvironmentState => ({
  seed,
  idSeed,
  environmentId: Random.objectId(idSeed, "environment", 1),
  organizationId: Random.objectId(idSeed, "organization", 1),
  sequence: 1,
  subscribers: HashMap.empty(),
  emails: HashMap.empty(),
  integrations: [],
  workflows: HashMap.empty(),
  messages: HashMap.empty(),
  events: EventLog.empty,
  progress: HashMap.empty(),
  planned: HashMap.empty(),
  digests: HashMap.empty(),
  throttles: HashMap.empty(),
  agenda: undefined,
  keys: HashMap.empty(),
  routes: HashMap.empty(),
  buckets: {}
})

/** The next id of a kind, and the state after using it. */
export const nextId = (
  state: EnvironmentState,
  kind: string
): { readonly id: string; readonly sequence: number; readonly state: EnvironmentState } => ({
  id: Random.objectId(state.idSeed, kind, state.sequence),
  sequence: state.sequence,
  state: { ...state, sequence: state.sequence + 1 }
})

/** The subscriber of an external id, unless deleted. */
export const subscriberOf = (state: EnvironmentState, subscriberId: string): SubscriberRecord | undefined => {
  const found = Option.getOrUndefined(HashMap.get(state.subscribers, subscriberId))
  return found?.deleted === true ? undefined : found
}

export const workflowOf = (state: EnvironmentState, id: string): WorkflowRecord | undefined =>
  Option.getOrUndefined(HashMap.get(state.workflows, id))

/** The workflow of an identifier, an internal id or a name. */
export const workflowNamed = (state: EnvironmentState, name: string): WorkflowRecord | undefined => {
  const byId = workflowOf(state, name)
  if (byId !== undefined) return byId
  for (const workflow of HashMap.values(state.workflows)) {
    if (workflow.identifier === name || workflow.name === name) return workflow
  }
  return undefined
}

export const messageOf = (state: EnvironmentState, id: string): MessageRecord | undefined =>
  Option.getOrUndefined(HashMap.get(state.messages, id))

export const progressOf = (state: EnvironmentState, eventId: string): ProgressRecord | undefined =>
  Option.getOrUndefined(HashMap.get(state.progress, eventId))

/** Stores a subscriber, replacing the one with the same external id. */
export const putSubscriber = (state: EnvironmentState, subscriber: SubscriberRecord): EnvironmentState => {
  const known = Option.getOrUndefined(HashMap.get(state.subscribers, subscriber.subscriberId))
  const subscribers = HashMap.set(state.subscribers, subscriber.subscriberId, subscriber)
  if (known?.email === subscriber.email) return { ...state, subscribers }
  let { emails } = state
  const at = (email: string) => Option.getOrElse(HashMap.get(emails, email), (): ReadonlyArray<string> => [])
  if (known?.email != null) {
    emails = HashMap.set(
      emails,
      known.email,
      at(known.email).filter((id) => id !== subscriber.subscriberId)
    )
  }
  if (subscriber.email != null) {
    emails = HashMap.set(emails, subscriber.email, [...at(subscriber.email), subscriber.subscriberId])
  }
  return { ...state, subscribers, emails }
}

/** External ids of the subscribers with an e-mail address. */
export const subscribersWithEmail = (state: EnvironmentState, email: string): ReadonlyArray<string> =>
  Option.getOrElse(HashMap.get(state.emails, email), (): ReadonlyArray<string> => []).filter(
    (id) => subscriberOf(state, id) !== undefined
  )

/** Stores an integration, replacing the one with the same id. */
export const putIntegration = (state: EnvironmentState, integration: IntegrationRecord): EnvironmentState => ({
  ...state,
  integrations: [...state.integrations.filter(({ id }) => id !== integration.id), integration]
})

export const putWorkflow = (state: EnvironmentState, workflow: WorkflowRecord): EnvironmentState => ({
  ...state,
  workflows: HashMap.set(state.workflows, workflow.id, workflow)
})

export const putMessage = (state: EnvironmentState, message: MessageRecord): EnvironmentState => ({
  ...state,
  messages: HashMap.set(state.messages, message.id, message)
})

export const addEvent = (state: EnvironmentState, event: EventRecord): EnvironmentState => ({
  ...state,
  events: EventLog.append(state.events, event)
})

export const putProgress = (state: EnvironmentState, eventId: string, progress: ProgressRecord): EnvironmentState => ({
  ...state,
  progress: HashMap.set(state.progress, eventId, progress)
})

/** The id of the layout that all e-mails of an environment have. */
export const layoutId = ({ idSeed }: EnvironmentState): string => Random.objectId(idSeed, "layout", 1)
