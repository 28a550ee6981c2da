import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type CommonReason, Timeout, TransportFailure } from "../../Reason.ts"
import { redactTextOf } from "../../Redaction.ts"
import { deliveryOf } from "./Delivery.ts"
import type { AnswerHeaders } from "./RetryHint.ts"

/** A complete answer, whatever its status. */
export interface Answer {
  readonly _tag: "Answer"
  readonly status: number
  readonly headers: AnswerHeaders
  readonly text: string
}

/** No complete answer. */
export interface NoAnswer {
  readonly _tag: "NoAnswer"
  readonly reason: CommonReason
  /** Status of an answer whose body broke off. */
  readonly status?: number
}

/** How an exchange is limited in time. */
export interface Limit {
  readonly scope: "attempt" | "call"
  readonly milliseconds: number
  /** The limit as the policy says it, for the error. */
  readonly policy: number
}

const timedOut = ({ policy, scope }: Limit): NoAnswer => ({
  _tag: "NoAnswer",
  reason: new Timeout({
    message: scope === "attempt" ? `no complete answer within ${policy} ms` : `not done within ${policy} ms`,
    scope,
    limit: policy
  })
})

const described = (delivery: "not-sent" | "unknown", code: string | undefined): string =>
  (code === undefined ? "connection failed" : `connection failed with ${code}`) +
  (delivery === "not-sent" ? ", nothing was sent" : ", it is not known whether the request arrived")

const failed = (error: HttpClientError, secrets: ReadonlyArray<string>): NoAnswer => {
  const { reason } = error
  const status = "response" in reason ? reason.response.status : undefined
  // A body that breaks off is a failure of the connection, however the transport calls it.
  const known = deliveryOf(reason.cause)
  const delivery = status === undefined ? known.delivery : "unknown"
  const code = known.code === undefined ? undefined : redactTextOf(known.code, secrets)
  return {
    _tag: "NoAnswer",
    reason: new TransportFailure({
      message: described(delivery, code),
      delivery,
      ...(code === undefined ? {} : { code })
    }),
    ...(status === undefined ? {} : { status })
  }
}

/**
 * Makes one HTTP exchange, its body included. Interruption and the limit close the connection at once.
 */
export const exchange = (
  client: HttpClient.HttpClient.With<HttpClientError, Scope.Scope>,
  request: HttpClientRequest.HttpClientRequest,
  limit: Limit,
  secrets: () => ReadonlyArray<string>
): Effect.Effect<Answer | NoAnswer> => {
  const scope = Scope.makeUnsafe()
  const complete = Effect.flatMap(client.execute(request), (response) =>
    Effect.map(response.text, (text): Answer | NoAnswer => ({
      _tag: "Answer",
      status: response.status,
      headers: response.headers,
      text
    }))
  ).pipe(
    Effect.provideService(Scope.Scope, scope),
    // Closing the scope aborts the request. After success there is nothing to abort, and doing so is not free.
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
  )
  const answered = Effect.match(complete, {
    onSuccess: (answer) => answer,
    onFailure: (error) => failed(error, secrets())
  })
  return limit.milliseconds === Infinity
    ? answered
    : Effect.map(
        Effect.timeoutOption(answered, limit.milliseconds),
        Option.getOrElse(() => timedOut(limit))
      )
}
