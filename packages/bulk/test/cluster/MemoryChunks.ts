/**
 * The storage of workers in memory, by the clock of the scenario.
 */
import { planContents, type PlanOptions } from "../../src/cluster/Chunk.ts"
import {
  type ChunkAttempt,
  type ChunkStoreShape,
  inDoubt,
  type RunInput,
  type SubmittedRun,
  type TakenChunk
} from "../../src/cluster/ChunkStore.ts"
import { type ChunkOutcome, countsOf, merge, restore, store as stored } from "../../src/cluster/StoredOutcomes.ts"
import { formatOf } from "../../src/input/InputFile.ts"
import { isPending } from "../../src/journal/LineStates.ts"
import { type ReportLine, shown } from "../../src/Report.ts"
import { RunNotFound } from "../../src/RunError.ts"
import type { Halt, RunStatus } from "../../src/RunStatus.ts"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"

interface MemoryRun {
  readonly run: SubmittedRun
  readonly createdAt: number
  options: SubmittedRun["options"]
  isPlanned: boolean
  halted: Halt | undefined
  keysHonoured: boolean
  pass: number
}

interface MemoryChunk extends Pick<TakenChunk, "number" | "chunk"> {
  readonly input: RunInput
  readonly sealed: Buffer | undefined
  outcomes: ReadonlyArray<ChunkOutcome>
  claims: TakenChunk["claims"]
  claimedBy: string | undefined
  attempts: number
  leasedUntil: number | undefined
  firstClaimedAt: number | undefined
  isDone: boolean
  problem: string | undefined
}

/** The options of a run of NDJSON. */
export const storedOptions: SubmittedRun["options"] = {
  format: "ndjson",
  sha256: "",
  sample: [],
  columns: {},
  defaults: {},
  atLeastOnce: false,
  serviceHonoursKeys: false,
  keyRetentionMs: 0
}

/** The chunks of an import of a file, with 200 lines at most. */
export const planned = (file: string, options: Partial<PlanOptions> = {}) => {
  const defaults = { run: "r1", kind: "import", columns: {}, only: undefined, size: 200 } as const
  const contents = planContents({ ...defaults, file, format: formatOf(file), ...options })
  return Effect.map(Stream.runCollect(contents), (chunks) => chunks.map(({ chunk }) => chunk))
}

const now = (): number => Date.now()

const raise = (message: string): never => {
  throw new Error(message)
}

/** As the database has them: without the pass of lines that succeeded. */
const asStored = (before: ReadonlyArray<ChunkOutcome>, now: ReadonlyArray<ChunkOutcome>): ReadonlyArray<ChunkOutcome> =>
  restore(stored(merge(before, now)))

/** Lines that were claimed and have no outcome. */
const linesInDoubt = ({ claims, outcomes }: Pick<MemoryChunk, "claims" | "outcomes">): ReadonlyArray<number> =>
  claims.flat().filter((line) => outcomes.every((outcome) => outcome.line !== line))

const reportInDoubt = (chunk: MemoryChunk): ReadonlyArray<ReportLine> =>
  chunk.isDone ? [] : linesInDoubt(chunk).map((line) => ({ line, outcome: "unknown", message: inDoubt }))

/** Makes a storage in memory. */
export const memoryChunks = (): ChunkStoreShape => {
  const runs = new Map<string, MemoryRun>()
  const chunks: Array<MemoryChunk> = []
  let service: string | undefined
  let environment: string | undefined
  let limit: Effect.Success<ChunkStoreShape["serviceLimit"]>
  let nextTurnAt = -Infinity

  const ofRun = (id: string) => chunks.filter(({ chunk }) => chunk.run === id)
  const isFinished = ({ isPlanned, run }: MemoryRun) => isPlanned && ofRun(run.id).every(({ isDone }) => isDone)
  const runOf = (id: string): MemoryRun => runs.get(id) ?? raise(`no run ${id}`)
  const mine = ({ attempts, chunk, number }: TakenChunk): MemoryChunk | undefined =>
    chunks.find(
      (each) => each.chunk.run === chunk.run && each.number === number && each.attempts === attempts && !each.isDone
    )
  const isHalted = ({ run }: TakenChunk["chunk"]) => runOf(run).halted !== undefined
  /** The chunk of an attempt that may continue. */
  const kept = (taken: TakenChunk) => (isHalted(taken.chunk) ? undefined : mine(taken))

  const statusOf = (known: MemoryRun): RunStatus => {
    const { createdAt, halted, isPlanned, pass, run } = known
    const own = ofRun(run.id)
    const { maybeTwice, ...counts } = countsOf(own.flatMap(({ outcomes }) => outcomes))
    const open = own.filter(({ isDone }) => !isDone)
    const isOver = halted !== "cancelled" && isFinished(known)
    const state = isOver ? "finished" : (halted ?? (isPlanned ? "running" : "planning"))
    const problem = open.flatMap((each) => each.problem ?? []).at(-1)
    return {
      id: run.id,
      kind: run.kind,
      file: run.file,
      journal: run.id,
      state,
      createdAt: new Date(createdAt).toISOString(),
      total: own.reduce((sum, { chunk }) => sum + chunk.lines, 0),
      counts,
      maybeTwice,
      pass,
      inDoubt: open.flatMap(linesInDoubt).length,
      ...(problem === undefined ? {} : { problem })
    }
  }

  const take = (leaseMs: number): TakenChunk | undefined => {
    const at = now()
    const free = chunks.filter(
      ({ chunk, isDone, leasedUntil = -Infinity }) => !isDone && !isHalted(chunk) && leasedUntil < at
    )
    const next = free.find(({ leasedUntil }) => leasedUntil !== undefined) ?? free[0]
    if (next === undefined) return undefined
    const { keysHonoured, options, pass } = runOf(next.chunk.run)
    next.attempts++
    next.leasedUntil = at + leaseMs
    return {
      number: next.number,
      chunk: next.chunk,
      input: next.input,
      sealed: next.sealed,
      options,
      keysHonoured: keysHonoured || options.serviceHonoursKeys,
      pass,
      earlier: next.outcomes,
      claims: next.claims,
      claimedBy: next.claimedBy,
      isKeyExpired: next.firstClaimedAt !== undefined && next.firstClaimedAt < at - options.keyRetentionMs,
      environment,
      attempts: next.attempts
    }
  }

  const record = (taken: TakenChunk, attempt: ChunkAttempt): void => {
    const { claims, isComplete, keysHonoured, outcomes, problem } = attempt
    const known = mine(taken)
    if (known !== undefined) {
      known.outcomes = asStored(taken.earlier, outcomes)
      known.problem = problem
      known.isDone = isComplete
      const isFree = isComplete || problem === undefined
      known.leasedUntil = isFree ? undefined : now() + Math.min(known.attempts, 30) * 1000
      known.claims = claims ?? known.claims
    }
    if (keysHonoured) runOf(taken.chunk.run).keysHonoured = true
  }

  return {
    claimService: (own) => Effect.sync(() => (service ??= own)),
    claimEnvironment: (own) => Effect.sync(() => (environment ??= own)),
    serviceLimit: Effect.sync(() => limit),
    setServiceLimit: (stated) => Effect.sync(() => void (limit = stated)),
    takeTurn: (forMs) =>
      Effect.sync(() => {
        const at = Math.max(now(), nextTurnAt)
        nextTurnAt = at + forMs
        return at - now()
      }),
    hold: (forMs) => Effect.sync(() => void (nextTurnAt = Math.max(nextTurnAt, now() + forMs))),
    create: (run, verify) =>
      Effect.suspend(() => {
        const same = [...runs.values()].filter(
          (each) => each.options.sha256 === run.options.sha256 || each.run.file === run.file
        )
        const earlier = same.toReversed().map((each) => {
          const end = each.halted === "cancelled" ? each.halted : isFinished(each) ? ("finished" as const) : null
          const mayHaveBeenApplied = ofRun(each.run.id).some(
            ({ claims, outcomes }) =>
              claims.length > 0 || outcomes.some(({ outcome }) => outcome === "succeeded" || outcome === "unknown")
          )
          return Object.assign({ end, mayHaveBeenApplied }, each.run)
        })
        const others = { isPlanned: false, halted: undefined, keysHonoured: false, pass: 1 }
        return Effect.map(verify(earlier), () => {
          runs.set(run.id, { run, createdAt: now(), options: run.options, ...others })
        })
      }),
    find: (name, file) =>
      Effect.suspend(() => {
        const found = [...runs.values()].findLast(({ run }) => name === "." || run.id === name || run.file === file)
        return found === undefined
          ? Effect.fail(new RunNotFound({ message: `the database has no run ${name}` }))
          : Effect.succeed({ ...found.run, isPlanned: found.isPlanned })
      }),
    addChunks: (first, added) =>
      Effect.sync(() => {
        for (const [at, { chunk, sealed }] of added.entries()) {
          if (chunks.some(({ chunk: { run }, number }) => run === chunk.run && number === first + at)) continue
          const { input } = runOf(chunk.run).run
          const empty = { claims: [], outcomes: [], attempts: 0, isDone: false }
          const unset = { claimedBy: undefined, leasedUntil: undefined, firstClaimedAt: undefined, problem: undefined }
          chunks.push({ number: first + at, chunk, input, sealed, ...empty, ...unset })
        }
      }),
    setPlanned: (id) => Effect.sync(() => void (runOf(id).isPlanned = true)),
    take: (leaseMs) => Effect.sync(() => take(leaseMs)),
    extend: (taken, leaseMs) =>
      Effect.sync(() => {
        const known = kept(taken)
        if (known !== undefined) known.leasedUntil = now() + leaseMs
        return known !== undefined
      }),
    claim: (taken, claims, outcomes, claimedBy) =>
      Effect.sync(() => {
        const known = kept(taken)
        if (known === undefined) return false
        known.firstClaimedAt ??= now()
        Object.assign(known, { claims, claimedBy, outcomes: asStored(taken.earlier, outcomes) })
        return true
      }),
    record: (taken, attempt) => Effect.sync(() => record(taken, attempt)),
    statuses: (id) =>
      Effect.sync(() => [...runs.values()].filter(({ run }) => id === undefined || run.id === id).map(statusOf)),
    halt: (id, as) => Effect.sync(() => void (runOf(id).halted = as)),
    remove: (id) => Effect.sync(() => void runs.delete(id)),
    startPass: (id, atLeastOnce) =>
      Effect.sync(() => {
        const known = runOf(id)
        known.pass++
        known.halted = undefined
        if (atLeastOnce !== undefined) known.options = { ...known.options, atLeastOnce }
        for (const each of ofRun(id)) {
          if (!each.outcomes.some((outcome) => isPending(outcome, known.pass))) continue
          Object.assign(each, { isDone: false, leasedUntil: undefined, attempts: each.attempts + 1 })
        }
      }),
    report: (id) =>
      Stream.suspend(() =>
        Stream.fromIterable(
          ofRun(id)
            .flatMap((each) =>
              each.outcomes
                .map((outcome): ReportLine => shown(Struct.omit(outcome, ["pass"])))
                .concat(reportInDoubt(each))
            )
            .toSorted((one, other) => one.line - other.line)
        )
      )
  }
}
