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
import { type Advise, adviseList, adviseWrite } from "../errors/Advice.ts"
import { defined } from "../errors/Defined.ts"
import { mayHaveArrived } from "./Retry.ts"
import { issueLine, type ErrorBody, shortened } from "./ErrorBody.ts"
import type { ResponseHeaders } from "../transport/Transport.ts"

/** The parts of a failed response that its reason depends on. */
export interface FailedResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: ErrorBody
  /** How long the service asks to wait, in milliseconds. */
  readonly hint: number | undefined
  /** The idempotency key of the request. */
  readonly key: string | undefined
  /** Names of the parameters of the request. */
  readonly parameters: ReadonlyArray<string>
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  422: "Unprocessable Content",
  425: "Too Early",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
}

/** The status with which browsers replace that of a redirect. */
export const hiddenStatus = 0

// Keeps an error with its attempts a log line of at most 2 KB; `detail` and `fields` have the rest.
const messageLimit = 200

/** The part of a service's message that adds to the phrase of its status, with which many messages start. */
const beyond = (phrase: string | undefined, detail: string | undefined): string | undefined => {
  if (phrase === undefined || detail?.toLowerCase().startsWith(phrase.toLowerCase()) !== true) return detail
  const rest = detail.slice(phrase.length)
  return /^[\s.:!]*$/.test(rest) ? undefined : rest.startsWith(": ") ? rest.slice(2) : detail
}

/** The facts that every reason of a failed response has. */
const factsOf = ({ body, headers, hint, parameters, status }: FailedResponse) => {
  const phrase = phrases[status]
  const [first, ...others] = body.fields ?? []
  // Leave out an issue that only repeats the service's message.
  const field = first === undefined || first.rule === body.detail ? undefined : issueLine(first)
  const more = field !== undefined && others.length > 0 ? ` (and ${others.length} more)` : ""
  const line = status === hiddenStatus ? "a redirect, which the browser hides" : `${status} ${phrase ?? ""}`.trim()
  // A validation error that names nothing leaves the caller without a place to look.
  const isBare = status === 422 && body.fields === undefined && (body.detail ?? "").split(" ").length < 3
  const sent = isBare && parameters.length > 0 ? `sent: ${parameters.join(", ")}` : undefined
  const { location = "" } = headers
  // Only the origin: the rest can contain secrets.
  const redirect = status < 400 && URL.canParse(location) ? `redirects to ${new URL(location).origin}` : undefined
  const parts = [line, redirect, beyond(phrase, body.detail), field && field + more, sent].filter(
    (part) => part !== undefined
  )
  return { ...body, ...defined({ retryAfterMs: hint }), status, message: shortened(parts.join(": "), messageLimit) }
}

/** Whether this is the stored response of an earlier request with the same idempotency key. */
export const isReplay = (headers: ResponseHeaders): boolean =>
  (headers["idempotency-replay"] ?? headers["idempotent-replayed"])?.trim().toLowerCase() === "true"

/**
 * Whether the service requests a retry (`X-Should-Retry`); `undefined` where it does not say. A stored response requests
 * none: the retry would get it again.
 */
export const requestedRetry = (headers: ResponseHeaders): boolean | undefined => {
  const value = headers["x-should-retry"]
  return value === "false" ? false : (value === "true" && !isReplay(headers)) || undefined
}

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

/** The reason of a failed response, for every operation. */
export const reasonOf = (failure: FailedResponse): CommonReason => {
  const { headers, status } = failure
  const facts = factsOf(failure)
  if (hasOwnReason(status)) return new byStatus[status](facts)
  if (status >= 500 && status < 600) return new ServerFailure({ ...facts, replayed: isReplay(headers) })
  if (status >= 400 && status < 500) return new Rejected(facts)
  const { status: _, ...hidden } = facts
  return new UnexpectedStatus(status === hiddenStatus ? hidden : facts)
}

const namesKeys = /idempoten|request with key|reused for a different/i

/** The reason of a failed response that is about the write's idempotency key; `undefined` for every other response. */
const ownReason = (failure: FailedResponse): WriteReason | undefined => {
  const { body, key, status } = failure
  if (key === undefined) return undefined
  if (status === 409 && failure.headers["retry-after"] !== undefined) return new RequestInFlight(factsOf(failure))
  if (status === 422 && body.fields === undefined && body.detail !== undefined) {
    if (body.detail.includes(key) || namesKeys.test(body.detail)) return new IdempotencyKeyReused(factsOf(failure))
  }
  return undefined
}

/** How operations treat failures. */
export interface FailureHandling<R> {
  readonly advise: Advise<CommonReason | R>
  /** The reason for a failed response that reads never have; `undefined` for the common reasons. */
  readonly ownReason?: (failure: FailedResponse) => R | undefined
}

/** Handling of the listing, the only operation that reads. */
export const reading: FailureHandling<never> = { advise: adviseList }

/** Handling that all operations that write share. */
export const writing: FailureHandling<WriteReason> = { ownReason, advise: /* @__PURE__ */ adviseWrite(mayHaveArrived) }
