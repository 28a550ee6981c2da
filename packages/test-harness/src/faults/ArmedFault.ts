import { type Journal, requestsIn } from "../journal/Journal.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { type UnmatchedRequests, unmatchedRequestLines } from "../journal/UnmatchedRequests.ts"
import type { FaultPoint } from "./FaultInjector.ts"
import * as Random from "../random/Random.ts"
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

interface Arming {
  readonly fault: Fault
  /** The fault as JSON. */
  readonly text: string
  readonly journal: Journal
  /** The unmatched requests that come from now on. */
  readonly unmatchedFromNow: () => UnmatchedRequests
  /** A number that is unique among all faults of the environment. */
  readonly identity: number
  /** Removes it from the faults of its environment; false if it was already removed. */
  readonly remove: (fault: WaitingFault) => boolean
}

const isFor = ({ attempt, key, operation, request }: Fault, entry: JournalEntry): boolean =>
  (operation === undefined || operation === entry.operation) &&
  (attempt === undefined || attempt === entry.attempt) &&
  (request === undefined || request === entry.number) &&
  (key === undefined || key === entry.idempotencyKey)

/** How often a fault fires at most. */
export const timesOf = ({ probability, times }: Fault): number => {
  if (times === "always") return Infinity
  return times ?? (probability === undefined ? 1 : Infinity)
}

/** An armed fault, as its environment sees it. */
export class WaitingFault implements ArmedFault {
  readonly fault: Fault
  /** The fault as JSON, made once: each new fault is compared with all that are armed, and that can be thousands. */
  readonly text: string
  readonly #arming: Arming
  readonly #requestsBefore: number
  readonly #unmatchedRequests: UnmatchedRequests
  /** It applies to each request at most once. */
  readonly #evaluated = new WeakSet<JournalEntry>()
  #evaluations = 0
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

  /** Disarms it at the end of its scope; returns an error if it never fired, unless it was disarmed on purpose before. */
  end(): FaultNeverFired | undefined {
    return this.#arming.remove(this) ? this.issue() : undefined
  }

  /** Whether it matches a request at a point and was not evaluated for that request before. */
  isFor(point: FaultPoint, entry: JournalEntry): boolean {
    return (
      this.fault.point === point &&
      this.#fired < timesOf(this.fault) &&
      isFor(this.fault, entry) &&
      !this.#evaluated.has(entry) &&
      this.#canReach(entry)
    )
  }

  /**
   * A fault that was armed after a request had arrived is kept for later requests once the client of that one has left: the
   * client could not see the fault. The time at which it left does not count, because a server notices that late.
   */
  #canReach({ number, outcome }: JournalEntry): boolean {
    return outcome._tag !== "ClientDisconnected" || number > this.#requestsBefore
  }

  /** Decides whether it fires for a matching request; if so, returns the random stream for its details. */
  draw(entry: JournalEntry): Random.Stream | undefined {
    this.#evaluated.add(entry)
    this.#evaluations += 1
    const random = Random.stream(Random.hash(this.#arming.identity, entry.number))
    return random() < (this.fault.probability ?? 1) ? random : undefined
  }

  /** Records that it fired. */
  happened(): void {
    this.#fired += 1
  }

  /** The error if it never fired. */
  issue(): FaultNeverFired | undefined {
    const hadItsChance = this.fault.probability !== undefined && this.#evaluations > 0
    if (this.#fired > 0 || hadItsChance) return undefined
    const came = this.#arming.journal.entries().filter(({ number }) => number > this.#requestsBefore)
    return new FaultNeverFired(this.fault, came, unmatchedRequestLines(this.#unmatchedRequests))
  }
}
