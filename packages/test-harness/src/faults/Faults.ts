import type { Journal } from "../journal/Journal.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { UnmatchedRequests } from "../journal/UnmatchedRequests.ts"
import type { OpenEntry } from "../journal/OpenEntry.ts"
import type { Injection, FaultInjector } from "./FaultInjector.ts"
import * as Random from "../random/Random.ts"
import type { Switches } from "../switches/Switches.ts"
import { describe, type Fault } from "./Fault.ts"
import { type FormName, type FormOf, type FormRecord, formRecords, recordOf, type Slot } from "./FaultForms.ts"
import type { FaultNeverFired } from "./FaultNeverFired.ts"
import { fromJson } from "./FaultSchema.ts"
import { type ArmedFault, WaitingFault } from "./ArmedFault.ts"

/** The faults of an environment. */
export interface Faults {
  /**
   * Arms a fault.
   *
   * @throws RangeError for an invalid fault, in one line that names the place and what is expected.
   */
  readonly add: (fault: Fault) => ArmedFault
  /** The armed faults, in the order in which they were added. */
  readonly armed: () => ReadonlyArray<ArmedFault>
  /**
   * The errors of armed faults that no request met. A fault with a probability is left out once it had a chance to fire.
   */
  readonly unfired: () => ReadonlyArray<FaultNeverFired>
  /** Disarms all faults. */
  readonly clear: () => void
}

interface Surroundings {
  readonly seed: number
  readonly switches: Switches
  readonly journal: Journal
  /** The unmatched requests that come from now on. */
  readonly unmatchedFromNow: () => UnmatchedRequests
}

const placeOf = ({ fault }: ArmedFault): Pick<FormRecord<FormName>, "rank" | "slot"> => formRecords[fault.form._tag]

const makeSlots = () => {
  const taken = new WeakMap<JournalEntry, ReadonlySet<Slot>>()
  return {
    isFree: (entry: JournalEntry, { slot }: Pick<FormRecord<FormName>, "slot">): boolean =>
      slot === undefined || taken.get(entry)?.has(slot) !== true,
    take: (entry: JournalEntry, { slot }: Pick<FormRecord<FormName>, "slot">): void => {
      if (slot !== undefined) taken.set(entry, new Set([...(taken.get(entry) ?? []), slot]))
    }
  }
}

/** Makes an empty set of faults with chances from a seed. */
export const makeFaults = ({ journal, seed, unmatchedFromNow, switches }: Surroundings): Faults & FaultInjector => {
  let armed: ReadonlyArray<WaitingFault> = []
  /** The same, in the order in which they apply. */
  let ranked: ReadonlyArray<WaitingFault> = []
  const slots = makeSlots()

  const put = (added: WaitingFault): void => {
    armed = [...armed, added]
    const { rank } = placeOf(added)
    ranked = ranked.toSpliced(ranked.findLastIndex((other) => placeOf(other).rank <= rank) + 1, 0, added)
  }

  // Equal faults are numbered, so that adding other faults does not change their chances.
  const identityOf = (text: string): number =>
    Random.hash(seed, text, armed.filter((other) => other.text === text).length)

  const arm = (given: Fault): WaitingFault => {
    const fault = fromJson(given)
    const remove = (gone: WaitingFault): boolean => {
      const isArmed = armed.includes(gone)
      armed = armed.filter((other) => other !== gone)
      ranked = ranked.filter((other) => other !== gone)
      return isArmed
    }
    const text = JSON.stringify(fault)
    const waiting = new WaitingFault({ fault, text, journal, unmatchedFromNow, identity: identityOf(text), remove })
    put(waiting)
    return waiting
  }

  const happened = (one: WaitingFault, entry: OpenEntry): void => {
    one.happened()
    slots.take(entry, placeOf(one))
    entry.faults = [...entry.faults, describe(one.fault)]
  }

  const inject = <Name extends FormName>(
    form: FormOf<Name>,
    one: WaitingFault,
    entry: OpenEntry,
    now: number,
    random: Random.Stream
  ): Injection => {
    const { effect } = recordOf<Name>(form)
    switch (effect._tag) {
      case "Delay":
        happened(one, entry)
        return { _tag: "Delay", delayMs: effect.delayMs(form, random) }
      case "Respond":
        happened(one, entry)
        return { _tag: "Response", response: effect.respond(form, { switches, now, path: entry.path }) }
      case "Fail":
        happened(one, entry)
        return { _tag: "NoResponse", failure: effect.failure(form) }
      case "Change":
        return {
          _tag: "Change",
          change: (delivery) => {
            const changed = effect.change(form, delivery)
            if (changed !== undefined) happened(one, entry)
            return changed ?? delivery
          }
        }
    }
  }

  const next: FaultInjector["next"] = (point, entry, now) => {
    for (const one of ranked) {
      if (!one.isFor(point, entry) || !slots.isFree(entry, placeOf(one))) continue
      const random = one.draw(entry)
      if (random !== undefined) return inject(one.fault.form, one, entry, now, random)
    }
    return undefined
  }

  return {
    add: arm,
    armed: () => armed,
    unfired: () => armed.flatMap((one) => one.issue() ?? []),
    clear: () => {
      armed = []
      ranked = []
    },
    next
  }
}
