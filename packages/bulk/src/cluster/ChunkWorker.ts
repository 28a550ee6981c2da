/**
 * Does chunks on one worker: takes them from the database, sends their lines, records the outcomes.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import type { RateLimit } from "@signalbox/core/RateLimit"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { linesOfChunk, readContent } from "../Chunk.ts"
import type { OutcomeCounts } from "../journal/LineStates.ts"
import { FileError } from "../RunError.ts"
import { runChunk } from "../run/ChunkRun.ts"
import type { Gate } from "../run/Gate.ts"
import type { Delivery } from "../run/LineCall.ts"
import { type ChunkAttempt, ClusterRuns, type Lane, type TakenChunk } from "./ClusterRuns.ts"
import { FleetLimit } from "./FleetLimit.ts"
import { InputKeyError, open } from "./StagedInput.ts"
import { isPending } from "./StoredOutcomes.ts"

/** Calls that a worker has in flight at most. */
const maxCalls = 32

const patiently = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])

/** The work of a worker since it started. */
export interface WorkerProgress {
  readonly chunks: number
  /** Lines by outcome. */
  readonly counts: OutcomeCounts
  /** Why the last chunk that could not be finished was not. */
  readonly problem: string | undefined
}

const decrypt = (inputKey: Redacted.Redacted<string> | undefined, place: string, sealed: Buffer) =>
  Effect.try({
    try: () => {
      if (inputKey === undefined) throw new InputKeyError({ message: "the worker has no input key for a staged input" })
      return open(inputKey, place, sealed)
    },
    catch: (cause) =>
      cause instanceof InputKeyError
        ? cause
        : new InputKeyError({ message: "the input key of the worker is not the one that the input was encrypted for" })
  })

/** The content of a chunk, wherever the input is. */
const contentOf = Effect.fnUntraced(function* (
  { chunk, input, number, sealed }: TakenChunk,
  inputKey: Redacted.Redacted<string> | undefined
) {
  const { run } = chunk
  switch (input.type) {
    case "shared":
      return { chunk, content: yield* readContent(chunk) }
    case "sealed": {
      const location = yield* decrypt(inputKey, `${run}/location`, Buffer.from(input.location, "base64url"))
      const located = { ...chunk, file: location.toString() }
      return { chunk: located, content: yield* readContent(located) }
    }
    case "staged": {
      if (sealed === undefined) {
        return yield* new FileError({ message: `the staged input of run ${run} was deleted`, file: run })
      }
      return { chunk, content: yield* decrypt(inputKey, `${run}/${number}`, sealed) }
    }
  }
})

const make = Effect.fnUntraced(function* (inputKey: Redacted.Redacted<string> | undefined) {
  const runs = yield* ClusterRuns
  const limit = yield* FleetLimit
  const services = yield* Effect.context<Credentials | Messages | RateLimit>()
  const calls = yield* Semaphore.make(maxCalls)
  // The next chunk starts when the last line of the one before is started: a worker stays busy, and has no chunk waiting
  // that an idle worker could do.
  const feeding = yield* Semaphore.make(1)
  const draining = yield* Latch.make()
  const idle = yield* Latch.make(true)
  let inProgress = 0
  let chunks = 0
  let problem: string | undefined
  const counts = { succeeded: 0, failed: 0, unknown: 0, invalid: 0 }

  const gate: Gate = {
    through: (call) => Semaphore.withPermit(calls, limit.through(call)),
    onAttempt: limit.onAttempt
  }

  /** Sends the lines of a chunk that are pending, until `stop` is done. */
  const send = Effect.fnUntraced(function* (
    taken: TakenChunk,
    onLastStarted: Effect.Effect<void>,
    stop: Effect.Effect<void>
  ) {
    const { chunk, content } = yield* contentOf(taken, inputKey)
    const { keysHonoured, options, pass } = taken
    const known = new Map(taken.earlier.map((outcome) => [outcome.line, outcome]))
    const lines = yield* linesOfChunk(chunk, content)
    const delivery: Delivery = {
      runId: chunk.run,
      atLeastOnce: options.atLeastOnce,
      keysHonoured,
      environment: undefined
    }
    const { isComplete, records, stopped } = yield* runChunk({
      kind: chunk.kind,
      lines: lines.filter(({ line }) => isPending(known.get(line), pass)),
      delivery,
      defaults: options.defaults,
      isRetry: taken.wasInDoubt,
      earlier: known,
      concurrency: maxCalls,
      gate,
      stop,
      onLastStarted
    })
    const attempt: ChunkAttempt = {
      outcomes: records.map((record) => Object.assign({ pass }, record)),
      isComplete,
      isInDoubt: false,
      problem: stopped?.message,
      keysHonoured: delivery.keysHonoured
    }
    return attempt
  }, Effect.provideContext(services))

  const notDone = ({ keysHonoured }: TakenChunk, cause: Cause.Cause<unknown>): ChunkAttempt => {
    const error = Cause.squash(cause)
    const message = error instanceof Error ? error.message : String(error)
    return { outcomes: [], isComplete: false, isInDoubt: Cause.hasDies(cause), problem: message, keysHonoured }
  }

  const count = ({ isComplete, outcomes, ...attempt }: ChunkAttempt): void => {
    for (const { outcome } of outcomes) counts[outcome]++
    problem = attempt.problem
    if (isComplete) chunks++
  }

  /** Does a chunk, and returns whether it is done. */
  const doTaken = Effect.fnUntraced(function* (taken: TakenChunk, onLastStarted: Effect.Effect<void>) {
    const moving = yield* Latch.make()
    const stop = Effect.raceFirst(draining.await, moving.await)
    const attempting = Effect.gen(function* () {
      // A chunk must not take its lane down, whatever is wrong with it.
      const attempt = yield* Effect.catchCause(send(taken, onLastStarted, stop), (cause) =>
        Effect.succeed(notDone(taken, cause))
      )
      yield* Effect.retry(runs.record(taken, attempt), { schedule: patiently, while: () => !Latch.isOpen(moving) })
      count(attempt)
      return attempt.isComplete || Latch.isOpen(draining)
    })
    // A lane is interrupted when it moves to another worker. Calls in flight must still get their outcomes: the other worker
    // would not know whether their lines were applied.
    const work = yield* Effect.forkDetach(attempting)
    return yield* Effect.onInterrupt(Effect.interruptible(Fiber.join(work)), () =>
      Effect.andThen(moving.open, Fiber.await(work))
    )
  })

  /** Does the next chunk of a lane; returns whether one was left. Not interruptible between taking and doing a chunk. */
  const next = Effect.fnUntraced(function* (lane: Lane, which: "own" | "any", onLastStarted: Effect.Effect<void>) {
    // A worker that drains keeps its lanes, which go to other workers when it has closed.
    if (Latch.isOpen(draining)) return yield* Effect.interruptible(Effect.never)
    inProgress++
    Latch.closeUnsafe(idle)
    return yield* Effect.gen(function* () {
      const taken = yield* runs.take(lane, which)
      if (taken === undefined) return false
      if (yield* doTaken(taken, onLastStarted)) return true
      return yield* Effect.fail("not done" as const)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          if (--inProgress === 0) Latch.openUnsafe(idle)
        })
      )
    )
  })

  const doNext = (lane: Lane): Effect.Effect<boolean> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        // A chunk that a dead worker left waits for no turn: all other lanes of this worker could be before it.
        if (yield* next(lane, "own", Effect.void)) return true
        yield* restore(Semaphore.take(feeding, 1))
        const turn = { isHeld: true }
        return yield* Effect.ensuring(next(lane, "any", giveUp(turn)), giveUp(turn))
      })
    ).pipe(Effect.retry(patiently), Effect.orDie)

  const giveUp = (turn: { isHeld: boolean }): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!turn.isHeld) return Effect.void
      turn.isHeld = false
      return Effect.asVoid(Semaphore.release(feeding, 1))
    })

  return {
    /** Does the next chunk of a run in a lane; `false` when none is left. */
    doNext,
    /** Starts no further chunk and sends no further line; done when the lines in flight are recorded. */
    drain: Effect.andThen(Latch.open(draining), idle.await),
    progress: (): WorkerProgress => ({ chunks, counts: { ...counts }, problem })
  }
})

/** The work of one worker. */
export class ChunkWorker extends Context.Service<ChunkWorker, Effect.Success<ReturnType<typeof make>>>()(
  "signalbox/bulk/cluster/ChunkWorker"
) {
  static readonly layer = (inputKey: Redacted.Redacted<string> | undefined) => Layer.effect(ChunkWorker, make(inputKey))
}
