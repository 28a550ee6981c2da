/**
 * An armed fault: which requests it applies to, and how often it fired.
 */
import type { Journal } from "../journal/Journal.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { type UnmatchedRequests, unmatchedRequestLines } from "../journal/UnmatchedRequests.ts"
import type { FaultPoint } from "../request/FaultInjector.ts"
import * as Random from "../state/Random.ts"
import type { Fault } from "./Fault.ts"
import { FaultNeverFired } from "./FaultNeverFired.ts"

/**
 * An armed fault.
 *
 * Disposing it disarms it and throws {@link FaultNeverFired} if no request met it, unless it was disarmed before by
 * `remove()`, `faults.clear()` or `reset()` of its environment. If a test fails while a fault is armed with `using`, it
 * fails with a `SuppressedError` whose `suppressed` is the failure of the test.
 */
export interface ArmedFault extends Disposable {
  readonly fault: Fault
  /** How often it fired. */
  readonly fired: () => number
  /** Disarms it, whether it fired or not. */
  readonly remove: () => void
}

/** What a fault is armed with. */
interface Arming {
  readonly fault: Fault
  /** The fault as JSON. */
  readonly text: string
  readonly journal: Journal
  /** The unmatched requests that come from now on. */
  readonly unmatchedFromNow: () => UnmatchedRequests
  /** Number that no other fault of the environment has, whatever was armed before it. */
  readonly identity: number
  /** Takes it out of the faults of its environment; false where it was gone already. */
  readonly remove: (fault: WaitingFault) => boolean
}

const isFor = ({ attempt, key, operation, request }: Fault, entry: JournalEntry): boolean =>
  (operation === undefined || operation === entry.operation) &&
  (attempt === undefined || attempt === entry.attempt) &&
  (request === undefined || request === entry.number) &&
  (key === undefined || key === entry.idempotencyKey)

const timesOf = ({ probability, times }: Fault): number => {
  if (times === "always") return Infinity
  return times ?? (probability === undefined ? 1 : Infinity)
}

/** Requests of an environment so far, those included that its journal has forgotten. */
const requestsIn = (journal: Journal): number => journal.evicted() + journal.entries().length

/** A fault that waits for its requests, as its environment sees it. */
export class WaitingFault implements ArmedFault {
  readonly fault: Fault
  /** The fault as JSON, made once: each new fault is compared with all that are armed, and that can be thousands. */
  readonly text: string
  readonly #arming: Arming
  readonly #requestsBefore: number
  readonly #unmatchedRequests: UnmatchedRequests
  /** It happens to each request at most once, however often it is asked. */
  readonly #asked = new WeakSet<JournalEntry>()
  #asks = 0
  #fired = 0

  constructor(arming: Arming) {
    this.fault = arming.fault
    this.text = arming.text
    this.#arming = arming
    this.#requestsBefore = requestsIn(arming.journal)
    this.#unmatchedRequests = arming.unmatchedFromNow()
  }

  readonly fired = (): number => this.#fired
  readonly remove = (): void => void this.#arming.remove(this);

  [Symbol.dispose](): void {
    const issue = this.end()
    if (issue !== undefined) throw issue
  }

  /** Takes it away at its end; gives what there is to check about, unless somebody took it away on purpose before. */
  end(): FaultNeverFired | undefined {
    return this.#arming.remove(this) ? this.issue() : undefined
  }

  /** Whether it is for a request at a point, and was not asked about that before. */
  isFor(point: FaultPoint, entry: JournalEntry): boolean {
    return (
      this.fault.point === point &&
      this.#fired < timesOf(this.fault) &&
      isFor(this.fault, entry) &&
      !this.#asked.has(entry)
    )
  }

  /** Whether it happens to a request that it is for; gives the chances of its details where it does. */
  draw(entry: JournalEntry): Random.Stream | undefined {
    this.#asked.add(entry)
    this.#asks += 1
    const random = Random.stream(Random.hash(this.#arming.identity, entry.number))
    return random() < (this.fault.probability ?? 1) ? random : undefined
  }

  /** It has happened. */
  happened(): void {
    this.#fired += 1
  }

  /** What there is to check about when it is over. */
  issue(): FaultNeverFired | undefined {
    const hadItsChance = this.fault.probability !== undefined && this.#asks > 0
    if (this.#fired > 0 || hadItsChance) return undefined
    const came = this.#arming.journal.entries().filter(({ number }) => number > this.#requestsBefore)
    return new FaultNeverFired(this.fault, came, unmatchedRequestLines(this.#unmatchedRequests))
  }
}
