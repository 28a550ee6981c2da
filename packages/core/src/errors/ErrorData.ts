/**
 * Errors as plain data with every fact, and back to instances of their classes.
 *
 * **When to use**: to send an error to a worker thread, a queue or another process: `structuredClone` keeps only the message
 * of an error. `toJSON` is the shorter form for logs. No form has secrets.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import * as SchemaTransformation from "effect/SchemaTransformation"
 * import * as ErrorData from "@signalbox/core/ErrorData"
 * import { isSignalboxError } from "@signalbox/core/Errors"
 *
 * // A codec, such as the error of an RPC.
 * const AnyError = Schema.UndefinedOr(Schema.declare(isSignalboxError))
 * const codec = Schema.Unknown.pipe(
 *   Schema.decodeTo(
 *     AnyError,
 *     SchemaTransformation.transform({ decode: ErrorData.from, encode: (error): unknown => error && ErrorData.encode(error) })
 *   )
 * )
 * Schema.decodeSync(codec)({ message: "not an error of this library" }) // => undefined
 * ```
 */
import { isJsonObject, type JsonObject } from "../reading/JsonObject.ts"
import {
  CallError,
  commonReasons,
  isSignalboxError,
  MarkManyMessagesAsError,
  MarkMessagesAsError,
  operationErrors,
  type Reason,
  type SignalboxError,
  writeReasons
} from "./Errors.ts"

const dataOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(dataOf)
  if (!isJsonObject(value)) return value
  const names = Object.getOwnPropertyNames(value).filter((name) => name !== "stack" && name !== "cause")
  return Object.fromEntries(names.map((name) => [name, dataOf(value[name])]))
}

/** Every fact of an error, its field errors and response body included. The stack and the cause are no facts. */
export const encode = (error: Error): JsonObject =>
  // An error is an object, so its data is one.
  dataOf(error) as JsonObject

const classOf = <Class extends { readonly prototype: { readonly name: string } }>(
  classes: ReadonlyArray<Class>,
  tag: unknown
): Class | undefined => classes.find(({ prototype }) => prototype.name === tag)

const reasonOf = (data: unknown): Reason | undefined => {
  if (!isJsonObject(data)) return undefined
  const { _tag, ...facts } = data
  const Reason = classOf([...commonReasons, ...writeReasons], _tag)
  // Encoded data has the facts of its class; other data is not from this library.
  return Reason && new Reason(facts as never)
}

/**
 * Makes {@link from} for more classes: `other` makes an error of its tag, its operation and its facts.
 *
 * @internal
 */
export const fromWith = <E>(other: (tag: unknown, operation: never, facts: never) => E | undefined) => {
  const from = (data: unknown): SignalboxError | E | undefined => {
    if (isSignalboxError(data)) return data
    if (!isJsonObject(data) || typeof data["message"] !== "string") return undefined
    const { _tag, errors, ...facts }: JsonObject = { ...data, attempts: data["attempts"] ?? [] }
    // As above: the facts of an encoded error are those of its class.
    const known = facts as never
    if (_tag === "MarkManyMessagesAsError" && Array.isArray(errors)) {
      const own = errors.map(from)
      return own.length > 0 && own.every((error) => error instanceof MarkMessagesAsError)
        ? new MarkManyMessagesAsError({ ...(known as object), errors: own } as never)
        : undefined
    }
    const { operation } = facts
    if (typeof operation !== "string") return undefined
    // The log line of many marks has none of its lists, and is read as the error of the first call that failed.
    const Class = classOf(
      [...Object.values(operationErrors), CallError],
      _tag === "MarkManyMessagesAsError" ? "MarkMessagesAsError" : _tag
    )
    if (Class === undefined) return other(_tag, operation as never, known)
    const reason = reasonOf(facts["reason"])
    return reason && new Class({ ...(known as object), reason } as never)
  }
  return from
}

/**
 * The error of data that {@link encode} or `toJSON` returned, also after JSON or `structuredClone`; `undefined` for anything
 * else. The shorter `toJSON` of `markManyAs` is read as a `MarkMessagesAsError`.
 */
export const from: (data: unknown) => SignalboxError | undefined = /* @__PURE__ */ fromWith(() => undefined)
