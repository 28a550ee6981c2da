/**
 * The faults that are armed in an environment.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Journal } from "../journal/Journal.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { OpenEntry } from "../journal/OpenEntry.ts"
import type { Delivery } from "../request/Delivery.ts"
import type { Interference, InterferencePoint, Interferer } from "../request/Interference.ts"
import * as Random from "../state/Random.ts"
import type { Switches } from "../switches/Switches.ts"
import { describe, type Fault, type FaultForm, type Latency } from "./Fault.ts"
import { changedDelivery, type ChangingForm, faultAnswer } from "./FaultAnswer.ts"
import { FaultNeverFired } from "./FaultNeverFired.ts"
import { checked } from "./FaultSchema.ts"

/**
 * A fault that waits for its requests.
 *
 * Disposing it takes it away, and throws {@link FaultNeverFired} when no request met it. A test that fails while a fault
 * is armed with `using` fails with a `SuppressedError` then, whose `suppressed` is the failure of the test.
 */
export interface ArmedFault extends Disposable {
  readonly fault: Fault
  /** How often it has happened. */
  readonly fired: () => number
  /** Takes it away, whether it has happened or not. */
  readonly remove: () => void
}

/** The faults of an environment. */
export interface Faults {
  /**
   * Arms a fault.
   *
   * @throws RangeError in one line when it is none, naming the place and what is allowed there.
   */
  readonly add: (fault: Fault) => ArmedFault
  /**
   * Arms a fault until the scope closes. Where it never fired the scope closes with a defect, {@link FaultNeverFired};
   * not where it closes with a failure anyway, which is more to the point.
   */
  readonly scoped: (fault: Fault) => Effect.Effect<ArmedFault, never, Scope.Scope>
  /** Those that are armed, in order of arming. */
  readonly armed: () => ReadonlyArray<ArmedFault>
  /**
   * The complaints about those armed faults that no request met. A fault that happens by chance is none of them once a
   * request was there that it could have happened to.
   */
  readonly unfired: () => ReadonlyArray<FaultNeverFired>
  /** Takes all of them away. */
  readonly clear: () => void
}

/** What faults know of their environment. */
interface Surroundings {
  readonly seed: number
  readonly switches: Switches
  readonly journal: Journal
}

/** Faults of one slot exclude each other on the same request: the one that was armed first comes first. */
type Slot = "answer" | "transport"

const slotOf = ({ _tag }: FaultForm): Slot | undefined => {
  switch (_tag) {
    case "Status":
    case "RateLimited":
    case "Html":
      return "answer"
    case "Refuse":
    case "Ending":
    case "SlowBody":
    case "CutBody":
      return "transport"
    default:
      return undefined
  }
}

/** What happens first at one point: time passes, an answer is made, is changed, and the connection gets in the way. */
const ranks: Readonly<Record<FaultForm["_tag"], number>> = {
  Latency: 0,
  Status: 1,
  RateLimited: 1,
  Html: 1,
  Drift: 2,
  // Only while it says so itself can a body be known as JSON, and only JSON can drift.
  MalformedJson: 3,
  ContentType: 4,
  SlowBody: 5,
  CutBody: 5,
  Ending: 5,
  Refuse: 5
}

interface Armed extends ArmedFault {
  readonly rank: number
  readonly slot: Slot | undefined
  /** Number that no other fault of the environment has, whatever was armed before it. */
  readonly identity: number
  /** Number of the last request before it was armed. */
  readonly since: number
  /** Requests that it was considered for: it happens to each at most once. */
  readonly considered: WeakSet<JournalEntry>
  readonly consider: (entry: JournalEntry) => void
  readonly happen: (entry: OpenEntry) => void
  readonly complaint: () => FaultNeverFired | undefined
}

const isFor = ({ attempt, key, operation }: Fault, entry: JournalEntry): boolean =>
  (operation === undefined || operation === entry.operation) &&
  (attempt === undefined || attempt === entry.attempt) &&
  (key === undefined || key === entry.idempotencyKey)

const timesOf = ({ probability, times }: Fault): number => {
  if (times === "always") return Infinity
  return times ?? (probability === undefined ? 1 : Infinity)
}

const normal = (random: Random.Stream): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const drawn = (latency: Latency, random: Random.Stream): number => {
  switch (latency.distribution) {
    case "fixed":
      return latency.millis
    case "uniform":
      return latency.from + random() * (latency.to - latency.from)
    case "lognormal":
      return Math.min(latency.median * Math.exp(latency.sigma * normal(random)), latency.most ?? Infinity)
  }
}

/** Makes an empty set of faults, whose chances come from a seed. */
export const makeFaults = ({ journal, seed, switches }: Surroundings): Faults & Interferer => {
  let armed: ReadonlyArray<Armed> = []
  /** The same in the order in which they happen. */
  let ranked: ReadonlyArray<Armed> = []
  const slots = new WeakMap<JournalEntry, Set<Slot>>()

  const slotsOf = (entry: JournalEntry): Set<Slot> => {
    const known = slots.get(entry)
    if (known !== undefined) return known
    const none = new Set<Slot>()
    slots.set(entry, none)
    return none
  }

  // Equal faults are told apart by how many of them there are, so that arming others changes nothing about their chances.
  const identityOf = (fault: Fault): number => {
    const text = JSON.stringify(fault)
    const equal = armed.filter((other) => JSON.stringify(other.fault) === text).length
    return Random.hash(seed, text, equal)
  }

  const hold = (faults: ReadonlyArray<Armed>): void => {
    armed = faults
    ranked = faults.toSorted((one, other) => one.rank - other.rank)
  }

  const remove = (gone: Armed): void => hold(armed.filter((other) => other !== gone))

  const arm = (given: Fault): Armed => {
    const fault = checked(given)
    const slot = slotOf(fault.form)
    let fired = 0
    let considered = 0
    const complaint = () => {
      if (fired > 0 || (fault.probability !== undefined && considered > 0)) return undefined
      return new FaultNeverFired(
        fault,
        journal.entries().filter(({ number }) => number > one.since)
      )
    }
    const one: Armed = {
      fault,
      rank: ranks[fault.form._tag],
      slot,
      identity: identityOf(fault),
      since: journal.evicted() + journal.entries().length,
      considered: new WeakSet(),
      fired: () => fired,
      remove: () => remove(one),
      consider: (entry) => {
        one.considered.add(entry)
        considered += 1
      },
      happen: (entry) => {
        fired += 1
        entry.faults.push(describe(fault))
        if (slot !== undefined) slotsOf(entry).add(slot)
      },
      complaint,
      [Symbol.dispose]: () => {
        remove(one)
        const unfired = complaint()
        if (unfired !== undefined) throw unfired
      }
    }
    hold([...armed, one])
    return one
  }

  const chances = ({ identity }: Armed, entry: JournalEntry): Random.Stream =>
    Random.stream(Random.hash(identity, entry.number))

  const changing = (one: Armed, form: ChangingForm, entry: OpenEntry): Interference => ({
    _tag: "Change",
    change: (delivery: Delivery) => {
      const changed = changedDelivery(form, delivery)
      if (changed === undefined) return delivery
      one.happen(entry)
      return changed
    }
  })

  const interference = (one: Armed, entry: OpenEntry, now: number, random: Random.Stream): Interference => {
    const { form } = one.fault
    switch (form._tag) {
      case "Latency":
        one.happen(entry)
        return { _tag: "Delay", millis: drawn(form.latency, random) }
      case "Status":
      case "RateLimited":
      case "Html":
        one.happen(entry)
        return { _tag: "Answer", answer: faultAnswer(form, { switches, now, path: entry.path }) }
      case "Refuse":
        one.happen(entry)
        return { _tag: "Nothing", ending: "refuse" }
      case "Ending":
        one.happen(entry)
        return { _tag: "Nothing", ending: form.ending }
      default:
        return changing(one, form, entry)
    }
  }

  const isFree = ({ slot }: Armed, entry: JournalEntry): boolean =>
    slot === undefined || slots.get(entry)?.has(slot) !== true

  const mayHappen = (one: Armed, point: InterferencePoint, entry: JournalEntry): boolean =>
    one.fault.point === point &&
    one.fired() < timesOf(one.fault) &&
    isFor(one.fault, entry) &&
    !one.considered.has(entry) &&
    isFree(one, entry)

  const next: Interferer["next"] = (point, entry, now) => {
    for (const one of ranked) {
      if (!mayHappen(one, point, entry)) continue
      one.consider(entry)
      const random = chances(one, entry)
      if (random() >= (one.fault.probability ?? 1)) continue
      return interference(one, entry, now, random)
    }
    return undefined
  }

  return {
    add: arm,
    scoped: (fault) =>
      Effect.acquireRelease(
        Effect.sync(() => arm(fault)),
        (one, exit) =>
          Effect.suspend(() => {
            one.remove()
            const unfired = Exit.isSuccess(exit) ? one.complaint() : undefined
            return unfired === undefined ? Effect.void : Effect.die(unfired)
          })
      ),
    armed: () => armed,
    unfired: () => armed.flatMap((one) => one.complaint() ?? []),
    clear: () => hold([]),
    next
  }
}
