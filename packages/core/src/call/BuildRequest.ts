import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallSpan } from "./CallSpan.ts"
import type { FieldPosition, OperationPositions } from "../contract/Operations.ts"
import type { ArrayEncoding, ConnectionShape } from "../transport/Connection.ts"
import { IdempotencyPolicy } from "../policies/IdempotencyPolicy.ts"
import { type Fields, fieldOf, type OperationWire, type Shape } from "../contract/Shape.ts"
import { secretsInHeaders } from "../errors/Redaction.ts"
import { MaxResponseBytes } from "../policies/MaxResponseBytes.ts"
import type { InvalidRequest } from "../errors/Reason.ts"
import type { TransportRequest } from "../transport/Transport.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import * as Vendor from "../reading/Vendor.ts"
import { type CallFailure, refused } from "./CallFailure.ts"
import { keyRule, makeKey } from "./IdempotencyKey.ts"
import { inWireForm, type InputCheck, makeInputCheck } from "./Input.ts"

const lonelySurrogate = /\p{Surrogate}/u

/** Whether a string can be a segment of a path. */
export const isEncodable = (segment: string): boolean => !lonelySurrogate.test(segment)

/** A path with its parameters filled in: each `:name` becomes the percent-encoded value. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

const emptyMeansNone = (shape: Shape | undefined): boolean =>
  typeof shape === "object" && "items" in shape && shape.emptyMeansNone === true

/** The parameter name of each element of an array; `comma` joins all elements into one value. */
const namings: Readonly<Record<Exclude<ArrayEncoding, "comma">, (name: string, index: number) => string>> = {
  repeat: (name) => name,
  brackets: (name) => `${name}[]`,
  indices: (name, index) => `${name}[${index}]`
}

const addSeveral = (
  query: URLSearchParams,
  name: string,
  values: ReadonlyArray<unknown>,
  encoding: ArrayEncoding,
  shape: Shape | undefined
): void => {
  // No repeated name can express an array without elements; where it is a condition, an empty value does.
  if (values.length === 0 && !emptyMeansNone(shape)) return
  if (values.length === 0 || encoding === "comma") return query.append(name, values.join(","))
  for (const [index, value] of values.entries()) query.append(namings[encoding](name, index), String(value))
}

/** The issue of each wrong field of a record. */
const wrongIn = (record: unknown, isWrong: (value: unknown) => boolean, rule: string) =>
  Object.entries(Object(record)).flatMap(([path, value]) => (isWrong(value) ? { path, rule } : []))

/** The query string with its question mark, without absent parameters; empty when there are no parameters. */
export const queryOf = (values: Readonly<Record<string, unknown>>, encoding: ArrayEncoding, shape?: Fields): string => {
  const query = new URLSearchParams()
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (value === undefined) continue
    if (Array.isArray(value)) addSeveral(query, name, value, encoding, fieldOf(shape, name))
    else query.append(name, String(value))
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

/**
 * Calls back with each value at a position; `*` also matches a value that is not an array, which a caller without types
 * can pass.
 */
const visitAt = (value: unknown, position: FieldPosition, visit: (value: unknown) => void, depth = 0): void => {
  const key = position[depth]
  if (key === undefined) return visit(value)
  if (key === "*") {
    for (const element of Array.isArray(value) ? value : [value]) visitAt(element, position, visit, depth + 1)
  } else if (isJsonObject(value) && Object.hasOwn(value, key)) visitAt(value[key], position, visit, depth + 1)
}

/** The secrets in a payload. */
const secretsInPayload = ({ secrets: positions }: OperationPositions, payload: unknown): ReadonlyArray<string> => {
  const secrets: Array<string> = []
  for (const position of positions) {
    visitAt(payload, position, (value) => {
      if (typeof value === "string") secrets.push(value)
    })
  }
  return secrets
}

/** Why applying a payload twice does harm (the service appends), as a sentence; `undefined` when it is harmless. */
const unsafeToRetry = ({ appends }: OperationPositions, payload: unknown): string | undefined => {
  let harm: string | undefined
  for (const position of appends) {
    visitAt(payload, position, (list) => {
      if (Array.isArray(list) && list.length > 0) harm ??= `a retry could append ${position.join(".")} twice.`
    })
  }
  return harm
}

/** The input of one call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: object
  readonly payload?: object
  /** Replaces the operation's own check of the payload. */
  readonly checkPayload?: InputCheck
  /** Secrets of the payload besides those that the operation knows. */
  readonly secrets?: ReadonlyArray<string>
}

/** A request that was checked and can be sent any number of times. */
export interface BuiltRequest {
  readonly request: TransportRequest
  readonly payload: unknown
  /** The idempotency key that every attempt sends. */
  readonly key: string | undefined
  /** The secrets of this call. */
  readonly secrets: () => ReadonlyArray<string>
  /** Why applying it twice does harm, as a sentence; `undefined` when it is harmless. */
  readonly unsafeToRetry: string | undefined
  /** Names of the parameters of the query and the body. */
  readonly parameters: ReadonlyArray<string>
}

/** The values that a request depends on, apart from its input. */
interface Surroundings {
  readonly policies: Context.Context<never>
  readonly span: CallSpan | undefined
  readonly clock: Clock.Clock
}

/** Checks the input of a call and builds its request, except for the API key; fails with the issues of the input. */
export type BuildRequest = (
  input: CallInput,
  surroundings: Surroundings
) => Effect.Effect<
  (apiKey: string, ownHeaders: TransportRequest["headers"]) => BuiltRequest,
  CallFailure<InvalidRequest>
>

/** Headers with their names in lower case; of several spellings of a name, the last one counts. */
const inLowerCase = (headers: TransportRequest["headers"]): TransportRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Prepares the requests of one operation. */
export const makeBuildRequest = (operation: OperationWire, connection: ConnectionShape): BuildRequest => {
  const secretHeaders = secretsInHeaders(connection.headers)
  const max = connection.maxFilterValues ?? Infinity
  const checkParams = makeInputCheck(operation.params)
  const checkQuery = makeInputCheck(operation.query)
  const checkPayload = makeInputCheck(operation.payload)

  const issuesIn = (input: CallInput, query: unknown, payload: unknown, wrongKey: string | undefined) => [
    ...checkParams(input.params),
    ...wrongIn(
      input.params,
      (value) => typeof value === "string" && !isEncodable(value),
      "Expected text that can be part of a URL"
    ),
    ...checkQuery(query),
    ...wrongIn(query, (value) => Array.isArray(value) && value.length > max, `Expected at most ${max} values`),
    ...(input.checkPayload ?? checkPayload)(payload),
    ...(wrongKey === undefined ? [] : [{ path: "idempotencyKey", rule: wrongKey }])
  ]

  return (input, { clock, policies, span }) => {
    // Only an absent query lists everything: `null` can be a filter that the caller failed to look up.
    const query = inWireForm(input.query === undefined ? {} : input.query, operation.query)
    const payload = inWireForm(input.payload, operation.payload)
    const { source } = Context.get(policies, IdempotencyPolicy)
    const wrongKey = source._tag === "fixed" ? keyRule(source.key) : undefined
    const issues = issuesIn(input, query, payload, wrongKey)
    if (issues.length > 0) return Effect.fail(refused(issues))
    const { method } = operation
    // The check above ensures that the query is a record, with a record of unchecked parameters if any.
    const { unsafe, ...known } = query as Readonly<Record<string, unknown>> & { readonly unsafe?: object }
    const path =
      fillPath(operation.path, input.params ?? {}) +
      queryOf({ ...known, ...unsafe }, connection.arrayEncoding, operation.query)
    const content = payload && Vendor.requestToWire(operation.positions, connection.vendor, payload)
    const body = content === undefined ? undefined : JSON.stringify(content)
    const parameters = Object.keys({ ...known, ...unsafe, ...(payload as object) })
    const harm = unsafeToRetry(operation.positions, payload)
    const maxResponseBytes = Context.get(policies, MaxResponseBytes)
    return Effect.map(
      makeKey(source, { method, path, body: content }, clock.currentTimeMillisUnsafe()),
      (key) => (apiKey, ownHeaders) => {
        let secrets: ReadonlyArray<string> | undefined
        const headers: Record<string, string> = {
          ...inLowerCase({ ...connection.headers, ...ownHeaders }),
          ...span?.headers,
          accept: "application/json",
          authorization: `ApiKey ${apiKey}`
        }
        if (key !== undefined) headers["idempotency-key"] = key
        if (body !== undefined) headers["content-type"] = "application/json"
        const url = connection.baseUrl + path
        return {
          payload,
          key,
          parameters,
          secrets: () =>
            (secrets ??= [
              apiKey,
              ...secretHeaders,
              ...secretsInHeaders(ownHeaders),
              ...secretsInPayload(operation.positions, payload),
              ...(input.secrets ?? [])
            ]),
          unsafeToRetry: harm,
          request: { method, url, headers, body, isUnsafeToResend: harm !== undefined, maxResponseBytes }
        }
      }
    )
  }
}
