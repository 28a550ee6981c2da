/**
 * How many calls run at once: as many as the latency of the service allows, never more than the given limit.
 *
 * The limit grows while responses take about as long as they did lately, shrinks in proportion when they take
 * much longer, and by a tenth when the service refuses or does not respond (the gradient algorithm that load shedding
 * libraries use, with the square root of the limit as the growth per round).
 */

/** A response may take this many times as long as lately before the limit shrinks. */
const tolerance = 2

/** Weight of one response in the limit. */
const smoothing = 0.2

/** Weight of one response in the latency of lately. */
const latencyWeight = 0.02

/** Calls at once before the service has responded. */
const standardStart = 4

/** One call, as the algorithm sees it. */
export interface CallSample {
  readonly durationMs: number
  /** Calls that ran at its end, itself included. */
  readonly inFlight: number
  /** The service refused for load, or did not respond. */
  readonly isDropped: boolean
}

/** The number of calls that may run at once. */
export class Concurrency {
  readonly #max: number
  #limit: number
  #latency: number | undefined

  constructor(max: number, start = standardStart) {
    this.#max = max
    this.#limit = Math.min(start, max)
  }

  /** Calls that may run at once now. */
  get limit(): number {
    return Math.max(1, Math.floor(this.#limit))
  }

  /** Adjusts the limit to a finished call. */
  observe({ durationMs, inFlight, isDropped }: CallSample): void {
    if (isDropped) {
      this.#limit = Math.max(1, this.#limit * 0.9)
      return
    }
    const duration = Math.max(durationMs, 0.1)
    this.#latency = this.#latency === undefined ? duration : this.#latency + latencyWeight * (duration - this.#latency)
    // A call that had company below half of the limit says nothing about a higher one.
    if (inFlight < this.#limit / 2) return
    const gradient = Math.min(1, Math.max(0.5, (tolerance * this.#latency) / duration))
    const target = this.#limit * gradient + Math.sqrt(this.#limit)
    this.#limit = Math.min(this.#max, Math.max(1, this.#limit + smoothing * (target - this.#limit)))
  }
}
