/**
 * A planned call in progress, and what it records.
 */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import type { SignalboxError } from "@signalbox/core/Errors"
import { makeCall, type Services } from "./Program.ts"
import type { PlannedCall } from "./Scenario.ts"
import type { ClockStep } from "../VirtualTime.ts"
import { type CallOutcome, outcomeOf } from "../CallReport.ts"
import { makeRecorder, type Recording } from "../Recorder.ts"

/** A planned call in progress. */
export interface RunningCall {
  readonly number: number
  readonly plan: PlannedCall
  readonly startedAt: number
  readonly recording: Recording
  readonly fiber: Fiber.Fiber<unknown, SignalboxError>
  /** When and how it finished; `undefined` while it runs. */
  readonly finished: () => { readonly at: number; readonly outcome: CallOutcome } | undefined
}

/** Options of {@link startCall}. */
export interface StartOptions {
  /** 1 for the first call of the program. */
  readonly number: number
  readonly plan: PlannedCall
  readonly client: Context.Context<Services>
  /** Seed of the call's retry delays. */
  readonly seed: number
  /** Whether the network delivers its first request twice. */
  readonly duplicates: boolean
  readonly clockStep: ClockStep | undefined
  /** Whether it may wait for an earlier call of its client without a timer. */
  readonly isQueued: boolean
  readonly areKeysHonoured: boolean
}

/**
 * Resolves when nothing else can run: virtual time, and with it this timer, waits for keys that the platform computes. A call that
 * waits for another one, without a deadline, neither sends nor starts a timer.
 */
const keyComputed = Effect.promise(() => new Promise<void>((resolve) => void setTimeout(resolve, 0)))

/** Starts a call and lets it run until it waits for time to pass. */
export const startCall = Effect.fnUntraced(function* ({
  areKeysHonoured,
  client,
  clockStep,
  duplicates,
  isQueued,
  number,
  plan,
  seed
}: StartOptions): Effect.fn.Return<RunningCall> {
  const clock = yield* Clock.Clock
  const recorder = makeRecorder(number, clock, duplicates, clockStep)
  let finished: ReturnType<RunningCall["finished"]>
  const call = makeCall(plan, areKeysHonoured).pipe(
    Random.withSeed(`${seed} ${number}`),
    Effect.provideContext(recorder.into(client)),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        finished = { at: clock.currentTimeMillisUnsafe(), outcome: outcomeOf(exit, recorder) }
        recorder.watch.waits.openUnsafe()
      })
    )
  )
  const startedAt = clock.currentTimeMillisUnsafe()
  const fiber = yield* Effect.forkChild(call)
  if (plan.abortsAfter !== undefined) {
    yield* Effect.forkChild(Effect.delay(Fiber.interrupt(fiber), plan.abortsAfter))
  }
  // The platform computes some keys in real time; virtual time must wait for them.
  yield* Effect.raceFirst(recorder.watch.waits.await, isQueued ? keyComputed : Effect.never)
  for (let turn = 0; turn < 8; turn++) yield* Effect.yieldNow
  return { number, plan, startedAt, recording: recorder, fiber, finished: () => finished }
})
