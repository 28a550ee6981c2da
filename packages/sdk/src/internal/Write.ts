import type { OperationName } from "@signalbox/core/Operations"
import type * as Effect from "effect/Effect"
import type { CallOptions } from "../ClientOptions.ts"
import { promised } from "./Promised.ts"
import { isObject } from "@signalbox/core/internal/policies/Rules"
import type { Runner } from "./Runner.ts"

/** The options of a call, unless its input has another shape: then the call fails for its input, which may be in their place. */
const optionsOf = (input: unknown, callOptions: CallOptions | undefined): CallOptions | undefined =>
  isObject(input) ? callOptions : undefined

/** A write that returns a promise, with `.result` for its outcome as a value. */
export const write = <Input, A, E, Facts extends object = {}>(
  runner: Runner,
  operation: OperationName,
  effectOf: (subscriberId: string, input: Input) => Effect.Effect<A, E>,
  factsOf?: (value: A, subscriberId: string, input: Input) => Facts
) =>
  promised(
    runner,
    (subscriberId: string, input: Input, callOptions?: CallOptions) => [
      operation,
      effectOf(subscriberId, input),
      optionsOf(input, callOptions)
    ],
    factsOf
  )
