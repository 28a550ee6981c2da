/**
 * Does the lines of an import or a mark: reads them, claims each in the journal when its request may be sent, sends it,
 * records its outcome.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import type { RateLimit } from "@signalbox/core/RateLimit"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import { type InputFile, openBatches } from "../input/InputFile.ts"
import type { InputLine } from "../input/InputLine.ts"
import { isValid, makeReadLine } from "../input/LineRequest.ts"
import type { Journal } from "../journal/Journal.ts"
import type { LineRunHeader, OutcomeRecord } from "../journal/JournalRecord.ts"
import type { Recovered } from "../journal/Recovery.ts"
import type { FileError, JournalError, RunStopped } from "../RunError.ts"
import { type Delivery, mayResend, type PendingLine } from "./LineCall.ts"
import { interrupted, invalid } from "./LineOutcome.ts"
import type { Progress } from "./Progress.ts"
import { makeSender } from "./Sender.ts"

/** A run whose journal is open. */
export interface OpenLineRun {
  readonly header: LineRunHeader
  readonly input: InputFile
  readonly recovered: Recovered
  readonly journal: Journal
  /** Calls in flight at most. */
  readonly concurrency: number
  /** Whether the client is known to lead to the environment of the run. */
  readonly isEnvironmentVerified: boolean
}

/** The view that the surroundings of a run have of it. */
export interface RunMonitor {
  /** The part of the progress that only the run knows. */
  progress: () => Pick<Progress, "counts" | "inFlight" | "concurrency" | "waiting">
}

/** A line that may be sent. */
interface ReadyLine extends PendingLine {
  /** Whether its key may have been used so long ago that the service applies the line again. */
  readonly isKeyExpired: boolean
}

/** A run that continues makes one call at a time until a line succeeds, where its environment is not certain. */
const maxScouts = 10

/** Writes outcomes to the journal, and what the responses say about the service, once that is known. */
const makeRecorder = ({ journal, recovered }: OpenLineRun, delivery: Delivery) => {
  const { pass, states } = recovered
  let isKeysRecorded = delivery.keysHonoured
  let isEnvironmentRecorded = delivery.environment !== undefined
  return Effect.fnUntraced(function* (outcome: OutcomeRecord) {
    const { line, mayHaveBeenAppliedTwice = false, nextGeneration = 0 } = outcome
    states.record(line, outcome.outcome, pass, nextGeneration, mayHaveBeenAppliedTwice)
    if (!isEnvironmentRecorded && delivery.environment !== undefined) {
      isEnvironmentRecorded = true
      yield* journal.append({ type: "environment", id: delivery.environment })
    }
    if (!isKeysRecorded && delivery.keysHonoured) {
      isKeysRecorded = true
      yield* journal.append({ type: "keysHonoured" })
    }
    yield* journal.append(outcome)
  })
}

/** The ranges of some numbers. */
const rangesOf = (numbers: ReadonlyArray<number>): ReadonlyArray<{ readonly from: number; readonly to: number }> => {
  const ranges: Array<{ readonly from: number; to: number }> = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last?.to === number - 1) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return ranges
}

/**
 * Makes the step that claims a line in the journal, durably: after a crash every claimed line is in doubt. Lines that are
 * claimed at the same time share a commit.
 */
const makeClaim = Effect.fnUntraced(function* (journal: Journal) {
  const oneCommit = yield* Semaphore.make(1)
  let next: { readonly lines: Array<number>; readonly claimed: Deferred.Deferred<void, JournalError> } | undefined
  const write = Effect.fnUntraced(function* (lines: ReadonlyArray<number>) {
    const at = yield* Clock.currentTimeMillis
    yield* Effect.forEach(rangesOf(lines), (range) => journal.append({ type: "claimed", ...range, at }), {
      discard: true
    })
    yield* journal.commit
  })
  // Not interruptible: the record of a run that stopped must come after its claims, because it withdraws them.
  return Effect.fnUntraced(function* (line: number): Effect.fn.Return<void, JournalError> {
    if (next === undefined) {
      const { claimed, lines } = (next = { lines: [], claimed: yield* Deferred.make<void, JournalError>() })
      const commit = Effect.suspend(() => {
        next = undefined
        return Deferred.into(write(lines), claimed)
      })
      // Starts in the next moment at the earliest, so that lines that arrive together share it.
      yield* Effect.forkDetach(Semaphore.withPermit(oneCommit, commit))
    }
    next.lines.push(line)
    return yield* Deferred.await(next.claimed)
  }, Effect.uninterruptible)
})

/** Makes the step that decides what happens to some lines: returns those that can be sent, the others get their outcomes. */
const makeChoice = (
  run: OpenLineRun,
  delivery: Delivery,
  record: ReturnType<typeof makeRecorder>,
  claim: (line: number) => Effect.Effect<void>
) => {
  const { states } = run.recovered
  const readLine = makeReadLine(run.header.kind, run.input.defaults)
  const { keyRetentionMs } = run.header
  return Effect.fnUntraced(function* (lines: ReadonlyArray<InputLine>) {
    const at = yield* Clock.currentTimeMillis
    const ready: Array<ReadyLine> = []
    for (const each of lines) {
      const { line } = each
      const isInDoubt = states.isClaimed(line)
      const generation = states.generationOf(line)
      const read = readLine(each)
      if (!isValid(read)) {
        yield* record(invalid(line, read))
        continue
      }
      const mayHaveBeenApplied = isInDoubt || states.outcomeOf(line) === "unknown"
      // The service may no longer know the key.
      const isKeyExpired = mayHaveBeenApplied && at - (states.claimedAt(line) ?? at) > keyRetentionMs
      if (mayHaveBeenApplied && !mayResend(read, isKeyExpired ? { ...delivery, keysHonoured: false } : delivery)) {
        // Lines that failed before keep their outcome.
        if (isInDoubt) yield* record(interrupted(line, generation, isKeyExpired && delivery.keysHonoured))
        continue
      }
      // The claim of an earlier process must outlive this one: the line may have been sent under it.
      let isClaimed = isInDoubt
      const beforeRequest = Effect.suspend(() => {
        if (isClaimed) return Effect.void
        isClaimed = true
        return claim(line)
      })
      const exposures = mayHaveBeenApplied ? 1 : 0
      ready.push({ line, request: read, generation, exposures, isKeyExpired, beforeRequest })
    }
    return ready
  })
}

/**
 * Does all pending lines of a run. Interruption, and an error, first let the lines in flight get their outcomes.
 */
export const doLines = (
  run: OpenLineRun,
  monitor: RunMonitor
): Effect.Effect<void, FileError | JournalError | RunStopped, Credentials | Messages | RateLimit> =>
  Effect.gen(function* () {
    const { header, journal, recovered } = run
    const { atLeastOnce, keysHonoured, pass, states } = recovered
    const delivery: Delivery = { runId: header.id, atLeastOnce, keysHonoured, environment: recovered.environment }
    const sender = yield* makeSender(delivery, { concurrency: run.concurrency })
    const record = makeRecorder(run, delivery)
    const queue = yield* Queue.bounded<ReadyLine, Cause.Done>(run.concurrency)
    const stopped = yield* Deferred.make<never, JournalError | RunStopped>()
    const claimDurably = yield* makeClaim(journal)
    // A line without a claim must not be sent: its call waits until the run stops.
    const claim = (line: number) =>
      claimDurably(line).pipe(Effect.catch((error) => Effect.andThen(Deferred.fail(stopped, error), Effect.never)))
    const choose = makeChoice(run, delivery, record, claim)
    const hasOutcome = yield* Latch.make()
    let scouts = recovered.environment === undefined || run.isEnvironmentVerified ? 0 : maxScouts
    monitor.progress = () => ({ ...sender.progress(), counts: states.counts() })

    const worker = Effect.gen(function* () {
      while (true) {
        const taken = yield* Effect.exit(Queue.take(queue))
        if (Exit.isFailure(taken)) return
        const sent = yield* sender.send(taken.value)
        if (sent.record !== undefined) {
          const { outcome } = sent.record
          const isMaybeTwice = taken.value.isKeyExpired && outcome !== "failed"
          yield* record(isMaybeTwice ? { ...sent.record, mayHaveBeenAppliedTwice: true } : sent.record)
          if (outcome === "succeeded") scouts = 0
        }
        if (sent.stopped !== undefined) return yield* sent.stopped
        Latch.openUnsafe(hasOutcome)
      }
    }).pipe(Effect.catch((error) => Effect.asVoid(Deferred.fail(stopped, error))))

    const feed = Effect.gen(function* () {
      const next = yield* openBatches(run.input)
      for (let batch = yield* next; batch !== undefined; batch = yield* next) {
        const pending = batch.filter(({ line }) => states.isPending(line, pass))
        for (let at = 0, size; at < pending.length; at += size) {
          size = scouts > 0 ? 1 : run.concurrency
          const ready = yield* choose(pending.slice(at, at + size))
          Latch.closeUnsafe(hasOutcome)
          yield* Queue.offerAll(queue, ready)
          if (scouts === 0 || ready.length === 0) continue
          scouts--
          yield* hasOutcome.await
        }
      }
      yield* Queue.end(queue)
    }).pipe(Effect.scoped)

    yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const workers = yield* Effect.forEach(Array.from({ length: run.concurrency }), () => Effect.forkDetach(worker))
        const all = Effect.asVoid(Effect.andThen(feed, Fiber.awaitAll(workers)))
        const exit = yield* Effect.exit(restore(Effect.raceFirst(all, Deferred.await(stopped))))
        if (Exit.isSuccess(exit)) return
        yield* sender.stop
        yield* Queue.shutdown(queue)
        yield* Fiber.awaitAll(workers)
        yield* Effect.ignore(Effect.andThen(journal.append({ type: "stopped" }), journal.commit))
        return yield* exit
      })
    )
  })
