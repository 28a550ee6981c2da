import type { Unreadable } from "@signalbox/core/DriftEntry"

/** Facts of a finished call that the screens show. */
export interface CallFacts {
  readonly status: number
  readonly durationMs: number
  readonly attempts: number
  readonly idempotencyKey?: string
  readonly requestId?: string
  /** Parts of the answer that the reader removed because they could not be read. */
  readonly unreadable: ReadonlyArray<Unreadable>
}
