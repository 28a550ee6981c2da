import { isJsonObject, type JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import {
  CallError,
  commonReasons,
  isSignalboxError,
  MarkManyMessagesAsError,
  MarkMessagesAsError,
  operationErrors,
  type Reason,
  type SignalboxError as OperationError,
  writeReasons
} from "@signalbox/core/Errors"
import { CallAborted } from "./CallAborted.ts"
import { ClientClosed } from "./ClientClosed.ts"

/** Every fact of an error: also those that its `toJSON`, a log line, leaves out. The stack and the cause are no facts. */
const encode = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(encode)
  if (!isJsonObject(value)) return value
  const names = Object.getOwnPropertyNames(value).filter((name) => name !== "stack" && name !== "cause")
  return Object.fromEntries(names.map((name) => [name, encode(value[name])]))
}

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

const from = (data: unknown): SignalboxError | undefined => {
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
  const operation = facts["operation"]
  if (typeof operation !== "string") return undefined
  if (_tag === "CallAborted") return new CallAborted(operation as never, known, undefined)
  if (_tag === "ClientClosed") return new ClientClosed(operation as never, known)
  // The log line of many marks has none of its lists, and is read as the error of the first call that failed.
  const Class = classOf(
    [...Object.values(operationErrors), CallError],
    _tag === "MarkManyMessagesAsError" ? "MarkMessagesAsError" : _tag
  )
  const reason = reasonOf(facts["reason"])
  return Class && reason && new Class({ ...(known as object), reason } as never)
}

/** Any error of a call: that of its operation, or that it was aborted or its client closed. */
export type SignalboxError = OperationError | CallAborted | ClientClosed

/**
 * Errors as plain data, for a worker thread or a queue: `structuredClone` keeps only the message of an error. Neither form
 * has secrets.
 *
 * @example
 * ```ts
 * import { isSignalboxError, SignalboxError } from "@signalbox/sdk"
 *
 * const send = (error: unknown) => (isSignalboxError(error) ? structuredClone(SignalboxError.encode(error)) : undefined)
 * const receive = (data: unknown) => SignalboxError.from(data)?.reason._tag
 *
 * receive(send(new Error("no"))) // => undefined
 * ```
 */
export const SignalboxError = {
  /** Plain data with every fact of an error, its field errors and response body included. */
  encode: (error: SignalboxError): Readonly<Record<string, unknown>> =>
    // An error is an object, so its data is one.
    encode(error) as JsonObject,
  /**
   * The error of data that {@link SignalboxError.encode} or `toJSON` returned, also after JSON or `structuredClone`;
   * `undefined` for anything else. The shorter `toJSON` of `markManyAs` is read as a `MarkMessagesAsError`.
   */
  from
}
