/**
 * The wire forms of events, kept until they change, because lists return the same events again and again.
 */
import { type EnvironmentState, progressOf, subscriberOf, workflowOf } from "../state/EnvironmentState.ts"
import type { EventRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { bodyOf, joinedBody, sharedBody, type WireBody } from "../wire/WireBody.ts"
import { eventWire, progressNow } from "./EventWire.ts"

export interface WireForm {
  readonly wire: object
  /** The same as JSON. */
  readonly encoded: () => WireBody
}

export interface EventWires {
  readonly of: (state: EnvironmentState, switches: Switches, now: number, event: EventRecord) => WireForm
  /** A page of forms as JSON; the same body again while the page stays the same. */
  readonly page: (forms: ReadonlyArray<WireForm>, rest: object) => WireBody
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

const areSame = (one: Sources, other: Sources): boolean =>
  one.length === other.length && one.every((source, at) => source === other[at])

/** When something happens next in the jobs of an event. */
const nextChange = (state: EnvironmentState, event: EventRecord, now: number): number => {
  let next = Infinity
  for (const { details, statuses } of progressNow(state, event).jobs) {
    for (const { at } of details) if (at > now && at < next) next = at
    for (const { at } of statuses) if (at > now && at < next) next = at
  }
  return next
}

/** A form, when and of what it was made, and the last version of the state for which that was compared. */
interface Kept {
  readonly form: WireForm
  readonly sources: Sources
  readonly madeAt: number
  readonly until: number
  version: number
}

// A caller's clock can be behind the one before it.
const isCurrent = ({ madeAt, until }: Kept, now: number): boolean => madeAt <= now && now < until

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

const comma = sharedBody(",")

const pageBody = (forms: ReadonlyArray<WireForm>, end: string): WireBody =>
  joinedBody([
    bodyOf('{"data":['),
    ...forms.flatMap(({ encoded }, at) => (at === 0 ? [encoded()] : [comma, encoded()])),
    bodyOf(end)
  ])

/** How many wire forms an environment keeps, some 5 kB each. */
const capacity = 200

/** Keeps the forms that were used last. */
export const makeEventWires = (): EventWires => {
  const kept = new Map<string, Kept>()
  let seen: { state?: EnvironmentState; switches?: Switches } = {}
  let version = 0
  /** The kept form of an event, if it is still right. */
  const valid = (state: EnvironmentState, switches: Switches, now: number, event: EventRecord): Kept | undefined => {
    const known = kept.get(event.id)
    if (known === undefined || !isCurrent(known, now)) return undefined
    if (known.version === version) return known
    if (!areSame(known.sources, sourcesOf(state, switches, event))) return undefined
    known.version = version
    return known
  }
  let last = { forms: [] as ReadonlyArray<WireForm>, end: "", body: bodyOf("") }
  return {
    of: (state, switches, now, event) => {
      if (state !== seen.state || switches !== seen.switches) {
        seen = { state, switches }
        version += 1
      }
      const current = valid(state, switches, now, event) ?? {
        form: makeForm(eventWire(state, switches, now, event)),
        sources: sourcesOf(state, switches, event),
        madeAt: now,
        until: nextChange(state, event, now),
        version
      }
      // The last one of the map is the one that was used last.
      kept.delete(event.id)
      kept.set(event.id, current)
      if (kept.size > capacity) kept.delete(kept.keys().next().value ?? "")
      return current.form
    },
    page: (forms, rest) => {
      const end = `],${JSON.stringify(rest).slice(1)}`
      if (end !== last.end || !areSame(forms, last.forms)) last = { forms, end, body: pageBody(forms, end) }
      return last.body
    }
  }
}
