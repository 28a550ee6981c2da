import * as Effect from "effect/Effect"
import type { FieldPosition, OperationName, OperationPositions } from "../contract/Operations.ts"
import { fillPath } from "../contract/PathTemplate.ts"
import { fieldOf, type OperationWire } from "../contract/Shape.ts"
import type { CommonReason, WriteReason } from "../errors/Reason.ts"
import type { OperationErrorFacts } from "../errors/Errors.ts"
import * as BodyPath from "../reading/BodyPath.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import { makeReader, makeStrictReader } from "../reading/Reader.ts"
import * as Vendor from "../reading/Vendor.ts"
import { queryOf } from "./BuildRequest.ts"
import { makeCall } from "./Call.ts"
import type { CallableOperation } from "./CallableOperation.ts"
import type { FailureHandling } from "./Classify.ts"
import { inWireForm, type InputCheck, makeInputCheck } from "./Input.ts"

const lonelySurrogate = /\p{Surrogate}/u

/** The issue of each wrong field of a record. */
const wrongIn = (record: unknown, isWrong: (value: unknown, name: string) => boolean, rule: string) =>
  Object.entries(Object(record)).flatMap(([path, value]) => (isWrong(value, path) ? { path, rule } : []))

/** The issues of path parameters that no URL can have. */
export const unencodableIn = (params: unknown) =>
  wrongIn(
    params,
    (value) => typeof value === "string" && lonelySurrogate.test(value),
    "Expected text that can be part of a URL"
  )

/**
 * The values at a position, a list as its elements; `*` also matches a value that is not an array, which a caller without
 * types can pass.
 */
const valuesAt = (value: unknown, [key, ...rest]: FieldPosition): ReadonlyArray<unknown> => {
  if (key === undefined) return [value].flat()
  if (key === "*") return [value].flat().flatMap((element) => valuesAt(element, rest))
  return isJsonObject(value) && key in value ? valuesAt(value[key], rest) : []
}

/** The strings at positions of a value. */
const stringsAt = (positions: ReadonlyArray<FieldPosition>, value: unknown): ReadonlyArray<string> =>
  positions.flatMap((position) => valuesAt(value, position)).filter((found) => typeof found === "string")

/** The issues of blank values that a payload appends: services store them, although they lead nowhere. */
export const blankIn = ({ appends }: OperationPositions, payload: unknown) =>
  appends.flatMap((position) =>
    valuesAt(payload, position).flatMap((value, index) =>
      typeof value === "string" && !value.trim()
        ? { path: BodyPath.format([...position, index]), rule: "Expected text that is not blank" }
        : []
    )
  )

const reversed = { path: "after", rule: "Expected a time not later than before: nothing lies between them" }

/** Why applying a payload twice does harm (the service appends), as a sentence; `undefined` when it is harmless. */
const unsafeToRetry = ({ appends }: OperationPositions, payload: unknown): string | undefined => {
  const position = appends.find((appended) => valuesAt(payload, appended).length > 0)
  return position && `a retry could append ${BodyPath.format(position)} twice.`
}

/** The input of one call of an operation of this library. */
export interface WiredInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: object
  readonly payload?: object
  /** Replaces the operation's own check of the payload. */
  readonly checkPayload?: InputCheck
  /** Secrets of the payload besides those that the operation knows. */
  readonly secrets?: ReadonlyArray<string>
}

/** An operation of this library, which the tables generated from its schemas check and read. */
export const wired = <A>(wire: OperationWire<A>): CallableOperation<WiredInput, A> => {
  const { method, name, path, positions } = wire
  const checkParams = makeInputCheck(wire.params)
  const checkQuery = makeInputCheck(wire.query)
  const checkOwnPayload = makeInputCheck(wire.payload)
  return {
    name,
    method,
    route: path,
    check: (
      // Only an absent query lists everything: `null` can be a filter that the caller failed to look up.
      { checkPayload = checkOwnPayload, params = {}, payload: input, query = {}, secrets = [] },
      { arrayEncoding, maxFilterValues, vendor }
    ) => {
      const max = maxFilterValues ?? Infinity
      const given = inWireForm(query, wire.query)
      const payload = inWireForm(input, wire.payload)
      // The check below ensures that the query is a record, with a record of unchecked parameters if any.
      const { unsafe, ...filters } = Object(given) as Readonly<Record<string, unknown>> & { readonly unsafe?: object }
      const parameters = { ...filters, ...unsafe }
      return Effect.succeed({
        issues: [
          ...checkParams(params),
          ...unencodableIn(params),
          ...checkQuery(given),
          // Services ignore such a filter, and list everything.
          ...wrongIn(
            given,
            (value, name) =>
              [value].flat().every((one) => one === "") && !Object(fieldOf(wire.query, name)).emptyMeansNone,
            "Expected a value; leave it out to list all"
          ),
          ...wrongIn(given, (value) => Array.isArray(value) && value.length > max, `Expected at most ${max} values`),
          ...(Date.parse(String(filters["after"])) > Date.parse(String(filters["before"])) ? [reversed] : []),
          ...checkPayload(payload),
          ...blankIn(positions, payload)
        ],
        path: () => fillPath(path, params) + queryOf(parameters, arrayEncoding),
        parameters,
        body: payload && Vendor.requestToWire(positions, vendor, payload),
        secrets: () => [...stringsAt(positions.secrets, payload), ...secrets],
        unsafeToRetry: unsafeToRetry(positions, payload)
      })
    },
    reader: (policy, vendor) => {
      const read = (policy === "strict" ? makeStrictReader : makeReader)<A>(wire, { vendor })
      return (body) => Effect.succeed(read(body))
    }
  }
}

/** Makes the calls of an operation of this library, which fail with its error. */
export const wiredCall = <A, Name extends OperationName, E extends object, R extends WriteReason = never>(
  wire: OperationWire<A, Name>,
  OwnError: new (facts: OperationErrorFacts<Name, CommonReason | R>) => E,
  handling: FailureHandling<R>
) =>
  makeCall({
    operation: wired(wire),
    ...handling,
    makeError: (facts) => new OwnError({ ...facts, operation: wire.name })
  })
