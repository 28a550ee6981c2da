/**
 * Which faults there are, as a schema: what is read from JSON and what is built in code meet the same rules.
 */
import { CredentialsUpsert } from "@signalbox/core/operation/CredentialsUpsert"
import { EventsList } from "@signalbox/core/operation/EventsList"
import { MessagesMarkAs } from "@signalbox/core/operation/MessagesMarkAs"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { inputComplaint } from "../InputComplaint.ts"
import { isNestedTooDeep, nestingRule } from "../request/Nesting.ts"
import { bodiless } from "./Bodiless.ts"
import type { Fault, FaultForm, Latency } from "./Fault.ts"
import { FaultHeaders, HeaderValue } from "./FaultHeaders.ts"
import { faultPoints } from "./FaultPoints.ts"

const least = (minimum: number, expected: string) =>
  Schema.makeFilter((value: number) => value >= minimum, { expected })

const millis = Schema.Finite.check(least(0, "milliseconds from 0"))
const count = Schema.Int.check(least(1, "a whole number from 1"))
const isNotEmpty = Schema.isMinLength(1, { expected: "text that is not empty" })
const text = Schema.String.check(isNotEmpty)
// The date of a wait of 3,000 years still has a year of four digits.
const seconds = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 100_000_000_000 }, { expected: "seconds from 0 to 100000000000" })
)
const statusCode = Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 }, { expected: "200 to 599" }))
const endings = Schema.Literals(["reset", "close", "hang", "garbage"])

const latency: Schema.Codec<Latency> = Schema.Union([
  Schema.Struct({ distribution: Schema.Literal("fixed"), millis }),
  Schema.Struct({ distribution: Schema.Literal("uniform"), from: millis, to: millis }).check(
    Schema.makeFilter(({ from, to }) => from <= to, { expected: "an interval whose from is not above its to" })
  ),
  Schema.Struct({
    distribution: Schema.Literal("lognormal"),
    median: millis,
    sigma: Schema.Finite.check(least(0, "a number from 0")),
    most: Schema.optionalKey(millis)
  })
]).annotate({ expected: "an object whose distribution is fixed, uniform or lognormal" })

const isJson = (value: unknown): boolean => {
  try {
    const json = JSON.stringify(value)
    return value === undefined || (json !== undefined && !isNestedTooDeep(json))
  } catch {
    return false
  }
}

/** What can be sent as a body, also when it is sent much later. */
const body = Schema.Unknown.check(Schema.makeFilter(isJson, { expected: `a JSON value, ${nestingRule}` }))

const form: Schema.Codec<FaultForm> = Schema.Union([
  Schema.TaggedStruct("Latency", { latency }),
  Schema.TaggedStruct("Status", {
    status: statusCode,
    body: Schema.optionalKey(body),
    headers: Schema.optionalKey(FaultHeaders)
  }).check(
    Schema.makeFilter(({ body, status }) => body === undefined || !bodiless.has(status), {
      expected: "without a body where the status is 204, 205 or 304"
    })
  ),
  Schema.TaggedStruct("RateLimited", {
    retryAfter: Schema.Union([seconds, Schema.Literal("absent")]),
    as: Schema.optionalKey(Schema.Literals(["seconds", "http-date"]))
  }),
  Schema.TaggedStruct("Html", { status: statusCode }),
  Schema.TaggedStruct("Refuse", {}),
  Schema.TaggedStruct("Ending", { ending: endings }),
  Schema.TaggedStruct("SlowBody", { bytes: count, everyMillis: millis }),
  Schema.TaggedStruct("CutBody", {
    afterBytes: Schema.Int.check(least(0, "a whole number from 0")),
    ending: endings
  }),
  Schema.TaggedStruct("MalformedJson", {}),
  Schema.TaggedStruct("ContentType", { contentType: HeaderValue.check(isNotEmpty) }),
  Schema.TaggedStruct("Drift", {
    kind: Schema.Literals(["unknown-enum-value", "unknown-field", "missing-field", "null"]),
    field: Schema.optionalKey(text)
  })
]).annotate({ expected: `an object whose _tag is one of ${Object.keys(faultPoints).join(", ")}` })

const point = Schema.Literals(["received", "validated", "committed", "answering"])

const others = {
  operation: Schema.optionalKey(Schema.Literals([CredentialsUpsert.name, MessagesMarkAs.name, EventsList.name])),
  attempt: Schema.optionalKey(count),
  key: Schema.optionalKey(text),
  probability: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: "a number from 0 to 1" }))
  ),
  times: Schema.optionalKey(Schema.Union([count, Schema.Literal("always")]))
}

const happens = ({ form: { _tag }, point: wanted }: Fault): boolean =>
  faultPoints[_tag].some((possible) => possible === wanted)

const valid: Schema.Codec<Fault> = Schema.Struct({ form, point, ...others }).check(
  Schema.makeFilter((fault: Fault) =>
    happens(fault)
      ? undefined
      : {
          path: ["point"],
          issue: `${fault.form._tag} happens at ${faultPoints[fault.form._tag].join(" or ")}, not at ${fault.point}`
        }
  )
)

/** A fault as JSON: without `point` it happens at the first point that its form can happen at. */
export type FaultJson = Omit<Fault, "point"> & Partial<Pick<Fault, "point">>

/** A fault and its JSON. */
export const schema: Schema.Codec<Fault, FaultJson> = Schema.Struct({
  form,
  point: Schema.optionalKey(point),
  ...others
}).pipe(
  Schema.decodeTo(
    valid,
    SchemaTransformation.transform<Fault, FaultJson>({
      decode: (given) => ({ ...given, point: given.point ?? faultPoints[given.form._tag][0] }),
      encode: (fault) => fault
    })
  )
)

const read = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })

/**
 * Reads a fault from a JSON value.
 *
 * @throws RangeError in one line that names the place and what is allowed there.
 * @example
 * ```ts
 * import { Fault } from "@signalbox/test-harness"
 *
 * Fault.fromJson({ form: { _tag: "Ending", ending: "reset" }, point: "committed", attempt: 1 })
 * ```
 */
export const fromJson = (value: unknown): Fault => {
  const result = read(value)
  if (Result.isSuccess(result)) return result.success
  throw inputComplaint("fault", result.failure)
}

/** A fault that was built in code, once it is known to be one. */
export const checked = (fault: Fault): Fault => fromJson(fault)
