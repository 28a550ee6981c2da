/**
 * When a run waits: for the rate limit to reset, or for a service that is not available.
 */
import type { Waiting } from "./Progress.ts"

const baseDelayMs = 500
const maxDelayMs = 30_000

/** A run gives up when the service did nothing for this long. */
const outageLimitMs = 10 * 60_000

/** While nothing has succeeded yet, the address is more likely wrong than the service down. */
const firstOutageLimitMs = 30_000

/** When a run waits. Times are of the clock that the run uses. */
export class Pause {
  #waiting: Waiting | undefined
  #failuresInRow = 0
  #lastSuccess: number
  #hasSucceeded = false

  constructor(now: number) {
    this.#lastSuccess = now
  }

  /** The reason for waiting; `undefined` when the run need not wait. */
  at(now: number): Waiting | undefined {
    if (this.#waiting !== undefined && this.#waiting.until <= now) this.#waiting = undefined
    return this.#waiting
  }

  /** Whether the service has done nothing for too long. */
  isOutage(now: number): boolean {
    const limit = this.#hasSucceeded ? outageLimitMs : firstOutageLimitMs
    return this.#failuresInRow > 0 && now - this.#lastSuccess > limit
  }

  succeeded(now: number): void {
    this.#failuresInRow = 0
    this.#lastSuccess = now
    this.#hasSucceeded = true
  }

  /** Waits until a time that the service requested. */
  until(reason: string, until: number): void {
    if (until > (this.#waiting?.until ?? 0)) this.#waiting = { reason, until }
  }

  /** Waits because a call failed: as long as the service requested, otherwise longer with each failure in a row. */
  failed(reason: string, now: number, retryAfterMs: number | undefined): void {
    // Calls that were in flight together are one failure.
    if (this.at(now) === undefined) this.#failuresInRow++
    const delay = Math.min(maxDelayMs, baseDelayMs * 2 ** (this.#failuresInRow - 1))
    this.until(reason, now + Math.max(retryAfterMs ?? 0, delay))
  }
}
