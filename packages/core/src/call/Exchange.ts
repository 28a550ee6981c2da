import * as Effect from "effect/Effect"
import { type CommonReason, Timeout, TransportFailure } from "../errors/Reason.ts"
import { makeSecretRemoval, redactTextOf } from "../errors/Redaction.ts"
import type {
  ResponseHeaders,
  TransportResponse,
  TransportError,
  TransportRequest,
  TransportShape
} from "../transport/Transport.ts"
import { defined } from "../errors/Defined.ts"
import { type Delivery, deliveryOf } from "./Delivery.ts"
import { shortened } from "./ErrorBody.ts"
import { limited } from "./TimeLimit.ts"

/** A complete response, whatever its status. */
export interface Response extends TransportResponse {
  readonly _tag: "Response"
  /** The limit in bytes that the body exceeded; it was not read. */
  readonly tooLargeFor?: number
}

/** No complete response. */
export interface NoResponse {
  readonly _tag: "NoResponse"
  readonly reason: CommonReason
  /** Status and headers of a response whose body broke off. */
  readonly status?: number
  readonly headers?: ResponseHeaders
}

/** The time limit of an exchange. */
export interface Limit {
  readonly scope: "attempt" | "call"
  readonly milliseconds: number
  /** The limit of the policy in milliseconds, for the error. */
  readonly policy: number
}

const timedOut = ({ policy, scope }: Limit): NoResponse => ({
  _tag: "NoResponse",
  reason: new Timeout({
    message: scope === "attempt" ? `no complete response within ${policy} ms` : `not done within ${policy} ms`,
    scope,
    limitMs: policy
  })
})

const maxDetailLength = 160

const described = ({ code, delivery, detail }: Delivery, secrets: ReadonlyArray<string>): string => {
  // Redact before cutting: half a secret would not be recognized.
  const line = detail && shortened(redactTextOf(detail, secrets), maxDetailLength).replace(/[.,;:]+(?=…?$)/, "")
  const cause = code === undefined ? (line === undefined ? "" : `: ${line}`) : ` with ${code}`
  return (
    `connection failed${cause}` +
    (delivery === "not-sent" ? ", nothing was sent" : ", it is unknown whether the request arrived")
  )
}

/** A failure after an earlier attempt of the same call may have arrived: "not sent" applies to the last attempt only. */
export const afterDoubt = <R extends { readonly _tag: string }>(reason: R | TransportFailure): R | TransportFailure =>
  reason instanceof TransportFailure && reason.delivery === "not-sent"
    ? new TransportFailure({
        message: `${reason.message} by the last attempt, but an earlier one may have arrived`,
        delivery: "unknown",
        ...defined({ code: reason.code })
      })
    : reason

/** Headers without the secrets of the call: a service can echo the key, for example as its request id. */
const safeHeaders = (headers: ResponseHeaders, secrets: ReadonlyArray<string>): ResponseHeaders => {
  const remove = makeSecretRemoval(secrets)
  let copy: Record<string, string | undefined> | undefined
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? ""
    const safe = remove(value)
    if (safe !== value) (copy ??= { ...headers })[name] = safe
  }
  return copy ?? headers
}

const failed = ({ partial, cause, ...own }: TransportError, secrets: ReadonlyArray<string>): NoResponse => {
  const { code, detail, ...known } = deliveryOf(cause)
  // A body that breaks off is a failure of the connection, whatever the transport reports.
  const delivery = partial === undefined ? (own.delivery ?? known.delivery) : "unknown"
  const safe = defined({ delivery, code: code === undefined ? undefined : redactTextOf(code, secrets) })
  const message = described({ ...safe, ...defined({ detail }) }, secrets)
  const head = partial && { status: partial.status, headers: safeHeaders(partial.headers, secrets) }
  return { _tag: "NoResponse", reason: new TransportFailure({ message, ...safe }), ...head }
}

/**
 * Makes one HTTP exchange, including the body. Interruption and the limit close the connection immediately.
 */
export const exchange = (
  transport: TransportShape,
  request: TransportRequest,
  limit: Limit,
  secrets: () => ReadonlyArray<string>
): Effect.Effect<Response | NoResponse> => {
  const received = Effect.match(transport.send(request), {
    onSuccess: ({ headers, status, text }): Response | NoResponse => ({
      _tag: "Response",
      status,
      headers: safeHeaders(headers, secrets()),
      text
    }),
    onFailure: (error): Response | NoResponse => {
      const { isTooLarge, partial } = error
      if (isTooLarge !== true || partial === undefined) return failed(error, secrets())
      const headers = safeHeaders(partial.headers, secrets())
      return { _tag: "Response", status: partial.status, headers, text: "", tooLargeFor: request.maxResponseBytes ?? 0 }
    }
  })
  return limit.milliseconds === Infinity ? received : limited(received, limit.milliseconds, () => timedOut(limit))
}
