/**
 * Faults as values: what goes wrong, at which point of a request, and for which requests. They are plain JSON.
 *
 * @example
 * ```ts
 * import { createFake, Fault } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * // Leaving the scope throws when no request met the fault.
 * using busy = fake.faults.add(Fault.status(503, { operation: "events.list", attempt: 1 }))
 * const headers = { authorization: `ApiKey ${fake.apiKey}` }
 * const first = await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })
 * const second = await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })
 * const statuses = [first.status, second.status] // => [503, 200]
 * ```
 */
import type { OperationName } from "@signalbox/core/Operation"
import type { Ending } from "../request/Delivery.ts"
import type { InterferencePoint } from "../request/Interference.ts"
import { checkNames } from "../OptionNames.ts"
import { faultPoints } from "./FaultPoints.ts"
import { checked } from "./FaultSchema.ts"

export { type FaultJson, fromJson, schema } from "./FaultSchema.ts"

/** How long a request is held up, in milliseconds. */
export type Latency =
  | { readonly distribution: "fixed"; readonly millis: number }
  | { readonly distribution: "uniform"; readonly from: number; readonly to: number }
  | { readonly distribution: "lognormal"; readonly median: number; readonly sigma: number; readonly most?: number }

/** How a body can differ from what the API document knows. */
export type DriftKind = "unknown-enum-value" | "unknown-field" | "missing-field" | "null"

/** What goes wrong. */
export type FaultForm =
  | { readonly _tag: "Latency"; readonly latency: Latency }
  /** Another answer than the service would give. */
  | {
      readonly _tag: "Status"
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** An answer 429 with the headers of a rate limit. */
  | { readonly _tag: "RateLimited"; readonly retryAfter: number | "absent"; readonly as?: "seconds" | "http-date" }
  /** The page of a gateway. */
  | { readonly _tag: "Html"; readonly status: number }
  /** Nobody listens. */
  | { readonly _tag: "Refuse" }
  /** The connection ends without one byte of an answer. */
  | { readonly _tag: "Ending"; readonly ending: Ending }
  /** The body comes in small pieces. */
  | { readonly _tag: "SlowBody"; readonly bytes: number; readonly everyMillis: number }
  /** The body ends after so many bytes. */
  | { readonly _tag: "CutBody"; readonly afterBytes: number; readonly ending: Ending }
  /** The body is whole, but no JSON. */
  | { readonly _tag: "MalformedJson" }
  | { readonly _tag: "ContentType"; readonly contentType: string }
  /** The body says what the contract does not know, at the first place that fits or at the named field. */
  | { readonly _tag: "Drift"; readonly kind: DriftKind; readonly field?: string }

/** A fault. */
export interface Fault {
  readonly form: FaultForm
  /** Where on the way of a request it happens. */
  readonly point: InterferencePoint
  /** Only requests for this operation. */
  readonly operation?: OperationName
  /** Only the nth request of a logical operation, counted from 1. */
  readonly attempt?: number
  /** Only requests with this idempotency key. */
  readonly key?: string
  /** Happens by chance, from 0 to 1, drawn from the seed of the environment. */
  readonly probability?: number
  /** How often it happens at most. Once unless given, or `"always"` with a probability. */
  readonly times?: number | "always"
}

type PointsOf<Tag extends FaultForm["_tag"]> = (typeof faultPoints)[Tag][number]

/** Which requests a fault is for, and at which point of their way it happens. */
export interface Target<Point extends InterferencePoint = InterferencePoint> extends Pick<
  Fault,
  "operation" | "attempt" | "key" | "probability" | "times"
> {
  /**
   * `received`: nothing was looked at; `validated`: the request is right, nothing has changed; `committed`: the change is
   * made and its answer is lost; `answering`: whatever the answer is, also a refusal.
   */
  readonly at?: Point
}

type TargetOf<Tag extends FaultForm["_tag"]> = Target<PointsOf<Tag>>

const targetNames = ["at", "operation", "attempt", "key", "probability", "times"] as const satisfies ReadonlyArray<
  keyof Target
>

/** The options that a function was given; callers without types can give anything, or nothing where some are needed. */
const given = <Options extends object>(options: Options): Options => {
  if (typeof options === "object" && options !== null) return options
  throw new RangeError(`fault: its options must be an object, not ${JSON.stringify(options)}`)
}

/** Headers as they were given; of a `Headers` or a `Map` nothing would be left as JSON. */
const givenHeaders = (headers: NonNullable<StatusOptions["headers"]>): typeof headers => {
  if (typeof headers !== "object" || !(Symbol.iterator in headers)) return headers
  throw new RangeError("fault.form.headers: must be a plain object, such as Object.fromEntries(headers)")
}

/** Makes a fault of what its function was given, besides the options of its own. */
const make = <Tag extends FaultForm["_tag"]>(
  form: Extract<FaultForm, { readonly _tag: Tag }>,
  target: TargetOf<Tag>,
  ownNames: ReadonlyArray<string> = []
): Fault => {
  checkNames("fault.", given(target), [...ownNames, ...targetNames])
  const { at, attempt, key, operation, probability, times } = target
  return checked({
    form,
    point: at ?? faultPoints[form._tag][0],
    ...(operation === undefined ? {} : { operation }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(key === undefined ? {} : { key }),
    ...(probability === undefined ? {} : { probability }),
    ...(times === undefined ? {} : { times })
  })
}

/**
 * Holds a request up for so many milliseconds of the environment's clock; by default before it is looked at.
 *
 * @throws RangeError, as all of these do, naming the place that is wrong and what is allowed there.
 */
export const latency = (millis: number | Latency, target: TargetOf<"Latency"> = {}): Fault =>
  make<"Latency">(
    { _tag: "Latency", latency: typeof millis === "number" ? { distribution: "fixed", millis } : millis },
    target
  )

/** What a {@link status} answers besides the status. */
export interface StatusOptions extends TargetOf<"Status"> {
  /** A JSON value, or text as it is; without one the environment's own error body. */
  readonly body?: unknown
  /** Names with values in Latin-1. Those that say how a body is sent, such as `content-length`, are the fake's. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers with a status instead of what the service would say; by default before anything is done. */
export const status = (code: number, options: StatusOptions = {}): Fault => {
  const { body, headers, ...target } = given(options)
  return make<"Status">(
    {
      _tag: "Status",
      status: code,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers: givenHeaders(headers) })
    },
    target,
    ["body", "headers"]
  )
}

/** What a {@link rateLimited} answer says. */
export interface RateLimitedOptions extends TargetOf<"RateLimited"> {
  /** Seconds until the next request is welcome; `"absent"` for an answer that does not say. */
  readonly retryAfter: number | "absent"
  /** How `Retry-After` says it. Default `"seconds"`. */
  readonly as?: "seconds" | "http-date"
}

/** Answers 429 with the headers of a rate limit; by default before anything is done. */
export const rateLimited = (options: RateLimitedOptions): Fault => {
  const { as, retryAfter, ...target } = given(options)
  return make<"RateLimited">({ _tag: "RateLimited", retryAfter, ...(as === undefined ? {} : { as }) }, target, [
    "retryAfter",
    "as"
  ])
}

/** Answers with the HTML page of a gateway; by default before anything is done. */
export const html = (code = 502, target: TargetOf<"Html"> = {}): Fault =>
  make<"Html">({ _tag: "Html", status: code }, target)

/**
 * Refuses the connection, so that nothing is sent.
 *
 * A server cannot show this to a client that has connected: it answers 500 and says so; use its `down()` there.
 */
export const refuse = (target: TargetOf<"Refuse"> = {}): Fault => make<"Refuse">({ _tag: "Refuse" }, target)

const ending =
  (form: Ending) =>
  (target: TargetOf<"Ending"> = {}): Fault =>
    make<"Ending">({ _tag: "Ending", ending: form }, target)

/** Resets the connection (RST) instead of answering; by default before anything is done. */
export const reset = ending("reset")

/** Closes the connection (FIN) instead of answering; by default before anything is done. */
export const close = ending("close")

/** Never answers; by default before anything is done. */
export const hang = ending("hang")

/** Sends bytes that are no HTTP instead of an answer; by default before anything is done. */
export const garbage = ending("garbage")

/** How slow a {@link slowBody} is. */
export interface SlowBodyOptions extends TargetOf<"SlowBody"> {
  readonly bytes: number
  readonly everyMillis: number
}

/** Sends the body in pieces of so many bytes, one every so many milliseconds of the environment's clock. */
export const slowBody = (options: SlowBodyOptions): Fault => {
  const { bytes, everyMillis, ...target } = given(options)
  return make<"SlowBody">({ _tag: "SlowBody", bytes, everyMillis }, target, ["bytes", "everyMillis"])
}

/** Where and how a {@link cutBody} ends. */
export interface CutBodyOptions extends TargetOf<"CutBody"> {
  readonly afterBytes: number
  /** How the connection ends then. Default `"close"`. */
  readonly ending?: Ending
}

/** Sends the head and the first bytes of the body; longer bodies than that are its only targets. */
export const cutBody = (options: CutBodyOptions): Fault => {
  const { afterBytes, ending: form = "close", ...target } = given(options)
  return make<"CutBody">({ _tag: "CutBody", afterBytes, ending: form }, target, ["afterBytes", "ending"])
}

/** Sends a body that is whole, but no JSON. */
export const malformedJson = (target: TargetOf<"MalformedJson"> = {}): Fault =>
  make<"MalformedJson">({ _tag: "MalformedJson" }, target)

/** Gives the body another content type; the body itself stays as it is. */
export const contentType = (value: string, target: TargetOf<"ContentType"> = {}): Fault =>
  make<"ContentType">({ _tag: "ContentType", contentType: value }, target)

/** How a body {@link drift}s away from the API document. */
export interface DriftOptions extends TargetOf<"Drift"> {
  readonly kind: DriftKind
  /** Name of the field; the first one that fits unless given. */
  readonly field?: string
}

/** Lets a successful answer say what the API document does not know. */
export const drift = (options: DriftOptions): Fault => {
  const { field, kind, ...target } = given(options)
  return make<"Drift">({ _tag: "Drift", kind, ...(field === undefined ? {} : { field }) }, target, ["kind", "field"])
}

const latencyWords = (given: Latency): string => {
  switch (given.distribution) {
    case "fixed":
      return `latency of ${given.millis} ms`
    case "uniform":
      return `latency of ${given.from} to ${given.to} ms`
    case "lognormal":
      return `latency of about ${given.median} ms`
  }
}

const formWords = (form: FaultForm): string => {
  switch (form._tag) {
    case "Latency":
      return latencyWords(form.latency)
    case "Status":
      return `status ${form.status}`
    case "RateLimited":
      return "rate limit"
    case "Html":
      return `HTML page ${form.status}`
    case "Refuse":
      return "refused connection"
    case "Ending":
      return form.ending
    case "SlowBody":
      return `slow body of ${form.bytes} bytes every ${form.everyMillis} ms`
    case "CutBody":
      return `${form.ending} after ${form.afterBytes} bytes of the body`
    case "MalformedJson":
      return "malformed JSON"
    case "ContentType":
      return `content type ${form.contentType}`
    case "Drift":
      return form.field === undefined ? form.kind : `${form.kind} in ${form.field}`
  }
}

/** A fault in the words of the journal, for example `reset at committed`. */
export const describe = ({ form, point }: Fault): string => `${formWords(form)} at ${point}`
