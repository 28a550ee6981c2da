import * as ErrorData from "@signalbox/core/ErrorData"
import type { SignalboxError as OperationError } from "@signalbox/core/Errors"
import { CallAborted } from "./CallAborted.ts"
import { ClientClosed } from "./ClientClosed.ts"

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
  encode: (error: SignalboxError): Readonly<Record<string, unknown>> => ErrorData.encode(error),
  /**
   * The error of data that {@link SignalboxError.encode} or `toJSON` returned, also after JSON or `structuredClone`;
   * `undefined` for anything else. The shorter `toJSON` of `markManyAs` is read as a `MarkMessagesAsError`.
   */
  from: /* @__PURE__ */ ErrorData.fromWith((tag, operation, facts): CallAborted | ClientClosed | undefined => {
    if (tag === "CallAborted") return new CallAborted(operation, facts, undefined)
    return tag === "ClientClosed" ? new ClientClosed(operation, facts) : undefined
  })
}
