import type { Attempt } from "./Attempt.ts"
import { TaggedError } from "./TaggedError.ts"

/** The facts that all errors of operations have besides their `operation`. */
export interface ErrorFacts<R> {
  /** One line: the operation, what happened and what to do. */
  readonly message: string
  /** Why the call failed. */
  readonly reason: R
  /** What to do now; the message ends with it. */
  readonly advice: string
  /** Whether the change may have been applied; always `false` for a read. */
  readonly mayHaveBeenApplied: boolean
  /** The attempts of the call; empty when nothing was sent. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The idempotency key of all attempts; absent when they had none. */
  readonly idempotencyKey?: string
  /** The service's identifier for the last exchange; absent when the response had none. */
  readonly requestId?: string
  /** Status of the last response; absent when there was none. */
  readonly status?: number
}

/**
 * The brand of all errors of operations: registered under a name, so that it is the same in every copy of the package.
 */
export const brand: unique symbol = Symbol.for("signalbox/core/SignalboxError")

/** Makes the base class of an operation's error; see `TaggedError`. */
export const OperationError = <const Tag extends string>(tag: Tag, unlogged?: ReadonlyArray<string>) => {
  const Base = TaggedError(tag, unlogged)
  Object.defineProperty(Base.prototype, brand, { value: true })
  return Base
}
