import { ConnectionError, type ConnectionOptions } from "@signalbox/core/Connection"
import { defined } from "@signalbox/core/Defined"
import { Drift } from "@signalbox/core/Drift"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import { MaxResponseBytes } from "@signalbox/core/MaxResponseBytes"
import { ResponsePolicy } from "@signalbox/core/ResponsePolicy"
import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import { Throttling } from "@signalbox/core/Throttling"
import * as Timeouts from "@signalbox/core/Timeouts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { BehaviourOptions, CallOptions, ClientOptions, IdempotencyOption } from "../ClientOptions.ts"

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

/** The options of a call; options that it omits default to the client's. */
export const optionsOf = (client: BehaviourOptions, call: CallOptions): CallOptions => {
  const { retry, timeouts } = call
  return {
    ...client,
    ...defined(call),
    timeouts: { ...client.timeouts, ...defined(timeouts ?? {}) },
    retry: { ...fieldsOf(client.retry), ...fieldsOf(retry) }
  }
}

/** `false` means no retries and keeps the other settings. */
const fieldsOf = (retry: BehaviourOptions["retry"]) => (retry === false ? { maxRetries: 0 } : defined(retry ?? {}))

const retryOf = (option: BehaviourOptions["retry"]): RetryPolicy.RetryPolicy => {
  const { maxRetries, ...delays } = fieldsOf(option)
  return { ...RetryPolicy.default, ...defined({ maxRetries, ...delays }) }
}

/** The policies for the options; `warn` receives failures of callbacks, which do not fail the call. */
export const policiesOf = (options: CallOptions, warn: (line: string) => void): Context.Context<never> => {
  const { idempotency, idempotencyKey, maxResponseBytes, onDrift, response, retry, throttle, timeouts } = options
  const policy = idempotencyOf(idempotency)
  const own =
    idempotencyKey === undefined
      ? policy
      : { ...IdempotencyPolicy.fixed(idempotencyKey), serviceHonoursKeys: policy.serviceHonoursKeys }
  const limits: Context.Context<never> =
    maxResponseBytes === undefined ? Context.empty() : Context.make(MaxResponseBytes, maxResponseBytes)
  const policies = limits.pipe(
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

const wrongKey = (rule: string, cause?: unknown): ConnectionError =>
  Object.defineProperty(new ConnectionError({ message: `apiKey: ${rule}`, setting: "apiKey", rule }), "cause", {
    value: cause
  })

/** The connection for the options. */
export const connectionOf = (options: ClientOptions): ConnectionOptions => {
  const { apiKey, arrayEncoding, baseUrl, vendor } = options
  // Every remaining key has a value, which `Defined` does not say of an index signature.
  const headers = defined(options.headers ?? {}) as Readonly<Record<string, string>>
  if (typeof apiKey === "string") return { apiKey, arrayEncoding, baseUrl, headers, vendor }
  const requestedKey = Effect.tryPromise({
    try: () => Promise.resolve(apiKey()),
    // The function's error may contain the key, so it is kept out of the message.
    catch: (cause) => wrongKey("the function that provides it failed; see the cause", cause)
  }).pipe(
    Effect.flatMap((key: unknown) =>
      typeof key === "string"
        ? Effect.succeed(Redacted.make(key))
        : Effect.fail(wrongKey("the function must return a string"))
    )
  )
  return { apiKey: requestedKey, arrayEncoding, baseUrl, headers, vendor }
}
