/**
 * Operations that a program declares, for endpoints of the service that this library has no operation for.
 *
 * **When to use**: to call such an endpoint with the checks, retries, redaction and errors of every other call, and to
 * serve it in a test with the fake.
 */
import { type Method, operationNames } from "../contract/Operations.ts"
import { isPlainPath, parametersIn } from "../contract/PathTemplate.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import { callback, oneOf, only, type Parts, required, rule, truth } from "../policies/Rules.ts"
import { declared } from "./DeclaredCall.ts"
import { pathOf, type StandardIssue, type StandardSchema } from "../contract/StandardSchema.ts"

export type { StandardIssue, StandardResult, StandardSchema } from "../contract/StandardSchema.ts"

/** A value of a query parameter. */
type QueryValue = string | number | boolean

/** Query parameters by name; those that are `undefined` are not sent. */
export type QueryParameters = Readonly<Record<string, QueryValue | ReadonlyArray<QueryValue> | undefined>>

type ParameterName<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParameterName<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

type Named<Name extends string> = [Name] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: { readonly [Key in Name]: string } }

type PathPart<Path extends string> = string extends Path
  ? { readonly path?: Readonly<Record<string, string>> | undefined }
  : Named<ParameterName<Path>>

interface OtherParts<M extends Method> {
  /** Query parameters; a value can be a list. */
  readonly query?: QueryParameters | undefined
  /** JSON of the body; a `GET` has none. */
  readonly body?: M extends "GET" ? undefined : unknown
}

/** The parts of a request to an endpoint, which are the parts of its operation's input. */
export type RequestParts<Path extends string = string, M extends Method = Method> = PathPart<Path> & OtherParts<M>

/** How often and how fast a call is retried. Whether a call may be retried depends on its delivery and is not an option. */
export interface RetryOptions {
  /** Maximum number of retries per call; 2 by default. */
  readonly maxRetries?: number | undefined
  /** Upper bound of the first delay in milliseconds, doubled with each retry; 200 by default. */
  readonly baseDelayMs?: number | undefined
  /** Upper bound of every delay in milliseconds; 8,000 by default. */
  readonly maxDelayMs?: number | undefined
  /** Whether `Retry-After` and `RateLimit-Reset` set the minimum delay; `true` by default. */
  readonly honourRetryAfter?: boolean | undefined
}

/** A request of an operation and the body of its response, for checks of a client against the fake. */
export interface OperationExample<Input> {
  readonly input: Input
  readonly output: unknown
}

/** An operation that a program declares; made by {@link defineOperation}. */
export interface DeclaredOperation<Input = unknown, Output = unknown> {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly input?: StandardSchema<Input, unknown> | undefined
  readonly output?: StandardSchema<unknown, Output> | undefined
  readonly idempotent?: boolean | undefined
  readonly retry?: false | RetryOptions | undefined
  readonly secrets?: ReadonlyArray<string> | undefined
  // A method, so that every operation is a `DeclaredOperation`.
  paginate?(output: Output, input: Input): Input | undefined
  readonly examples?: ReadonlyArray<OperationExample<Input>> | undefined
  /** How the pipeline calls it; only `defineOperation` makes it. @internal */
  readonly "~callable"?: object
}

/** The declaration of an operation. */
export interface Declaration<Path extends string, M extends Method, Input, Output> {
  /** A name for errors, logs and metrics: a resource and an action, such as `events.trigger`. No two operations share one. */
  readonly name: `${string}.${string}`
  readonly method: M
  /** Path below the base URL; `:name` stands for a path parameter. */
  readonly path: Path
  /**
   * Checks the input of a call, which has the parts `path`, `query` and `body`; what it returns is sent. When absent, any
   * JSON is sent.
   */
  readonly input?: StandardSchema<Input, RequestParts<NoInfer<Path>, NoInfer<M>>> | undefined
  /**
   * Checks the JSON of a successful response; what it returns is the result of the call. When absent, that is `unknown`.
   * Elements of arrays that it rejects are left out and reported as drift; any other rejection fails the call with
   * `MalformedResponse`.
   */
  readonly output?: StandardSchema<unknown, Output> | undefined
  /**
   * Whether applying a request twice does no harm, so that calls are also retried where the first request may have been
   * applied. `false` when absent; a `GET` changes nothing and is always safe.
   */
  readonly idempotent?: boolean | undefined
  /** Retries of its calls, where the options of a call have none; `false` for none, those of the client when absent. */
  readonly retry?: false | RetryOptions | undefined
  /**
   * Positions of secrets in the input, such as `body.credentials` or `body.devices.*.token`, where `*` is every element of
   * an array. Errors, logs and the fake's journal have none of the strings there.
   */
  readonly secrets?: ReadonlyArray<string> | undefined
  /** The input of the next page; `undefined` after the last one. */
  readonly paginate?: (output: NoInfer<Output>, input: NoInfer<Input>) => NoInfer<Input> | undefined
  /** Requests that `check` makes, and the bodies with which the fake then responds. */
  readonly examples?: ReadonlyArray<OperationExample<NoInfer<Input>>> | undefined
}

/** The names in use and the endpoint of each: a module that is evaluated again declares its operations again. */
const endpoints = /* @__PURE__ */ new Map<string, string>()

const isSchema = (value: unknown): boolean => typeof Object(value)["~standard"]?.validate === "function"

/** The names of the parts that a schema rejects in an input without any; `undefined` where it cannot tell at once. */
const partsRequiredBy = (schema: StandardSchema): ReadonlyArray<unknown> | undefined => {
  try {
    const result = schema["~standard"].validate({ path: {} })
    if (result instanceof Promise) {
      result.catch(() => {})
      return undefined
    }
    return (result.issues ?? []).map((issue: StandardIssue) => pathOf(issue)[0])
  } catch {
    return undefined
  }
}

const isPosition = (value: unknown): boolean =>
  typeof value === "string" && /^(?:path|query|body)(?:\.[^.]+)*$/.test(value)

const isExample = (value: unknown): boolean => "input" in Object(value) && "output" in Object(value)

const listOf =
  (isElement: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isElement)

const methods: ReadonlyArray<unknown> = ["GET", "POST", "PUT", "PATCH", "DELETE"] satisfies ReadonlyArray<Method>

const makeRules = (): Parts<keyof Declaration<string, Method, unknown, unknown>> => ({
  name: required(
    (value) => typeof value === "string" && /^[a-z]\w*(?:\.\w+)+$/i.test(value),
    "must be a resource and an action, such as events.trigger"
  ),
  method: required((value) => methods.includes(value), `must be one of ${methods.join(", ")}`),
  path: required(
    (value) => typeof value === "string" && isPlainPath(value),
    "must be a path such as /v1/topics/:topicKey, percent-encoded, without a query"
  ),
  input: rule(isSchema, "must be a Standard Schema"),
  output: rule(isSchema, "must be a Standard Schema"),
  idempotent: truth,
  retry: oneOf([false], only(RetryPolicy.parts, "must be false or an object")),
  secrets: rule(
    listOf(isPosition),
    "must be positions that start with path, query or body, such as body.devices.*.token"
  ),
  paginate: callback,
  examples: rule(listOf(isExample), "must be an array of objects with input and output")
})

/** The rule that the path or the input of a declaration breaks. */
const wrongParts = ({ input, method, path }: DeclaredOperation): string | undefined => {
  const parameters = parametersIn(path)
  if (new Set(parameters).size < parameters.length) return `path: two parameters of ${path} have the same name`
  const parts = input && partsRequiredBy(input)
  if (parts === undefined) return undefined
  const [parameter] = parameters
  if (parameter !== undefined && !parts.includes("path")) return `input has no path.${parameter}, which ${path} needs`
  return method === "GET" && parts.includes("body") ? "input has a body, which a GET cannot send" : undefined
}

/** The rule that a declaration breaks; `undefined` for a valid one. @internal */
export const brokenRule = (declaration: object): string | undefined => {
  const issue = only(makeRules())(Object(declaration), "")
  if (issue !== undefined) return `${issue.path}: ${issue.rule}`
  // Every field has its type now.
  return wrongParts(declaration as DeclaredOperation)
}

/**
 * Declares an operation of the service.
 *
 * Clients call the result, and the fake serves it. A wrong declaration throws a `RangeError` in one line:
 * an unknown field, a path parameter that the input lacks, a body with `GET`, a name that another operation has.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { defineOperation } from "@signalbox/core/DeclaredOperation"
 *
 * const trigger = defineOperation({
 *   name: "events.trigger",
 *   method: "POST",
 *   path: "/v1/events/trigger",
 *   input: Schema.toStandardSchemaV1(
 *     Schema.Struct({ body: Schema.Struct({ name: Schema.String, to: Schema.String }) })
 *   )
 * })
 * `${trigger.method} ${trigger.path}` // => "POST /v1/events/trigger"
 * ```
 */
export const defineOperation = <
  const Path extends `/${string}`,
  const M extends Method,
  Input = RequestParts<Path, M>,
  Output = unknown
>(
  declaration: Declaration<Path, M, Input, Output>
): DeclaredOperation<Input, Output> => {
  // Callers without types can pass anything.
  const { name } = Object(declaration) as Readonly<Record<string, unknown>>
  const fail = (rule: string): never => {
    throw new RangeError(`defineOperation(${typeof name === "string" ? JSON.stringify(name) : ""}): ${rule}`)
  }
  const broken = brokenRule(declaration)
  if (broken !== undefined) fail(broken)
  const operation: DeclaredOperation<Input, Output> = { ...declaration, "~callable": declared(declaration) }
  const endpoint = `${operation.method} ${operation.path}`
  const isOwn = [...operationNames, "client.request"].includes(operation.name)
  const other = isOwn ? "an operation of this library" : endpoints.get(operation.name)
  if (other !== undefined && other !== endpoint) fail(`name: ${other} has this name`)
  endpoints.set(operation.name, endpoint)
  return operation
}
