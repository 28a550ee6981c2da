/**
 * The records of an environment as plain arrays, for tests and for other languages.
 */
import * as HashMap from "effect/HashMap"
import type { EnvironmentState } from "./EnvironmentState.ts"
import * as EventLog from "./EventLog.ts"
import type { EventRecord, IntegrationRecord, MessageRecord, SubscriberRecord, WorkflowRecord } from "./Records.ts"

/** The records of an environment, oldest first; times are milliseconds since 1970. */
export interface EnvironmentRecords {
  readonly subscribers: ReadonlyArray<SubscriberRecord>
  readonly integrations: ReadonlyArray<IntegrationRecord>
  readonly workflows: ReadonlyArray<WorkflowRecord>
  readonly messages: ReadonlyArray<MessageRecord>
  readonly events: ReadonlyArray<EventRecord>
  /** Idempotency keys whose first request is still being processed. */
  readonly keysInFlight: ReadonlyArray<string>
}

/** Ids grow with the order of creation only within one state, so records with the same timestamp are sorted by id. */
const oldestFirst = <Value extends { readonly createdAt: number; readonly id: string }>(
  records: Iterable<Value>
): ReadonlyArray<Value> =>
  [...records].sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))

/** Reads the records of a state; each list is made when it is read. @internal */
export const recordsOf = (state: EnvironmentState): EnvironmentRecords => ({
  get subscribers() {
    return oldestFirst(HashMap.values(state.subscribers))
  },
  get integrations() {
    return state.integrations
  },
  get workflows() {
    return oldestFirst(HashMap.values(state.workflows))
  },
  get messages() {
    return [...HashMap.values(state.messages)].sort((one, other) => one.sequence - other.sequence)
  },
  get events() {
    return EventLog.all(state.events)
  },
  get keysInFlight() {
    return [...HashMap.values(state.keys)].flatMap((kept) => (kept._tag === "InFlight" ? [kept.key] : []))
  }
})
