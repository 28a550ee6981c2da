/**
 * Records what a client sends and receives, without secrets: API key, device tokens and webhook URLs never get into a
 * recording, whether the service echoes them, an earlier request of the session contained them or they only look like one.
 */
import { secretsUnderNames } from "@signalbox/core/internal/errors/SecretPositions"
import { parseJson } from "@signalbox/core/internal/reading/JsonObject"
import { makeRedaction, redact, type Redaction } from "@signalbox/core/Redaction"
import {
  Transport,
  type TransportError,
  type TransportRequest,
  type TransportResponse
} from "@signalbox/core/Transport"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { type Exchange, type RecordedFailure, type RecordedRequest } from "./Recording.ts"

/** Where a recording goes. */
export interface RecordingTarget {
  /** When the recording started, in milliseconds since 1970. */
  readonly startedAt: number
  /** Keeps an exchange; the response is handed on when this is done, so that a crash loses nothing before it. */
  readonly keep: (exchange: Exchange) => Effect.Effect<void>
  /** Hides other parts of a JSON value, such as personal data. */
  readonly hide: (value: unknown) => unknown
}

/** Records the exchanges of one client, from `start` to `stop`. */
export interface Recorder {
  readonly start: (target: RecordingTarget) => void
  readonly stop: () => void
  /** Sends with the transport below it, and records. */
  readonly layer: Layer.Layer<Transport, never, Transport>
}

/** The headers of a response that a client reads; rate limits are left out, since a replay must not wait for them. */
const keptHeaders = [
  "cf-ray",
  "content-type",
  "idempotency-key",
  "idempotency-replay",
  "idempotent-replayed",
  "request-id",
  "retry-after",
  "x-amzn-requestid",
  "x-correlation-id",
  "x-request-id"
]

// More than an operator stores in a session by hand.
const maxSecrets = 1_000

const withoutScheme = (authorization: string): string => authorization.replace(/^\w+ +/u, "")

/** Path and query of a request without secrets: the identity of a request in a recording. */
export const recordedTarget = (
  url: string,
  clean: Redaction = makeRedaction([]),
  hide: RecordingTarget["hide"] = (value) => value
): string => {
  const { pathname, searchParams } = new URL(url)
  const query = new URLSearchParams()
  for (const [name, value] of searchParams) {
    const hidden = hide(redact({ [name]: clean.text(value) }))
    // Both keep the structure of what they get.
    query.append(name, String((hidden as Readonly<Record<string, unknown>>)[name]))
  }
  const path = clean.text(pathname)
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** The innermost cause of a failure that has a code, else the innermost one. */
const rootOf = (cause: unknown, depth = 0): Readonly<Record<string, unknown>> => {
  if (typeof cause !== "object" || cause === null) return {}
  const known = cause as Readonly<Record<string, unknown>>
  if (typeof known["code"] === "string" || depth > 5) return known
  const several = known["errors"]
  const inner = (Array.isArray(several) ? several[0] : undefined) ?? known["cause"] ?? known["reason"]
  return typeof inner === "object" && inner !== null ? rootOf(inner, depth + 1) : known
}

const failureOf = (error: TransportError | undefined, clean: Redaction): RecordedFailure => {
  if (error === undefined) return { message: "stopped before there was a response", delivery: "unknown" }
  const { code, message, syscall } = rootOf(error.cause)
  const delivery = error.partial === undefined ? error.delivery : "unknown"
  return {
    ...(typeof code === "string" ? { code: clean.text(code) } : {}),
    ...(typeof syscall === "string" ? { syscall: clean.text(syscall) } : {}),
    ...(typeof message === "string" ? { message: clean.text(message) } : {}),
    ...(delivery === undefined ? {} : { delivery })
  }
}

/** Makes the recorder of one client. It does nothing until it is started. */
export const makeRecorder = (): Recorder => {
  let target: RecordingTarget | undefined
  // Those of earlier requests, too: a service can show a token that was stored before the recording started.
  const secrets = new Set<string>()

  const learn = ({ body, headers }: TransportRequest): void => {
    const sent = body === undefined ? [] : secretsUnderNames(parseJson(body))
    for (const secret of [withoutScheme(headers["authorization"] ?? ""), ...sent]) {
      secrets.delete(secret)
      secrets.add(secret)
    }
    for (const oldest of secrets) {
      if (secrets.size <= maxSecrets) break
      secrets.delete(oldest)
    }
  }

  const requestOf = (
    { body, method, url }: TransportRequest,
    clean: Redaction,
    to: RecordingTarget
  ): RecordedRequest => ({
    method,
    target: recordedTarget(url, clean, to.hide),
    ...(body === undefined ? {} : { body: to.hide(clean.body(body)) })
  })

  const outcomeOf = (
    exit: Exit.Exit<TransportResponse, TransportError>,
    clean: Redaction,
    to: RecordingTarget
  ): Exchange["outcome"] => {
    if (Exit.isFailure(exit)) {
      const failed = exit.cause.reasons.find(Cause.isFailReason)
      return { _tag: "Failure", ...failureOf(failed?.error, clean) }
    }
    const { headers, status, text } = exit.value
    const kept = keptHeaders.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, clean.text(value)] as const]
    })
    const body = to.hide(clean.body(text))
    return {
      _tag: "Response",
      status,
      headers: Object.fromEntries(kept),
      text: typeof body === "string" ? body : JSON.stringify(body)
    }
  }

  const layer = Layer.effect(
    Transport,
    Effect.map(Transport, (below) =>
      Transport.of({
        send: (request) =>
          Effect.suspend(() => {
            learn(request)
            const to = target
            if (to === undefined) return below.send(request)
            return Clock.clockWith((clock) => {
              const at = Math.max(0, clock.currentTimeMillisUnsafe() - to.startedAt)
              const started = clock.monotonicTimeNanosUnsafe()
              return Effect.onExit(below.send(request), (exit) =>
                Effect.suspend(() => {
                  if (target !== to) return Effect.void
                  const ms = Math.round(Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6)
                  const clean = makeRedaction([], [...secrets])
                  return to.keep({
                    at,
                    ms,
                    request: requestOf(request, clean, to),
                    outcome: outcomeOf(exit, clean, to)
                  })
                })
              )
            })
          })
      })
    )
  )

  return {
    layer,
    start: (next) => {
      target = next
    },
    stop: () => {
      target = undefined
    }
  }
}
