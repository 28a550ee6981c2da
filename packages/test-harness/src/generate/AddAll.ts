/**
 * Adds many records at once: all of them, or none if one is invalid.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { inputReader } from "../input/Input.ts"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import { type RecordInputs, records, type recordSchemas, type TimeSchema } from "../state/RecordInput.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { addEvent, addIntegration, addMessage, addWorkflow } from "./Builders.ts"
import { type Amounts, AmountsInput, generationSlices } from "./Generate.ts"

type ListsOf<Records> = { readonly [Kind in keyof Records]?: ReadonlyArray<Records[Kind]> }

/** Records to add, in this order; generated records come last. */
export interface AllInput extends ListsOf<RecordInputs> {
  readonly generate?: Amounts
}

/** The records that were added explicitly, in their order. */
export type AllAdded = Pick<EnvironmentRecords, keyof RecordInputs>

/** The result of adding records: the state, the added records, and the slices of generated records that follow. */
interface Added {
  readonly state: EnvironmentState
  readonly added: AllAdded
  readonly slices: ReturnType<typeof generationSlices>
}

/** The schema of records to add, with times of one form. @internal */
export const seedSchema = <Time extends TimeSchema>(of: ReturnType<typeof recordSchemas<Time>>) =>
  Schema.Struct({
    ...Struct.map(Struct.map(of, Schema.Array), Schema.optionalKey),
    generate: Schema.optionalKey(AmountsInput)
  })

const readAll = inputReader("", () => seedSchema(records))

/**
 * Adds records of all kinds, and prepares the generated ones. Throws for an invalid record or amount and leaves the old
 * state unchanged.
 *
 * @internal
 */
export const addAll = (before: EnvironmentState, now: number, input: AllInput): Added => {
  const {
    events = [],
    generate: amounts = {},
    integrations = [],
    messages = [],
    subscribers = [],
    workflows = []
  } = readAll(input)
  let state = before
  const each = <Input, Added extends { readonly state: EnvironmentState }>(
    inputs: ReadonlyArray<Input>,
    builder: (state: EnvironmentState, now: number, input: Input) => Added
  ): ReadonlyArray<Added> =>
    inputs.map((input) => {
      const added = builder(state, now, input)
      ;({ state } = added)
      return added
    })
  const added: AllAdded = {
    subscribers: each(subscribers, addSubscriber).map(({ subscriber }) => subscriber),
    integrations: each(integrations, addIntegration).map(({ integration }) => integration),
    workflows: each(workflows, addWorkflow).map(({ workflow }) => workflow),
    messages: each(messages, addMessage).map(({ message }) => message),
    events: each(events, addEvent).map(({ event }) => event)
  }
  return { state, added, slices: generationSlices(state, now, amounts) }
}
