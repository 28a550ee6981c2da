/**
 * The responses of operations, and the shapes of error bodies.
 */
import * as Random from "../state/Random.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { JsonObject } from "../state/JsonObject.ts"
import type { Switches } from "../switches/Switches.ts"
import type { EventWires } from "./EventWires.ts"

/** A response before it is encoded. */
export interface OperationResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** A JSON value; `undefined` for a response without a body. */
  readonly body: unknown
  /** The body as JSON, where that is cheaper than encoding it. */
  readonly text?: () => string
}

/** The new state after an operation, and its response. A rejection leaves the state unchanged. */
export interface OperationResult {
  readonly state: EnvironmentState
  readonly response: OperationResponse
}

/** The context of an operation, besides the state. */
export interface OperationContext {
  readonly switches: Switches
  /** Time of the environment's clock, in milliseconds since 1970. */
  readonly now: number
  /** Path and query of the request, for error bodies that contain it. */
  readonly path?: string
  /** Wire forms that the environment keeps. */
  readonly eventWires?: EventWires
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable"
}

/** The content of a rejection. */
export interface Rejection {
  readonly status: number
  readonly message: string
  /** Messages by field, for requests with bad input. */
  readonly fields?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Facts that a body can contain. */
  readonly facts?: JsonObject
  /** Whether fields are reported one by one when the observed service combines them. */
  readonly byField?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

const observedBody = (context: OperationContext, rejection: Rejection): JsonObject => {
  const { status, message, fields, facts, byField } = rejection
  const title = titles[status]
  const common = {
    statusCode: status,
    timestamp: new Date(context.now).toISOString(),
    path: context.path ?? "",
    message: status === 422 && fields !== undefined && byField !== true ? "Validation Error" : message
  }
  if (fields !== undefined) {
    const errors =
      byField === true
        ? Object.fromEntries(
            Object.entries(fields).map(([field, messages]) => [field, { messages, value: facts?.[field] ?? "" }])
          )
        : { general: { messages: Object.values(fields).flat(), value: "No Value Recorded" } }
    return { ...common, ctx: {}, errors }
  }
  if (status === 500) return { ...common, errorId: Random.uuid(context.now, common.path) }
  if (facts !== undefined) return { ...common, ctx: facts, ...facts }
  return status === 400 || status === 404 || status === 409
    ? { ...common, ctx: { error: title, statusCode: status }, error: title }
    : common
}

const bodyOf = (context: OperationContext, rejection: Rejection): unknown => {
  const { status, message, fields } = rejection
  switch (context.switches["error.body"]) {
    case "message":
      return { message, ...(fields === undefined ? {} : { errors: fields }) }
    case "observed":
      return observedBody(context, rejection)
    case "problem":
      return {
        type: "about:blank",
        title: titles[status] ?? "Error",
        status,
        detail: message,
        ...(fields === undefined
          ? {}
          : {
              errors: Object.entries(fields).map(([field, messages]) => ({
                pointer: `/${field}`,
                detail: messages.join("; ")
              }))
            })
      }
    case "nested":
      return {
        error: {
          code: (titles[status] ?? "Error").toLowerCase().replaceAll(" ", "_"),
          message,
          ...(fields === undefined ? {} : { fields })
        }
      }
    case "empty":
      return undefined
  }
}

/** The response of a rejection, in the shape that the switches select. */
export const errorResponse = (context: OperationContext, rejection: Rejection): OperationResponse => ({
  status: rejection.status,
  body: bodyOf(context, rejection),
  headers: {
    ...(context.switches["error.body"] === "problem" ? { "content-type": "application/problem+json" } : {}),
    ...rejection.headers
  }
})

/** Rejects and leaves the state unchanged. */
export const refuse = (state: EnvironmentState, context: OperationContext, rejection: Rejection): OperationResult => ({
  state,
  response: errorResponse(context, rejection)
})

/** The second message about a required field that is absent or null. */
export const missing = (field: string, value: unknown): ReadonlyArray<string> =>
  value === undefined || value === null ? [`${field} should not be null or undefined`] : []
