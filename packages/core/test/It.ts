import { type API, it as base } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

type Test = Effect.Effect<unknown, unknown, Scope.Scope>

/** The body of a test: an effect, or the generator of one. */
type Body<Args extends ReadonlyArray<unknown>> = (...args: Args) => Test | Generator<Test, void, never>

const run = (test: ReturnType<Body<[]>>): Test => (Effect.isEffect(test) ? test : Effect.gen(() => test))

const effect = Object.assign((name: string, body: Body<[]>): void => base.effect(name, () => run(body())), {
  each:
    <Case>(cases: ReadonlyArray<Case>) =>
    (name: string, body: Body<[Case]>): void =>
      base.effect.each(cases)(name, (one) => run(body(one))),
  prop: base.effect.prop
})

/** `it` of `@effect/vitest`, whose `it.effect` also accepts a generator function. */
export const it: API & { readonly effect: typeof effect; readonly live: typeof base.live } = Object.assign(
  base.extend({}),
  { effect, live: base.live }
)
