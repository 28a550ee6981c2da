import type { AnyOperationName } from "@signalbox/core/Operations"
import type * as Effect from "effect/Effect"
import type { CallResult } from "../CallResult.ts"
import type { CallOptions } from "../ClientOptions.ts"
import { type CallSite, callSite } from "./CallSite.ts"
import type { Requirements, Runner } from "./Runner.ts"

/** The runner's arguments for one call. */
type CallOf<A, E> = readonly [
  operation: AnyOperationName,
  effect: Effect.Effect<A, E, Requirements>,
  callOptions: CallOptions | undefined
]

/** A function that makes a call and returns a promise, with `.result` for its outcome as a value. */
export const promised = <Args extends ReadonlyArray<unknown>, A, E>(
  runner: Runner,
  callOf: (...args: Args) => CallOf<A, E>
) => {
  const sending = <B>(run: (...call: [...CallOf<A, E>, CallSite]) => Promise<B>) =>
    async function send(...args: Args): Promise<B> {
      return run(...callOf(...args), callSite(send))
    }
  return Object.assign(sending<A>(runner.call), { result: sending<CallResult<A, E>>(runner.result) })
}
