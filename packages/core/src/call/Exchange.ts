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

/** A complete answer, whatever its status. */
export interface Answer extends TransportResponse {
  readonly _tag: "Answer"
  /** The limit in bytes that the body exceeded; it was not read. */
  readonly tooLargeFor?: number
}

/** No complete answer. */
export interface NoResponse {
  readonly _tag: "NoResponse"
  readonly reason: CommonReason
  /** Status and headers of an answer whose body broke off. */
  readonly status?: number
  readonly headers?: ResponseHeaders
}

/** How an exchange is limited in time. */
export interface Limit {
  readonly scope: "attempt" | "call"
  readonly milliseconds: number
  /** The limit as the policy says it, for the error. */
  readonly policy: number
}

const timedOut = ({ policy, scope }: Limit): NoResponse => ({
  _tag: "NoResponse",
  reason: new Timeout({
    message: scope === "attempt" ? `no complete answer within ${policy} ms` : `not done within ${policy} ms`,
    scope,
    limitMs: policy
  })
})

const longestSaying = 120

const described = ({ code, delivery, said }: Delivery, secrets: ReadonlyArray<string>): string => {
  // Secrets go before anything is cut: half of one would not be found any more.
  const line = said && redactTextOf(said, secrets).replace(/\s+/g, " ").slice(0, longestSaying)
  const detail = code === undefined ? (line === undefined ? "" : `: ${line}`) : ` with ${code}`
  return (
    `connection failed${detail}` +
    (delivery === "not-sent" ? ", nothing was sent" : ", it is not known whether the request arrived")
  )
}

/** A failure as it looks once an earlier attempt of the same call may have arrived: "not sent" holds for the last only. */
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
  for (const [name, value = ""] of Object.entries(headers)) {
    const safe = remove(value)
    if (safe !== value) (copy ??= { ...headers })[name] = safe
  }
  return copy ?? headers
}

const failed = ({ partial, cause }: TransportError, secrets: ReadonlyArray<string>): NoResponse => {
  const { code, said, ...known } = deliveryOf(cause)
  // A body that breaks off is a failure of the connection, however the transport calls it.
  const delivery = partial === undefined ? known.delivery : "unknown"
  const safe = defined({ delivery, code: code === undefined ? undefined : redactTextOf(code, secrets) })
  const message = described({ ...safe, ...defined({ said }) }, secrets)
  const received = partial && { status: partial.status, headers: safeHeaders(partial.headers, secrets) }
  return { _tag: "NoResponse", reason: new TransportFailure({ message, ...safe }), ...received }
}

/**
 * Makes one HTTP exchange, its body included. Interruption and the limit close the connection at once.
 */
export const exchange = (
  transport: TransportShape,
  request: TransportRequest,
  limit: Limit,
  secrets: () => ReadonlyArray<string>
): Effect.Effect<Answer | NoResponse> => {
  const answered = Effect.match(transport.send(request), {
    onSuccess: (answer): Answer | NoResponse => ({
      _tag: "Answer",
      ...answer,
      headers: safeHeaders(answer.headers, secrets())
    }),
    onFailure: (error): Answer | NoResponse => {
      const { isTooLarge, partial } = error
      if (isTooLarge !== true || partial === undefined) return failed(error, secrets())
      const headers = safeHeaders(partial.headers, secrets())
      return { _tag: "Answer", status: partial.status, headers, text: "", tooLargeFor: request.maxResponseBytes ?? 0 }
    }
  })
  return limit.milliseconds === Infinity
    ? answered
    : Effect.timeoutOrElse(answered, {
        duration: limit.milliseconds,
        orElse: () => Effect.succeed(timedOut(limit))
      })
}
