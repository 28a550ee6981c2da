/**
 * Requests as they go over the wire. Calibration asks how a service treats requests that the client would not send, and
 * reads responses that the client would not show.
 */
import { parseJson } from "@signalbox/core/internal/reading/JsonObject"
import { operations } from "@signalbox/core/Operations"
import { systemReason } from "@signalbox/operator/text/SystemReason"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Settings } from "../../../connection/Connection.ts"
import { Unsuccessful } from "../../../failure/CommandError.ts"
import { exitCodes } from "../../../failure/ExitCode.ts"
import { type Fields, fieldsOf, objectsIn, stringOf } from "./WireValues.ts"

/** A response. */
export interface Reply {
  /** The request, as evidence names it. */
  readonly what: string
  readonly status: number
  readonly isAccepted: boolean
  readonly headers: Headers
  readonly text: string
  /** The JSON of the body; `undefined` if the body is not JSON. */
  readonly body: unknown
}

/** Parts of a request that differ from the usual. */
export interface RequestOptions {
  /** Idempotency key. */
  readonly key?: string
  /** The header `Authorization`; `null` for none. */
  readonly authorization?: string | null
  readonly contentType?: string
  readonly method?: string
}

/** A query in order; a name may occur twice. */
export type Query = ReadonlyArray<readonly [name: string, value: string]>

/** Where events are listed. */
export const eventsPath = operations["events.list"].path

type Exchange = Effect.Effect<Reply, Unsuccessful>

/** Sends a write for a subscriber. A body that is a string is sent unchanged. */
type Write = (what: string, subscriberId: string, body: unknown, options?: RequestOptions) => Exchange

/** The deployment that is calibrated. */
export interface Deployment {
  /** A request without a body. */
  readonly send: (what: string, method: string, path: string) => Exchange
  /** Lists events. Without a query, `what` is the query. */
  readonly list: (what: string, query?: Query, options?: RequestOptions) => Exchange
  readonly upsert: Write
  readonly mark: Write
  /** Waits until a new timestamp of the service differs from those before: a full second until one has a fraction. */
  readonly tick: Effect.Effect<void>
}

/** The value in the envelope of a write, or the body itself. */
export const payloadOf = ({ body }: Reply): unknown => {
  const fields = fieldsOf(body)
  return Object.keys(fields).join() === "data" ? fields["data"] : body
}

/** The records of a page. */
export const eventsOf = ({ body }: Reply): ReadonlyArray<Fields> => objectsIn(fieldsOf(body)["data"])

/** Whether a record of a response has a time with a fraction of a second. */
const hasFractions = (reply: Reply): boolean => {
  const payload = payloadOf(reply)
  const records = [...eventsOf(reply), ...objectsIn(payload), fieldsOf(payload)]
  const times = records.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt])
  return reply.isAccepted && times.some((time) => /:\d\d\.\d/u.test(stringOf(time)))
}

/** Whether two rejections are the same but for what the requests named, and for the time. */
export const isSameRejection = (one: Reply, other: Reply, names: ReadonlyArray<string>): boolean => {
  const plain = ({ text }: Reply) =>
    names
      .reduce((rest, name) => rest.replaceAll(name, "*"), text)
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})/gu, "*")
  return one.status === other.status && plain(one) === plain(other)
}

const requestTimeoutMs = 30_000

const millisTick = 25

const secondsTick = 1100

/** Requests that are sent again after a 429. */
const maxLimited = 5

const limitedWaitMs = 5000

const waitOf = (headers: Headers, name: string): number => {
  const seconds = Number(headers.get(name) ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : limitedWaitMs
}

const noResponse = (message: string) => new Unsuccessful({ exitCode: exitCodes.unavailable, message })

/** Opens a deployment. The wait is passed in so that tests can move the clock of a fake instead. */
export const openDeployment = (
  { apiKey, baseUrl, fetch: send = globalThis.fetch }: Settings,
  wait: (millis: number) => Effect.Effect<void>
): Deployment => {
  const origin = baseUrl.replace(/\/+$/u, "").replace(/\/v1$/u, "")
  let tickMs = secondsTick
  let resetMs: number | undefined

  const exchange = (what: string, url: string, request: RequestInit): Exchange =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await send(url, { ...request, signal, redirect: "manual" })
        const { headers, ok, status } = response
        const text = await response.text()
        return { what, status, isAccepted: ok, headers, text, body: parseJson(text) }
      },
      catch: (error) => noResponse(`${what}: no response (${systemReason(error)})`)
    }).pipe(
      Effect.timeoutOrElse({
        duration: requestTimeoutMs,
        orElse: () => noResponse(`${what}: no response within ${requestTimeoutMs / 1000} s`)
      })
    )

  const request = Effect.fnUntraced(function* (
    what: string,
    usual: string,
    path: string,
    body?: unknown,
    {
      authorization = `ApiKey ${Redacted.value(apiKey)}`,
      contentType = "application/json",
      key,
      method = usual
    }: RequestOptions = {}
  ) {
    if (resetMs !== undefined) yield* wait(resetMs)
    resetMs = undefined
    const init: RequestInit = {
      method,
      headers: {
        accept: "application/json",
        ...(authorization === null ? {} : { authorization }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(body === undefined ? {} : { "content-type": contentType })
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    }
    let reply = yield* exchange(what, origin + path, init)
    for (let limited = 0; reply.status === 429 && limited < maxLimited; limited += 1) {
      yield* wait(waitOf(reply.headers, "retry-after"))
      reply = yield* exchange(what, origin + path, init)
    }
    if (hasFractions(reply)) tickMs = millisTick
    if (reply.headers.get("ratelimit-remaining") === "0") resetMs = waitOf(reply.headers, "ratelimit-reset")
    return reply
  })

  const writeOf =
    (label: string, method: string, operation: "credentials.upsert" | "messages.markAs"): Write =>
    (what, subscriberId, body, options) => {
      const path = operations[operation].path.replace(":subscriberId", encodeURIComponent(subscriberId))
      return request(`${label}, ${what}`, method, path, body, options)
    }

  return {
    send: request,
    list: (what, query, options) => {
      const parameters = new URLSearchParams(query?.map(([name, value]) => [name, value]) ?? what)
      const path = parameters.size === 0 ? eventsPath : `${eventsPath}?${parameters}`
      return request(`GET events, ${what}`, "GET", path, undefined, options)
    },
    upsert: writeOf("PATCH credentials", "PATCH", "credentials.upsert"),
    mark: writeOf("POST mark-as", "POST", "messages.markAs"),
    tick: Effect.suspend(() => wait(tickMs))
  }
}
