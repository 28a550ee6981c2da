import { ConnectionError, type ConnectionOptions } from "@signalbox/core/Connection"
import { Drift } from "@signalbox/core/Drift"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import { ResponsePolicy } from "@signalbox/core/ResponsePolicy"
import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import { Throttling } from "@signalbox/core/Throttling"
import * as Timeouts from "@signalbox/core/Timeouts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { BehaviourOptions, CallOptions, ClientOptions, IdempotencyOption } from "../ClientOptions.ts"

const behaviourNames = ["retry", "timeouts", "idempotency", "response", "throttle", "onDrift", "onAttempt"]
const callNames = [...behaviourNames, "signal", "idempotencyKey"]
const connectionNames = ["apiKey", "baseUrl", "vendor", "fetch", "headers", "arrayEncoding", "debug", "tracer"]
const clientNames = [...behaviourNames, ...connectionNames]

const check = (isRight: boolean, option: string, rule: string): void => {
  if (!isRight) throw new ClientOptionError(option, rule)
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const checkNames = (options: unknown, allowed: ReadonlyArray<string>, at: string): void => {
  check(isObject(options), at || "options", "must be an object")
  for (const name of Object.keys(options as object)) {
    check(allowed.includes(name), at === "" ? name : `${at}.${name}`, `is no option; allowed are ${allowed.join(", ")}`)
  }
}

const checkNumber = (value: unknown, option: string, isRight: (value: number) => boolean, rule: string): void =>
  check(value === undefined || (typeof value === "number" && isRight(value)), option, rule)

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0

const checkBoolean = (value: unknown, option: string): void =>
  check(value === undefined || typeof value === "boolean", option, "must be true or false")

const checkFunction = (value: unknown, option: string): void =>
  check(value === undefined || typeof value === "function", option, "must be a function")

const checkIdempotency = (option: IdempotencyOption | undefined): void => {
  if (option === undefined || option === "random" || option === "off") return
  check(isObject(option), "idempotency", 'must be "random", "off", or an object with derived or serviceHonoursKeys')
  checkNames(option, ["derived", "serviceHonoursKeys"], "idempotency")
  checkBoolean(option.serviceHonoursKeys, "idempotency.serviceHonoursKeys")
  if (option.derived === undefined) return
  checkNames(option.derived, ["scope", "generation"], "idempotency.derived")
  const { generation, scope } = option.derived
  check(typeof scope === "string" && scope !== "", "idempotency.derived.scope", "must be a text that is not empty")
  checkNumber(generation, "idempotency.derived.generation", isCount, "must be a whole number of at least 0")
}

const checkBehaviour = (options: BehaviourOptions): void => {
  const { idempotency, onAttempt, onDrift, response, retry, throttle, timeouts } = options
  if (retry !== undefined && retry !== false) {
    check(isObject(retry), "retry", "must be false or an object")
    checkNames(retry, ["maxRetries", "baseDelay", "maxDelay", "honourHints"], "retry")
    checkNumber(retry.maxRetries, "retry.maxRetries", isCount, "must be a whole number of at least 0")
    for (const name of ["baseDelay", "maxDelay"] as const) {
      checkNumber(retry[name], `retry.${name}`, (value) => value >= 0, "must be milliseconds, at least 0")
    }
    checkBoolean(retry.honourHints, "retry.honourHints")
  }
  if (timeouts !== undefined) {
    checkNames(timeouts, ["attempt", "call"], "timeouts")
    for (const name of ["attempt", "call"] as const) {
      checkNumber(timeouts[name], `timeouts.${name}`, (value) => value > 0, "must be milliseconds, more than 0")
    }
  }
  checkIdempotency(idempotency)
  check(
    response === undefined || response === "tolerant" || response === "strict",
    "response",
    'must be "tolerant" or "strict"'
  )
  checkBoolean(throttle, "throttle")
  checkFunction(onDrift, "onDrift")
  checkFunction(onAttempt, "onAttempt")
}

/** Throws one error that names what is wrong with the options of a client. */
export const checkClientOptions = (options: ClientOptions): void => {
  checkNames(options, clientNames, "")
  const { apiKey, debug, fetch, headers, tracer } = options
  check(typeof apiKey === "string" || typeof apiKey === "function", "apiKey", "must be a text, or a function")
  checkFunction(fetch, "fetch")
  check(headers === undefined || isObject(headers), "headers", "must be an object of texts")
  for (const [name, value] of Object.entries(headers ?? {})) {
    check(typeof value === "string", `headers.${name}`, "must be a text")
  }
  checkFunction(debug, "debug")
  check(
    tracer === undefined || typeof tracer?.startSpan === "function",
    "tracer",
    "must be a tracer of @opentelemetry/api"
  )
  checkBehaviour(options)
}

/** Throws one error that names what is wrong with the options of a call. */
export const checkCallOptions = (options: CallOptions): void => {
  checkNames(options, callNames, "")
  check(
    options.signal === undefined || typeof options.signal?.addEventListener === "function",
    "signal",
    "must be an AbortSignal"
  )
  check(
    options.idempotencyKey === undefined || typeof options.idempotencyKey === "string",
    "idempotencyKey",
    "must be a text"
  )
  checkBehaviour(options)
}

const idempotencyOf = (option: IdempotencyOption | undefined): IdempotencyPolicy.IdempotencyPolicy => {
  if (option === "off") return IdempotencyPolicy.off
  if (option === undefined || option === "random") return IdempotencyPolicy.random
  const { derived, serviceHonoursKeys } = option
  const policy =
    derived === undefined ? IdempotencyPolicy.random : IdempotencyPolicy.derived(derived.scope, derived.generation)
  return serviceHonoursKeys === true ? IdempotencyPolicy.honoured(policy) : policy
}

const defined = <T extends object>(value: T): Partial<{ [Name in keyof T]: Exclude<T[Name], undefined> }> =>
  // Only keys without a value are gone, which the type says and `fromEntries` cannot.
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as never

/** What a callback of the user throws is not the failure of a call. */
export const told = <A>(callback: (value: A) => void, value: A): void => {
  try {
    callback(value)
  } catch {
    return
  }
}

/** The policies that the options stand for; what a call does not say is as the client says. */
export const policiesOf = (options: CallOptions, client: BehaviourOptions = {}): Context.Context<never> => {
  const { idempotency, idempotencyKey, onDrift, response, retry, throttle, timeouts } = options
  let policies: Context.Context<never> = Context.empty()
  if (retry === false) policies = Context.add(policies, RetryPolicy.RetryPolicy, RetryPolicy.none)
  else if (retry !== undefined) {
    const { maxRetries, ...delays } = {
      ...(client.retry === false ? {} : defined(client.retry ?? {})),
      ...defined(retry)
    }
    const policy = RetryPolicy.make({ ...delays, ...(maxRetries === undefined ? {} : { maxRepeats: maxRetries }) })
    policies = Context.add(policies, RetryPolicy.RetryPolicy, policy)
  }
  if (timeouts !== undefined) {
    const limits = Timeouts.make({ ...defined(client.timeouts ?? {}), ...defined(timeouts) })
    policies = Context.add(policies, Timeouts.Timeouts, limits)
  }
  if (idempotency !== undefined || idempotencyKey !== undefined) {
    const policy = idempotencyOf(idempotency ?? client.idempotency)
    const own =
      idempotencyKey === undefined ? policy : { ...IdempotencyPolicy.fixed(idempotencyKey), honoured: policy.honoured }
    policies = Context.add(policies, IdempotencyPolicy.IdempotencyPolicy, own)
  }
  if (response !== undefined) policies = Context.add(policies, ResponsePolicy, response)
  if (throttle !== undefined) policies = Context.add(policies, Throttling, throttle ? "wait" : "off")
  if (onDrift !== undefined) {
    policies = Context.add(policies, Drift, { report: (report) => Effect.sync(() => told(onDrift, report)) })
  }
  return policies
}

const wrongKey = (rule: string): ConnectionError =>
  new ConnectionError({ message: `apiKey: ${rule}`, setting: "apiKey", rule })

/** The connection that the options stand for. */
export const connectionOf = (options: ClientOptions): ConnectionOptions => {
  const { apiKey, arrayEncoding, baseUrl, headers, vendor } = options
  if (typeof apiKey === "string") return { apiKey, arrayEncoding, baseUrl, headers, vendor }
  const asked = Effect.tryPromise({
    // What the function throws can hold the key, so it is not handed on.
    try: () => Promise.resolve(apiKey()),
    catch: () => wrongKey("the function that gives it failed")
  }).pipe(
    Effect.flatMap((key: unknown) =>
      typeof key === "string" ? Effect.succeed(Redacted.make(key)) : wrongKey("the function must give a text")
    )
  )
  return { apiKey: asked, arrayEncoding, baseUrl, headers, vendor }
}
