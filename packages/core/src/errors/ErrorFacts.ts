import * as Schema from "effect/Schema"
import { Attempt } from "./Attempt.ts"
import type { CommonReason } from "./Reason.ts"
import { waitInWords } from "./WaitInWords.ts"

/** The fields that all errors of operations have beside their `operation` and `reason`. */
export const factFields = {
  /** One line: the operation, what happened and what to do. */
  message: Schema.String,
  /** What to do now; the message ends with it. */
  advice: Schema.String,
  /** Whether the service may have done the work; never of a read, which changes nothing. */
  mayHaveBeenApplied: Schema.Boolean,
  /** The attempts of the call; empty when nothing was sent. */
  attempts: Schema.Array(Attempt),
  /** The key that all attempts carried; absent when they carried none. */
  idempotencyKey: Schema.optionalKey(Schema.String),
  /** What the service calls the last exchange; absent when it did not say. */
  requestId: Schema.optionalKey(Schema.String),
  /** Status of the last answer; absent when there was none. */
  status: Schema.optionalKey(Schema.Int)
}

/** What a failed call leaves its caller with. */
export interface Aftermath {
  readonly mayHaveBeenApplied: boolean
  readonly advice: string
}

/** What a failed call leaves its caller with; `isInDoubt` where an attempt before the last one may have arrived. */
export type AftermathOf<R> = (reason: R, attempts: ReadonlyArray<Attempt>, isInDoubt: boolean) => Aftermath

/** What an error of an operation is made from. */
export interface ErrorFacts<R> extends Aftermath {
  readonly message: string
  readonly reason: R
  readonly attempts: ReadonlyArray<Attempt>
  readonly idempotencyKey?: string
  readonly requestId?: string
  readonly status?: number
}

/**
 * The brand of all errors of operations: registered under a name, so that it is the same in every copy of the package.
 */
export const brand: unique symbol = Symbol.for("signalbox/core/SignalboxError")

/** What the caller can do after so many attempts, where a repeat does no harm. */
export const adviceFor = (reason: CommonReason, attempts: number): string => {
  switch (reason._tag) {
    case "InvalidRequest":
      return "Correct this; nothing was sent."
    case "TransportFailure":
      return "Check the base URL and the network, then repeat."
    case "Timeout":
      return attempts === 0 ? "Nothing was sent; allow more time." : "Repeat, or allow more time."
    case "Unauthorized":
      return "Check the API key and that it belongs to this base URL."
    case "PaymentRequired":
      return "Stay within what the plan of the environment covers."
    case "Forbidden":
      return "Use an API key that may do this."
    case "NotFound":
      return "Check the identifiers and the environment of the API key."
    case "PayloadTooLarge":
      return "Send less in one request."
    case "Conflict":
      return "Read the current state, then decide again."
    case "Rejected":
      return "Correct the request as the service says."
    case "RateLimited":
      return reason.retryAfterMs === undefined
        ? "Wait, then repeat; send less at a time."
        : `Repeat after ${waitInWords(reason.retryAfterMs)}.`
    case "ServerFailure":
      return reason.replayed
        ? "This is a stored answer: repeat with a new key once the service is well."
        : "Repeat later."
    case "UnexpectedStatus":
      return "Check that the base URL leads to the service itself; redirects are not followed."
    case "MalformedResponse":
      return "Check the base URL; read tolerantly if the policy is strict."
  }
}

/** A read changes nothing. */
export const aftermathOfRead: AftermathOf<CommonReason> = (reason, attempts) => ({
  mayHaveBeenApplied: false,
  advice: adviceFor(reason, attempts.length)
})
