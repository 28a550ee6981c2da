/**
 * Does the lines of one chunk.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { InputLine } from "../input/InputLine.ts"
import { isValid, type LineRunKind, makeReadLine } from "../input/LineRequest.ts"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import type { RunStopped } from "../RunError.ts"
import { type Gate, open } from "./Gate.ts"
import { type Delivery, mayResend } from "./LineCall.ts"
import { interrupted, invalid } from "./LineOutcome.ts"
import { makeSender, type Sender } from "./Sender.ts"

/** The lines of a chunk, and their states. */
export interface ChunkRun {
  readonly kind: LineRunKind
  readonly lines: ReadonlyArray<InputLine>
  readonly delivery: Delivery
  readonly defaults: Readonly<Record<string, string>>
  /** Lines up to this one that have no earlier outcome may have been sent before. */
  readonly inDoubtTo: number
  /** Whether lines were sent so long ago that the service may not know their keys any more. */
  readonly isKeyExpired?: boolean
  /** Outcomes of lines that failed, or are unknown, and are done again. */
  readonly earlier?: ReadonlyMap<number, OutcomeRecord>
  /** Calls in flight at most. */
  readonly concurrency: number
  readonly gate?: Gate
  /** Sending stops when this is done; never when absent. */
  readonly stop?: Effect.Effect<void>
  /** Whether lines may still be sent; sending stops when they may not. */
  readonly maySend?: () => boolean
  /** Claims lines up to this one, before the first of them is sent, with the outcomes so far. */
  readonly claim?: (to: number, records: ReadonlyArray<OutcomeRecord>) => Effect.Effect<void>
  /** Runs when the last line is started. */
  readonly onLastStarted?: Effect.Effect<void>
}

/** Lines that are claimed together: after a crash, all of them are in doubt. */
const claimSize = 40

/** The work done on a chunk. */
export interface ChunkResult {
  /** Outcomes of the lines that were done, in order. */
  readonly records: ReadonlyArray<OutcomeRecord>
  /** Whether lines are left. */
  readonly isComplete: boolean
  /** Why lines are left, unless the sender was stopped. */
  readonly stopped: RunStopped | undefined
}

/** Makes the step for one line: its outcome, without sending it where that could do harm; `undefined` if it is left. */
const makeLineStep = (run: ChunkRun, sender: Sender, onStopped: (stopped: RunStopped) => void) => {
  const readLine = makeReadLine(run.kind, run.defaults)
  const { delivery } = run
  return Effect.fnUntraced(function* (input: InputLine): Effect.fn.Return<OutcomeRecord | undefined> {
    const { line } = input
    const request = readLine(input)
    if (!isValid(request)) return invalid(line, request)
    const earlier = run.earlier?.get(line)
    const generation = earlier?.nextGeneration ?? 0
    const mayHaveBeenApplied = line <= run.inDoubtTo || earlier?.outcome === "unknown"
    const isKeyExpired = mayHaveBeenApplied && run.isKeyExpired === true && delivery.keysHonoured
    if (mayHaveBeenApplied && !mayResend(request, isKeyExpired ? { ...delivery, keysHonoured: false } : delivery)) {
      return earlier?.outcome === "unknown" ? earlier : interrupted(line, generation, isKeyExpired)
    }
    const { record, stopped } = yield* sender.send({ line, request, generation, exposures: mayHaveBeenApplied ? 1 : 0 })
    if (stopped !== undefined) onStopped(stopped)
    const isMaybeTwice = isKeyExpired && record !== undefined && record.outcome !== "failed"
    return isMaybeTwice ? { ...record, mayHaveBeenAppliedTwice: true } : record
  })
}

/** Does the lines of a chunk; when one of them stops the run, or the sender is stopped, those in flight finish. */
export const runChunk = Effect.fnUntraced(function* (
  run: ChunkRun
): Effect.fn.Return<ChunkResult, never, Credentials | Messages> {
  const { claim, concurrency, gate = open, lines, maySend, onLastStarted = Effect.void } = run
  const fenced: Gate = {
    ...gate,
    through: (call) =>
      gate.through(Effect.suspend(() => (maySend?.() === false ? Effect.andThen(sender.stop, call) : call)))
  }
  const sender: Sender = yield* makeSender(run.delivery, { concurrency, gate: fenced })
  let stopped: RunStopped | undefined
  const step = makeLineStep(run, sender, (reason) => {
    stopped ??= reason
  })
  let isStopping = false
  const recorded: Array<OutcomeRecord> = []
  const claimed = yield* Effect.forEach(Array.from({ length: Math.ceil(lines.length / claimSize) }), () => Latch.make())
  /** Waits until the line is claimed; the first of those that are claimed together claims them. */
  const awaitClaim = (at: number): Effect.Effect<void> => {
    const latch = claimed[Math.floor(at / claimSize)]
    if (claim === undefined || latch === undefined) return Effect.void
    if (at % claimSize > 0) return latch.await
    if (isStopping || stopped !== undefined) return Latch.open(latch)
    const last = lines[Math.min(at + claimSize, lines.length) - 1]
    return Effect.andThen(claim(last?.line ?? 0, [...recorded]), Latch.open(latch))
  }
  let started = 0
  const start = (line: InputLine, at: number) =>
    Effect.suspend(() => {
      const done = Effect.andThen(
        awaitClaim(at),
        Effect.suspend(() => (stopped === undefined ? step(line) : Effect.undefined))
      ).pipe(
        Effect.tap((record) => {
          if (record !== undefined) recorded.push(record)
          return Effect.void
        })
      )
      return ++started === lines.length ? Effect.andThen(onLastStarted, done) : done
    })
  const all = Effect.forEach(lines, start, { concurrency })
  const stopSending =
    run.stop &&
    Effect.andThen(
      run.stop,
      Effect.suspend(() => {
        isStopping = true
        return sender.stop
      })
    )
  const records =
    stopSending === undefined ? yield* all : yield* Effect.scoped(Effect.andThen(Effect.forkScoped(stopSending), all))
  if (lines.length === 0) yield* onLastStarted
  const done = records.filter((record) => record !== undefined)
  return { records: done, isComplete: done.length === lines.length, stopped }
})
