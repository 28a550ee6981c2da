import { addAll, type AllAdded, type AllInput } from "../generate/AddAll.ts"
import * as Builders from "../generate/Builders.ts"
import {
  type RecordChanges,
  type RecordKind,
  removeRecord,
  type Stored,
  updateRecord
} from "../generate/EditRecords.ts"
import { type Amounts, generate } from "../generate/Generate.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import {
  type EventInput,
  type IntegrationInput,
  type MessageInput,
  readRecord,
  type SubscriberInput,
  type WorkflowInput
} from "../state/RecordInput.ts"
import type {
  EventRecord,
  IntegrationRecord,
  MessageRecord,
  SubscriberRecord,
  WorkflowRecord
} from "../state/Records.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { trigger, type TriggerInput } from "../trigger/Trigger.ts"
import type { StateStore } from "./StateStore.ts"

/** The ways in which a test adds data to an environment. */
export interface EnvironmentData {
  /** Triggers a workflow, whose jobs proceed with the clock. Returns the id and the transaction of the new event. */
  readonly trigger: (input: TriggerInput) => { readonly id: string; readonly transactionId: string }
  readonly addSubscriber: (input: SubscriberInput) => SubscriberRecord
  readonly addIntegration: (input: IntegrationInput) => IntegrationRecord
  readonly addWorkflow: (input: WorkflowInput) => WorkflowRecord
  readonly addMessage: (input: MessageInput) => MessageRecord
  readonly addEvent: (input: EventInput) => EventRecord
  /** Adds records of several kinds: all of them, or none if one is invalid. */
  readonly addAll: (input: AllInput) => AllAdded
  /** Does the same, and lets other code run after each 2,000 generated records; a reset ends it. */
  readonly addAllInSlices: (input: AllInput) => Promise<AllAdded>
  /**
   * Changes fields of a subscriber (by `subscriberId`), an integration or a workflow (by id or identifier) or a message (by
   * id), such as `updateRecord("integrations", "fcm-1a2b", { active: false })`, and returns the record.
   *
   * @throws RangeError for an id that no record has, or an invalid field.
   */
  readonly updateRecord: <Kind extends RecordKind>(kind: Kind, id: string, changes: RecordChanges[Kind]) => Stored<Kind>
  /**
   * Removes a record; what refers to it stays, such as the events of a workflow.
   *
   * @throws RangeError for an id that no record has.
   */
  readonly removeRecord: (kind: RecordKind, id: string) => void
  /** Adds realistic subscribers, events and messages, drawn from the seed. Events need a workflow. */
  readonly generate: (amounts: Amounts) => void
}

/**
 * Makes the functions that add data to a store.
 *
 * @internal
 */
export const makeData = (store: StateStore): EnvironmentData => {
  const add =
    <Input, Added extends { readonly state: EnvironmentState }>(
      builder: (state: EnvironmentState, now: number, input: Input) => Added
    ) =>
    (input: Input): Added => {
      const added = builder(store.state(), store.now(), input)
      store.write(() => added.state)
      return added
    }
  return {
    trigger: (input) => {
      const { event } = add(trigger)(input)
      return { id: event.id, transactionId: event.transactionId }
    },
    addSubscriber: (input) => add(addSubscriber)(readRecord.subscribers(input)).subscriber,
    addIntegration: (input) => add(Builders.addIntegration)(readRecord.integrations(input)).integration,
    addWorkflow: (input) => add(Builders.addWorkflow)(readRecord.workflows(input)).workflow,
    addMessage: (input) => add(Builders.addMessage)(readRecord.messages(input)).message,
    addEvent: (input) => add(Builders.addEvent)(readRecord.events(input)).event,
    addAll: (input) => {
      const { added, slices, state } = addAll(store.state(), store.now(), input)
      const complete = slices.reduce((known, slice) => slice(known), state)
      store.write(() => complete)
      return added
    },
    addAllInSlices: async (input) => {
      const resets = store.resets.times()
      const { added, slices } = add(addAll)(input)
      for (const slice of slices) {
        if (store.resets.times() !== resets) break
        store.write(slice)
        await new Promise((resolve) => void setTimeout(resolve, 0))
      }
      return added
    },
    updateRecord: (kind, id, changes) => {
      const { record, state } = updateRecord(store.state(), store.now(), kind, id, changes)
      store.write(() => state)
      return record
    },
    removeRecord: (kind, id) => store.write((known) => removeRecord(known, kind, id)),
    generate: (amounts) => store.write((known) => generate(known, store.now(), amounts))
  }
}
