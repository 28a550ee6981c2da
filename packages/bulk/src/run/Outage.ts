/**
 * When a run waits because the service is not available, and when it gives up. Times are monotonic milliseconds.
 */
import type { Attempt } from "@signalbox/core/Errors"

const baseDelayMs = 500
const maxDelayMs = 30_000

/** A run gives up when the service did nothing for this long. */
const outageLimitMs = 10 * 60_000

/** While nothing has succeeded yet, the address is more likely wrong than the service down. */
const firstOutageLimitMs = 30_000

/** The statuses of a service that is not available. */
export const unavailable: ReadonlySet<number> = new Set([502, 503, 504])

/** Whether an attempt found that the service is not available. */
const isUnavailable = ({ outcome, status = 0 }: Attempt): boolean =>
  outcome === "TransportFailure" || outcome === "Timeout" || (outcome === "ServerFailure" && unavailable.has(status))

/** The availability of the service, as the calls of a run see it. */
export class Outage {
  readonly #random: () => number
  #since: number | undefined
  #delays = 0
  #hasSucceeded = false
  #endsAt = -Infinity
  #reason = ""

  constructor(random: () => number) {
    this.#random = random
  }

  /** Notes an attempt that has just ended; `isHeld` when the service announced a wait, which is no outage. */
  observe(attempt: Attempt, isHeld: boolean, now: number): void {
    if (!isHeld && isUnavailable(attempt)) {
      this.#since ??= now - attempt.durationMs
      return
    }
    this.#since = undefined
    if (isHeld) return
    this.#delays = 0
    this.#hasSucceeded ||= attempt.outcome === "success"
  }

  /** Waits because a call failed: at least as long as the service requested, and longer with each failure in a row. */
  failed(reason: string, now: number, retryAfterMs: number): void {
    // Calls that were in flight together are one failure.
    if (this.waitMs(now) > 0) return
    const longest = Math.min(maxDelayMs, baseDelayMs * 2 ** this.#delays++)
    this.#reason = reason
    this.#endsAt = now + Math.max(retryAfterMs, longest * (0.5 + this.#random() / 2))
  }

  /** The wait that is left before the next call, in milliseconds; 0 when the run need not wait. */
  waitMs(now: number): number {
    return Math.max(0, Math.ceil(this.#endsAt - now))
  }

  /** The tag of the reason for the wait. */
  get reason(): string {
    return this.#reason
  }

  /** Whether the service has not been available for too long. */
  isTooLong(now: number): boolean {
    const limit = this.#hasSucceeded ? outageLimitMs : firstOutageLimitMs
    return this.#since !== undefined && now - this.#since > limit
  }
}
