import {
  Conflict,
  type CommonReason,
  Forbidden,
  IdempotencyKeyReused,
  NotFound,
  PayloadTooLarge,
  PaymentRequired,
  RateLimited,
  Rejected,
  RequestInFlight,
  ServerFailure,
  Unauthorized,
  UnexpectedStatus,
  type WriteReason
} from "../errors/Reason.ts"
import { adviseWrite } from "../errors/Advice.ts"
import { defined } from "../errors/Defined.ts"
import { mayHaveArrived } from "./Retry.ts"
import { issueLine, type ErrorBody, shortened } from "./ErrorBody.ts"
import type { ResponseHeaders } from "../transport/Transport.ts"

/** An answer that is no success, as far as its reason depends on it. */
export interface FailedResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly said: ErrorBody
  /** How long the service asks to wait, in milliseconds. */
  readonly hint: number | undefined
  /** The key that the request carried. */
  readonly key: string | undefined
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  425: "Too Early",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
}

// Short enough that an error with its attempts stays a log line of 2 KB; `detail` and `fields` have the rest.
const messageLimit = 200

/** What every reason of an answer says. */
const factsOf = ({ hint, said, status }: FailedResponse) => {
  const phrase = phrases[status]
  const [first, ...others] = said.fields ?? []
  // Where the only complaint is what the service said anyway, once is enough.
  const field = first === undefined || first.rule === said.detail ? undefined : issueLine(first)
  const more = field !== undefined && others.length > 0 ? ` (and ${others.length} more)` : ""
  const line = phrase === undefined ? `${status}` : `${status} ${phrase}`
  const parts = [line, said.detail, field && field + more].filter((part) => part !== undefined)
  return { ...said, ...defined({ retryAfterMs: hint }), status, message: shortened(parts.join(": "), messageLimit) }
}

/** Whether the service says that this is the stored answer of an earlier request with the same key. */
export const isReplay = (headers: ResponseHeaders): boolean =>
  (headers["idempotency-replay"] ?? headers["idempotent-replayed"])?.trim().toLowerCase() === "true"

const byStatus = {
  401: Unauthorized,
  402: PaymentRequired,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  413: PayloadTooLarge,
  429: RateLimited
}

const hasOwnReason = (status: number): status is keyof typeof byStatus => status in byStatus

/** The reason of an answer that is no success, for every operation. */
export const reasonOf = (refusal: FailedResponse): CommonReason => {
  const { headers, status } = refusal
  const facts = factsOf(refusal)
  if (hasOwnReason(status)) return new byStatus[status](facts)
  if (status >= 500 && status < 600) return new ServerFailure({ ...facts, replayed: isReplay(headers) })
  return status >= 400 && status < 500 ? new Rejected(facts) : new UnexpectedStatus(facts)
}

const namesKeys = /idempoten|request with key|reused for a different/i

/** The reason of an answer that a write with a key got for its key; `undefined` for every other answer. */
const ownReason = (refusal: FailedResponse): WriteReason | undefined => {
  const { key, said, status } = refusal
  if (key === undefined) return undefined
  if (status === 409 && refusal.headers["retry-after"] !== undefined) return new RequestInFlight(factsOf(refusal))
  if (status === 422 && said.fields === undefined && said.detail !== undefined) {
    if (said.detail.includes(key) || namesKeys.test(said.detail)) return new IdempotencyKeyReused(factsOf(refusal))
  }
  return undefined
}

/** Responses that leave open whether the change was applied: a failure can come after it, and a redirect instead of it. */
const unclear = new Set(["Timeout", "ServerFailure", "UnexpectedStatus", "MalformedResponse"])

const advise = adviseWrite((reason) => unclear.has(reason._tag) || mayHaveArrived(reason))

/** What the calls of operations that write have in common. */
export const writing = { ownReason, advise }
