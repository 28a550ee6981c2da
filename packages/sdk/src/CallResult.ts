import type { ExchangeFacts } from "@signalbox/core/Errors"
import type { CallInfo } from "@signalbox/core/CallInfo"
import type { CallAborted } from "./CallAborted.ts"
import type { ClientClosed } from "./ClientClosed.ts"

/**
 * The facts of a failed call besides its error. Status, headers, rate limit and request id are those of the last
 * exchange. An attempt that was in progress at an abort is not among `attempts`; the error's `sent` reports it.
 */
export type FailedCall = ExchangeFacts & Pick<CallInfo, "operation"> & Partial<Pick<CallInfo, "headers" | "rateLimit">>

/**
 * The outcome of a call as a value: narrow by `ok`, then by `error._tag`.
 *
 * The error is that of the operation, `CallAborted` or `ClientClosed`.
 */
export type CallResult<Value, Failure> =
  | { readonly ok: true; readonly value: Value; readonly call: CallInfo }
  | { readonly ok: false; readonly error: Failure | CallAborted | ClientClosed; readonly call: FailedCall }
