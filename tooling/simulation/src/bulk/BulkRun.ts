/**
 * Bulk runs on virtual time, whose processes are killed and taken up by the next one.
 */
import {
  report,
  type ReportLine,
  resume,
  retryFailed,
  type RunError,
  type RunStatus,
  startImport,
  startMark,
  status
} from "@signalbox/bulk"
import { Disk, type Files } from "@signalbox/bulk/Disk"
import type { ChunkStoreShape } from "@signalbox/bulk/internal/cluster/ChunkStore"
import type { RateLimit } from "@signalbox/core/Client"
import type { Credentials } from "@signalbox/core/Credentials"
import type { Events } from "@signalbox/core/Events"
import type { Messages } from "@signalbox/core/Messages"
import { type Environment, type Fake, type FakeClock, Fault, type JournalEntry } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cause from "effect/Cause"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { inFakeTime, type Leftovers } from "../FakeTime.ts"
import type { Observed } from "../Family.ts"
import { arm } from "../FaultPlan.ts"
import { createdAt, makeWriteService, writeEnvironment } from "../WriteService.ts"
import type { BulkScenario, Kill } from "./BulkScenario.ts"
import {
  clientOver,
  type End,
  isOfOtherEnvironment,
  keyWith,
  type Life,
  runWorkers,
  type WorkersResult
} from "./WorkersRun.ts"
import { filesOfProcess, MemoryDisk, type Supervise } from "./MemoryDisk.ts"

/** The engines of bulk runs. */
export interface BulkUnderTest {
  readonly startImport: typeof startImport
  readonly startMark: typeof startMark
  readonly resume: typeof resume
  readonly retryFailed: typeof retryFailed
  readonly report: typeof report
  /** The file system, as the run sees it. */
  readonly files: (files: Files) => Files
  /** The storage of workers, as they see it. */
  readonly store: (store: ChunkStoreShape) => ChunkStoreShape
}

/** The engines that ship. */
export const shippedBulk: BulkUnderTest = {
  startImport,
  startMark,
  resume,
  retryFailed,
  report,
  files: (files) => files,
  store: (store) => store
}

/** The record of a run; times are milliseconds since 1970 on the virtual clock. */
export interface BulkObservation extends Observed {
  readonly scenario: BulkScenario
  /** The keys of the two environments. */
  readonly apiKeys: ReadonlyArray<string>
  /** The requests of each environment. */
  readonly journals: ReadonlyArray<ReadonlyArray<JournalEntry>>
  readonly lives: ReadonlyArray<Life>
  /** The outcome of every line; `undefined` when the run never finished. */
  readonly report: ReadonlyArray<ReportLine> | undefined
  readonly status: RunStatus | undefined
  /** The lines of the requests with a key. */
  readonly linesOfKey: ReadonlyMap<string, ReadonlyArray<number>>
  /** The files at the end, without the input. */
  readonly files: ReadonlyMap<string, string>
  /** Messages that are read at the end. */
  readonly leftovers: Leftovers
}

type Services = Credentials | Messages | Events | RateLimit

const input = "/runs/input.ndjson"

/** The device token, webhook URL or message of a line. */
export const contentOf = ({ work }: BulkScenario, line: number): string => {
  switch (work) {
    case "tokens":
      return `device-token-of-${line}`
    case "webhooks":
      return `https://chat.test/hooks/webhook-secret-of-${line}`
    case "marks":
      return String(line).padStart(24, "0")
  }
}

/** The subscriber of a line. */
const subscriberOf = ({ linesOfSubscriber }: BulkScenario, line: number): string =>
  `user-${Math.ceil(line / linesOfSubscriber)}`

const requestOf = (scenario: BulkScenario, line: number): object => {
  const content = contentOf(scenario, line)
  const subscriberId = line === scenario.invalidLine ? "" : subscriberOf(scenario, line)
  switch (scenario.work) {
    case "tokens":
      return { subscriberId, providerId: "fcm", credentials: { deviceTokens: [content] } }
    case "webhooks":
      return { subscriberId, providerId: "slack", credentials: { webhookUrl: content } }
    case "marks":
      return { subscriberId, messageId: content, markAs: "read" }
  }
}

const inputOf = (scenario: BulkScenario): string =>
  Array.from({ length: scenario.lines }, (_, at) => `${JSON.stringify(requestOf(scenario, at + 1))}\n`).join("")

/** Two environments of a service with the same subscribers and messages: that of the run, and another one. */
const makeService = (scenario: BulkScenario, clock: FakeClock): readonly [own: Fake, other: Environment] => {
  const own = makeWriteService(scenario, clock)
  const other = own.environment(writeEnvironment(scenario, clock))
  for (const providerId of ["fcm", "slack"] as const) other.addIntegration({ providerId, createdAt })
  for (const environment of [own, other]) fill(environment, scenario)
  return [own, other]
}

const fill = (fake: Environment, scenario: BulkScenario): void => {
  const { hasEvents, latencyMs, lines } = scenario
  const subscribers = new Set(Array.from({ length: lines }, (_, at) => subscriberOf(scenario, at + 1)))
  for (const subscriberId of subscribers) fake.addSubscriber({ subscriberId, createdAt, updatedAt: createdAt })
  for (let line = 1; line <= lines; line++) {
    const id = String(line).padStart(24, "0")
    fake.addMessage({ id, subscriberId: subscriberOf(scenario, line), createdAt, deliveredAt: [createdAt] })
  }
  if (hasEvents) fake.addEvent({ subscriberId: subscriberOf(scenario, 1) })
  if (latencyMs > 0) fake.faults.add(Fault.latency(latencyMs, { at: "validated", times: "always" }))
}

/** A process that works on a run until it is killed. */
const startProcess = (
  { files }: BulkUnderTest,
  fake: Fake,
  apiKey: string,
  disk: MemoryDisk,
  kill: Kill | undefined,
  onRequest: (init: RequestInit | undefined) => void
): {
  readonly apiKey: Redacted.Redacted<string>
  readonly run: <A>(work: Effect.Effect<A, RunError, Services>) => Promise<Exit.Exit<A, RunError>>
  readonly isKilled: () => boolean
} => {
  const killed = new AbortController()
  const counts = { write: 0, request: 0, response: 0 }
  const isGone = () => killed.signal.aborted
  const gone = (): Error => Object.assign(new Error("the process was killed"), { code: "EIO" })
  /** Whether the process is to be killed now. */
  const isDue = (on: Kill["on"]) => ++counts[on] === kill?.number && on === kill.on
  const die = () => {
    killed.abort(gone())
    if (kill?.losesPower === true) disk.failPower(kill.keptPercent / 100)
  }

  const supervise: Supervise = async ({ act, actInPart }) => {
    if (isGone()) throw gone()
    if (!isDue("write")) return act()
    if (kill?.phase === "after") await act()
    if (kill?.phase === "during") await actInPart?.()
    die()
    throw gone()
  }

  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (isGone()) throw gone()
    onRequest(init)
    const signals = [killed.signal, ...(init?.signal ? [init.signal] : [])]
    const response = fake.fetch(url, { ...init, signal: AbortSignal.any(signals) })
    if (isDue("request")) die()
    const received = await response
    if (isDue("response")) die()
    if (isGone()) throw gone()
    return received
  }

  return {
    apiKey: Redacted.make(apiKey),
    isKilled: isGone,
    run: (work) =>
      Effect.runPromiseExit(
        work.pipe(
          Effect.provideService(Disk, files(filesOfProcess(disk, supervise, isGone))),
          Effect.provide(clientOver(fetch, apiKey, fake.baseUrl))
        ),
        { signal: killed.signal }
      )
  }
}

type Process = ReturnType<typeof startProcess>

const optionsOf = ({ atLeastOnce, concurrency, declaresKeys, honoursKeys }: BulkScenario) => ({
  input,
  concurrency,
  validate: "during" as const,
  atLeastOnce,
  serviceHonoursKeys: declaresKeys && honoursKeys
})

/** A run with a journal: the work of its next process, which is `undefined` when nothing is left to do. */
const journalEngine = (scenario: BulkScenario, bulk: BulkUnderTest, disk: Files) => {
  const { concurrency, work } = scenario
  const start = work === "marks" ? bulk.startMark : bulk.startImport
  const passes = scenario.retriesFailed ? 2 : 1
  let known: RunStatus | undefined
  const workLeft: (process: Process) => Effect.Effect<RunStatus, RunError, Services> = ({ apiKey }) => {
    if (known === undefined) return start({ ...optionsOf(scenario), apiKey })
    const resume = known.state === "finished" ? bulk.retryFailed : bulk.resume
    return resume(input, { concurrency, apiKey })
  }
  return {
    status: () => known,
    report: () => Stream.runCollect(bulk.report(input)),
    next: async () => {
      const found = await Effect.runPromiseExit(Effect.provideService(status(input), Disk, disk))
      known = Exit.isSuccess(found) ? found.value : undefined
      const isDone = known?.state === "finished" && known.pass >= passes
      return isDone ? undefined : (process: Process) => process.run(workLeft(process))
    }
  }
}

const endOf = (exit: Exit.Exit<unknown, RunError>, { isKilled }: Process): End => {
  if (isKilled()) return "killed"
  if (Exit.isSuccess(exit)) return "finished"
  const error = Cause.squash(exit.cause)
  // The engines fail only with errors of their own; a defect ends the scenario.
  if (exit.cause.reasons.every(Cause.isFailReason)) return error as RunError
  throw error
}

/** More processes than any run needs; after half of them, the faults of the service are over. */
const maxLives = 12

const play = async (scenario: BulkScenario, bulk: BulkUnderTest): Promise<BulkObservation> => {
  const disk = new MemoryDisk()
  await disk.create(input, inputOf(scenario))
  const lives: Array<Life> = []
  const engine = journalEngine(scenario, bulk, disk)
  const linesOfKey = new Map<string, ReadonlyArray<number>>()
  const noteLines = (init: RequestInit | undefined) => {
    const key = new Headers(init?.headers).get("idempotency-key")
    const body = String(init?.body)
    const numbers = Array.from({ length: scenario.lines }, (_, at) => at + 1)
    if (key !== null)
      linesOfKey.set(
        key,
        numbers.filter((line) => body.includes(`"${contentOf(scenario, line)}"`))
      )
  }
  let lines: ReadonlyArray<ReportLine> | undefined
  let shared: WorkersResult | undefined
  let made:
    | { readonly environments: ReadonlyArray<Environment>; readonly fired: () => ReadonlyArray<string> }
    | undefined
  const writeInput = async (isChanged: boolean) => {
    await disk.remove(input)
    await disk.create(input, isChanged ? inputOf(scenario).replaceAll('"user-', '"USER-') : inputOf(scenario))
  }
  const { leftovers } = await inFakeTime(scenario.seed, async (clock) => {
    const [fake, other] = makeService(scenario, clock)
    made = { environments: [fake, other], fired: arm(fake, scenario.faults) }
    /** The key that the operator takes for the right one. */
    let usual = fake.apiKey
    if (scenario.engine === "workers") {
      const options = optionsOf(scenario)
      shared = await runWorkers({
        scenario,
        fake,
        other: other.apiKey,
        disk,
        writeInput,
        options,
        onRequest: noteLines,
        storeOf: bulk.store
      })
      lines = shared.report
      return
    }
    let next = await engine.next()
    while (next !== undefined && lives.length < maxLives) {
      if (lives.length === maxLives / 2) fake.faults.clear()
      // A run that does not exist yet is bound to no input.
      const mistake = (engine.status() !== undefined && scenario.mistakes[lives.length - 1]) || "none"
      const apiKey = keyWith(mistake, usual, other.apiKey)
      const process = startProcess(bulk, fake, apiKey, disk, scenario.kills[lives.length], noteLines)
      if (mistake === "input") await writeInput(true)
      const end = endOf(await next(process), process)
      if (mistake === "input") await writeInput(false)
      lives.push({ end, at: Date.now(), apiKey })
      // Nothing had been sent before: the run belongs to the environment of the wrong key.
      if (mistake === "none" && isOfOtherEnvironment(end)) usual = usual === fake.apiKey ? other.apiKey : fake.apiKey
      // All processes of a scenario are this one, so the lock of a dead one would seem to be held.
      for (const path of disk.contents().keys()) if (path.includes(".lock.")) await disk.remove(path)
      next = await engine.next()
    }
    if (next !== undefined) return
    lines = await Effect.runPromise(engine.report().pipe(Effect.provideService(Disk, disk), Effect.orDie))
  })
  if (made === undefined) throw new Error("the scenario did not start")
  const { environments, fired } = made
  const journals = environments.map(({ journal }) => journal.entries())
  const files = new Map([...disk.contents()].filter(([path]) => path !== input))
  if (shared !== undefined) files.set("stored.journal", shared.stored)
  return {
    scenario,
    apiKeys: environments.map(({ apiKey }) => apiKey),
    journals,
    journal: journals.flat().toSorted((one, next) => one.at - next.at),
    fired: fired(),
    lives: shared?.lives ?? lives,
    linesOfKey,
    report: lines,
    status: shared?.status ?? engine.status(),
    files,
    leftovers
  }
}

/** Does a bulk run and records what happened. */
export const runBulk = (scenario: BulkScenario, bulk: BulkUnderTest): Effect.Effect<BulkObservation> =>
  Effect.promise(() => play(scenario, bulk))
