import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The policies of a call. */
export type PoliciesOf = (atCall: Context.Context<never>) => Context.Context<never>

/** Captures the policies of the surroundings; what is given at a call has precedence over them. */
export const capturePolicies: Effect.Effect<PoliciesOf> = Effect.contextWith((captured: Context.Context<never>) => {
  // Most calls of a program have one context.
  let last: { readonly atCall: Context.Context<never>; readonly policies: Context.Context<never> } | undefined
  return Effect.succeed((atCall) => {
    if (last?.atCall !== atCall) last = { atCall, policies: Context.merge(captured, atCall) }
    return last.policies
  })
})
