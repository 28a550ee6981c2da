import { nextTurn } from "../clock/FakeClock.ts"
import type { ManualClock } from "../clock/ManualClock.ts"
import { createFake, type Fake } from "../environment/Fake.ts"
import * as Fault from "../faults/Fault.ts"
import { fromJson } from "../faults/FaultSchema.ts"
import { type PlainEnvironmentOptions, readToken, reproductionToken } from "../environment/ReproductionToken.ts"
import { timeline as timelineOf } from "../verdicts/Timeline.ts"
import { everyFault } from "./SweepFaults.ts"
import { doesNotPass, type SweepCell, SweepFailed, SweepReport } from "./SweepReport.ts"
import { runOnVirtualTime, type VirtualRun, virtualStart } from "../time/VirtualTime.ts"

/** A test: it uses the fake as the service and throws if something is wrong. */
export type SweptTest = (fake: Fake, clock: ManualClock) => Promise<unknown> | unknown

/** The faults that a sweep tries by default. */
export const sweepFaults: ReadonlyArray<Fault.Fault> = [
  ...everyFault(),
  // Programs read these fields of events without a check: they lose events, or end too early.
  ...["hasMore", "data[]._id", "data[].jobs", "data[].jobs[].status"].map((field) =>
    Fault.drift({ kind: "missing-field", field, operation: "events.list" })
  )
]

/** The options of a sweep. */
export interface SweepOptions extends Omit<PlainEnvironmentOptions, "faults"> {
  /** The faults to try, each at every request. Default: {@link sweepFaults}. */
  readonly faults?: ReadonlyArray<Fault.Fault>
  /** Runs only the cell of this token, from the message of an earlier failure. */
  readonly reproduce?: string
}

/** Rejects a test that shows nothing because it does not use its fake. @internal */
export const checkUse = (name: string, { isUsed }: Pick<Run, "isUsed">): void => {
  if (isUsed) return
  throw new RangeError(
    `${name}: the test sent no request to its fake. Use the fake that it is called with, and await its requests`
  )
}

/** A run of a test. */
interface Run {
  readonly run: VirtualRun<unknown>
  readonly requests: number
  /** Whether a request came, also without a valid API key. */
  readonly isUsed: boolean
  readonly timeline: string
}

/** A `fetch` whose responses come in a later turn of the event loop than all steps of a test that does not await them. */
const slowly =
  (fetch: typeof globalThis.fetch, onResponse: () => void): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    await new Promise<void>(nextTurn)
    if (init?.signal?.aborted !== true) onResponse()
    return response
  }

/** Runs a test on virtual time, with its own fake; fails one that ends before the responses, which it could not assert. */
export const runTest = async (
  test: SweptTest,
  { clock: start = virtualStart, ...options }: PlainEnvironmentOptions,
  prepare: (fake: Fake) => void = () => {}
): Promise<Run> => {
  // Callers without types can pass anything.
  if (typeof test !== "function") throw new RangeError("the test must be a function, called with its fake")
  let fake: Fake | undefined
  let isOver = false
  let late = 0
  const ran = await runOnVirtualTime(start, async (clock) => {
    fake = createFake({ data: "empty", ...options, clock })
    // In place, because the entry points of a fake are found by its identity.
    Object.assign(fake, { fetch: slowly(fake.fetch, () => void (late += Number(isOver))) })
    prepare(fake)
    const value = await test(fake, clock)
    isOver = true
    return value
  })
  const error = new Error(`the test ended before the responses to ${late} of its requests: await every call`)
  const run: VirtualRun<unknown> =
    ran._tag === "Returned" && late > 0 ? { _tag: "Threw", error, timersLeft: ran.timersLeft } : ran
  const timeline = fake === undefined ? "" : timelineOf(fake)
  const requests = fake?.journal.entries().length ?? 0
  const isUsed = requests + (fake?.unmatchedRequests.count() ?? 0) > 0
  return { run, requests, isUsed, timeline }
}

type Ran = Run & { readonly fired: number }

const runWith = async (test: SweptTest, options: PlainEnvironmentOptions, fault: Fault.Fault): Promise<Ran> => {
  let fired = () => 0
  const ran = await runTest(test, options, (fake) => void ({ fired } = fake.faults.add(fault)))
  return { ...ran, fired: fired() }
}

const cellOf = (
  fault: Fault.Fault,
  request: number,
  options: PlainEnvironmentOptions,
  { fired, run, timeline }: Ran
): SweepCell => {
  const token = reproductionToken({ data: "empty", clock: virtualStart, ...options, faults: [fault] })
  const cell = { fault, request, token, timeline }
  if (fired === 0) return { ...cell, outcome: "not-reached" }
  if (run._tag === "Returned") return { ...cell, outcome: "passed" }
  return { ...cell, outcome: run._tag === "Hung" ? "hung" : "failed", error: run.error }
}

/** Runs the test with a fault at the first request, the second one and so on, until there is no such request. */
const sweepFault = async (
  test: SweptTest,
  options: PlainEnvironmentOptions,
  fault: Fault.Fault
): Promise<ReadonlyArray<SweepCell>> => {
  const cells: Array<SweepCell> = []
  for (let request = 1; ; request += 1) {
    const at = fromJson({ ...fault, request })
    const ran = await runWith(test, options, at)
    if (ran.requests < request) return cells
    cells.push(cellOf(at, request, options, ran))
  }
}

const reproduce = async (test: SweptTest, token: string): Promise<SweepReport> => {
  const { faults: [fault] = [], ...options } = readToken(token)
  if (fault === undefined) throw new RangeError("sweep.reproduce: the token has no fault")
  const at = fromJson(fault)
  return new SweepReport([cellOf(at, at.request ?? 1, options, await runWith(test, options, at))])
}

/**
 * Runs a test with one fault after another: each fault at each request, until a run has no
 * further request. The test must pass every time, so assert only what is true under every fault: for example that the
 * code under test reports a failure, or that the change was applied exactly once. Await every call: a test that ends
 * before the response to one of its requests fails.
 *
 * **When to use**: to find the faults that a client or a program does not survive, without guessing them.
 *
 * **Details**: each run has its own fake, by default without data. Time is virtual: the timers of the process are
 * replaced until the sweep ends, so a backoff of minutes takes no time and a test that never finishes is reported as
 * hung. A test that waits on a real timer or socket fails with the line that started it. Do not run other asynchronous
 * code at the same time.
 *
 * A sweep that shows nothing is an error: a test without requests, no faults, or none that can happen to a request.
 *
 * @throws SweepFailed, with a matrix of all runs and a token that reproduces the first failure.
 * @example
 * ```ts
 * import { sweep } from "@signalbox/test-harness"
 *
 * const report = await sweep(async (fake) => {
 *   const headers = { authorization: `ApiKey ${fake.apiKey}` }
 *   const response = await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers, signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
 *   // The program under test would handle the response here.
 *   return response?.status
 * })
 * report.failures.length // => 0
 * ```
 */
export const sweep = async (test: SweptTest, options: SweepOptions = {}): Promise<SweepReport> => {
  const { faults = sweepFaults, reproduce: token, ...environment } = options
  const report = token === undefined ? await sweepAll(test, environment, faults) : await reproduce(test, token)
  if (report.failures.length > 0) throw new SweepFailed(report)
  return report
}

const sweepAll = async (
  test: SweptTest,
  options: PlainEnvironmentOptions,
  faults: ReadonlyArray<Fault.Fault>
): Promise<SweepReport> => {
  if (faults.length === 0) throw new RangeError("sweep.faults: must have at least one fault")
  const base = await runTest(test, options)
  if (base.run._tag !== "Returned")
    throw doesNotPass("sweep: the test does not pass without a fault", base.run, base.timeline)
  checkUse("sweep", base)
  const cells: Array<SweepCell> = []
  for (const fault of faults) cells.push(...(await sweepFault(test, options, fault)))
  if (cells.every(({ outcome }) => outcome === "not-reached"))
    throw new RangeError("sweep.faults: none of them can happen to a request of the test")
  return new SweepReport(cells)
}
