/**
 * Does the lines of an import or a mark: reads them, claims each in the journal when its request may be sent, sends it,
 * records its outcome.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
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
import type { Journal } from "../journal/Journal.ts"
import type { JournalRecord, LineRunHeader, OutcomeRecord } from "../journal/JournalRecord.ts"
import { rangesOf } from "../journal/LineStates.ts"
import type { Recovered } from "../journal/Recovery.ts"
import type { FileError, JournalError, RunStopped } from "../RunError.ts"
import type { Delivery } from "./LineCall.ts"
import type { Progress } from "./Progress.ts"
import { makeSender } from "./Sender.ts"
import { type LineFacts, type Lines, makePlan, outcomesUnsent, sendUnit, type Unit } from "./Units.ts"

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

/** A run that continues makes one call at a time until a line succeeds, where its environment is not certain. */
const maxScouts = 10

/** Writes outcomes to the journal, and what the responses say about the service, once that is known. */
const makeRecorder = ({ journal, recovered }: OpenLineRun, delivery: Delivery) => {
  const { pass, states } = recovered
  let isKeysRecorded = delivery.keysHonoured
  let isEnvironmentRecorded = delivery.environment !== undefined
  return Effect.fnUntraced(function* (recorded: ReadonlyArray<OutcomeRecord>) {
    for (const { line, mayHaveBeenAppliedTwice = false, nextGeneration = 0, outcome } of recorded) {
      states.record(line, outcome, pass, nextGeneration, mayHaveBeenAppliedTwice)
    }
    const news: Array<JournalRecord> = []
    if (!isEnvironmentRecorded && delivery.environment !== undefined) {
      isEnvironmentRecorded = true
      news.push({ type: "environment", id: delivery.environment })
    }
    if (!isKeysRecorded && delivery.keysHonoured) {
      isKeysRecorded = true
      news.push({ type: "keysHonoured" })
    }
    yield* journal.append(...news, ...recorded)
  })
}

/**
 * Makes the step that claims the lines of a request in the journal, durably: after a crash every claimed line is in doubt.
 * Lines that are claimed at the same time share a commit.
 */
const makeClaim = Effect.fnUntraced(function* (journal: Journal) {
  const oneCommit = yield* Semaphore.make(1)
  let next: { readonly units: Array<Lines>; readonly claimed: Deferred.Deferred<void, JournalError> } | undefined
  const write = Effect.fnUntraced(function* (units: ReadonlyArray<Lines>) {
    const at = yield* Clock.currentTimeMillis
    const single = units.flatMap((lines) => (lines.length === 1 ? lines : []))
    yield* journal.append(
      ...rangesOf(single.toSorted((one, other) => one - other)).map(([from, to]) => ({
        type: "claimed" as const,
        from,
        to,
        at
      })),
      ...units.flatMap((lines) => (lines.length > 1 ? [{ type: "joined" as const, lines, at }] : []))
    )
    yield* journal.commit
  })
  // Not interruptible: the record of a run that stopped must come after its claims, because it withdraws them.
  return Effect.fnUntraced(function* (units: ReadonlyArray<Lines>): Effect.fn.Return<void, JournalError> {
    if (next === undefined) {
      const { claimed, units } = (next = { units: [], claimed: yield* Deferred.make<void, JournalError>() })
      const commit = Effect.suspend(() => {
        next = undefined
        return Deferred.into(write(units), claimed)
      })
      // Starts in the next moment at the earliest, so that lines that arrive together share it.
      yield* Effect.forkDetach(Semaphore.withPermit(oneCommit, commit))
    }
    next.units.push(...units)
    return yield* Deferred.await(next.claimed)
  }, Effect.uninterruptible)
})

/**
 * Does all pending lines of a run. Interruption, and an error, first let the lines in flight get their outcomes.
 */
export const doLines = (
  run: OpenLineRun,
  monitor: RunMonitor
): Effect.Effect<void, FileError | JournalError | RunStopped, Credentials | Messages> =>
  Effect.gen(function* () {
    const { header, journal, recovered } = run
    const { atLeastOnce, keysHonoured, pass, states } = recovered
    const { keyRetentionMs } = header
    const delivery: Delivery = { runId: header.id, atLeastOnce, keysHonoured, environment: recovered.environment }
    const sender = yield* makeSender(delivery, { concurrency: run.concurrency })
    const record = makeRecorder(run, delivery)
    const queue = yield* Queue.bounded<Unit, Cause.Done>(run.concurrency)
    const stopped = yield* Deferred.make<never, JournalError | RunStopped>()
    const claimDurably = yield* makeClaim(journal)
    // A line without a claim must not be sent: its call waits until the run stops.
    const claim = (units: ReadonlyArray<Lines>) =>
      claimDurably(units).pipe(Effect.catch((error) => Effect.andThen(Deferred.fail(stopped, error), Effect.never)))
    const plan = makePlan(header.kind, run.input.defaults)
    const factsAt =
      (at: number) =>
      (line: number): LineFacts => {
        const isInDoubt = states.isClaimed(line)
        const outcome = states.outcomeOf(line)
        const known = states.claimOf(line)
        return {
          generation: states.generationOf(line),
          isInDoubt,
          isUnknown: !isInDoubt && outcome === "unknown",
          // The service may no longer know the key.
          isKeyExpired: known !== undefined && at - known.at > keyRetentionMs,
          sentWith: known?.lines ?? (outcome === undefined ? undefined : [line])
        }
      }
    const hasOutcome = yield* Latch.make()
    let scouts = recovered.environment === undefined || run.isEnvironmentVerified ? 0 : maxScouts
    monitor.progress = () => ({ ...sender.progress(), counts: states.counts() })

    const worker = Effect.gen(function* () {
      while (true) {
        const taken = yield* Effect.exit(Queue.take(queue))
        if (Exit.isFailure(taken)) return
        const { isInDoubt, lines } = taken.value
        // The claim of an earlier process must outlive this one: the line may have been sent under it.
        let isClaimed = isInDoubt
        const sent = yield* sendUnit(sender, delivery, taken.value, {
          beforeRequest: Effect.suspend(() => {
            if (isClaimed) return Effect.void
            isClaimed = true
            return claim([lines])
          }),
          claimAlone: Effect.suspend(() => claim(lines.map((line) => [line])))
        })
        if (sent.records.length > 0) yield* record(sent.records)
        if (sent.records.some(({ outcome }) => outcome === "succeeded")) scouts = 0
        if (sent.stopped !== undefined) return yield* sent.stopped
        Latch.openUnsafe(hasOutcome)
      }
    }).pipe(Effect.catch((error) => Effect.asVoid(Deferred.fail(stopped, error))))

    const feed = Effect.gen(function* () {
      const next = yield* openBatches(run.input)
      for (let batch = yield* next; batch !== undefined; batch = yield* next) {
        const at = yield* Clock.currentTimeMillis
        const pending = batch.filter(({ line }) => states.isPending(line, pass))
        const { invalid, units } = plan(pending, factsAt(at))
        if (invalid.length > 0) yield* record(invalid)
        for (let from = 0, size; from < units.length; from += size) {
          size = scouts > 0 ? 1 : run.concurrency
          const ready: Array<Unit> = []
          for (const unit of units.slice(from, from + size)) {
            const unsent = outcomesUnsent(unit, delivery)
            if (unsent === undefined) ready.push(unit)
            else yield* record(unsent)
          }
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
