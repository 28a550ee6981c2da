/**
 * Does chunks on one worker: takes them from the database, sends their lines, records the outcomes.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { linesOfChunk, readChunk } from "./Chunk.ts"
import { otherEnvironment } from "../journal/JournalRecord.ts"
import type { OutcomeCounts } from "../journal/LineStates.ts"
import { FileError, RunStopped } from "../RunError.ts"
import { appliedElsewhere, keyDigest, otherEnvironmentMessage, otherKeyMessage } from "../run/Environment.ts"
import type { Gate } from "../run/Gate.ts"
import type { Delivery } from "../run/LineCall.ts"
import { type LineWork, makeSending, onlyLines } from "../run/LineWork.ts"
import { makeChunkState } from "./ChunkState.ts"
import { type ChunkAttempt, ChunkStore, type TakenChunk } from "./ChunkStore.ts"
import { FleetLimit } from "./FleetLimit.ts"
import { InputKeyError, open } from "./StagedInput.ts"

/** Calls that a worker has in flight at most. */
const maxCalls = 32

/** Chunks that a worker has at most: one whose last lines are in flight, and the one whose lines follow. */
const maxChunks = 2

const patiently = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])

/** Reasons for which a worker can do no chunk until it has another API key. */
const ofKey: ReadonlySet<string | undefined> = new Set([
  otherEnvironment,
  "Unauthorized",
  "PaymentRequired",
  "Forbidden"
])

/** The keys of a worker. */
export interface WorkerKeys {
  /**
   * The API key of the client. Its digest is recorded, so that lines which may have been sent before a response has named
   * the environment are not sent to another one by mistake; not checked when absent.
   */
  readonly apiKey?: Redacted.Redacted<string> | undefined
  /** Key that decrypts staged inputs; without it, this worker does none of them. */
  readonly inputKey?: Redacted.Redacted<string> | undefined
}

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

/** The lines of a chunk, wherever the input is. */
const linesOf = Effect.fnUntraced(function* (
  { chunk, input, number, sealed }: TakenChunk,
  inputKey: Redacted.Redacted<string> | undefined
) {
  const { run } = chunk
  switch (input.type) {
    case "shared":
      return yield* readChunk(chunk, input.location)
    case "sealed": {
      const location = yield* decrypt(inputKey, `${run}/location`, Buffer.from(input.location, "base64url"))
      return yield* readChunk(chunk, location.toString())
    }
    case "staged": {
      if (sealed === undefined) {
        return yield* new FileError({ message: `the staged input of run ${run} was deleted`, file: run })
      }
      return yield* linesOfChunk(chunk, "the staged input", yield* decrypt(inputKey, `${run}/${number}`, sealed))
    }
  }
})

/**
 * How long a chunk stays with a worker that has stopped responding. A machine that gets no time for a while keeps it: with
 * 3 s, chunks moved while their lines were sent. Tests shorten it.
 */
export const TakeoverTime = Context.Reference<Duration.Input>("signalbox/bulk/cluster/TakeoverTime", {
  defaultValue: () => "35 seconds"
})

/** Pauses of a worker that finds no chunk, or no database: without a database they grow. */
const idlePauseMs = 1000
const maxPauseMs = 30_000

/** The problem of a worker that finds no database. */
const noDatabase = "the database does not respond"

const make = Effect.fnUntraced(function* ({ apiKey, inputKey }: WorkerKeys) {
  const store = yield* ChunkStore
  const limit = yield* FleetLimit
  const clock = yield* Clock.Clock
  const leaseMs = Duration.toMillis(Duration.fromInputUnsafe(yield* TakeoverTime))
  const services = yield* Effect.context<Credentials | Messages>()
  const calls = yield* Semaphore.make(maxCalls)
  const places = yield* Semaphore.make(maxChunks)
  const draining = yield* Latch.make()
  const unable = yield* Deferred.make<never, RunStopped>()
  const working = yield* FiberSet.make<void>()
  let chunks = 0
  let problem: string | undefined
  let failuresInRow = 0
  let pauseMs = idlePauseMs
  /** Whether the API key is known to lead to the environment of the database. */
  let isVerified = false
  const counts = { succeeded: 0, failed: 0, unknown: 0, invalid: 0 }

  const gate: Gate = {
    through: (call) => Semaphore.withPermit(calls, limit.through(call)),
    onAttempt: limit.onAttempt
  }

  /** The time by both clocks: one stands still while the machine is suspended, the other one can be set. */
  const times = (): readonly [wallMs: number, monotonicMs: number] => [
    clock.currentTimeMillisUnsafe(),
    Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  ]

  /** The time that a worker has for a chunk, which it must not exceed even after its machine was suspended. */
  const makeLease = Effect.fnUntraced(function* (taken: TakenChunk, startedAt: ReturnType<typeof times>) {
    const lost = yield* Latch.make()
    let since = startedAt
    const keep = (kept: Effect.Effect<boolean, unknown>) =>
      Effect.suspend(() => {
        const now = times()
        return Effect.flatMap(kept, (isMine) => {
          if (!isMine) return Latch.open(lost)
          since = now
          return Effect.void
        })
      })
    const isInTime = (): boolean => {
      const [wall, monotonic] = times()
      return wall < since[0] + leaseMs && monotonic < since[1] + leaseMs
    }
    const extended = Effect.ignore(keep(store.extend(taken, leaseMs)))
    yield* Effect.forkScoped(Effect.repeat(Effect.delay(extended, leaseMs / 4), Schedule.forever))
    return { lost: lost.await, keep, isValid: () => !Latch.isOpen(lost) && isInTime() }
  })

  /** Sends the lines of a chunk that are pending, as long as the worker has it. */
  const send = Effect.fnUntraced(
    function* (taken: TakenChunk, startedAt: ReturnType<typeof times>, onLastStarted: Effect.Effect<void>) {
      const { claimedBy } = taken
      const key = keyDigest(taken.chunk.run, apiKey)
      const isOther = key !== undefined && claimedBy !== undefined && claimedBy !== key
      if (taken.environment === undefined && isOther && taken.claims.length > 0) {
        const id = taken.chunk.run
        const reason = new RunStopped({ message: otherKeyMessage(id), id, reason: otherEnvironment })
        yield* Deferred.fail(unable, reason)
        return yield* reason
      }
      const lease = yield* makeLease(taken, startedAt)
      const { chunk, environment, keysHonoured, options } = taken
      const state = makeChunkState(taken)
      const lines = (yield* linesOf(taken, inputKey)).filter(({ line }) => state.isPending(line))
      const delivery: Delivery = { runId: chunk.run, atLeastOnce: options.atLeastOnce, keysHonoured, environment }
      let claimed: string | undefined
      const record: LineWork<never>["record"] = Effect.fnUntraced(function* (records, unchanged) {
        const found = delivery.environment
        // The first response that names an environment shows where the key of the worker leads.
        if (environment === undefined && found !== undefined) {
          const own = (claimed ??= yield* Effect.orDie(Effect.retry(store.claimEnvironment(found), patiently)))
          if (own !== found) {
            const elsewhere = records.map((each) =>
              each.outcome === "succeeded" ? appliedElsewhere(each, own, found) : each
            )
            state.record(elsewhere, unchanged)
            const message = `${otherEnvironmentMessage(own, found)}. Use a key of ${own}`
            return yield* new RunStopped({ message, id: chunk.run, reason: otherEnvironment })
          }
        }
        state.record(records, unchanged)
        isVerified ||= records.some(({ outcome }) => outcome === "succeeded")
      })
      const sending = yield* makeSending<never>({
        kind: chunk.kind,
        defaults: options.defaults,
        delivery,
        concurrency: maxCalls,
        gate,
        scouts: isVerified && environment !== undefined ? 0 : 1,
        claimSize: 40,
        next: onlyLines(lines),
        factsOf: state.factsOf,
        // Without the database, no line is claimed, and none is sent.
        claim: (units) =>
          Effect.suspend(() =>
            lease.keep(store.claim(taken, state.claim(units.map((unit) => unit.lines)), state.outcomes(), key))
          ).pipe(Effect.retry({ schedule: patiently, while: lease.isValid }), Effect.ignore),
        maySend: lease.isValid,
        record,
        onLastStarted
      })
      yield* Effect.forkScoped(Effect.andThen(Effect.raceFirst(draining.await, lease.lost), sending.stop))
      const stopped = yield* Effect.match(sending.run, { onSuccess: () => undefined, onFailure: (reason) => reason })
      if (stopped !== undefined && ofKey.has(stopped.reason)) yield* Deferred.fail(unable, stopped)
      const outcomes = state.outcomes()
      const attempt: ChunkAttempt = {
        outcomes,
        isComplete: outcomes.length === lines.length,
        claims: state.openClaims(),
        problem: stopped?.message,
        keysHonoured: delivery.keysHonoured
      }
      return attempt
    },
    // Within the context of the worker, whose scope is not that of the chunk.
    Effect.scoped,
    Effect.provideContext(services)
  )

  const notDone = ({ claims, keysHonoured }: TakenChunk, cause: Cause.Cause<unknown>): ChunkAttempt => {
    const error = Cause.squash(cause)
    const message = error instanceof Error ? error.message : String(error)
    // After a defect, lines that the database has as claimed may have been sent.
    const left = Cause.hasDies(cause) ? undefined : claims
    return { outcomes: [], isComplete: false, claims: left, problem: message, keysHonoured }
  }

  const count = ({ isComplete, outcomes, ...attempt }: ChunkAttempt): void => {
    for (const { outcome } of outcomes) counts[outcome]++
    problem = attempt.problem
    if (isComplete) chunks++
  }

  /** Does a chunk. A chunk must not take its worker down, whatever is wrong with it. */
  const doTaken = Effect.fnUntraced(function* (
    taken: TakenChunk,
    startedAt: ReturnType<typeof times>,
    started: Effect.Effect<void>
  ) {
    const attempt = yield* Effect.catchCause(send(taken, startedAt, started), (cause) =>
      Effect.succeed(notDone(taken, cause))
    )
    yield* Effect.retry(store.record(taken, attempt), patiently)
    count(attempt)
    failuresInRow = attempt.problem === undefined ? 0 : failuresInRow + 1
    // Another chunk would fail the same way at once.
    const pause = Math.min(30, 2 ** failuresInRow / 2)
    if (failuresInRow > 0) yield* Effect.ignore(Effect.timeout(draining.await, `${pause} seconds`))
  })

  /**
   * Takes the next chunk and starts it; done when its last line is started: a worker stays busy, and has no chunk waiting
   * that an idle worker could do. A line that takes long keeps its chunk open, so chunks are counted, too.
   */
  const next = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* restore(Semaphore.take(places, 1))
      const leave = Semaphore.release(places, 1)
      const startedAt = times()
      const found = yield* Effect.result(store.take(leaseMs))
      if (Result.isFailure(found)) {
        yield* leave
        problem = noDatabase
        yield* restore(Effect.sleep(pauseMs))
        pauseMs = Math.min(2 * pauseMs, maxPauseMs)
        return
      }
      pauseMs = idlePauseMs
      if (problem === noDatabase) problem = undefined
      const taken = found.success
      if (taken === undefined) {
        yield* leave
        return yield* restore(Effect.sleep(idlePauseMs))
      }
      const started = yield* Latch.make()
      const work = doTaken(taken, startedAt, Latch.open(started)).pipe(
        Effect.orDie,
        Effect.ensuring(Effect.andThen(leave, Latch.open(started)))
      )
      yield* FiberSet.run(working, work)
      yield* restore(started.await)
    })
  )

  // Interrupted: the lines in flight finish, and are recorded.
  const drain = Effect.andThen(Latch.open(draining), FiberSet.awaitEmpty(working))
  yield* Effect.addFinalizer(() => drain)
  const feeding = yield* Effect.forkScoped(Effect.forever(next))

  return {
    /** Starts no further chunk and sends no further line; done when the lines in flight are recorded. */
    drain: Effect.andThen(Fiber.interrupt(feeding), drain),
    /** Fails when the worker cannot continue: its API key is rejected, or leads to another environment than that of the database. */
    failed: Deferred.await(unable),
    progress: (): WorkerProgress => ({ chunks, counts: { ...counts }, problem })
  }
})

/** The work of one worker, which starts with the layer and drains with its scope. */
export class ChunkWorker extends Context.Service<ChunkWorker, Effect.Success<ReturnType<typeof make>>>()(
  "signalbox/bulk/cluster/ChunkWorker"
) {
  static readonly layer = (keys: WorkerKeys) => Layer.effect(ChunkWorker, make(keys))
}
