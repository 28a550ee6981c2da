import type { PagesOptions } from "@signalbox/core/Events"
import { count, number, type PolicyRule as Rule, rule, truth } from "@signalbox/core/internal/policies/PolicyRules"
import type { Dispatcher } from "@signalbox/core/internal/transport/Dispatcher"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { NodeClientOptions } from "../NodeClientOptions.ts"
import type { BehaviourOptions, CallOptions, ClientOptions } from "../ClientOptions.ts"
import { callback, check, isObject, oneOf, only, text } from "./Rules.ts"

const delay = number((value) => value >= 0, "milliseconds, at least 0")
const limit = number((value) => value > 0, "milliseconds, more than 0")

const positive = count(1)

const derived = only(
  {
    scope: rule((value) => typeof value === "string" && value !== "", "a non-empty string"),
    generation: count()
  },
  "an object",
  ["scope"]
)

const headers: Rule = (value, path) => {
  if (typeof value === "function") return undefined
  if (!isObject(value)) return { path, rule: "must be an object of strings, or a function" }
  return only(Object.fromEntries(Object.keys(value).map((name) => [name, text])))(value, path)
}

const behaviour: Readonly<Record<keyof BehaviourOptions, Rule>> = {
  retry: oneOf(
    [false],
    only({ maxRetries: count(), baseDelayMs: delay, maxDelayMs: delay, honourRetryAfter: truth }, "false or an object")
  ),
  timeouts: only({ attemptMs: limit, callMs: limit }),
  idempotency: oneOf(
    ["random", "off"],
    only({ derived, serviceHonoursKeys: truth }, '"random", "off", or an object with derived or serviceHonoursKeys')
  ),
  response: rule((value) => value === "tolerant" || value === "strict", '"tolerant" or "strict"'),
  throttle: truth,
  maxResponseBytes: positive,
  onDrift: callback,
  onAttempt: callback,
  headers
}

/** Core checks these. */
const leftToCore: Rule = () => undefined

const connection: Readonly<Record<Exclude<keyof ClientOptions, "fetch" | "dispatcher">, Rule>> = {
  ...behaviour,
  apiKey: rule((value) => typeof value === "string" || typeof value === "function", "a string or a function"),
  baseUrl: leftToCore,
  vendor: text,
  arrayEncoding: leftToCore,
  maxFilterValues: positive,
  identify: truth,
  debug: callback,
  maxConcurrency: positive,
  tracer: rule(
    // Optional, because callers without types can pass anything.
    (value) => typeof (value as ClientOptions["tracer"])?.startSpan === "function",
    "a tracer of @opentelemetry/api"
  ),
  traceHeaders: truth,
  meter: rule(
    // Optional, because callers without types can pass anything.
    (value) => typeof (value as ClientOptions["meter"])?.createHistogram === "function",
    "a meter of @opentelemetry/api"
  )
}

const isDispatcher = (value: unknown): boolean =>
  // Optional, because callers without types can pass anything.
  typeof (value as Partial<Dispatcher> | null)?.dispatch === "function"

const isSignal = (value: unknown): boolean => {
  // Partial, because callers without types can pass anything.
  const signal = value as Partial<AbortSignal> | null
  return (
    typeof signal?.aborted === "boolean" &&
    typeof signal.addEventListener === "function" &&
    typeof signal.removeEventListener === "function"
  )
}

/** Options that concurrent calls can share, which excludes a fixed key. */
export const sharedRules = {
  ...behaviour,
  signal: rule(isSignal, "an AbortSignal")
}

const call: Readonly<Record<keyof CallOptions, Rule>> = { ...sharedRules, idempotencyKey: text }

const pages: Readonly<Record<keyof PagesOptions, Rule>> = { cursor: leftToCore, prefetch: truth }

const clientRule = only({ ...connection, fetch: callback }, "an object", ["apiKey"])
const callRule = only(call)
const pagesRule = only(pages)

const checkWith =
  <Options extends Pick<ClientOptions, "traceHeaders" | "tracer">>(optionsRule: Rule) =>
  (options: Options): void => {
    check(optionsRule, options)
    if (options.traceHeaders === true && options.tracer === undefined) {
      throw new ClientOptionError("traceHeaders", "needs a tracer")
    }
  }

/** Throws an error that names the first invalid option of a client. */
export const checkClientOptions = (options: ClientOptions): void => {
  for (const option of ["dispatcher", "connectMs", "proxyFromEnv"]) {
    if (option in Object(options)) throw new ClientOptionError(option, "needs createClient of @signalbox/sdk/node")
  }
  checkWith(clientRule)(options)
}

/** The same for a client without `fetch`, over a dispatcher of undici. */
export const checkNodeClientOptions = (options: NodeClientOptions): void => {
  const dispatcher = rule(isDispatcher, "a dispatcher of undici")
  // Made by the call: bundlers keep a spread at the top level, also for clients over `fetch`.
  const parts = { ...connection, dispatcher, connectMs: limit, proxyFromEnv: truth }
  const optionsRule = only(parts, "an object", ["apiKey"])
  checkWith<NodeClientOptions>(optionsRule)(options)
  for (const option of ["connectMs", "proxyFromEnv"] as const) {
    if (options.dispatcher !== undefined && options[option] !== undefined) {
      throw new ClientOptionError(option, "must be set on the dispatcher instead")
    }
  }
}

/** Throws one error that names what is wrong with the options of a call; a call needs none. */
export const checkCallOptions = (options: CallOptions = {}): void => check(callRule, options)

/** The same for the options of a derived client. */
export const checkDefaults = (options: BehaviourOptions): void => check(only(behaviour), options)

/** The same for an iteration over pages. */
export const checkPagesOptions = (options: PagesOptions = {}): void => check(pagesRule, options)
