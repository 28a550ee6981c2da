import type { OperationName } from "@signalbox/core/Operations"
import type * as Effect from "effect/Effect"
import type { CallResult } from "../CallResult.ts"
import type { CallOptions } from "../ClientOptions.ts"
import { callSite } from "./CallSite.ts"
import { isObject } from "./Rules.ts"
import type { Runner } from "./Runner.ts"

/** The options of a call, unless its input has another shape: then the call fails for its input, which may be in their place. */
const optionsOf = (input: unknown, callOptions: CallOptions | undefined): CallOptions | undefined =>
  isObject(input) ? callOptions : undefined

/** A write that returns a promise, with `.result` for its outcome as a value. */
export const write = <Input, A, E>(
  { call, result }: Runner,
  operation: OperationName,
  effectOf: (subscriberId: string, input: Input) => Effect.Effect<A, E>
) =>
  Object.assign(
    function send(subscriberId: string, input: Input, callOptions?: CallOptions): Promise<A> {
      return call(operation, effectOf(subscriberId, input), optionsOf(input, callOptions), callSite(send))
    },
    {
      result: function sendResult(
        subscriberId: string,
        input: Input,
        callOptions?: CallOptions
      ): Promise<CallResult<A, E>> {
        return result(operation, effectOf(subscriberId, input), optionsOf(input, callOptions), callSite(sendResult))
      }
    }
  )
