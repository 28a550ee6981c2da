/**
 * Updates and removes records, as an administrator of the service does.
 */
import { meantBy } from "@signalbox/core/Nearest"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { inputReader } from "../input/Input.ts"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import {
  type EnvironmentState,
  messageOf,
  putMessage,
  putSubscriber,
  workflowNamed
} from "../state/EnvironmentState.ts"
import { type RecordInputs, type recordSchemas, records } from "../state/RecordInput.ts"
import { addWorkflow } from "./Builders.ts"

/** The fields of each kind of record that an update can change. */
export interface RecordChanges {
  readonly subscribers: Partial<Omit<RecordInputs["subscribers"], "id" | "subscriberId">>
  readonly integrations: Partial<Omit<RecordInputs["integrations"], "id">>
  readonly workflows: Partial<Omit<RecordInputs["workflows"], "id">>
  readonly messages: Partial<Omit<RecordInputs["messages"], "id">>
}

/** A kind of record that can be updated and removed; events are history. */
export type RecordKind = keyof RecordChanges

export type Stored<Kind extends RecordKind> = EnvironmentRecords[Kind][number]

/** There is no record of this id. @internal */
export class NoSuchRecord extends RangeError {}

const partial = Struct.map(Schema.optionalKey)

/** The schemas of changes, with times of one form. @internal */
export const changeSchemas = ({
  integrations,
  messages,
  subscribers,
  workflows
}: ReturnType<typeof recordSchemas>) => ({
  subscribers: subscribers.mapFields(Struct.omit(["id", "subscriberId"])).mapFields(partial),
  integrations: integrations.mapFields(Struct.omit(["id"])).mapFields(partial),
  workflows: workflows.mapFields(Struct.omit(["id"])).mapFields(partial),
  messages: messages.mapFields(Struct.omit(["id"])).mapFields(partial)
})

const changes = () => changeSchemas(records)

interface Editor<Kind extends RecordKind> {
  readonly read: (value: unknown) => object
  readonly find: (state: EnvironmentState, id: string) => Stored<Kind> | undefined
  readonly put: (state: EnvironmentState, record: Stored<Kind>, now: number) => EnvironmentState
  readonly remove: (state: EnvironmentState, record: Stored<Kind>) => EnvironmentState
}

const editors: { readonly [Kind in RecordKind]: Editor<Kind> } = {
  subscribers: {
    read: inputReader("subscriber", () => changes().subscribers),
    find: ({ subscribers }, id) => Option.getOrUndefined(HashMap.get(subscribers, id)),
    put: (state, subscriber, now) => putSubscriber(state, { ...subscriber, updatedAt: now }),
    remove: (state, subscriber) => {
      // Without an address, it leaves the index of addresses too.
      const { subscribers, ...others } = putSubscriber(state, { ...subscriber, email: null })
      return { ...others, subscribers: HashMap.remove(subscribers, subscriber.subscriberId) }
    }
  },
  integrations: {
    read: inputReader("integration", () => changes().integrations),
    find: ({ integrations }, name) => integrations.find(({ id, identifier }) => id === name || identifier === name),
    put: (state, integration) => ({
      ...state,
      integrations: state.integrations.map((other) => (other.id === integration.id ? integration : other))
    }),
    remove: (state, { id }) => ({ ...state, integrations: state.integrations.filter((other) => other.id !== id) })
  },
  workflows: {
    read: inputReader("workflow", () => changes().workflows),
    find: workflowNamed,
    put: (state, workflow, now) => addWorkflow(state, now, workflow).state,
    remove: (state, { id }) => ({ ...state, workflows: HashMap.remove(state.workflows, id) })
  },
  messages: {
    read: inputReader("message", () => changes().messages),
    find: messageOf,
    put: putMessage,
    remove: (state, { id }) => ({ ...state, messages: HashMap.remove(state.messages, id) })
  }
}

/** The kinds of records that can be updated and removed. @internal */
// The keys of a table that has each of them.
export const recordKinds = Object.keys(editors) as ReadonlyArray<RecordKind>

/** The ids that a test chooses, or that the API does not show. */
const namesOf: { readonly [Kind in RecordKind]: (state: EnvironmentState) => Iterable<string> } = {
  subscribers: ({ subscribers }) => HashMap.keys(subscribers),
  integrations: ({ integrations }) => integrations.map(({ identifier }) => identifier),
  workflows: ({ workflows }) => Array.from(HashMap.values(workflows), ({ identifier }) => identifier),
  messages: () => []
}

const found = <Kind extends RecordKind>(state: EnvironmentState, kind: Kind, id: string): Stored<Kind> => {
  // Callers without types can pass anything.
  if (!Object.hasOwn(editors, kind))
    throw new RangeError(
      `kind: must be one of ${recordKinds.join(", ")}, not ${JSON.stringify(kind)}${meantBy(kind, recordKinds)}`
    )
  const record = editors[kind].find(state, id)
  if (record === undefined)
    throw new NoSuchRecord(`${kind}: there is no ${JSON.stringify(id)}${meantBy(id, namesOf[kind](state))}`)
  return record
}

/** The state with some fields of a record changed, and the record. @internal */
export const updateRecord = <Kind extends RecordKind>(
  state: EnvironmentState,
  now: number,
  kind: Kind,
  id: string,
  input: RecordChanges[Kind]
): { readonly state: EnvironmentState; readonly record: Stored<Kind> } => {
  const editor: Editor<Kind> = editors[kind]
  const before = found(state, kind, id)
  const after = editor.put(state, { ...before, ...editor.read(input) }, now)
  // An identifier may have changed.
  return { state: after, record: found(after, kind, kind === "subscribers" ? id : before.id) }
}

/** The state without a record. @internal */
export const removeRecord = <Kind extends RecordKind>(
  state: EnvironmentState,
  kind: Kind,
  id: string
): EnvironmentState => {
  const editor: Editor<Kind> = editors[kind]
  return editor.remove(state, found(state, kind, id))
}
