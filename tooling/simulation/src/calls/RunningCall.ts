/**
 * A planned call on its way, with everything that is seen of it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cause from "effect/Cause"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import type { Attempt } from "@signalbox/core/Attempt"
import { type CallInfo, CallObserver } from "@signalbox/core/CallInfo"
import { isSignalboxError, type SignalboxError } from "@signalbox/core/SignalboxError"
import type { Told } from "./Observation.ts"
import { makeCall, type Services } from "./Program.ts"
import type { PlannedCall } from "./Scenario.ts"
import { CurrentWatch, makeWatch, type Watch, watchedClock } from "../Watch.ts"

/** A planned call on its way. */
export interface RunningCall {
  readonly number: number
  readonly plan: PlannedCall
  readonly beganAt: number
  readonly watch: Watch
  readonly attempts: ReadonlyArray<Attempt>
  readonly fiber: Fiber.Fiber<unknown, SignalboxError>
  /** When and how it ended; `undefined` while it runs. */
  readonly ended: () => { readonly at: number; readonly told: Told } | undefined
}

/** How a call is begun. */
export interface BeginOptions {
  /** 1 for the first call of the program. */
  readonly number: number
  readonly plan: PlannedCall
  readonly client: Context.Context<Services>
  /** Of the delays that the call draws. */
  readonly seed: number
  readonly areKeysHonoured: boolean
}

const toldBy = (exit: Exit.Exit<unknown, SignalboxError>, info: CallInfo | undefined): Told => {
  if (Exit.isSuccess(exit)) return { _tag: "Value", value: exit.value, info }
  if (Cause.hasInterruptsOnly(exit.cause)) return { _tag: "Interrupted" }
  const error = Cause.squash(exit.cause)
  return isSignalboxError(error) ? { _tag: "Error", error } : { _tag: "Defect", cause: exit.cause }
}

/** Begins a call, and lets it do what it can without time going on. */
export const begin = Effect.fnUntraced(function* ({
  areKeysHonoured,
  client,
  number,
  plan,
  seed
}: BeginOptions): Effect.fn.Return<RunningCall> {
  const clock = yield* Clock.Clock
  const watch = makeWatch(number)
  const attempts: Array<Attempt> = []
  let info: CallInfo | undefined
  let ended: ReturnType<RunningCall["ended"]>
  const surroundings = client.pipe(
    Context.add(CurrentWatch, watch),
    Context.add(Clock.Clock, watchedClock(clock, watch)),
    Context.add(CallObserver, {
      onAttempt: (attempt) => void attempts.push(attempt),
      onCall: (call) => {
        info = call
      }
    })
  )
  const call = makeCall(plan, areKeysHonoured).pipe(
    Random.withSeed(`${seed} ${number}`),
    Effect.provideContext(surroundings),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        ended = { at: clock.currentTimeMillisUnsafe(), told: toldBy(exit, info) }
        watch.waits.openUnsafe()
      })
    )
  )
  const beganAt = clock.currentTimeMillisUnsafe()
  const fiber = yield* Effect.forkChild(call)
  if (plan.givesUpAfter !== undefined) {
    yield* Effect.forkChild(Effect.delay(Fiber.interrupt(fiber), plan.givesUpAfter))
  }
  // Making a key can take the platform a moment of real time; virtual time must not go on meanwhile.
  yield* watch.waits.await
  for (let turn = 0; turn < 8; turn++) yield* Effect.yieldNow
  return { number, plan, beganAt, watch, attempts, fiber, ended: () => ended }
})
