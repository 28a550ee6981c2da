/**
 * Does the lines of one chunk.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import * as Effect from "effect/Effect"
import type { InputLine } from "../input/InputLine.ts"
import { isValid, type LineRunKind, makeReadLine } from "../input/LineRequest.ts"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import type { RunStopped } from "../RunError.ts"
import type { Gate } from "./Gate.ts"
import { type Delivery, mayResend } from "./LineCall.ts"
import { interrupted, invalid } from "./LineOutcome.ts"
import { makeSender, type Sender } from "./Sender.ts"

/** The lines of a chunk, and their states. */
export interface ChunkRun {
  readonly kind: LineRunKind
  readonly lines: ReadonlyArray<InputLine>
  readonly delivery: Delivery
  readonly defaults: Readonly<Record<string, string>>
  /** Whether a line without an earlier outcome may have been sent before. */
  readonly isRetry: boolean
  /** Outcomes of lines that failed, or are unknown, and are done again. */
  readonly earlier?: ReadonlyMap<number, OutcomeRecord>
  /** Calls in flight at most. */
  readonly concurrency: number
  readonly gate?: Gate
  /** Sending stops when this is done; never when absent. */
  readonly stop?: Effect.Effect<void>
  /** Runs when the last line is started. */
  readonly onLastStarted?: Effect.Effect<void>
}

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
  return Effect.fnUntraced(function* (input: InputLine): Effect.fn.Return<OutcomeRecord | undefined> {
    const { line } = input
    const request = readLine(input)
    if (!isValid(request)) return invalid(line, request)
    const earlier = run.earlier?.get(line)
    const generation = earlier?.nextGeneration ?? 0
    const mayHaveBeenApplied = earlier === undefined ? run.isRetry : run.isRetry || earlier.outcome === "unknown"
    if (mayHaveBeenApplied && !mayResend(request, run.delivery)) {
      return earlier?.outcome === "unknown" ? earlier : interrupted(line, generation)
    }
    const { record, stopped } = yield* sender.send({ line, request, generation, exposures: mayHaveBeenApplied ? 1 : 0 })
    if (stopped !== undefined) onStopped(stopped)
    return record
  })
}

/** Does the lines of a chunk; when one of them stops the run, or the sender is stopped, those in flight finish. */
export const runChunk = Effect.fnUntraced(function* (
  run: ChunkRun
): Effect.fn.Return<ChunkResult, never, Credentials | Messages> {
  const { concurrency, gate, lines, onLastStarted = Effect.void } = run
  const sender = yield* makeSender(run.delivery, { concurrency, ...(gate === undefined ? {} : { gate }) })
  let stopped: RunStopped | undefined
  const step = makeLineStep(run, sender, (reason) => {
    stopped ??= reason
  })
  let started = 0
  const start = (line: InputLine) =>
    Effect.suspend(() => {
      const done = stopped === undefined ? step(line) : Effect.undefined
      return ++started === lines.length ? Effect.andThen(onLastStarted, done) : done
    })
  const all = Effect.forEach(lines, start, { concurrency })
  const stopSending = run.stop && Effect.andThen(run.stop, sender.stop)
  const records =
    stopSending === undefined ? yield* all : yield* Effect.scoped(Effect.andThen(Effect.forkScoped(stopSending), all))
  if (lines.length === 0) yield* onLastStarted
  const done = records.filter((record) => record !== undefined)
  return { records: done, isComplete: done.length === lines.length, stopped }
})
