import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import * as Timeouts from "@signalbox/core/Timeouts"
import * as Rules from "@signalbox/core/internal/policies/Rules"
import type { PagesOptions } from "@signalbox/core/Events"
import type { Dispatcher } from "@signalbox/core/internal/transport/Dispatcher"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { NodeClientOptions } from "../NodeClientOptions.ts"
import type { BehaviourOptions, CallOptions, ClientOptions } from "../ClientOptions.ts"

const positive = Rules.count(1)

const derived = Rules.only({
  scope: Rules.required((value) => typeof value === "string" && value !== "", "must be a non-empty string"),
  generation: Rules.count()
})

const headers: Rules.Rule = (value, option) => {
  if (typeof value === "function") return undefined
  const strings = Object.fromEntries(Object.keys(Object(value)).map((name) => [name, Rules.text]))
  return Rules.only(strings, "must be an object of strings, or a function")(value, option)
}

const behaviour: Rules.Parts<keyof BehaviourOptions> = {
  retry: Rules.oneOf([false], Rules.only(RetryPolicy.parts, "must be false or an object")),
  timeouts: Rules.only(Timeouts.parts),
  idempotency: Rules.oneOf(
    ["random", "off"],
    Rules.only(
      { derived, serviceHonoursKeys: Rules.truth },
      'must be "random", "off", or an object with derived or serviceHonoursKeys'
    )
  ),
  response: Rules.rule((value) => value === "tolerant" || value === "strict", 'must be "tolerant" or "strict"'),
  throttle: Rules.truth,
  maxResponseBytes: positive,
  onDrift: Rules.callback,
  onAttempt: Rules.callback,
  headers
}

/** Core checks these. */
const leftToCore: Rules.Rule = () => undefined

const connection: Rules.Parts<Exclude<keyof ClientOptions, "fetch" | "dispatcher">> = {
  ...behaviour,
  apiKey: Rules.required(
    (value) => typeof value === "string" || typeof value === "function",
    "must be a string or a function"
  ),
  baseUrl: leftToCore,
  vendor: Rules.text,
  arrayEncoding: leftToCore,
  maxFilterValues: positive,
  identify: Rules.truth,
  debug: Rules.callback,
  maxConcurrency: positive,
  tracer: Rules.rule(
    // Optional, because callers without types can pass anything.
    (value) => typeof (value as ClientOptions["tracer"])?.startSpan === "function",
    "must be a tracer of @opentelemetry/api"
  ),
  traceHeaders: Rules.truth,
  meter: Rules.rule(
    // Optional, because callers without types can pass anything.
    (value) => typeof (value as ClientOptions["meter"])?.createHistogram === "function",
    "must be a meter of @opentelemetry/api"
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
  signal: Rules.rule(isSignal, "must be an AbortSignal")
}

const call: Rules.Parts<keyof CallOptions> = { ...sharedRules, idempotencyKey: Rules.text }

const pages: Rules.Parts<keyof PagesOptions> = { cursor: leftToCore, prefetch: Rules.truth }

const clientRule = Rules.only({ ...connection, fetch: Rules.callback })
const callRule = Rules.only(call)
const pagesRule = Rules.only(pages)

/** Throws an error that names the first invalid option. */
export const check = (options: unknown, optionsRule: Rules.Rule): void => {
  const issue = optionsRule(options, "")
  if (issue !== undefined) throw new ClientOptionError(issue.path, issue.rule)
}

const checkWith =
  <Options extends Pick<ClientOptions, "traceHeaders" | "tracer">>(optionsRule: Rules.Rule) =>
  (options: Options): void => {
    // Callers without types can omit them, and rules accept an omitted value.
    check(options ?? null, optionsRule)
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
  const dispatcher = Rules.rule(isDispatcher, "must be a dispatcher of undici")
  // Made by the call: bundlers keep a spread at the top level, also for clients over `fetch`.
  const optionsRule = Rules.only({ ...connection, dispatcher, connectMs: Rules.limit, proxyFromEnv: Rules.truth })
  checkWith<NodeClientOptions>(optionsRule)(options)
  for (const option of ["connectMs", "proxyFromEnv"] as const) {
    if (options.dispatcher !== undefined && options[option] !== undefined) {
      throw new ClientOptionError(option, "must be set on the dispatcher instead")
    }
  }
}

/** Throws one error that names what is wrong with the options of a call; a call needs none. */
export const checkCallOptions = (options: CallOptions | undefined): void => check(options, callRule)

/** The same for the options of a derived client. */
export const checkDefaults = (options: BehaviourOptions): void => check(options ?? null, Rules.only(behaviour))

/** The same for an iteration over pages. */
export const checkPagesOptions = (options: PagesOptions | undefined): void => check(options, pagesRule)
