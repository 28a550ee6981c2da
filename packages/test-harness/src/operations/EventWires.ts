/**
 * The wire forms of events, kept until they change, because lists return the same events again and again.
 */
import { type EnvironmentState, progressOf, subscriberOf, workflowOf } from "../state/EnvironmentState.ts"
import type { EventRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { sharedBody, type WireBody } from "../wire/WireBody.ts"
import { eventWire, progressNow } from "./EventWire.ts"

/** The wire form of an event. */
export interface WireForm {
  readonly wire: object
  /** The same as JSON. */
  readonly encoded: () => WireBody
}

/** Makes wire forms. */
export interface EventWires {
  readonly of: (state: EnvironmentState, switches: Switches, now: number, event: EventRecord) => WireForm
}

/** Everything that a wire form depends on, besides the time. */
type Sources = ReadonlyArray<unknown>

const sourcesOf = (state: EnvironmentState, switches: Switches, event: EventRecord): Sources => [
  event,
  switches,
  state.idSeed,
  state.environmentId,
  state.organizationId,
  subscriberOf(state, event.subscriberId),
  workflowOf(state, event.workflowId),
  progressOf(state, event.id)
]

const areSame = (one: Sources, other: Sources): boolean => one.every((source, at) => source === other[at])

/** When something happens next in the jobs of an event. */
const nextChange = (state: EnvironmentState, event: EventRecord, now: number): number => {
  let next = Infinity
  for (const { details, statuses } of progressNow(state, event).jobs) {
    for (const { at } of details) if (at > now && at < next) next = at
    for (const { at } of statuses) if (at > now && at < next) next = at
  }
  return next
}

/** A form, and when and of what it was made. */
interface Kept {
  readonly form: WireForm
  readonly sources: Sources
  readonly madeAt: number
  readonly until: number
}

const isValid = ({ madeAt, sources, until }: Kept, now: number, current: Sources): boolean =>
  // A caller's clock can be behind the one before it.
  madeAt <= now && now < until && areSame(sources, current)

const makeForm = (wire: object): WireForm => {
  let body: WireBody | undefined
  return {
    wire,
    encoded: () => {
      body ??= sharedBody(JSON.stringify(wire))
      return body
    }
  }
}

/** How many wire forms an environment keeps, some 5 kB each. */
const capacity = 200

/** Keeps the forms that were used last. */
export const makeEventWires = (): EventWires => {
  const kept = new Map<string, Kept>()
  return {
    of: (state, switches, now, event) => {
      const sources = sourcesOf(state, switches, event)
      const known = kept.get(event.id)
      const current =
        known !== undefined && isValid(known, now, sources)
          ? known
          : {
              form: makeForm(eventWire(state, switches, now, event)),
              sources,
              madeAt: now,
              until: nextChange(state, event, now)
            }
      // The last one of the map is the one that was used last.
      kept.delete(event.id)
      kept.set(event.id, current)
      const [oldest] = kept.keys()
      if (kept.size > capacity && oldest !== undefined) kept.delete(oldest)
      return current.form
    }
  }
}
