import type { AnyOperationName } from "../contract/Operations.ts"
import type { ExchangeFacts } from "./Attempt.ts"
import { TaggedError } from "./TaggedError.ts"

/** The facts that all errors of operations have besides their `operation`. */
export interface ErrorFacts<R> extends ExchangeFacts {
  /** One line: the operation, what happened and what to do. */
  readonly message: string
  /** Why the call failed. */
  readonly reason: R
  /** The next step for the reader; the message ends with it. */
  readonly advice: string
  /**
   * Whether the change may have been applied; always `false` for a read. It does not cover a request that a browser
   * resends by itself when a reused connection breaks.
   */
  readonly mayHaveBeenApplied: boolean
}

/** The facts that an error of one operation has. */
export interface OperationErrorFacts<Name extends AnyOperationName, R> extends ErrorFacts<R> {
  /** Name of the operation; `client.request` for a one-off request. */
  readonly operation: Name
}

/**
 * The brand of all errors of operations: registered under a name, so that it is the same in every copy of the package.
 */
export const brand: unique symbol = Symbol.for("signalbox/core/SignalboxError")

/** Makes the base class of an error that {@link isSignalboxError} recognizes; see `TaggedError`. */
export const OperationError = <const Tag extends string>(tag: Tag, unlogged?: ReadonlyArray<string>) => {
  const Base = TaggedError(tag, unlogged)
  Object.defineProperty(Base.prototype, brand, { value: true })
  return Base
}
