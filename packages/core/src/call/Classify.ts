import {
  Conflict,
  type CommonReason,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  PaymentRequired,
  RateLimited,
  Rejected,
  ServerFailure,
  Unauthorized,
  UnexpectedStatus
} from "../errors/Reason.ts"
import { defined } from "../errors/Defined.ts"
import { complaintLine, type ErrorBody, shortened } from "./ErrorBody.ts"
import type { AnswerHeaders } from "../transport/Transport.ts"

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

// Short enough that an error with its attempts stays a log line of 2 KB; `detail` and `fields` have the rest.
const messageLimit = 200

/** What every reason of an answer says. */
export const factsOf = ({ hint, said, status }: Refusal) => {
  const phrase = phrases[status]
  const [first, ...others] = said.fields ?? []
  // Where the only complaint is what the service said anyway, once is enough.
  const field = first === undefined || first.rule === said.detail ? undefined : complaintLine(first)
  const more = field !== undefined && others.length > 0 ? ` (and ${others.length} more)` : ""
  const line = phrase === undefined ? `${status}` : `${status} ${phrase}`
  const parts = [line, said.detail, field && field + more].filter((part) => part !== undefined)
  return { ...said, ...defined({ retryAfterMs: hint }), status, message: shortened(parts.join(": "), messageLimit) }
}

/** Whether the service says that this is the stored answer of an earlier request with the same key. */
export const isReplay = (headers: AnswerHeaders): boolean =>
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
export const reasonOf = (refusal: Refusal): CommonReason => {
  const { headers, status } = refusal
  const facts = factsOf(refusal)
  if (hasOwnReason(status)) return new byStatus[status](facts)
  if (status >= 500 && status < 600) return new ServerFailure({ ...facts, replayed: isReplay(headers) })
  return status >= 400 && status < 500 ? new Rejected(facts) : new UnexpectedStatus(facts)
}
