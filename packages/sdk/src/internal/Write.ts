import type { OperationName } from "@signalbox/core/Operations"
import type * as Effect from "effect/Effect"
import type { CallResult } from "../CallResult.ts"
import type { CallOptions } from "../ClientOptions.ts"
import type { Runner } from "./Runner.ts"

/** A write that returns a promise, with `.result` for its outcome as a value. */
export const write = <Input, A, E>(
  { call, result }: Runner,
  operation: OperationName,
  effectOf: (subscriberId: string, input: Input) => Effect.Effect<A, E>
) =>
  Object.assign(
    (subscriberId: string, input: Input, callOptions?: CallOptions): Promise<A> =>
      call(operation, effectOf(subscriberId, input), callOptions),
    {
      result: (subscriberId: string, input: Input, callOptions?: CallOptions): Promise<CallResult<A, E>> =>
        result(operation, effectOf(subscriberId, input), callOptions)
    }
  )
