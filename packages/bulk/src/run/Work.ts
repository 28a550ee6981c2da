/**
 * Does a run whose journal exists: an import, a mark or an export, from where the journal leaves off.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Events } from "@signalbox/core/Events"
import type { Messages } from "@signalbox/core/Messages"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { dirname, resolve as resolvePath } from "node:path"
import { Disk, entryAt } from "../file/Disk.ts"
import type { InputFile } from "../input/InputFile.ts"
import * as Journal from "../journal/Journal.ts"
import type { LineRunHeader } from "../journal/JournalRecord.ts"
import { type Recovered, recover } from "../journal/Recovery.ts"
import type { Held } from "../journal/RunLock.ts"
import type { RunError } from "../RunError.ts"
import type { Halt, RunStatus } from "../RunStatus.ts"
import { keyDigest } from "./Environment.ts"
import { doExport } from "./ExportRun.ts"
import { doLines, type OpenLineRun, type RunMonitor } from "./LineRun.ts"
import { MaxRate } from "./MaxRate.ts"
import { makeEstimate, ProgressObserver } from "./Progress.ts"
import { observed } from "./RunTelemetry.ts"

/** The services that runs send their calls with. */
export type RunServices = Credentials | Messages | Events

/** The status of a run in a state. */
export const statusOf = (
  path: string,
  { connection, header, pages, pass, states }: Recovered,
  state: RunStatus["state"]
): RunStatus => {
  const folder = dirname(path)
  const isExport = header.kind === "export"
  return {
    id: header.id,
    kind: header.kind,
    state,
    journal: path,
    file: resolvePath(folder, isExport ? header.output : header.input.path),
    ...(connection === undefined ? {} : { connection }),
    createdAt: header.createdAt,
    total: isExport ? undefined : header.input.lines,
    counts: isExport ? { succeeded: pages.events, failed: 0, unknown: 0, invalid: 0 } : states.counts(),
    inDoubt: states.claimed,
    maybeTwice: states.maybeTwice,
    pass
  }
}

/** The input of a run, as its journal describes it. */
export const inputFileOf = (journal: string, { columns, defaults, input, kind }: LineRunHeader): InputFile => ({
  kind,
  path: resolvePath(dirname(journal), input.path),
  format: input.format,
  columns,
  defaults
})

/** The file whose existence asks the process that works on a run to halt it. */
export const haltMarker = (journal: string, halt: Halt): string => `${journal}.${halt}`

const halts: ReadonlyArray<Halt> = ["cancelled", "paused"]

/** Removes a file, if it exists. */
export const remove = (path: string): Effect.Effect<void> =>
  Effect.flatMap(Disk, (disk) => Effect.promise(() => disk.remove(path).catch(() => {})))

/** Calls the observer of the surroundings, if there is one, five times a second until the scope closes. */
const observe = Effect.fnUntraced(function* (
  path: string,
  { header }: Recovered,
  monitor: RunMonitor
): Effect.fn.Return<void, never, Scope.Scope> {
  const onProgress = yield* ProgressObserver
  if (onProgress === undefined) return
  const clock = yield* Clock.Clock
  const estimate = makeEstimate()
  const total = header.kind === "export" ? undefined : header.input.lines
  const tick = Effect.sync(() => {
    const known = monitor.progress()
    const estimated = estimate({ counts: known.counts, total }, clock.currentTimeMillisUnsafe())
    onProgress({ ...known, ...estimated, id: header.id, journal: path, total })
  })
  yield* Effect.forkScoped(Effect.repeat(tick, Schedule.spaced("200 millis")))
  yield* Effect.addFinalizer(() => tick)
})

/** How a run is done. */
export interface WorkOptions extends Pick<OpenLineRun, "concurrency" | "isEnvironmentVerified"> {
  /** The lock of the run. */
  readonly held: Held
  /** The API key of the client, where the caller told it. */
  readonly apiKey: Redacted.Redacted<string> | undefined
}

/** Does a run, and records how it ended. */
export const work = Effect.fnUntraced(function* (
  path: string,
  recovered: Recovered,
  { apiKey, concurrency, held, isEnvironmentVerified }: WorkOptions
): Effect.fn.Return<RunStatus, RunError, RunServices | Scope.Scope> {
  const { header } = recovered
  const journal = yield* Journal.openForWriting(path, recovered, held)
  const key = keyDigest(header.id, apiKey)
  // Durable with the first claim, before a line is sent.
  if (key !== undefined && key !== recovered.key) yield* journal.append({ type: "key", digest: key })
  const monitor: RunMonitor = {
    progress: () => ({ counts: recovered.states.counts(), waiting: undefined })
  }
  yield* observe(path, recovered, monitor)
  const doAll: Effect.Effect<void, RunError, RunServices> =
    header.kind === "export"
      ? doExport({ header, output: resolvePath(dirname(path), header.output), recovered, journal }, monitor)
      : doLines(
          { header, input: inputFileOf(path, header), recovered, journal, concurrency, isEnvironmentVerified },
          monitor
        )
  const halted = Effect.repeat(
    Effect.filter(halts, (halt) => Effect.map(entryAt(haltMarker(path, halt)), Boolean)),
    { schedule: Schedule.spaced("250 millis"), until: ([halt]) => halt !== undefined }
  )
  const watched = observed(header, () => monitor.progress().counts, doAll).pipe(
    Effect.updateService(MaxRate, (given) => given ?? header.maxRate)
  )
  const [end = "finished"] = yield* Effect.raceFirst(Effect.as(watched, []), halted)
  // The end has a commit to itself: damage to the last commit must not lose outcomes.
  yield* journal.commit
  yield* journal.append({ type: end })
  yield* journal.commit
  for (const halt of halts) yield* remove(haltMarker(path, halt))
  const known = header.kind === "export" ? yield* recover(path) : recovered
  return statusOf(path, known, end)
}, Effect.scoped)
