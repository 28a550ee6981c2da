/**
 * Operations that a test declares: their requests pass through the pipeline like those of the service's own operations.
 */
import { parseJson } from "@signalbox/core/internal/reading/JsonObject"
import type { DeclaredOperation } from "@signalbox/core/DeclaredOperation"
import { secretsIn } from "@signalbox/core/internal/errors/SecretPositions"
import { pathOf, type StandardIssue } from "@signalbox/core/internal/contract/StandardSchema"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import {
  errorResponse,
  type OperationContext,
  type OperationResult,
  type Rejection
} from "../operations/OperationResponse.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import { trigger, type TriggerInput } from "../trigger/Trigger.ts"

/** A request of a declared operation. */
export interface RouteRequest<Input, State> {
  /** The parts of the request, as the operation's input schema reads them; without one, as they came. */
  readonly input: Input
  /**
   * The state that the last request of this environment for an operation of this resource left, such as `topics.create` for
   * `topics.list`; `undefined` before the first one and after a reset.
   */
  readonly state: State | undefined
  /** Time of the environment's clock, in milliseconds since 1970. */
  readonly now: number
}

/** The response to a request, and the state after it. */
export type RouteResponse<Output, State> =
  | {
      /** 200 when absent; 201 for a `POST`. */
      readonly status?: number
      readonly body: Output
      /** The next state; unchanged when absent, or with a status of at least 400. */
      readonly state?: State
      /**
       * An event that the request triggers, unless the status is at least 400: later listings have it, and its jobs proceed
       * with the clock.
       */
      readonly trigger?: TriggerInput
      /** Milliseconds of the environment's clock from the change to its response. */
      readonly delayMs?: number
    }
  | {
      /** A rejection, which changes no state. */
      readonly status: number
      /** The message of its error body, which has the form that the switches say. */
      readonly error: string
    }

/** Responds to the requests of a declared operation. It must change nothing but the state that it returns. */
export type RouteHandler<Input, Output, State> = (request: RouteRequest<Input, State>) => RouteResponse<Output, State>

/** A declared operation and the handler that responds to its requests. @internal */
export interface DeclaredRoute {
  readonly operation: DeclaredOperation
  readonly handle: RouteHandler<unknown, unknown, unknown>
}

/** Whether requests of a declared operation change nothing. @internal */
export const isDeclaredRead = ({ operation }: DeclaredRoute): boolean => operation.method === "GET"

/** Whether applying a request twice does harm. @internal */
export const isHarmfulTwice = ({ operation }: DeclaredRoute): boolean =>
  operation.method !== "GET" && operation.idempotent !== true

/** The query as the client wrote it: repeated names are lists. */
const queryOf = (query: string): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const known = values[name]
    values[name] = known === undefined ? value : [known, value].flat()
  }
  return values
}

/** The parts of a request. @internal */
export const partsOf = (
  { operation: { method } }: DeclaredRoute,
  parameters: Readonly<Record<string, string>>,
  query: string,
  body: unknown
): Readonly<Record<string, unknown>> => {
  const values = queryOf(query)
  return {
    ...(Object.keys(parameters).length > 0 && { path: parameters }),
    ...(Object.keys(values).length > 0 && { query: values }),
    ...(method !== "GET" && body !== undefined && { body })
  }
}

/** The secrets of a request, at the positions that the declaration names. @internal */
export const secretsOf = (
  route: DeclaredRoute,
  parameters: Readonly<Record<string, string>>,
  { body, query }: Pick<FakeRequest, "body" | "query">
): ReadonlyArray<string> => secretsIn(route.operation.secrets, partsOf(route, parameters, query, parseJson(body)))

/** The value of a parameter that a schema rejects as a string: URLs have no numbers, and no lists of one element. */
const retyped = (value: unknown): unknown => {
  if (typeof value !== "string") return value
  if (value === "true" || value === "false") return value === "true"
  return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : [value]
}

type Checked = { readonly input: unknown } | { readonly issues: ReadonlyArray<StandardIssue> }

/** Checks the parts of a request. A schema that responds later is not asked: the fake responds at once. */
const check = ({ operation }: DeclaredRoute, parts: Readonly<Record<string, unknown>>): Checked => {
  const validate = operation.input?.["~standard"].validate
  const first = validate?.(parts)
  if (validate === undefined || first === undefined || first instanceof Promise) return { input: parts }
  if (first.issues === undefined) return { input: first.value }
  const query = { ...Object(parts["query"]) }
  for (const issue of first.issues) {
    const [part, name] = pathOf(issue)
    if (part === "query" && name !== undefined) query[name] = retyped(query[name])
  }
  const second = validate({ ...parts, query })
  if (second instanceof Promise || second.issues !== undefined) return { issues: first.issues }
  return { input: second.value }
}

const rejectionOf = (issues: ReadonlyArray<StandardIssue>): Rejection => ({
  status: 422,
  message: issues.map((issue) => `${pathOf(issue).join(".")}: ${issue.message}`).join("; ")
})

/** Runs the handler of a declared operation; the new state is not stored yet. @internal */
export const runDeclared = (
  route: DeclaredRoute,
  parts: Readonly<Record<string, unknown>>,
  state: EnvironmentState,
  context: OperationContext
): OperationResult => {
  const { method, name } = route.operation
  const checked = check(route, parts)
  if ("issues" in checked) return { state, response: errorResponse(context, rejectionOf(checked.issues)) }
  const resource = name.slice(0, name.lastIndexOf("."))
  const known = Option.getOrUndefined(HashMap.get(state.routes, resource))
  const response = route.handle({ input: checked.input, state: known, now: context.now })
  if ("error" in response) {
    return { state, response: errorResponse(context, { status: response.status, message: response.error }) }
  }
  const { body, delayMs, state: next, status = method === "POST" ? 201 : 200 } = response
  const changed = next === undefined ? state : { ...state, routes: HashMap.set(state.routes, resource, next) }
  return {
    state: response.trigger === undefined ? changed : trigger(changed, context.now, response.trigger).state,
    response: { status, body },
    ...(delayMs !== undefined && { delayMs })
  }
}
