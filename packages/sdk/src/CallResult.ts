import type { CallInfo } from "@signalbox/core/CallFacts"
import type { CallAborted } from "./CallAborted.ts"
import type { ClientClosed } from "./ClientClosed.ts"

/**
 * What is known about a failed call beside its error; status, headers, rate limit and request id are those of the last exchange. An
 * attempt that was under way at an abort has not ended and is not among `attempts`: the error's `sent` tells of it.
 */
export type FailedCall = Pick<CallInfo, "operation" | "attempts"> &
  Partial<Pick<CallInfo, "idempotencyKey" | "requestId" | "status" | "headers" | "rateLimit">>

/**
 * What a call came to, as a value: narrow by `ok`, then by `error._tag`.
 *
 * The error is the one of the operation, or says that the signal was aborted or the client closed.
 */
export type CallResult<Value, Failure> =
  | { readonly ok: true; readonly value: Value; readonly call: CallInfo }
  | { readonly ok: false; readonly error: Failure | CallAborted | ClientClosed; readonly call: FailedCall }
