/**
 * Checks any client with generated programs, faults and switches.
 */
import * as Schema from "effect/Schema"
import { inputCheck, integer } from "../Input.ts"
import { environmentFields } from "../EnvironmentOptions.ts"
import { type PlainEnvironmentOptions, readReproduction, writeReproduction } from "../ReproductionToken.ts"
import {
  checkFaults,
  type CheckProgram,
  generateProgram,
  plainProgram,
  type ProgramOptions,
  smallerPrograms
} from "./CheckProgram.ts"
import { type CheckFinding, CheckFailed, CheckReport, curlOf } from "./CheckReport.ts"
import { type BrokenRule, brokenRules, type CheckRuleName, checkRuleNames } from "./CheckRules.ts"
import { type CheckRun, runInProcess, type RunProgram } from "./CheckRun.ts"
import { type CheckTarget, clientOf } from "./CheckTarget.ts"

/** The options of a check. */
export interface CheckOptions {
  /** How many programs to generate. */
  readonly runs?: number
  /** The same seed generates the same programs. Default 1. */
  readonly seed?: number
  /** The deadline of each call, which the client receives. */
  readonly deadlineMs?: number
  /** The vendor in wire identifiers, for clients of one vendor. Default `"service"`. */
  readonly vendor?: string
  /** Runs only the program of this token, from an earlier finding. */
  readonly reproduce?: string
}

/** A way to run programs, with its defaults. */
export interface Checker {
  readonly run: RunProgram
  readonly isServed: boolean
  /** Programs that run at the same time. */
  readonly concurrency: number
  readonly runs: number
  readonly deadlineMs: number
  /** Time that a client has after its deadline to report an outcome. */
  readonly graceMs: number
  /** The most programs that are run to shrink a finding. */
  readonly maxShrinks: number
  /** The command that repeats a token, named `TOKEN` in it. */
  readonly reproduce: string
}

const check = inputCheck(
  "checkClient",
  Schema.Struct({
    runs: Schema.optionalKey(integer(1)),
    seed: environmentFields.seed,
    deadlineMs: Schema.optionalKey(integer(1)),
    vendor: environmentFields.vendor,
    reproduce: Schema.optionalKey(Schema.String)
  })
)

/** The first program that broke a rule, and how many did. */
interface Seen {
  readonly program: CheckProgram
  readonly run: CheckRun
  readonly broken: BrokenRule
  programs: number
}

/** Makes the program of a finding smaller, as long as it breaks the same rule. */
const shrink = async (
  { graceMs, maxShrinks, run }: Checker,
  rule: CheckRuleName,
  deadlineMs: number,
  seen: Seen
): Promise<Seen> => {
  let smallest = seen
  let left = maxShrinks
  const smaller = async (): Promise<Seen | undefined> => {
    for (const program of smallerPrograms(smallest.program)) {
      if (left <= 0) return undefined
      left -= 1
      const ran = await run(program, { deadlineMs, graceMs })
      const broken = (await brokenRules(ran)).find((one) => one.rule === rule)
      if (broken !== undefined) return { ...smallest, program, run: ran, broken }
    }
    return undefined
  }
  for (let next = await smaller(); next !== undefined; next = await smaller()) smallest = next
  return smallest
}

/** In real time, a busy machine can delay a client: a finding counts if its program breaks the rule again. */
const happensAgain = async (
  { graceMs, isServed, run }: Checker,
  deadlineMs: number,
  { broken: { rule }, program }: Seen
): Promise<boolean> => {
  if (!isServed) return true
  const broken = await brokenRules(await run(program, { deadlineMs, graceMs }))
  return broken.some((one) => one.rule === rule)
}

const findingOf = ({ broken, program, programs, run }: Seen): CheckFinding => ({
  rule: broken.rule,
  message: broken.message,
  programs,
  program,
  timeline: run.timeline,
  token: writeReproduction({ ...program.environment, calls: program.calls }),
  curl: curlOf(program, broken.call ?? 1)
})

/** A client that does not succeed without faults is not connected: every finding would say so in its own way. */
const checkConnected = async ({ graceMs, run }: Checker, program: CheckProgram, deadlineMs: number): Promise<void> => {
  const ran = await run(program, { deadlineMs, graceMs })
  if (ran.calls.length === program.calls.length && ran.calls.every(({ result }) => result?.outcome === "ok")) return
  const outcomes = ran.calls.map(({ call, result }) => `${call.operation}: ${result?.outcome ?? "no outcome"}`)
  const output = [...new Set(ran.output.trim().split("\n"))].slice(0, 5).join("\n")
  throw new Error(
    [`the client does not succeed without faults (${outcomes.join(", ")})`, ran.timeline.trimEnd(), output]
      .filter((line) => line !== "")
      .join("\n")
  )
}

const programOf = (token: string): CheckProgram => {
  const { calls, ...environment } = readReproduction(token)
  if (calls === undefined || calls.length === 0) throw new RangeError("checkClient.reproduce: the token has no calls")
  return { environment, calls }
}

/** Runs all programs, and keeps the first one that broke each rule. */
const runAll = async (checker: Checker, programs: ReadonlyArray<CheckProgram>, deadlineMs: number) => {
  const outcomes = { ok: 0, failed: 0, unknown: 0, none: 0 }
  const seen = new Map<CheckRuleName, Seen>()
  const pending = programs.entries()
  const work = async (): Promise<void> => {
    for (const [, program] of pending) {
      const run = await checker.run(program, { deadlineMs, graceMs: checker.graceMs })
      for (const { result } of run.calls) outcomes[result?.outcome ?? "none"] += 1
      const broken = await brokenRules(run)
      for (const rule of new Set(broken.map((one) => one.rule))) {
        const known = seen.get(rule)
        const first = broken.find((one) => one.rule === rule)
        if (known !== undefined) known.programs += 1
        else if (first !== undefined) seen.set(rule, { program, run, broken: first, programs: 1 })
      }
    }
  }
  await Promise.all(Array.from({ length: checker.concurrency }, work))
  return { outcomes, seen }
}

/** Checks a client with a way to run programs. */
export const checkWith = async (checker: Checker, options: CheckOptions): Promise<CheckReport> => {
  check(options)
  const { deadlineMs = checker.deadlineMs, reproduce, runs = checker.runs, seed = 1, vendor } = options
  const environment: PlainEnvironmentOptions = vendor === undefined ? {} : { vendor }
  const { isServed } = checker
  const programOptions: ProgramOptions = { seed, environment, isServed, faults: checkFaults(isServed) }
  if (reproduce === undefined) await checkConnected(checker, plainProgram(programOptions), deadlineMs)
  const programs =
    reproduce === undefined
      ? Array.from({ length: runs }, (_, number) => generateProgram(number, programOptions))
      : [programOf(reproduce)]
  const { outcomes, seen } = await runAll(checker, programs, deadlineMs)
  const findings: Array<CheckFinding> = []
  for (const rule of checkRuleNames) {
    const one = seen.get(rule)
    if (one === undefined || !(await happensAgain(checker, deadlineMs, one))) continue
    findings.push(findingOf(reproduce === undefined ? await shrink(checker, rule, deadlineMs, one) : one))
  }
  const report = new CheckReport({ programs: programs.length, outcomes, findings })
  if (findings.length > 0) throw new CheckFailed(report, checker.reproduce)
  return report
}

/**
 * Checks a client with generated programs: calls, faults and switches. It compares what the client reports with what the
 * service received and stored.
 *
 * **When to use**: in the tests of a client, or of a `fetch` with retries. `signalbox-fake check -- COMMAND` does the same
 * for a program in any language.
 *
 * **Details**: the client is a function that connects to a service and returns a function that makes one call and
 * reports its outcome. Report `failed` only if nothing was changed, otherwise `unknown`. Time is virtual: the timers of
 * the process are replaced until the check ends. Do not run other asynchronous code at the same time.
 *
 * @throws CheckFailed with the smallest program for each rule that the client broke.
 * @example
 * ```ts
 * import { checkClient } from "@signalbox/test-harness"
 *
 * const report = await checkClient({ wrapFetch: (fetch) => fetch }, { runs: 20 })
 * report.findings // => []
 * ```
 */
export const checkClient = (target: CheckTarget, options: CheckOptions = {}): Promise<CheckReport> =>
  checkWith(
    {
      run: runInProcess(clientOf(target)),
      isServed: false,
      concurrency: 1,
      runs: 500,
      deadlineMs: 30_000,
      graceMs: 10_000,
      maxShrinks: 200,
      reproduce: "checkClient(client, { reproduce: TOKEN })"
    },
    options
  )
