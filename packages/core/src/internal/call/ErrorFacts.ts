import * as Schema from "effect/Schema"
import { Attempt } from "../../Attempt.ts"
import type { OperationName } from "../../Operation.ts"
import type { Reason } from "../../Reason.ts"

/** The fields that all errors of operations have beside their `operation` and `reason`. */
export const factFields = {
  /** One line: the operation, what happened and what to do. */
  message: Schema.String,
  /** What to do now, in one sentence; the message ends with it. */
  nextStep: Schema.String,
  /** The attempts of the call; empty when nothing was sent. */
  attempts: Schema.Array(Attempt),
  /** The key that all attempts carried; absent when they carried none. */
  idempotencyKey: Schema.optionalKey(Schema.String),
  /** What the service calls the last exchange; absent when it did not say. */
  requestId: Schema.optionalKey(Schema.String),
  /** Status of the last answer; absent when there was none. */
  status: Schema.optionalKey(Schema.Int)
}

/** What an error of an operation is made from. */
export interface ErrorFacts<R> {
  readonly message: string
  readonly nextStep: string
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

/** What the caller can do after so many attempts, in one sentence. A read can be repeated without a second thought. */
export const nextStepOf = (reason: Reason, operation: OperationName, attempts: number): string => {
  const isRead = operation === "events.list"
  switch (reason._tag) {
    case "InvalidRequest":
      return "Correct this; nothing was sent."
    case "TransportFailure":
      if (isRead) return "Check the base URL and the network, then repeat."
      return reason.delivery === "not-sent"
        ? "Check the base URL and the network; the request did not reach the service."
        : "It is not known whether the service did the work; check before you repeat a write."
    case "Timeout":
      if (attempts === 0) return "Nothing was sent; allow more time."
      return isRead
        ? "Repeat, or allow more time."
        : "It is not known whether the service did the work; check before you repeat a write, or allow more time."
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
    case "RequestInFlight":
      return "Wait for the request with this key to end, then repeat with the same key."
    case "IdempotencyKeyReused":
      return "Use a new key: this one belongs to another request."
    case "Conflict":
      return "Read the current state, then decide again."
    case "Rejected":
      return "Correct the request as the service says."
    case "RateLimited":
      return reason.retryAfter === undefined
        ? "Wait, then repeat; send less at a time."
        : `Repeat after ${reason.retryAfter} ms.`
    case "ServerFailure":
      return reason.replayed
        ? "This is a stored answer: repeat with a new key once the service is well."
        : isRead
          ? "Repeat later."
          : "Repeat later; check first whether the write was done."
    case "UnexpectedStatus":
      return "Check that the base URL leads to the service itself; redirects are not followed."
    case "MalformedResponse":
      return reason.accepted
        ? "The change was accepted; do not repeat it because of this error."
        : "Check the base URL; read tolerantly if the policy is strict."
  }
}
