import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { AnyOperationName, Method } from "../contract/Operations.ts"
import type { Timeout } from "../errors/Reason.ts"
import type { ResponsePolicy } from "../policies/Policies.ts"
import type { Reading, ReadingFailure } from "../reading/Reader.ts"
import type { ConnectionShape } from "../transport/Connection.ts"
import type { CallFailure } from "./CallFailure.ts"
import type { CallRecord } from "./CallRecord.ts"
import type { CheckedInput } from "./CheckedInput.ts"

/** An operation as the pipeline calls it: one of this library (`wired`), or one that a program declares (`declared`). */
export interface CallableOperation<in Input, out A> {
  readonly name: AnyOperationName
  readonly method: Method
  /** The path with its parameters unfilled, the same for all calls. */
  readonly route: string
  /** Checks an input, until the deadline of the call at most. */
  readonly check: (
    input: Input,
    connection: ConnectionShape,
    record: CallRecord
  ) => Effect.Effect<CheckedInput, CallFailure<Timeout>>
  /** Makes the function that reads the JSON of a successful response, until the deadline of the call at most. */
  readonly reader: (
    policy: ResponsePolicy,
    vendor: string
  ) => (body: unknown, record: CallRecord) => Effect.Effect<Result.Result<Reading<A>, ReadingFailure>>
  /** Whether a response without a body is read, as `undefined`. */
  readonly empty?: true
}
