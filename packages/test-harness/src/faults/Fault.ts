/**
 * Faults as values: the failure, its point in a request, and the requests that it affects. They are plain JSON.
 *
 * @example
 * ```ts
 * import { createFake, Fault } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * // Leaving the scope throws if no request met the fault.
 * using busy = fake.faults.add(Fault.status(503, { operation: "events.list", attempt: 1 }))
 * const headers = { authorization: `ApiKey ${fake.apiKey}` }
 * const first = await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })
 * const second = await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })
 * const statuses = [first.status, second.status] // => [503, 200]
 * ```
 */
import { checkNames } from "../input/Input.ts"
import { type OperationReference, withOperationName } from "../input/RouteNames.ts"
import type { ConnectionFailure } from "../wire/Delivery.ts"
import type { FaultPoint } from "./FaultInjector.ts"
import { type Fault, type FaultForms, type FormName, type FormOf, recordOf } from "./FaultForms.ts"
import { fromJson } from "./FaultSchema.ts"
import type { Latency } from "./Latency.ts"

export type { DriftKind } from "./DriftedBody.ts"
export type { Fault, FaultForm } from "./FaultForms.ts"
export { type FaultJson, fromJson } from "./FaultSchema.ts"
export type { Latency } from "./Latency.ts"

/** Which requests a fault is for, and at which point it happens. */
export interface Target<Point extends FaultPoint = FaultPoint> extends Pick<
  Fault,
  "attempt" | "request" | "key" | "probability" | "times"
> {
  /** Only requests for this operation: one of the service by its name, or one that `defineOperation` made. */
  readonly operation?: OperationReference
  /**
   * `received`: before anything is checked; `validated`: the request is valid, nothing has changed; `committed`: the
   * change is made and its response is lost; `answering`: any response, including an error.
   */
  readonly at?: Point
}

type TargetOf<Name extends FormName> = Target<FaultForms[Name]["point"]>

/** The target of a form and its fields, without those that are given in another way. */
type OptionsOf<Name extends FormName, Others extends string = never> = TargetOf<Name> &
  Omit<FaultForms[Name]["fields"], Others>

const targetNames = [
  "at",
  "operation",
  "attempt",
  "request",
  "key",
  "probability",
  "times"
] as const satisfies ReadonlyArray<keyof Target>

// JSON keeps nothing of a `Headers` or a `Map`.
const checkHeaders = (headers: unknown): void => {
  if (typeof headers === "object" && headers !== null && Symbol.iterator in headers) {
    throw new RangeError("fault.form.headers: must be a plain object, such as Object.fromEntries(headers)")
  }
}

/** Builds a fault from the options of its function. */
const make = <Name extends FormName>(
  _tag: Name,
  options: TargetOf<Name> & Partial<FaultForms[Name]["fields"]>,
  fieldNames: ReadonlyArray<string> = [],
  fields: object = {}
): Fault => {
  checkNames("fault", options, [...fieldNames, ...targetNames])
  const isField = (name: string): boolean => fieldNames.includes(name)
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const { at, ...target } = withOperationName(Object.fromEntries(given.filter(([name]) => !isField(name))))
  return fromJson({
    form: { _tag, ...fields, ...Object.fromEntries(given.filter(([name]) => isField(name))) },
    point: at ?? recordOf({ _tag }).points[0],
    ...target
  })
}

/**
 * Delays a request by this many milliseconds of the environment's clock; by default before anything is checked.
 *
 * @throws RangeError for an invalid option, naming its place and the expected values, as do all functions of this
 * module.
 */
export const latency = (delay: number | Latency, target: TargetOf<"Latency"> = {}): Fault =>
  make("Latency", target, [], {
    latency: typeof delay === "number" ? { distribution: "fixed", delayMs: delay } : delay
  })

/** Responds with a status; by default before anything is checked. */
export const status = (code: number, options: OptionsOf<"Status", "status"> = {}): Fault => {
  checkHeaders(options?.headers)
  return make("Status", options, ["body", "headers"], { status: code })
}

/** Responds with 429 and the headers of a rate limit; by default before anything is checked. */
export const rateLimited = (options: OptionsOf<"RateLimited">): Fault =>
  make("RateLimited", options, ["retryAfterMs", "as"])

/** Responds with the HTML page of a gateway; by default before anything is checked. */
export const html = (code = 502, target: TargetOf<"Html"> = {}): Fault => make("Html", target, [], { status: code })

/**
 * Refuses the connection, so that nothing is sent.
 *
 * A server cannot refuse a client that has already connected: it responds with 500 and says so. Use its `down()`
 * instead.
 */
export const refuse = (target: TargetOf<"Refuse"> = {}): Fault => make("Refuse", target)

const noResponse =
  (failure: ConnectionFailure) =>
  (target: TargetOf<"NoResponse"> = {}): Fault =>
    make("NoResponse", target, [], { failure })

/** Resets the connection (RST) instead of responding; by default before anything is checked. */
export const reset = noResponse("reset")

/** Closes the connection (FIN) instead of responding; by default before anything is checked. */
export const close = noResponse("close")

/** Never responds; by default before anything is checked. */
export const hang = noResponse("hang")

/** Sends bytes that are not HTTP instead of a response; by default before anything is checked. */
export const garbage = noResponse("garbage")

/** Sends the body in small pieces. */
export const slowBody = (options: OptionsOf<"SlowBody">): Fault => make("SlowBody", options, ["bytes", "everyMs"])

/** Sends the head and the first bytes of the body, then fails: closes unless `failure` differs. Applies only to longer bodies. */
export const cutBody = (options: OptionsOf<"CutBody", "failure"> & { readonly failure?: ConnectionFailure }): Fault =>
  make("CutBody", options, ["afterBytes", "failure"], { failure: "close" })

/** Sends a complete body that is not valid JSON. */
export const malformedJson = (target: TargetOf<"MalformedJson"> = {}): Fault => make("MalformedJson", target)

/** Sends the body unchanged with another content type. */
export const contentType = (value: string, target: TargetOf<"ContentType"> = {}): Fault =>
  make("ContentType", target, [], { contentType: value })

/** Changes a successful response so that it departs from the contract. */
export const drift = (options: OptionsOf<"Drift">): Fault => make("Drift", options, ["kind", "field"])

const describeForm = <Name extends FormName>(form: FormOf<Name>): string => recordOf<Name>(form).describe(form)

/** A fault as the journal shows it, for example `reset at committed`. */
export const describe = ({ form, point }: Fault): string => `${describeForm(form)} at ${point}`
