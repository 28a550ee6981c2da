/**
 * The highest rate of a run, so that it leaves a part of the service's limit to others.
 */
import type { RateLimitSnapshot } from "@signalbox/core/CallInfo"
import * as Context from "effect/Context"
import { limitOf, type StatedLimit } from "./StatedLimit.ts"

/** Requests a second, or a share, above 0 to 1, of the limit that the service states in its responses. */
export type MaxRate = number | { readonly share: number }

/**
 * The highest rate of runs, retries included; that of the start of the run when absent. A share has no effect where the service states no limit.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { MaxRate, startImport } from "@signalbox/bulk"
 *
 * const program = startImport({ input: "tokens.ndjson" }).pipe(Effect.provideService(MaxRate, { share: 0.5 }))
 * ```
 */
export const MaxRate = Context.Reference<MaxRate | undefined>("signalbox/bulk/MaxRate", {
  defaultValue: () => undefined
})

/** Spaces requests evenly, so that no second has more of them than the highest rate. Times are milliseconds. */
export class Pace {
  readonly #maxRate: MaxRate
  #limit: StatedLimit | undefined
  #nextAt = -Infinity

  constructor(maxRate: MaxRate) {
    this.#maxRate = maxRate
  }

  /** Notes the limit that a response stated. */
  observe(stated: RateLimitSnapshot | undefined, now: number): void {
    const limit = stated && limitOf(stated, this.#limit)
    if (typeof this.#maxRate === "number" || limit === undefined) return
    const isFirst = this.#limit === undefined
    this.#limit = limit
    // The request that found it out counts, too.
    if (isFirst) this.#nextAt = now + this.#intervalMs()
  }

  /** Takes the next turn, and returns the time until then. */
  take(now: number): number {
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#intervalMs()
    return Math.ceil(at - now)
  }

  #intervalMs(): number {
    if (typeof this.#maxRate === "number") return 1000 / this.#maxRate
    return this.#limit === undefined ? 0 : this.#limit.windowMs / (this.#limit.limit * this.#maxRate.share)
  }
}
