/**
 * Where the service is and how this client proves who it is.
 *
 * **When to use**: to put services together one by one. `Client.layer` takes the same options.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { expectedOneOf } from "../errors/Nearest.ts"
import { TaggedError } from "../errors/TaggedError.ts"
import { neutral } from "../reading/Vendor.ts"

/** The forms of a filter with several values. */
export const arrayEncodings = ["repeat", "brackets", "indices", "comma"] as const

/**
 * How a filter with several values is written in the query.
 *
 * `repeat`: `a=x&a=y`, `brackets`: `a[]=x&a[]=y`, `indices`: `a[0]=x&a[1]=y`, `comma`: `a=x,y`.
 */
export type ArrayEncoding = (typeof arrayEncodings)[number]

/**
 * A connection that cannot work. The message names the setting and the rule, never the value of a secret.
 */
export class ConnectionError
  extends /* @__PURE__ */ TaggedError("ConnectionError")<{
    /** One line: which setting, and what is allowed. */
    readonly message: string
    /** The setting that is wrong, or the name of an unknown one. */
    readonly setting: keyof ConnectionOptions | (string & {})
    /** The rule that the value must follow. */
    readonly rule: string
  }> {}

/** Options of {@link make}. */
export interface ConnectionOptions {
  /**
   * The API key of the environment (API document: Authentication).
   *
   * An effect is run once for each call, so that a key can be rotated; it must not fail with anything but a
   * {@link ConnectionError}, whose `cause` becomes that of the call's error.
   */
  readonly apiKey: string | Redacted.Redacted<string> | Effect.Effect<Redacted.Redacted<string>, ConnectionError>
  /** Where the service is: may have a path, a trailing slash, or end in `/v1`. */
  readonly baseUrl: string | URL
  /** The vendor's name in provider and origin identifiers on the wire; the document's `service` when absent. */
  readonly vendor?: string | undefined
  /** Headers that go with every request, for a gateway in front of the service. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How a filter with several values is written; `repeat` when absent. */
  readonly arrayEncoding?: ArrayEncoding | undefined
  /**
   * How many values of one filter the service reads; a call with more fails with `InvalidRequest`, and nothing is sent.
   * No limit when absent. One service was seen to answer 500 to more than 20.
   */
  readonly maxFilterValues?: number | undefined
}

/** A connection whose settings were checked. */
export interface ConnectionShape {
  /** The API key, read once for each call. */
  readonly apiKey: Effect.Effect<Redacted.Redacted<string>, ConnectionError>
  /** Base URL without a trailing slash and without `/v1`. */
  readonly baseUrl: string
  /** The vendor's name in identifiers on the wire. */
  readonly vendor: string
  /** Headers that go with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** How a filter with several values is written. */
  readonly arrayEncoding: ArrayEncoding
  /** How many values one filter may have; no limit when absent. */
  readonly maxFilterValues?: number | undefined
}

const refused = (setting: ConnectionError["setting"], rule: string): Result.Result<never, ConnectionError> =>
  Result.fail(new ConnectionError({ message: `${setting}: ${rule}`, setting, rule }))

// Visible ASCII: anything else makes a header that `fetch` refuses with a message that shows the key.
const headerSafeKey = /^[\x21-\x7e]+$/

const checkKey = (
  key: string | Redacted.Redacted<string>
): Result.Result<Redacted.Redacted<string>, ConnectionError> => {
  // Callers without types can pass anything, and others an environment variable that is not set.
  const value: unknown = Redacted.isRedacted(key) ? Redacted.value(key) : key
  if (typeof value !== "string") return refused("apiKey", `must be a string or a Redacted, not ${typeof value}`)
  if (value === "") return refused("apiKey", "must not be empty")
  if (!headerSafeKey.test(value))
    return refused("apiKey", "must be one line of visible ASCII characters, without spaces")
  return Result.succeed(typeof key === "string" ? Redacted.make(key) : key)
}

/** Whether a string is an `http` or `https` URL. */
export const isHttpUrl = (text: string): boolean => /^\s*https?:/i.test(text) && URL.canParse(text)

const baseUrlRule = "must be an http:// or https:// URL without credentials, query or fragment"

const checkBaseUrl = (input: string | URL): string | undefined => {
  // Callers without types can pass anything, even a value that cannot be converted to a string.
  const text = typeof input === "string" ? input : input?.href
  if (typeof text !== "string" || !isHttpUrl(text)) return undefined
  const url = new URL(text)
  if (url.username + url.password + url.search + url.hash !== "") return undefined
  return (url.origin + url.pathname).replace(/\/*(?:\/v1\/*)?$/, "")
}

const vendorWord = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
// Characters that a header can contain; `fetch` would reject all others later, at each request.
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
const ownHeaders = new Set(["authorization", "idempotency-key", "content-type", "accept", "content-length", "host"])

/** Why headers cannot be sent; `undefined` when they can. */
export const wrongHeader = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) return "every name must be a valid header name"
    if (ownHeaders.has(name.toLowerCase())) return `"${name}" is set by the client`
    if (typeof value !== "string" || !headerValue.test(value))
      return `the value of "${name}" must be one line of Latin-1 characters`
  }
  return undefined
}

/**
 * Checks the settings of a connection; see {@link make}.
 *
 * **When to use**: outside of an effect, where settings are wrong at once.
 *
 * @example
 * ```ts
 * import * as Connection from "@signalbox/core/Connection"
 * import * as Result from "effect/Result"
 *
 * Result.isFailure(Connection.check({ apiKey: "key", baseUrl: "nowhere" })) // => true
 * ```
 */
export const check = (options: ConnectionOptions): Result.Result<ConnectionShape, ConnectionError> => {
  const baseUrl = checkBaseUrl(options.baseUrl)
  if (baseUrl === undefined) return refused("baseUrl", baseUrlRule)
  const vendor = options.vendor ?? neutral
  if (!vendorWord.test(vendor)) {
    return refused("vendor", "must be one word of letters, digits and inner dashes, such as acme")
  }
  const headers = options.headers ?? {}
  const wrong = wrongHeader(headers)
  if (wrong !== undefined) return refused("headers", wrong)
  const arrayEncoding = options.arrayEncoding ?? "repeat"
  if (!arrayEncodings.includes(arrayEncoding)) {
    return refused("arrayEncoding", `must be one of ${arrayEncodings.join(", ")}`)
  }
  const connectionWith = (apiKey: ConnectionShape["apiKey"]) => ({
    ...options,
    apiKey,
    baseUrl,
    vendor,
    headers,
    arrayEncoding
  })
  const given = options.apiKey
  if (Effect.isEffect(given)) {
    return Result.succeed(connectionWith(Effect.flatMap(given, (key) => Effect.fromResult(checkKey(key)))))
  }
  return Result.map(checkKey(given), (checked) => connectionWith(Effect.succeed(checked)))
}

const optionNames: Readonly<Record<keyof ConnectionOptions, true>> = {
  apiKey: true,
  baseUrl: true,
  vendor: true,
  headers: true,
  arrayEncoding: true,
  maxFilterValues: true
}

/**
 * Checks the settings of a connection, and that there are no others.
 *
 * @example
 * ```ts
 * import * as Connection from "@signalbox/core/Connection"
 *
 * const connection = Connection.make({ apiKey: "key", baseUrl: "https://api.example.com/v1/" })
 * ```
 */
export const make = (options: ConnectionOptions): Effect.Effect<ConnectionShape, ConnectionError> =>
  Effect.suspend(() => {
    const names = Object.keys(optionNames)
    const unknown = Object.keys(options).find((name) => !names.includes(name))
    return Effect.fromResult(
      unknown === undefined ? check(options) : refused(unknown, `unknown option; ${expectedOneOf(unknown, names)}`)
    )
  })

/**
 * The connection that the services use.
 */
export class Connection
  extends /* @__PURE__ */ Context.Service<Connection, ConnectionShape>()("signalbox/core/Connection") {}

// Not a static member of the service: bundlers keep those, and `effect/Layer` with them, where nothing uses them.
/**
 * Checks the settings and provides the connection; fails with one line that names the setting.
 */
export const layer = (options: ConnectionOptions): Layer.Layer<Connection, ConnectionError> =>
  Layer.effect(Connection, make(options))

/**
 * The header with the number of retries before a request. A call that starts with it counts in it: every attempt sends
 * its own number.
 */
export const retryCountHeader = "x-signalbox-retry-count"

/**
 * Headers that a call adds to those of its connection: headers that change, such as the rotating token of a gateway, or that
 * belong to one call. Read once for each call, before its deadline. The error of an effect that fails names the setting
 * `headers`.
 */
export type RequestHeaders = Effect.Effect<Readonly<Record<string, string>>, ConnectionError>

/**
 * The headers in effect: set for a call, or when the service was built, or none. They replace those of the connection
 * with the same name. Their values are treated as secrets, like those of the connection.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import { RequestHeaders } from "@signalbox/core/Connection"
 *
 * const tenant = Effect.succeed({ "x-tenant": "blue" })
 * const program = Events.use((events) => events.list()).pipe(Effect.provideService(RequestHeaders, tenant))
 * ```
 */
export const RequestHeaders = Context.Reference<RequestHeaders>("signalbox/core/RequestHeaders", {
  defaultValue: () => Effect.succeed({})
})
