/**
 * Why a call failed. Each operation has one error class whose `reason` is one of these.
 *
 * **When to use**: to decide by cause: `Effect.catchReason` takes one, a `switch` over `error.reason._tag` all of them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** What is wrong with one field, and where. */
export const FieldIssue = Schema.Struct({
  /** Where the field is, for example `credentials.deviceTokens[0]`; empty for the whole. */
  path: Schema.String,
  /** What is allowed there, without the value. */
  rule: Schema.String
}).annotate({ identifier: "FieldIssue" })
export type FieldIssue = typeof FieldIssue.Type

const said = {
  /** One line: what happened. */
  message: Schema.String
}

const answered = {
  ...said,
  /** Status of the answer. */
  status: Schema.Int,
  /** What the service said in the body, where the body has a known shape; secrets removed. */
  detail: Schema.optionalKey(Schema.String),
  /** What the service complains about field by field, where the body has a known shape. */
  fields: Schema.optionalKey(Schema.Array(FieldIssue)),
  /** Beginning of the body, at most 2 KB; secrets removed. */
  body: Schema.optionalKey(Schema.String),
  /** How long the service asks to wait, in milliseconds; absent when it did not say. */
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}

/** Refused by this client: the request breaks the API document, and nothing was sent. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  ...said,
  /** What is wrong, at least one. */
  fields: Schema.Array(FieldIssue)
}) {}

/** No answer. */
export class TransportFailure extends Schema.TaggedError<TransportFailure>()("TransportFailure", {
  ...said,
  /** Whether the request is known not to have reached the service. */
  delivery: Schema.Literals(["not-sent", "unknown"]),
  /** Code of the failure, such as `ECONNREFUSED`; absent when the platform gave none. */
  code: Schema.optionalKey(Schema.String)
}) {}

/** A time limit passed; whether the service may have done the work is in the `mayHaveBeenApplied` of the error. */
export class Timeout extends Schema.TaggedError<Timeout>()("Timeout", {
  ...said,
  /** Which limit. */
  scope: Schema.Literals(["attempt", "call"]),
  /** The limit in milliseconds. */
  limitMs: Schema.Finite
}) {}

/** 401: the API key is missing, wrong, or not of this service. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", answered) {}

/** 402: the plan does not cover it, for example a date before its retention. */
export class PaymentRequired extends Schema.TaggedError<PaymentRequired>()("PaymentRequired", answered) {}

/** 403: the API key is known and may not do this. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", answered) {}

/** 404: no such thing, for example an unknown subscriber. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", answered) {}

/** 413: the request is too large. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", answered) {}

/** 409 with `Retry-After` to a write that carried a key: a request with this key is still being worked on. */
export class RequestInFlight extends Schema.TaggedError<RequestInFlight>()("RequestInFlight", answered) {}

/** 422 to a write that carried a key, with a message that names it: the key was used for another request before. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  answered
) {}

/** 409 for any other cause. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", answered) {}

/** 400, 405, 408, 414, 415, 422 and every other 4xx without a reason of its own. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", answered) {}

/** 429, or held back by this client because the service had said that nothing is left. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...answered,
  /** 429; absent when held back, which no answer is. */
  status: Schema.optionalKey(Schema.Int)
}) {}

/** 5xx. */
export class ServerFailure extends Schema.TaggedError<ServerFailure>()("ServerFailure", {
  ...answered,
  /** Whether the service says that this is the stored answer of an earlier request with the same key. */
  replayed: Schema.Boolean
}) {}

/** 1xx or 3xx; redirects are not followed. */
export class UnexpectedStatus extends Schema.TaggedError<UnexpectedStatus>()("UnexpectedStatus", answered) {}

/** 2xx that cannot be read; the service has accepted the request. */
export class MalformedResponse extends Schema.TaggedError<MalformedResponse>()("MalformedResponse", {
  ...answered,
  /** Whether a write was accepted although its answer cannot be read. */
  accepted: Schema.Boolean
}) {}

/** The reasons for which every operation can fail. */
export const commonReasons = [
  InvalidRequest,
  TransportFailure,
  Timeout,
  Unauthorized,
  PaymentRequired,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  Conflict,
  Rejected,
  RateLimited,
  ServerFailure,
  UnexpectedStatus,
  MalformedResponse
] as const

/** The reasons for which only a write can fail. */
export const writeReasons = [RequestInFlight, IdempotencyKeyReused] as const

/** A reason for which every operation can fail. */
export type CommonReason = InstanceType<(typeof commonReasons)[number]>

/** A reason for which only a write can fail. */
export type WriteReason = InstanceType<(typeof writeReasons)[number]>

/**
 * A reason for which a call can fail.
 *
 * @example
 * ```ts
 * import type { Reason } from "@signalbox/core/Reason"
 *
 * const waitOf = (reason: Reason): number | undefined => {
 *   switch (reason._tag) {
 *     case "RateLimited":
 *       return reason.retryAfterMs ?? 1000
 *     case "ServerFailure":
 *       return reason.replayed ? undefined : 5000
 *     default:
 *       return undefined
 *   }
 * }
 * ```
 */
export type Reason = CommonReason | WriteReason
