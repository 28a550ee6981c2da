import type { AnyOperationName } from "@signalbox/core/Operations"
import type * as Effect from "effect/Effect"
import type { CallResult } from "../CallResult.ts"
import type { CallOptions } from "../ClientOptions.ts"
import { callSite } from "./CallSite.ts"
import type { Requirements, Runner } from "./Runner.ts"

/** The runner's arguments for one call. */
type CallOf<A, E> = readonly [
  operation: AnyOperationName,
  effect: Effect.Effect<A, E, Requirements>,
  callOptions: CallOptions | undefined
]

/**
 * A function that makes a call and returns a promise, with `.result` for its outcome as a value; `factsOf` adds facts to
 * that of a success.
 */
export const promised = <Args extends ReadonlyArray<unknown>, A, E, Facts extends object = {}>(
  runner: Runner,
  callOf: (...args: Args) => CallOf<A, E>,
  factsOf?: (value: A, ...args: Args) => Facts
) => {
  async function send(...args: Args): Promise<A> {
    return runner.call(...callOf(...args), callSite(send))
  }
  async function result(...args: Args): Promise<CallResult<A, E> & Partial<Facts>> {
    const outcome = await runner.result(...callOf(...args), callSite(result))
    return outcome.ok ? { ...outcome, ...factsOf?.(outcome.value, ...args) } : outcome
  }
  return Object.assign(send, { result })
}
