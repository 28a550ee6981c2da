/**
 * The responses of operations, and the shapes of error bodies.
 */
import * as Random from "../random/Random.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { Switches } from "../switches/Switches.ts"
import type { WireResponse } from "../wire/Delivery.ts"
import { httpDate } from "../wire/HttpDate.ts"
import { reasons } from "../wire/StatusLine.ts"
import { bodyOf, type WireBody } from "../wire/WireBody.ts"
import type { EventWires } from "./EventWires.ts"

export interface OperationResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** A JSON value; `undefined` for a response without a body. */
  readonly body: unknown
  /** The body as JSON, where that is cheaper than encoding it. */
  readonly encoded?: () => WireBody
}

/** A response as it goes over the wire, dated by the clock of the environment. */
export const wireResponse = (
  response: OperationResponse,
  now: number,
  extra: Readonly<Record<string, string>> = {}
): WireResponse => ({
  status: response.status,
  headers: {
    ...(response.body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
    date: httpDate(now),
    ...extra,
    ...response.headers
  },
  body: response.body === undefined ? undefined : (response.encoded?.() ?? bodyOf(JSON.stringify(response.body)))
})

/** The new state after an operation, and its response. A rejection leaves the state unchanged. */
export interface OperationResult {
  readonly state: EnvironmentState
  /** A request that found nothing to change is not applied. */
  readonly changesNothing?: boolean
  readonly response: OperationResponse
  /** The response from a later state, where an operation reads what it wrote. */
  readonly reread?: (state: EnvironmentState) => OperationResponse
  /** Milliseconds from the change to its response. */
  readonly delayMs?: number
}

/** The context of an operation, besides the state. */
export interface OperationContext {
  readonly switches: Switches
  /** Time of the environment's clock, in milliseconds since 1970. */
  readonly now: number
  /** Path and query of the request, for error bodies that contain it. */
  readonly path?: string
  /** The vendor in wire identifiers, for messages that contain one. Default: that of the document. */
  readonly vendor?: string
  /** Wire forms that the environment keeps. */
  readonly eventWires?: EventWires
}

/** A request, in the identifiers of the neutral vendor. */
export interface OperationRequest {
  /** The path parameters by name, decoded. */
  readonly parameters: { readonly [name: string]: string }
  readonly query: string
  /** The JSON body. */
  readonly body: unknown
  /** The state that the operation reads, where it is older than the one that it changes. */
  readonly seen?: EnvironmentState | undefined
}

/** Makes the next state and the response of a request. */
export type Operate = (state: EnvironmentState, context: OperationContext, request: OperationRequest) => OperationResult

/** An issue of one field of a request. */
export interface Problem {
  readonly status: number
  readonly field: string
  /** Every rule that the value breaks, in the order of the observed service, which reports the first one last. */
  readonly messages: ReadonlyArray<string>
  /** The messages of the observed service, where it says less. */
  readonly observedMessages?: ReadonlyArray<string>
  /** Present if only the operation finds the problem, after the request was accepted: its name and the value. */
  readonly command?: { readonly name: string; readonly value: unknown }
}

export const problemOf = (status: string, field: string, ...messages: ReadonlyArray<string>): Problem => ({
  status: Number(status),
  field,
  messages
})

/** The problem of a body with a field that the document does not name, unless the switches ignore it. */
export const unknownFields = (switches: Switches, body: object, known: object): ReadonlyArray<Problem> => {
  const extra = Object.keys(body).find((name) => !Object.hasOwn(known, name))
  return extra === undefined || switches["request.unknownField"] === "ignored"
    ? []
    : [problemOf(switches["request.unknownField"], extra, `property ${extra} should not exist`)]
}

export interface Rejection {
  readonly status: number
  readonly message: string
  /** The message of the observed service, where it says less. */
  readonly observedMessage?: string
  /** The issues of the fields of a request with bad input. */
  readonly problems?: ReadonlyArray<Problem>
  /** Facts that a body can contain. */
  readonly facts?: JsonObject
  /** Whether the body of the observed service has no `ctx`. */
  readonly hasNoContext?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export const internalError: Rejection = {
  status: 500,
  message: "Internal server error, contact support and provide them with the errorId"
}

/** Rejects bad input: the first problem, or all of those that are found at the same time. */
export const rejectProblems = (switches: Switches, problems: ReadonlyArray<Problem>): Rejection => {
  const early = problems.filter(({ command }) => command === undefined)
  const [first, ...others] = early.length > 0 ? early : problems
  if (first === undefined) return internalError
  const message = first.messages.at(-1) ?? ""
  const reported =
    switches["error.problems"] === "all" ? [first, ...others] : [{ ...first, messages: first.messages.slice(-1) }]
  return { status: first.status, message, problems: reported }
}

const titleOf = (status: number): string => reasons[status] ?? "Error"

const observedMessagesOf = ({ messages, observedMessages }: Problem) => observedMessages ?? messages

const observedProblems = (problems: ReadonlyArray<Problem>): JsonObject => {
  const command = problems.find((problem) => problem.command !== undefined)?.command
  if (command === undefined) {
    const messages = problems.flatMap(observedMessagesOf)
    return { message: "Validation Error", ctx: {}, errors: { general: { messages, value: "No Value Recorded" } } }
  }
  const found = problems.map((problem) => `${problem.field}: ${observedMessagesOf(problem).join(", ")}`)
  return {
    message: `Validation failed for ${command.name}: ${found.join("; ")}`,
    ctx: {},
    errors: Object.fromEntries(
      problems.map((problem) => [
        problem.field,
        { messages: observedMessagesOf(problem), value: problem.command?.value }
      ])
    )
  }
}

/** The facts of an error: an error whose message is only the phrase of its status repeats no phrase. */
const observedContext = ({ facts, message, observedMessage, status }: Rejection): JsonObject => {
  if (facts !== undefined) return facts
  const title = titleOf(status)
  return (observedMessage ?? message) === title ? { statusCode: status } : { error: title, statusCode: status }
}

const observedBody = (context: OperationContext, rejection: Rejection): JsonObject => {
  const { hasNoContext, message, observedMessage = message, problems, status } = rejection
  const common = { statusCode: status, timestamp: new Date(context.now).toISOString(), path: context.path ?? "" }
  if (problems !== undefined && status === 422) return { ...common, ...observedProblems(problems) }
  const body = { ...common, message: observedMessage }
  if (status === 500) return { ...body, errorId: Random.uuid(context.now, common.path) }
  if (hasNoContext === true) return body
  const ctx = observedContext(rejection)
  return { ...ctx, ...body, ctx }
}

const fieldsOf = (problems: ReadonlyArray<Problem>): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(problems.map(({ field, messages }) => [field, messages]))

const errorBodyOf = (context: OperationContext, rejection: Rejection): unknown => {
  const { status, message, problems } = rejection
  const fields = problems === undefined ? undefined : fieldsOf(problems)
  switch (context.switches["error.body"]) {
    case "message":
      return { message, ...(fields === undefined ? {} : { errors: fields }) }
    case "observed":
      return observedBody(context, rejection)
    case "problem":
      return {
        type: "about:blank",
        title: titleOf(status),
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
          code: titleOf(status).toLowerCase().replaceAll(" ", "_"),
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
  body: errorBodyOf(context, rejection),
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

/** The message about a required field that is absent or null. */
export const missing = (field: string, value: unknown): ReadonlyArray<string> =>
  value === undefined || value === null ? [`${field} should not be null or undefined`] : []

/** Whether a string is a database-style object id. */
export const isObjectId = (id: string): boolean => /^[0-9a-f]{24}$/iu.test(id)
