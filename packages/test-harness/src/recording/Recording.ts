/**
 * Exchanges with a real service, without secrets, and the switches that they show.
 */
import { isSecretName, makeRedaction, type Redaction } from "@signalbox/core/Redaction"
import * as Schema from "effect/Schema"
import { inputReader } from "../input/Input.ts"
import { isJsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { SwitchName, Switches } from "../switches/Switches.ts"

const Headers = Schema.Record(Schema.String, Schema.String)

const ExchangeSchema = Schema.Struct({
  method: Schema.String,
  /** Path and query. */
  target: Schema.String,
  hasKey: Schema.Boolean,
  body: Schema.optionalKey(Schema.Unknown),
  status: Schema.Int,
  headers: Headers,
  response: Schema.optionalKey(Schema.Unknown)
})

/** One request to a service and its response, without secrets; bodies are JSON values, or strings that are no JSON. */
export type RecordedExchange = typeof ExchangeSchema.Type

export interface Recording {
  readonly version: 1
  readonly exchanges: ReadonlyArray<RecordedExchange>
}

export const readRecording: (value: unknown) => Recording = inputReader("recording", () =>
  Schema.Struct({ version: Schema.Literal(1), exchanges: Schema.Array(ExchangeSchema) })
)

/** An exchange as it went over the wire. */
export interface SentExchange {
  readonly method: string
  readonly target: string
  readonly authorization: string | undefined
  readonly body: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly response: string
}

/** Removes the key of an exchange from all of its parts. */
export const redactionOf = ({ authorization }: Pick<SentExchange, "authorization">): Redaction =>
  makeRedaction(authorization === undefined ? [] : [authorization.replace(/^\w+ +/u, "")])

/** The target and the body of a request without secrets: what a replay compares. */
export const requestWithoutSecrets = (
  { body, target }: Pick<SentExchange, "body" | "target">,
  redaction: Redaction
): { readonly target: string; readonly body?: unknown } => ({
  target: redaction.text(target),
  ...(body === "" ? {} : { body: redaction.body(body) })
})

/** Headers of one connection, which a replay sets itself. */
const ofConnection = /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|date|set-cookie)$/u

export const recorded = (sent: SentExchange): RecordedExchange => {
  const { authorization, headers, method, response, status } = sent
  const redaction = redactionOf(sent)
  return {
    method,
    ...requestWithoutSecrets(sent, redaction),
    hasKey: authorization !== undefined,
    status,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !ofConnection.test(name) && !isSecretName(name))
        .map(([name, value]) => [name, redaction.text(value)])
    ),
    ...(response === "" ? {} : { response: redaction.body(response) })
  }
}

type Shown = { readonly [Name in SwitchName]?: Switches[Name] }

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

export const isRejectedKey = (status: number): boolean => status === 401 || status === 403

const timeFormatOf = (response: unknown): Switches["time.format"] | undefined => {
  const found = /"createdAt":"[^"]+?(\.\d{3}Z|\dZ|[+-]\d\d:\d\d)"/u.exec(JSON.stringify(response) ?? "")?.[1]
  if (found === undefined) return undefined
  if (found.startsWith(".")) return "milliseconds"
  return found.endsWith("Z") ? "seconds" : "offset"
}

/** Whether responses tell the rate limit. Without a limit they do not, so that only a rejection shows that they never do. */
const limitHeadersOf = ({ headers, status }: RecordedExchange): Switches["rateLimit.headers"] | undefined => {
  if (headers["ratelimit-limit"] !== undefined) return "present"
  return status === 429 ? "absent" : undefined
}

const shownBy = (exchange: RecordedExchange): Shown => {
  const { hasKey, headers, method, response, status } = exchange
  const limitHeaders = limitHeadersOf(exchange)
  const time = timeFormatOf(response)
  const hint = headers["retry-after"]
  const rejection = isRejectedKey(status) ? { [hasKey ? "auth.wrongKey" : "auth.missingKey"]: String(status) } : {}
  return {
    ...rejection,
    ...(isSuccess(status) && method !== "GET" && isJsonObject(response)
      ? { envelope: Object.keys(response).join() === "data" ? "data" : "bare" }
      : {}),
    ...(time === undefined ? {} : { "time.format": time }),
    ...(status === 429
      ? { "rateLimit.retryAfter": hint === undefined ? "absent" : /^\d+$/u.test(hint) ? "seconds" : "http-date" }
      : {}),
    ...(limitHeaders === undefined ? {} : { "rateLimit.headers": limitHeaders }),
    ...(isSuccess(status)
      ? {
          "response.etag": headers["etag"] === undefined ? "absent" : "weak",
          "response.requestId": headers["x-request-id"] === undefined ? "absent" : "x-request-id"
        }
      : {})
  }
}

/** A switch that a recording shows, and the exchanges that show each value; several values contradict each other. */
interface ShownSwitch {
  readonly name: SwitchName
  readonly values: ReadonlyMap<string, ReadonlyArray<number>>
}

/** The switches that a recording shows; exchanges count from 1. */
export const shownSwitches = (exchanges: Recording["exchanges"]): ReadonlyArray<ShownSwitch> => {
  const shown = new Map<SwitchName, Map<string, Array<number>>>()
  for (const [index, exchange] of exchanges.entries()) {
    // Keys of switches.
    for (const [name, value] of Object.entries(shownBy(exchange)) as Array<[SwitchName, string]>) {
      const values = shown.get(name) ?? new Map<string, Array<number>>()
      shown.set(name, values.set(value, [...(values.get(value) ?? []), index + 1]))
    }
  }
  return [...shown].map(([name, values]) => ({ name, values }))
}

/** A preset file with the switches that a recording shows without contradiction. */
export const presetOf = ({ exchanges }: Recording): object => {
  const clear = shownSwitches(exchanges).filter(({ values }) => values.size === 1)
  return {
    version: 1,
    switches: Object.fromEntries(clear.map(({ name, values }) => [name, [...values.keys()][0]])),
    evidence: Object.fromEntries(
      clear.map(({ name, values }) => [name, `exchanges ${[...values.values()].flat().slice(0, 5).join(", ")}`])
    )
  }
}
