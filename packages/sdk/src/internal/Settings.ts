import { ConnectionError, type ConnectionOptions, RequestHeaders } from "@signalbox/core/Connection"
import { defined } from "@signalbox/core/internal/errors/Defined"
import { Drift } from "@signalbox/core/Drift"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import { MaxResponseBytes, ResponsePolicy, Throttling } from "@signalbox/core/Policies"
import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import * as Timeouts from "@signalbox/core/Timeouts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type {
  BehaviourOptions,
  CallOptions,
  ClientOptions,
  HeadersOption,
  IdempotencyOption
} from "../ClientOptions.ts"
import { isObject } from "@signalbox/core/internal/policies/Rules"

const idempotencyOf = (option: IdempotencyOption | undefined): IdempotencyPolicy.IdempotencyPolicy => {
  if (option === "off") return IdempotencyPolicy.off
  if (typeof option !== "object") return IdempotencyPolicy.random
  const { derived, serviceHonoursKeys } = option
  const policy =
    derived === undefined ? IdempotencyPolicy.random : IdempotencyPolicy.derived(derived.scope, derived.generation)
  return serviceHonoursKeys === true ? IdempotencyPolicy.serviceHonoursKeys(policy) : policy
}

/** Calls a callback; a callback that throws or rejects does not fail the call. */
export const notify = <A>(callback: (value: A) => unknown, value: A, failed: (failure: string) => void): void => {
  // An async function turns both into a rejection.
  const calling = async () => callback(value)
  calling().catch((error: unknown) => failed(error instanceof Error ? `failed: ${error.message}` : "failed"))
}

/** Options of a call or a derived client; options that it omits default to the client's. */
export const optionsOf = <Options extends BehaviourOptions>(
  client: Options,
  call: CallOptions
): Options & CallOptions => {
  const { retry, timeouts } = call
  return {
    ...client,
    ...defined(call),
    headers: withHeaders(client.headers, call.headers),
    timeouts: { ...client.timeouts, ...defined(timeouts ?? {}) },
    retry: { ...fieldsOf(client.retry), ...fieldsOf(retry) }
  }
}

/** `false` means no retries and keeps the other settings. */
const fieldsOf = (retry: BehaviourOptions["retry"]) => (retry === false ? { maxRetries: 0 } : defined(retry ?? {}))

const retryOf = (option: BehaviourOptions["retry"]): RetryPolicy.RetryPolicy => ({
  ...RetryPolicy.default,
  ...fieldsOf(option)
})

/** The policies for the options; `warn` receives failures of callbacks, which do not fail the call. */
export const policiesOf = (options: CallOptions, warn: (line: string) => void): Context.Context<never> => {
  const { headers, idempotency, idempotencyKey, maxResponseBytes, onDrift, response, retry, throttle, timeouts } =
    options
  const policy = idempotencyOf(idempotency)
  const own =
    idempotencyKey === undefined
      ? policy
      : { ...IdempotencyPolicy.fixed(idempotencyKey), serviceHonoursKeys: policy.serviceHonoursKeys }
  const limits: Context.Context<never> =
    maxResponseBytes === undefined ? Context.empty() : Context.make(MaxResponseBytes, maxResponseBytes)
  const policies = limits.pipe(
    Context.add(
      RequestHeaders,
      typeof headers === "function" ? provided("headers", () => read(headers)) : Effect.succeed(present(headers ?? {}))
    ),
    Context.add(RetryPolicy.RetryPolicy, retryOf(retry)),
    Context.add(Timeouts.Timeouts, { ...Timeouts.default, ...defined(timeouts ?? {}) }),
    Context.add(IdempotencyPolicy.IdempotencyPolicy, own),
    Context.add(ResponsePolicy, response ?? "tolerant"),
    Context.add(Throttling, throttle === false ? "off" : "wait")
  )
  return onDrift === undefined
    ? policies
    : Context.add(policies, Drift, {
        report: (report) => Effect.sync(() => notify(onDrift, report, (failure) => warn(`onDrift ${failure}`)))
      })
}

const wrong = (setting: "apiKey" | "headers", rule: string, cause?: unknown): ConnectionError =>
  Object.defineProperty(new ConnectionError({ message: `${setting}: ${rule}`, setting, rule }), "cause", {
    value: cause
  })

/** Values that functions of the caller provide for each call. */
const provided = <A>(setting: "apiKey" | "headers", request: () => Promise<A>): Effect.Effect<A, ConnectionError> =>
  Effect.tryPromise({
    try: request,
    catch: (cause) =>
      cause instanceof ConnectionError
        ? cause
        : // The function's error may contain a secret, so it is kept out of the message.
          wrong(setting, "its function failed; see the cause", cause)
  })

type Headers = Readonly<Record<string, string>>

/** Reads an option; a function is called. */
const read = async (option: HeadersOption): Promise<Headers> => {
  if (typeof option !== "function") return option
  const headers: unknown = await option()
  // Core checks the values.
  if (isObject(headers)) return headers as Headers
  throw wrong("headers", "the function must return an object")
}

/** The headers of two sources, the second of which takes precedence. */
export const withHeaders = (
  first: HeadersOption | undefined,
  second: HeadersOption | undefined
): HeadersOption | undefined => {
  if (first === undefined || second === undefined) return first ?? second
  return typeof first === "object" && typeof second === "object"
    ? { ...first, ...second }
    : async () => ({ ...(await read(first)), ...(await read(second)) })
}

/** Headers without those that have no value, which `Defined` does not express of an index signature. */
const present = (headers: Headers): Headers => defined(headers)

/** The connection for the options. */
export const connectionOf = ({ apiKey, headers, ...options }: ClientOptions): ConnectionOptions => ({
  ...options,
  apiKey:
    typeof apiKey === "string"
      ? apiKey
      : provided("apiKey", async () => {
          const key: unknown = await apiKey()
          if (typeof key === "string") return Redacted.make(key)
          throw wrong("apiKey", "the function must return a string")
        }),
  // Checked when the client is made; calls send those of `policiesOf`.
  headers: typeof headers === "object" ? present(headers) : undefined
})
