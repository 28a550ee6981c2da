/**
 * Does the lines of one chunk.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import * as Effect from "effect/Effect"
import type { InputLine } from "../input/InputLine.ts"
import type { LineRunKind } from "../input/LineRequest.ts"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import type { RunStopped } from "../RunError.ts"
import { type Gate, open } from "./Gate.ts"
import type { Delivery } from "./LineCall.ts"
import { makeSender, type Sender } from "./Sender.ts"
import { type LineFacts, type Lines, makePlan, outcomesUnsent, sendUnit, type Unit } from "./Units.ts"

/** Why no further line is sent, and outcomes that replace others. */
interface Stopped {
  readonly reason: RunStopped
  readonly records: ReadonlyArray<OutcomeRecord>
}

/** The lines of a chunk, and their states. */
export interface ChunkRun {
  readonly kind: LineRunKind
  readonly lines: ReadonlyArray<InputLine>
  readonly delivery: Delivery
  readonly defaults: Readonly<Record<string, string>>
  /** Whether an earlier attempt, which kept no claims, may have sent any of the lines. */
  readonly isRetry?: boolean
  /** Lines that earlier attempts claimed, request by request, and whose outcome is not certain. */
  readonly claims?: ReadonlyArray<Lines>
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
  /** Records claims and the outcomes so far, before lines that are claimed are sent. */
  readonly claim?: (claims: ReadonlyArray<Lines>, records: ReadonlyArray<OutcomeRecord>) => Effect.Effect<void>
  /** Sends the first request alone, and after each request the next only if this returns no reason to stop, with its other outcomes. */
  readonly verify?: (records: ReadonlyArray<OutcomeRecord>) => Effect.Effect<Stopped | undefined>
  /** Runs when the last line is started. */
  readonly onLastStarted?: Effect.Effect<void>
}

/** Lines that are claimed together, apart from those of one request: after a crash, all of them are in doubt. */
const claimSize = 40

/** The work done on a chunk. */
export interface ChunkResult {
  /** Outcomes of the lines that were done, in order. */
  readonly records: ReadonlyArray<OutcomeRecord>
  /** Whether all lines have an outcome. */
  readonly isComplete: boolean
  /** The claims of lines whose outcome is not certain. */
  readonly claims: ReadonlyArray<Lines>
  /** Why lines are left, unless the sender was stopped. */
  readonly stopped: RunStopped | undefined
}

const makeFactsOf = ({ claims = [], delivery, earlier, isKeyExpired = false, isRetry = false }: ChunkRun) => {
  const claimed = new Map(claims.flatMap((lines) => lines.map((line) => [line, lines] as const)))
  return (line: number): LineFacts => {
    const known = earlier?.get(line)
    const sentWith = claimed.get(line)
    const isInDoubt = isRetry || (known === undefined && sentWith !== undefined)
    const isUnknown = known?.outcome === "unknown"
    return {
      generation: known?.nextGeneration ?? 0,
      isInDoubt,
      isUnknown,
      isKeyExpired: isKeyExpired && delivery.keysHonoured && (isInDoubt || isUnknown),
      sentWith: sentWith ?? (known && [line])
    }
  }
}

/** Units that are claimed together. */
const batchesOf = (units: ReadonlyArray<Unit>): ReadonlyArray<ReadonlyArray<Unit>> => {
  const batches: Array<Array<Unit>> = []
  let size = claimSize
  for (const unit of units) {
    if (size >= claimSize) {
      batches.push([])
      size = 0
    }
    batches.at(-1)?.push(unit)
    size += unit.lines.length
  }
  return batches
}

/** Does the lines of a chunk; when one of them stops the run, or the sender is stopped, those in flight finish. */
export const runChunk = Effect.fnUntraced(function* (
  run: ChunkRun
): Effect.fn.Return<ChunkResult, never, Credentials | Messages> {
  const { claim, concurrency, delivery, earlier, gate = open, lines, maySend, verify } = run
  const { onLastStarted = Effect.void } = run
  const fenced: Gate = {
    ...gate,
    through: (call) =>
      gate.through(Effect.suspend(() => (maySend?.() === false ? Effect.andThen(sender.stop, call) : call)))
  }
  const sender: Sender = yield* makeSender(delivery, { concurrency, gate: fenced })
  const { invalid, units } = makePlan(run.kind, run.defaults)(lines, makeFactsOf(run))
  let stopped: RunStopped | undefined
  let isStopping = false
  const recorded = new Map(invalid.map((record) => [record.line, record]))
  let claims = run.claims ?? []
  const isOpen = (line: number): boolean => (recorded.get(line) ?? earlier?.get(line))?.outcome === "unknown"
  /** Replaces claims of these lines. */
  const claimUnits = (now: ReadonlyArray<Lines>): Effect.Effect<void> => {
    if (claim === undefined) return Effect.void
    const replaced = new Set(now.flat())
    const known = claims.filter((each) =>
      each.some((line) => !replaced.has(line) && (isOpen(line) || !recorded.has(line)))
    )
    claims = [...known, ...now]
    return claim(claims, [...recorded.values()])
  }
  const scouts = verify === undefined ? [] : units.slice(0, 1)
  const batches = [scouts, ...batchesOf(units.slice(scouts.length))]
  const prepared = yield* Effect.forEach(batches, (batch) =>
    Effect.map(
      Effect.cached(
        Effect.suspend(() =>
          isStopping || stopped !== undefined ? Effect.void : claimUnits(batch.map((unit) => unit.lines))
        )
      ),
      (claimed) => batch.map((unit) => ({ unit, claimed }))
    )
  )
  const step = Effect.fnUntraced(function* (unit: Unit, claimed: Effect.Effect<void>) {
    yield* claimed
    if (stopped !== undefined) return
    const unsent = outcomesUnsent(unit, delivery)
    const claimAlone = Effect.suspend(() => claimUnits(unit.lines.map((line) => [line])))
    const sent = unsent === undefined ? yield* sendUnit(sender, delivery, unit, { claimAlone }) : undefined
    const verdict = sent && (yield* verify?.(sent.records) ?? Effect.undefined)
    stopped ??= sent?.stopped ?? verdict?.reason
    for (const record of verdict?.records ?? sent?.records ?? unsent ?? []) recorded.set(record.line, record)
    if (unsent === undefined) return
    for (const line of unit.lines) {
      const kept = earlier?.get(line)
      if (kept !== undefined && !recorded.has(line)) recorded.set(line, kept)
    }
  })
  const all = prepared.flat()
  let started = 0
  const start = ({ claimed, unit }: (typeof all)[number]) =>
    Effect.suspend(() => {
      const done = step(unit, claimed)
      return ++started === all.length ? Effect.andThen(onLastStarted, done) : done
    })
  const work = Effect.gen(function* () {
    yield* Effect.forEach(all.slice(0, scouts.length), start, { discard: true })
    yield* Effect.forEach(all.slice(scouts.length), start, { concurrency, discard: true })
  })
  const stopSending =
    run.stop &&
    Effect.andThen(
      run.stop,
      Effect.suspend(() => {
        isStopping = true
        return sender.stop
      })
    )
  yield* stopSending === undefined ? work : Effect.scoped(Effect.andThen(Effect.forkScoped(stopSending), work))
  if (all.length === 0) yield* onLastStarted
  const before = new Set(run.claims?.flat())
  return {
    records: [...recorded.values()].sort((one, other) => one.line - other.line),
    isComplete: recorded.size === lines.length,
    // Lines that this attempt claimed and that have no outcome were not sent.
    claims: claims.filter((each) => each.some((line) => isOpen(line) || (before.has(line) && !recorded.has(line)))),
    stopped
  }
})
