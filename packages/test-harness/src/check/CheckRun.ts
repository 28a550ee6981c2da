/**
 * One run of a program: the client's reports and output, and the requests and state of the service.
 */
import { neutral } from "@signalbox/core/Vendor"
import { createFake, type Fake } from "../environment/Fake.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { keepWholeResponses } from "../journal/OpenEntry.ts"
import type { EnvironmentRecords } from "../state/EnvironmentRecords.ts"
import { endsInRealTime, runOnVirtualTime, virtualStart } from "../time/VirtualTime.ts"
import { timeline } from "../verdicts/Timeline.ts"
import type { AnyCall, CheckedCall } from "./CheckedCall.ts"
import { type CheckProgram, isConcurrent, mayLoseUpdates } from "./CheckProgram.ts"
import type { CallResult } from "./CallResult.ts"
import type { CheckedService, MakeCall, MakeClient } from "./CheckTarget.ts"
import { type RequestRun, wrongRequest } from "./RequestMatch.ts"

/** A call that was made; without a result, the client never finished it. */
export interface MadeCall {
  readonly call: AnyCall
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly result: CallResult | undefined
  readonly deadlineMs: number
  /** The most requests that it sends, if that is known. */
  readonly maxRequests?: number
  /** Its requests, oldest first. */
  readonly requests: ReadonlyArray<JournalEntry>
}

/** A call before its requests are known. */
interface StartedCall extends Omit<MadeCall, "requests"> {
  /** How many requests the service had received when it started. */
  readonly requestsBefore: number
  /** Ends when the client reports an outcome, however late. */
  readonly reported: Promise<CallResult>
}

/** Everything that is known about a run. */
export interface CheckRun extends RequestRun {
  readonly calls: ReadonlyArray<MadeCall>
  /** Requests without the key of the service. */
  readonly unmatchedRequests: number
  readonly records: EnvironmentRecords
  /** The client's output and errors. */
  readonly output: string
  readonly apiKey: string
  /** Timers that are left two minutes after the last call; 0 where the check cannot count them. */
  readonly timersLeft: number
  /** Milliseconds by which the clocks of client and service may differ. */
  readonly toleranceMs: number
  /** Whether every response without a fault takes the most cautious reading: a client may reject any other. */
  readonly keepsContract: boolean
  readonly timeline: string
}

export interface RunOptions {
  readonly deadlineMs: number
  /** Time that a client has after its deadline to report an outcome. */
  readonly graceMs: number
  /** The most requests that one call of the client sends, if it is known. */
  readonly maxRequests?: number
}

export type RunProgram = (program: CheckProgram, options: RunOptions) => Promise<CheckRun>

/** Time after the last call in which a request is a request too many. */
const afterwardsMs = 120_000

/** More requests than any client needs; the next ones get no response, so that a loop without a wait ends. */
const maxRequests = 300

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return ""
  }
}

/** Everything that a log of an error would show. */
export const textOf = (error: unknown, depth = 0): string => {
  if (error === undefined || error === null) return ""
  if (!(error instanceof Error) || depth > 5) return typeof error === "string" ? error : jsonOf(error)
  return [String(error), error.stack, jsonOf(error), jsonOf({ ...error }), textOf(error.cause, depth + 1)].join("\n")
}

const consoleMethods = ["debug", "error", "info", "log", "trace", "warn"] as const

/** Collects what is printed until it is stopped. */
const captureConsole = (): { readonly output: Array<string>; readonly stop: () => void } => {
  const output: Array<string> = []
  const before = consoleMethods.map((name) => [name, console[name]] as const)
  for (const name of consoleMethods) {
    console[name] = (...values: ReadonlyArray<unknown>) =>
      void output.push(values.map((value) => textOf(value)).join(" "))
  }
  return { output, stop: () => void Object.assign(console, Object.fromEntries(before)) }
}

const sleep = (millis: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, millis))

/** Makes one call with its deadline; the result is `undefined` if the client never reports one. */
const timedCall = async (
  make: MakeCall,
  call: AnyCall,
  fake: Fake,
  { graceMs, ...limits }: RunOptions
): Promise<StartedCall> => {
  const { deadlineMs } = limits
  const startedAt = fake.now()
  const requestsBefore = fake.journal.entries().length
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), deadlineMs + graceMs)
  })
  const report = async (): Promise<CallResult> => {
    try {
      // A client of a check with `operations` accepts their calls, too.
      return await make({ ...(call as CheckedCall), deadlineMs })
    } catch (error) {
      return { outcome: "unknown", error }
    }
  }
  const reported = report()
  const result = await Promise.race([reported, late])
  clearTimeout(timer)
  const endedAt = result === undefined ? undefined : fake.now()
  return { call, startedAt, endedAt, result, requestsBefore, reported, ...limits }
}

/** Makes the calls of a program: at the same time, or in order until one never finishes. */
export const makeCalls = async (
  make: MakeCall,
  program: CheckProgram,
  fake: Fake,
  options: RunOptions
): Promise<ReadonlyArray<StartedCall>> => {
  const { calls } = program
  if (isConcurrent(program)) return Promise.all(calls.map((call) => timedCall(make, call, fake, options)))
  const made: Array<StartedCall> = []
  for (const call of calls) {
    const one = await timedCall(make, call, fake, options)
    made.push(one)
    if (one.result === undefined) break
  }
  return made
}

const vendorOf = ({ environment }: CheckProgram): string => environment.vendor ?? neutral

/** Calls with their requests: those that a call stands for, and others that came before the next call. */
const withRequests = (
  started: ReadonlyArray<StartedCall>,
  entries: ReadonlyArray<JournalEntry>,
  run: RequestRun
): ReadonlyArray<MadeCall> => {
  const requests = new Map(started.map((call): [StartedCall, Array<JournalEntry>] => [call, []]))
  for (const entry of entries) {
    const before = started.filter(({ requestsBefore }) => requestsBefore < entry.number).toReversed()
    const owner = before.find(({ call }) => wrongRequest(call, entry, run) === undefined) ?? before[0]
    if (owner !== undefined) requests.get(owner)?.push(entry)
  }
  return [...requests].map(([made, own]) => Object.assign(made, { requests: own }))
}

/** The result of a run, once its calls were made. */
export const finishedRun = (
  program: CheckProgram,
  fake: Fake,
  {
    calls,
    ...made
  }: Pick<CheckRun, "output" | "toleranceMs" | "timersLeft"> & {
    readonly calls: ReadonlyArray<StartedCall>
  }
): CheckRun => {
  const facts: RequestRun = { vendor: vendorOf(program), isConcurrent: mayLoseUpdates(program) }
  return {
    ...made,
    ...facts,
    calls: withRequests(calls, fake.journal.entries(), facts),
    unmatchedRequests: fake.unmatchedRequests.count(),
    records: fake.state(),
    apiKey: fake.apiKey,
    keepsContract: (program.environment.preset ?? "document") === "document",
    timeline: timeline(fake)
  }
}

/** Sends at most `maxRequests` requests. */
const bounded = (fetch: typeof globalThis.fetch): typeof globalThis.fetch => {
  let sent = 0
  return (...input) => {
    sent += 1
    return sent > maxRequests ? new Promise(() => {}) : fetch(...input)
  }
}

/** Serves the declared operations of a program with the responses of their examples. */
export const serveDeclared = (fake: Fake, { calls }: CheckProgram): void => {
  for (const call of calls) {
    if (call.operation !== "declared") continue
    const { idempotent, method, name, path, secrets } = call
    // Only clients call an operation, the fake serves it.
    const operation = { name, method, path, idempotent, secrets, "~callable": {} }
    fake.route(operation, () => ({ body: call.output }))
  }
}

/** Runs programs in this process, on virtual time. */
export const runInProcess = (makeClient: MakeClient): RunProgram => {
  let neverEnds = false
  return async (program, options) => {
    const { environment } = program
    const { clock: startsAt = virtualStart } = environment
    const captured = captureConsole()
    let fake: Fake | undefined
    let made: ReadonlyArray<StartedCall> = []
    let timersLeft = 0
    try {
      const run = await runOnVirtualTime(startsAt, async (clock) => {
        fake = createFake({ ...environment, clock })
        keepWholeResponses(fake.journal)
        serveDeclared(fake, program)
        const service: CheckedService = {
          baseUrl: fake.baseUrl,
          apiKey: fake.apiKey,
          vendor: vendorOf(program),
          fetch: bounded(fake.fetch)
        }
        made = await makeCalls(makeClient(service), program, fake, options)
        await sleep(afterwardsMs)
      })
      if (run._tag === "Threw") throw run.error
      timersLeft = run.timersLeft
    } finally {
      captured.stop()
    }
    if (fake === undefined) throw new Error("the program did not start")
    const unfinished = made.find(({ result }) => result === undefined)
    if (unfinished !== undefined && !neverEnds) {
      const late = await endsInRealTime(unfinished.reported)
      if (late !== undefined) throw late
      // The client hangs, so waiting again would only take time.
      neverEnds = true
    }
    return finishedRun(program, fake, {
      calls: made,
      output: [...captured.output, ...made.map(({ result }) => textOf(result?.error))].join("\n"),
      toleranceMs: 0,
      timersLeft
    })
  }
}

/** Whether the client had to abort a call before it ended. */
export const wasAborted = ({ call: { abortAfterMs = Infinity }, endedAt = Infinity, startedAt }: MadeCall): boolean =>
  endedAt >= startedAt + abortAfterMs
