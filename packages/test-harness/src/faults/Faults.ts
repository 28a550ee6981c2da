/**
 * The faults that are armed in an environment.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Journal } from "../journal/Journal.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { Strangers } from "../journal/Strangers.ts"
import type { OpenEntry } from "../journal/OpenEntry.ts"
import type { Interference, Interferer } from "../request/Interference.ts"
import * as Random from "../state/Random.ts"
import type { Switches } from "../switches/Switches.ts"
import { describe, type Fault, type FaultForm } from "./Fault.ts"
import { changedDelivery, faultAnswer } from "./FaultAnswer.ts"
import type { FaultNeverFired } from "./FaultNeverFired.ts"
import { checked } from "./FaultSchema.ts"
import { drawLatency } from "./LatencyDraw.ts"
import { type ArmedFault, WaitingFault } from "./WaitingFault.ts"

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
  /** The requests for no environment that come from now on. */
  readonly strangersFromNow: () => Strangers
}

/** Faults of one slot exclude each other on the same request: the one that was armed first comes first. */
type Slot = "answer" | "transport"

/** What a form does to a request, and what happens first at one point. */
interface Place {
  readonly rank: number
  readonly slot?: Slot
}

const places: Readonly<Record<FaultForm["_tag"], Place>> = {
  Latency: { rank: 0 },
  Status: { rank: 1, slot: "answer" },
  RateLimited: { rank: 1, slot: "answer" },
  Html: { rank: 1, slot: "answer" },
  // Only JSON can drift, and only while it says so itself can a body be known as JSON.
  Drift: { rank: 2 },
  MalformedJson: { rank: 3 },
  ContentType: { rank: 4 },
  SlowBody: { rank: 5, slot: "transport" },
  CutBody: { rank: 5, slot: "transport" },
  Ending: { rank: 5, slot: "transport" },
  Refuse: { rank: 5, slot: "transport" }
}

const placeOf = ({ fault }: ArmedFault): Place => places[fault.form._tag]

/** Which slots of each request are taken. */
const makeSlots = () => {
  const taken = new WeakMap<JournalEntry, ReadonlySet<Slot>>()
  return {
    isFree: (entry: JournalEntry, { slot }: Place): boolean =>
      slot === undefined || taken.get(entry)?.has(slot) !== true,
    take: (entry: JournalEntry, { slot }: Place): void => {
      if (slot !== undefined) taken.set(entry, new Set([...(taken.get(entry) ?? []), slot]))
    }
  }
}

/** Makes an empty set of faults, whose chances come from a seed. */
export const makeFaults = ({ journal, seed, strangersFromNow, switches }: Surroundings): Faults & Interferer => {
  let armed: ReadonlyArray<WaitingFault> = []
  /** The same in the order in which they happen. */
  let ranked: ReadonlyArray<WaitingFault> = []
  const slots = makeSlots()

  const put = (added: WaitingFault): void => {
    armed = [...armed, added]
    const { rank } = placeOf(added)
    ranked = ranked.toSpliced(ranked.findLastIndex((other) => placeOf(other).rank <= rank) + 1, 0, added)
  }

  // Equal faults are told apart by how many of them there are, so that arming others changes nothing about their chances.
  const identityOf = (text: string): number =>
    Random.hash(seed, text, armed.filter((other) => other.text === text).length)

  const arm = (given: Fault): WaitingFault => {
    const fault = checked(given)
    const remove = (gone: WaitingFault): boolean => {
      const isArmed = armed.includes(gone)
      armed = armed.filter((other) => other !== gone)
      ranked = ranked.filter((other) => other !== gone)
      return isArmed
    }
    const text = JSON.stringify(fault)
    const waiting = new WaitingFault({ fault, text, journal, strangersFromNow, identity: identityOf(text), remove })
    put(waiting)
    return waiting
  }

  const happened = (one: WaitingFault, entry: OpenEntry): void => {
    one.happened()
    slots.take(entry, placeOf(one))
    entry.faults.push(describe(one.fault))
  }

  /** How a fault gets into the way; a change happens only where the delivery has a place for it. */
  const interference = (one: WaitingFault, entry: OpenEntry, now: number, random: Random.Stream): Interference => {
    const { form } = one.fault
    switch (form._tag) {
      case "SlowBody":
      case "CutBody":
      case "MalformedJson":
      case "ContentType":
      case "Drift":
        return {
          _tag: "Change",
          change: (delivery) => {
            const changed = changedDelivery(form, delivery)
            if (changed !== undefined) happened(one, entry)
            return changed ?? delivery
          }
        }
      case "Latency":
        happened(one, entry)
        return { _tag: "Delay", millis: drawLatency(form.latency, random) }
      case "Status":
      case "RateLimited":
      case "Html":
        happened(one, entry)
        return { _tag: "Answer", answer: faultAnswer(form, { switches, now, path: entry.path }) }
      case "Refuse":
        happened(one, entry)
        return { _tag: "Nothing", ending: "refuse" }
      case "Ending":
        happened(one, entry)
        return { _tag: "Nothing", ending: form.ending }
    }
  }

  const next: Interferer["next"] = (point, entry, now) => {
    for (const one of ranked) {
      if (!one.isFor(point, entry) || !slots.isFree(entry, placeOf(one))) continue
      const random = one.draw(entry)
      if (random !== undefined) return interference(one, entry, now, random)
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
            const complaint = one.end()
            return complaint === undefined || Exit.isFailure(exit) ? Effect.void : Effect.die(complaint)
          })
      ),
    armed: () => armed,
    unfired: () => armed.flatMap((one) => one.complaint() ?? []),
    clear: () => {
      armed = []
      ranked = []
    },
    next
  }
}
