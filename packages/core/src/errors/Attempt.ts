/** One HTTP exchange of a call. */
export interface Attempt {
  /** Counted from 1. */
  readonly number: number
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number
  /** How long it took, including the body, in milliseconds. */
  readonly durationMs: number
  /** How long the client waited before it, in milliseconds. */
  readonly delayMs: number
  /** Why it was made: the tag of the reason the previous attempt failed for. Absent for the first attempt. */
  readonly retryReason?: string
  /** `success`, the tag of the reason it failed for, or `Interrupted` if its call was interrupted meanwhile. */
  readonly outcome: string
  /** Status of the response; absent when there was no response. */
  readonly status?: number
  /** The service's identifier for this exchange; absent when the response had none. */
  readonly requestId?: string
}

/** The exchanges of a call, as its error and its info report them. */
export interface ExchangeFacts {
  /** The attempts of the call; empty when nothing was sent. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The idempotency key of all attempts; absent when they had none. */
  readonly idempotencyKey?: string
  /** The service's identifier for the last exchange; absent when the response had none. */
  readonly requestId?: string
  /** Status of the last response; absent when there was none. */
  readonly status?: number
}
