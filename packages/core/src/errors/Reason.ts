import { TaggedError } from "./TaggedError.ts"

/** An issue of one field, and its position. */
export interface FieldIssue {
  /** Path of the field, for example `credentials.deviceTokens[0]`; empty for the whole input. */
  readonly path: string
  /** The rule for the position; never the value. */
  readonly rule: string
}

/** Fields that every reason has. */
interface Described {
  /** The failure in one line. */
  readonly message: string
}

/** The facts of a failed response besides its status. */
interface BodyFacts extends Described {
  /** The service's message, when the body has a known shape; secrets removed. Part of `message`, so not enumerable. */
  readonly detail?: string
  /** The service's field errors, when the body has a known shape. Not enumerable: `message` shows the first one. */
  readonly fields?: ReadonlyArray<FieldIssue>
  /** Start of the body, at most 2 KB; secrets removed. Not enumerable, to keep log lines short. */
  readonly body?: string
  /** How long the service asks to wait, in milliseconds; absent when it did not ask. */
  readonly retryAfterMs?: number
}

/** The facts of a failed response. */
export interface ResponseFacts extends BodyFacts {
  /** Status of the response. */
  readonly status: number
}

const unlogged = ["detail", "fields", "body"]

/** Rejected by this client because the request breaks the API document. Nothing was sent. */
export class InvalidRequest
  extends /* @__PURE__ */ TaggedError("InvalidRequest", unlogged)<
    Described & {
      /** The issues, at least one. Not enumerable: `message` shows the first ones. */
      readonly fields: ReadonlyArray<FieldIssue>
    }
  > {}

/** No response. */
export class TransportFailure
  extends /* @__PURE__ */ TaggedError("TransportFailure")<
    Described & {
      /** `not-sent` only when it is certain that the request did not reach the service. */
      readonly delivery: "not-sent" | "unknown"
      /** Code of the failure, such as `ECONNREFUSED`; absent when the platform has no code. */
      readonly code?: string
    }
  > {}

/** A time limit passed. The error's `mayHaveBeenApplied` says whether the change may have been applied. */
export class Timeout
  extends /* @__PURE__ */ TaggedError("Timeout")<
    Described & {
      /** `not-sent` only when it is certain that no request reached the service. */
      readonly delivery: "not-sent" | "unknown"
      /** Which limit. */
      readonly scope: "attempt" | "call"
      /** The limit in milliseconds. */
      readonly limitMs: number
    }
  > {}

/** 401: the API key is missing, wrong, or belongs to another service. */
export class Unauthorized extends /* @__PURE__ */ TaggedError("Unauthorized", unlogged)<ResponseFacts> {}

/** 402: the plan does not cover the request, for example a date before its retention period. */
export class PaymentRequired extends /* @__PURE__ */ TaggedError("PaymentRequired", unlogged)<ResponseFacts> {}

/** 403: the API key is valid but may not do this. */
export class Forbidden extends /* @__PURE__ */ TaggedError("Forbidden", unlogged)<ResponseFacts> {}

/** 404: not found, for example an unknown subscriber. */
export class NotFound extends /* @__PURE__ */ TaggedError("NotFound", unlogged)<ResponseFacts> {}

/** 413: the request is too large. */
export class PayloadTooLarge extends /* @__PURE__ */ TaggedError("PayloadTooLarge", unlogged)<ResponseFacts> {}

/** 409 with `Retry-After` to a write with an idempotency key: a request with this key is still in progress. */
export class RequestInFlight extends /* @__PURE__ */ TaggedError("RequestInFlight", unlogged)<ResponseFacts> {}

/** 422 to a write with an idempotency key, with a message that names the key: another request used the key before. */
export class IdempotencyKeyReused
  extends /* @__PURE__ */ TaggedError("IdempotencyKeyReused", unlogged)<ResponseFacts> {}

/** 409 for any other cause. */
export class Conflict extends /* @__PURE__ */ TaggedError("Conflict", unlogged)<ResponseFacts> {}

/** 400, 405, 408, 414, 415, 422 and every other 4xx without a specific reason. */
export class Rejected extends /* @__PURE__ */ TaggedError("Rejected", unlogged)<ResponseFacts> {}

/** 429, or not sent by this client: the rate limit is exhausted, or the service announced a wait with a 503. */
export class RateLimited
  extends /* @__PURE__ */ TaggedError("RateLimited", unlogged)<
    BodyFacts & {
      /** 429; absent when the client did not send the request. */
      readonly status?: number
    }
  > {}

/** 5xx. */
export class ServerFailure
  extends /* @__PURE__ */ TaggedError("ServerFailure", unlogged)<
    ResponseFacts & {
      /** Whether the service says that this is the stored response of an earlier request with the same key. */
      readonly replayed: boolean
    }
  > {}

/** 1xx or 3xx. Redirects are not followed. */
export class UnexpectedStatus
  extends /* @__PURE__ */ TaggedError("UnexpectedStatus", unlogged)<
    BodyFacts & {
      /** Status of the response; absent for a redirect in a browser, which hides it. */
      readonly status?: number
    }
  > {}

/** 2xx with a body that cannot be read. */
export class MalformedResponse
  extends /* @__PURE__ */ TaggedError("MalformedResponse", unlogged)<
    ResponseFacts & {
      /**
       * Whether the service accepted a write although its response cannot be read. Absent for a body without JSON, such as
       * a login page, or with an error: another server may have responded, and the write may not have reached the service.
       */
      readonly accepted?: boolean
      /** Whether the connection broke before the end of the body; absent otherwise. */
      readonly isCutOff?: boolean
    }
  > {}

/** The reasons every operation can fail for. */
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

/** The reasons only a write can fail for. */
export const writeReasons = [RequestInFlight, IdempotencyKeyReused] as const

/** A reason every operation can fail for. */
export type CommonReason = InstanceType<(typeof commonReasons)[number]>

/** A reason only a write can fail for. */
export type WriteReason = InstanceType<(typeof writeReasons)[number]>

/**
 * A reason a call can fail for.
 *
 * @example
 * ```ts
 * import type { Reason } from "@signalbox/core/Errors"
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
