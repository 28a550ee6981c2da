/**
 * Does the lines of an import or a mark, with their claims and outcomes in its journal.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { type InputFile, openBatches } from "../input/InputFile.ts"
import type { Journal } from "../journal/Journal.ts"
import type { JournalRecord, LineRunHeader, OutcomeRecord } from "../journal/JournalRecord.ts"
import type { Recovered } from "../journal/Recovery.ts"
import type { FileError, JournalError, RunStopped } from "../RunError.ts"
import type { Delivery } from "./LineCall.ts"
import { makeSending } from "./LineWork.ts"
import type { Progress } from "./Progress.ts"

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
  progress: () => Pick<Progress, "counts" | "waiting">
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
 * Does all pending lines of a run. Interruption, and an error, first let the lines in flight get their outcomes.
 */
export const doLines = (
  run: OpenLineRun,
  monitor: RunMonitor
): Effect.Effect<void, FileError | JournalError | RunStopped, Credentials | Messages> =>
  Effect.gen(function* () {
    const { concurrency, header, input, journal, recovered } = run
    const { atLeastOnce, environment, keysHonoured, pass, states } = recovered
    const delivery: Delivery = { runId: header.id, atLeastOnce, keysHonoured, environment }
    const nextBatch = yield* openBatches(input)
    let readAt = 0
    const sending = yield* makeSending<FileError | JournalError>({
      kind: header.kind,
      defaults: input.defaults,
      delivery,
      concurrency,
      scouts: environment === undefined || run.isEnvironmentVerified ? 0 : maxScouts,
      claimSize: 1,
      next: Effect.gen(function* () {
        const batch = yield* nextBatch
        readAt = yield* Clock.currentTimeMillis
        return batch?.filter(({ line }) => states.isPending(line, pass))
      }),
      factsOf: (line) => {
        const isInDoubt = states.isClaimed(line)
        const outcome = states.outcomeOf(line)
        const known = states.claimOf(line)
        return {
          generation: states.generationOf(line),
          isInDoubt,
          isUnknown: !isInDoubt && outcome === "unknown",
          // The service may no longer know the key.
          isKeyExpired: known !== undefined && readAt - known.at > header.keyRetentionMs,
          sentWith: known?.lines ?? (outcome === undefined ? undefined : [line])
        }
      },
      claim: Effect.fnUntraced(function* (units) {
        const at = yield* Clock.currentTimeMillis
        // The claim of an earlier process must outlive this one: the line may have been sent under it.
        const fresh = units.filter(({ isInDoubt }) => !isInDoubt)
        if (fresh.length === 0) return
        yield* journal.append(...fresh.map(({ lines }) => ({ type: "claimed" as const, lines, at })))
        yield* journal.commit
      }),
      record: makeRecorder(run, delivery)
    })
    monitor.progress = () => ({ waiting: sending.waiting(), counts: states.counts() })
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const working = yield* Effect.forkDetach(sending.run)
        const exit = yield* Effect.exit(restore(Fiber.join(working)))
        if (Exit.isSuccess(exit)) return
        yield* sending.stop
        yield* Fiber.await(working)
        yield* Effect.ignore(Effect.andThen(journal.append({ type: "stopped" }), journal.commit))
        return yield* exit
      })
    )
  }).pipe(Effect.scoped)
