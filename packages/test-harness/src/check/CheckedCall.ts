/**
 * The calls that a checked client makes, as plain JSON, and the request that each of them stands for.
 */
import type { DeclaredOperation, RequestParts } from "@signalbox/core/DeclaredOperation"
import { fillPath } from "@signalbox/core/internal/contract/PathTemplate"
import { secretsIn } from "@signalbox/core/internal/errors/SecretPositions"
import {
  type AnyOperationName,
  type InputOf,
  isRead,
  type Method,
  operationNames,
  operations
} from "@signalbox/core/Operations"
import { fieldsOf } from "@signalbox/core/internal/contract/ParameterSchemas"
import * as Schema from "effect/Schema"

interface Abortable {
  /** The client aborts the call this long after it starts; only in a check with the option `aborts`. */
  readonly abortAfterMs?: number
}

type Facts = typeof operations

export type CheckedUpsert = Abortable & { readonly operation: "credentials.upsert" } & InputOf<
    Facts["credentials.upsert"]["parameters"]["path"]
  > &
  InputOf<Facts["credentials.upsert"]["parameters"]["body"]>

export interface CheckedMark extends Abortable {
  readonly operation: "messages.markAs"
  readonly subscriberId: string
  readonly messageId: ReadonlyArray<string>
  readonly markAs: "read" | "unread" | "seen" | "unseen"
}

export interface CheckedList extends Abortable {
  readonly operation: "events.list"
  readonly transactionId?: string
  readonly subscriberIds?: ReadonlyArray<string>
  readonly channels?: ReadonlyArray<string>
  /** Only events after this time. */
  readonly after?: string
  readonly page?: number
  readonly limit: number
}

/** A call: an operation with its input, named as in the API document. */
export type CheckedCall = CheckedUpsert | CheckedMark | CheckedList

/** Calls a declared operation with the input of one of its examples; only in a check with the option `operations`. */
export interface DeclaredCall extends Abortable {
  readonly operation: "declared"
  /** The name of the operation. */
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly idempotent: boolean
  /** Positions of secrets in the input. */
  readonly secrets: ReadonlyArray<string>
  readonly input: RequestParts
  /** The body of the response. */
  readonly output: unknown
}

/** Any call of a program. */
export type AnyCall = CheckedCall | DeclaredCall

/** The calls of an operation, one for each of its examples. @internal */
export const declaredCallsOf = ({
  examples = [],
  idempotent = false,
  method,
  name,
  path,
  secrets = []
}: DeclaredOperation): ReadonlyArray<DeclaredCall> =>
  examples.map(({ input, output }) => ({
    operation: "declared",
    name,
    method,
    path,
    idempotent,
    secrets,
    // The declaration's own schema has these parts.
    input: input as RequestParts,
    output
  }))

const abortAfterMs = Schema.optionalKey(Schema.Finite)

/** The schema of a call. @internal */
export const CallSchema: Schema.Decoder<object> = Schema.Union([
  Schema.Struct({
    operation: Schema.Literal("declared"),
    name: Schema.String,
    method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: Schema.String,
    idempotent: Schema.Boolean,
    secrets: Schema.Array(Schema.String),
    input: Schema.Record(Schema.String, Schema.Any),
    output: Schema.Unknown,
    abortAfterMs
  }),
  ...operationNames.map((name) => {
    const { body, path, query } = operations[name].parameters
    const fields: Schema.Struct.Fields = { ...fieldsOf(path), ...fieldsOf(query), ...fieldsOf(body) }
    return Schema.Struct({ operation: Schema.Literal(name), ...fields, abortAfterMs })
  })
])

export const operationOf = (call: AnyCall): AnyOperationName =>
  call.operation === "declared" ? call.name : call.operation

/** The subscriber that a call is about; `undefined` for a listing. */
export const subscriberOf = (call: AnyCall): string | undefined => {
  if (call.operation === "declared") return call.input.path?.["subscriberId"]
  return call.operation === "events.list" ? undefined : call.subscriberId
}

export const tokensOf = (call: AnyCall): ReadonlyArray<string> =>
  call.operation === "credentials.upsert" ? (call.credentials.deviceTokens ?? []) : []

/** One line about a call, without its secrets. */
export const describeCall = (call: AnyCall): string => {
  switch (call.operation) {
    case "declared":
      return `${call.name}, ${call.method} ${call.path}`
    case "credentials.upsert": {
      const tokens = tokensOf(call)
      const what = tokens.length === 0 ? "a webhook URL" : `device tokens: ${tokens.length}`
      return `${call.operation} ${call.subscriberId}, ${call.providerId}, ${what}`
    }
    case "messages.markAs":
      return `${call.operation} ${call.subscriberId}, ${call.markAs}, messages: ${call.messageId.length}`
    case "events.list": {
      const { abortAfterMs: _, limit, operation, page, ...filters } = call
      const shown = [operation, ...Object.values(filters).flat()].join(" ")
      return `${shown}, limit ${limit}${page === undefined ? "" : `, page ${page}`}`
    }
  }
}

export const isWrite = (call: AnyCall): boolean =>
  call.operation === "declared" ? call.method !== "GET" : !isRead(call.operation)

/** Whether a call changes something each time that it is applied. */
export const isHarmfulTwice = (call: AnyCall): boolean =>
  call.operation === "declared" ? call.method !== "GET" && !call.idempotent : tokensOf(call).length > 0

export const secretsOf = (call: AnyCall): ReadonlyArray<string> => {
  if (call.operation === "declared") return secretsIn(call.secrets, call.input)
  const { webhookUrl = undefined } = call.operation === "credentials.upsert" ? call.credentials : {}
  return webhookUrl === undefined ? tokensOf(call) : [webhookUrl, ...tokensOf(call)]
}

interface PlainRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: string | undefined
}

/** A path with a query in which several values repeat the name. */
const targetOf = (path: string, query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]]))
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

/** The values of a call that belong in a part of its request. */
const valuesIn = (fields: object, call: CheckedCall): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(call).filter(([name]) => Object.hasOwn(fields, name)))

/** The request that a call stands for. */
export const requestOf = (call: AnyCall): PlainRequest => {
  if (call.operation === "declared") {
    const { body, path = {}, query = {} } = call.input
    return {
      method: call.method,
      target: targetOf(fillPath(call.path, path), query),
      body: body === undefined ? undefined : JSON.stringify(body)
    }
  }
  const {
    method,
    parameters: { body, query },
    path
  } = operations[call.operation]
  const filled = path.replace(":subscriberId", encodeURIComponent(subscriberOf(call) ?? ""))
  return {
    method,
    target: targetOf(filled, valuesIn(query, call)),
    body: Object.keys(body).length === 0 ? undefined : JSON.stringify(valuesIn(body, call))
  }
}
