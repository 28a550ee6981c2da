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
} from "../../Reason.ts"
import type { ErrorBody } from "./ErrorBody.ts"
import type { AnswerHeaders } from "../../Transport.ts"

/** An answer that is no success, as far as its reason depends on it. */
export interface Refusal {
  readonly status: number
  readonly headers: AnswerHeaders
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

const factsOf = ({ said, status }: Refusal) => {
  const phrase = phrases[status]
  const line = phrase === undefined ? `${status}` : `${status} ${phrase}`
  const first = said.fields?.[0]
  const field = first && (first.path === "" ? first.rule : `${first.path}: ${first.rule}`)
  const more = said.fields !== undefined && said.fields.length > 1 ? ` (and ${said.fields.length - 1} more)` : ""
  const detail = [said.detail, field === undefined ? undefined : field + more].filter((part) => part !== undefined)
  return { ...said, status, message: detail.length === 0 ? line : `${line}: ${detail.join(": ")}` }
}

const hintOf = ({ hint }: Refusal) => (hint === undefined ? {} : { retryAfter: hint })

/** Whether the service says that this is the stored answer of an earlier request with the same key. */
export const isReplay = (headers: AnswerHeaders): boolean =>
  (headers["idempotency-replay"] ?? headers["idempotent-replayed"])?.trim().toLowerCase() === "true"

/** The reason of an answer that is no success, for every operation. */
export const reasonOf = (refusal: Refusal): CommonReason => {
  const { status } = refusal
  const facts = factsOf(refusal)
  switch (status) {
    case 401:
      return new Unauthorized(facts)
    case 402:
      return new PaymentRequired(facts)
    case 403:
      return new Forbidden(facts)
    case 404:
      return new NotFound(facts)
    case 409:
      return new Conflict({ ...facts, ...hintOf(refusal) })
    case 413:
      return new PayloadTooLarge(facts)
    case 429:
      return new RateLimited({ ...facts, ...hintOf(refusal) })
  }
  if (status >= 500 && status < 600) {
    return new ServerFailure({ ...facts, ...hintOf(refusal), replayed: isReplay(refusal.headers) })
  }
  return status >= 400 && status < 500 ? new Rejected({ ...facts, ...hintOf(refusal) }) : new UnexpectedStatus(facts)
}

const namesKeys = /idempoten|request with key|reused for a different/i

/** The reason of an answer that a write with a key got for its key; `undefined` for every other answer. */
export const writeReasonOf = (refusal: Refusal): WriteReason | undefined => {
  const { key, said, status } = refusal
  if (key === undefined) return undefined
  if (status === 409 && refusal.headers["retry-after"] !== undefined) {
    return new RequestInFlight({ ...factsOf(refusal), ...hintOf(refusal) })
  }
  if (status === 422 && said.fields === undefined && said.detail !== undefined) {
    if (said.detail.includes(key) || namesKeys.test(said.detail)) return new IdempotencyKeyReused(factsOf(refusal))
  }
  return undefined
}
