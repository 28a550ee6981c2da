import * as Effect from "effect/Effect"
import { type CommonReason, Timeout, TransportFailure } from "../errors/Reason.ts"
import { makeSecretRemoval, redactTextOf } from "../errors/Redaction.ts"
import type {
  ResponseHead,
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
  /** Why the body could not be read, as a rule; absent for a complete body. */
  readonly unread?: string | undefined
  /** Whether the connection broke before the end of the body: a retry may read it. */
  readonly isCutOff?: true | undefined
}

/** Whether a status is one of success. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** No response. */
export interface NoResponse {
  readonly _tag: "NoResponse"
  readonly reason: CommonReason
  readonly status?: never
  readonly headers?: never
}

/** The time limit of an exchange. */
export interface Limit {
  readonly scope: "attempt" | "call"
  readonly milliseconds: number
  /** The limit of the policy in milliseconds, for the error. */
  readonly policy: number
}

const timedOut = ({ policy, scope }: Limit, isWritten: boolean): NoResponse => {
  const what = scope === "call" ? "not done" : isWritten ? "no complete response" : "no connection"
  return {
    _tag: "NoResponse",
    reason: new Timeout({
      message: `${what} within ${policy} ms${isWritten ? "" : nothingSent}`,
      delivery: isWritten ? "unknown" : "not-sent",
      scope,
      limitMs: policy
    })
  }
}

const maxDetailLength = 160

const nothingSent = ", nothing was sent"

const described = ({ code, detail }: Omit<Delivery, "delivery">, secrets: ReadonlyArray<string>): string => {
  // Redact before cutting: half a secret would not be recognized.
  const line = detail && shortened(redactTextOf(detail, secrets), maxDetailLength).replace(/[.,;:]+(?=…?$)/, "")
  const cause = code ? ` with ${redactTextOf(code, secrets)}` : line ? `: ${line}` : ""
  return `connection failed${cause}`
}

/** The reason of a call of which an earlier attempt may have arrived: "not sent" applies to the last attempt only. */
export const afterDoubt = <R extends { readonly _tag: string }>(
  reason: R | TransportFailure | Timeout
): R | TransportFailure | Timeout => {
  const isTimeout = reason instanceof Timeout
  if (!(isTimeout || reason instanceof TransportFailure) || reason.delivery === "unknown") return reason
  const message = reason.message.replace(
    /nothing was sent$/,
    "$& by the last attempt, but an earlier one may have arrived"
  )
  const doubt = { message, delivery: "unknown" } as const
  return isTimeout ? new Timeout({ ...reason, ...doubt }) : new TransportFailure({ ...reason, ...doubt })
}

/** Headers without the secrets of the call: a service can echo the key, for example as its request id. */
const safeHeaders = (headers: ResponseHeaders, secrets: ReadonlyArray<string>): ResponseHeaders => {
  const remove = makeSecretRemoval(secrets)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value && remove(value)]))
}

const failed = ({ cause, ...own }: TransportError, secrets: ReadonlyArray<string>): NoResponse => {
  const { code, detail, ...known } = deliveryOf(cause)
  const delivery = own.delivery ?? known.delivery
  const safe = defined({ delivery, code: code && redactTextOf(code, secrets) })
  const message = described(defined({ code, detail }), secrets) + (delivery === "not-sent" ? nothingSent : "")
  return { _tag: "NoResponse", reason: new TransportFailure({ message, ...safe }) }
}

/**
 * Makes one HTTP exchange, including the body. Interruption and the limit close the connection immediately. `onWrite` is
 * called when the request may start to reach the service, at least once.
 */
export const exchange = (
  transport: TransportShape,
  request: TransportRequest,
  limit: Limit,
  secrets: () => ReadonlyArray<string>,
  onWrite: () => void
): Effect.Effect<Response | NoResponse> => {
  let isWritten = false
  let head: ResponseHead | undefined
  const progress = (started?: ResponseHead) => {
    head = started
    if (isWritten) return
    isWritten = true
    onWrite()
  }
  if (transport.reportsWrites !== true) progress()
  const responseOf = (
    { headers, status }: ResponseHead,
    text: string,
    unread?: string,
    isCutOff?: true
  ): Effect.Effect<Response | NoResponse> =>
    Effect.succeed({ _tag: "Response", status, headers: safeHeaders(headers, secrets()), text, unread, isCutOff })
  const received = Effect.matchEffect(transport.send(request, progress), {
    onSuccess: (response) => responseOf(response, response.text),
    onFailure: (error) => {
      const { cause, isTooLarge, partial } = error
      if (partial === undefined) return Effect.succeed(failed(error, secrets()))
      return isTooLarge === true
        ? responseOf(partial, "", `Expected a body of at most ${request.maxResponseBytes} bytes`)
        : responseOf(partial, "", `Expected a complete body, the ${described(deliveryOf(cause), secrets())}`, true)
    }
  })
  return limited(received, limit.milliseconds, () =>
    // A failure needs no body to be known; a success without one is late.
    head === undefined || isSuccess(head.status) ? Effect.succeed(timedOut(limit, isWritten)) : responseOf(head, "")
  )
}
