import type { DeclaredOperation } from "@signalbox/core/DeclaredOperation"
import * as Schema from "effect/Schema"
import { inputCheck, integer } from "../input/Input.ts"
import { environmentFields } from "../environment/EnvironmentOptions.ts"
import { type PlainEnvironmentOptions, tokenReader, writeToken } from "../environment/ReproductionToken.ts"
import {
  checkFaults,
  type CheckProgram,
  generateProgram,
  isConcurrent,
  plainProgram,
  type ProgramOptions,
  smallerPrograms
} from "./CheckProgram.ts"
import { type CheckFinding, CheckFailed, CheckReport, curlOf } from "./CheckReport.ts"
import { type AnyCall, CallSchema, declaredCallsOf, operationOf } from "./CheckedCall.ts"
import { type BrokenRule, brokenRules, type CheckRuleName, checkRuleNames, checkRules } from "./CheckRules.ts"
import { type CheckRun, runInProcess, type RunOptions, type RunProgram } from "./CheckRun.ts"
import { type CheckTarget, clientOf } from "./CheckTarget.ts"
import { notComparable } from "./rules/RetryRules.ts"

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
  /**
   * The most requests that one call of the client sends. With this option, the check also reports a call that sends more,
   * and one that gives up earlier although it is safe to retry.
   */
  readonly maxRequests?: number
  /** Whether the client can abort a call: some calls then have `abortAfterMs`, after which the client must abort them. */
  readonly aborts?: boolean
  /**
   * Whether the client stores the device tokens of upserts that it makes at the same time: some programs then make three
   * such calls at once. Not for a command, which makes one call after the other.
   */
  readonly concurrent?: boolean
  /**
   * Declared operations that the client calls, too, with the inputs of their `examples`, whose outputs are the responses. The
   * report names those without examples as not checked.
   */
  readonly operations?: ReadonlyArray<DeclaredOperation>
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

// Callers without types can pass anything.
const isOperation = (value: unknown): value is DeclaredOperation => Object(value)["~callable"] !== undefined

const check = inputCheck("checkClient", () =>
  Schema.Struct({
    runs: Schema.optionalKey(integer(1)),
    seed: environmentFields.seed,
    deadlineMs: Schema.optionalKey(integer(1)),
    vendor: environmentFields.vendor,
    maxRequests: Schema.optionalKey(integer(1)),
    aborts: Schema.optionalKey(Schema.Boolean),
    concurrent: Schema.optionalKey(Schema.Boolean),
    operations: Schema.optionalKey(
      Schema.Array(Schema.declare(isOperation, { expected: "an operation from defineOperation" }))
    ),
    reproduce: Schema.optionalKey(Schema.String)
  })
)

/** A program that broke a rule. */
interface Seen {
  readonly program: CheckProgram
  readonly run: CheckRun
  readonly broken: BrokenRule
}

interface Judged {
  readonly run: CheckRun
  readonly broken: ReadonlyArray<BrokenRule>
}

/** A call that meets no fault takes less than this share of its deadline, unless the machine is busy or the client is wrong. */
const usualShare = 0.1

/** How many times its deadline a call gets when it was delayed without a fault. */
const deadlineFactor = 4

const isDelayed = (run: CheckRun): boolean =>
  run.calls.some(
    ({ deadlineMs, endedAt = Infinity, requests, startedAt }) =>
      endedAt - startedAt > deadlineMs * usualShare && requests.every(({ faults }) => faults.length === 0)
  )

/** Runs a program. In real time, a client breaks no rule only because the machine was too busy for its deadline. */
const judge = async ({ isServed, run }: Checker, program: CheckProgram, options: RunOptions): Promise<Judged> => {
  const judged = async (deadlineMs: number): Promise<Judged> => {
    const ran = await run(program, { ...options, deadlineMs })
    return { run: ran, broken: brokenRules(ran) }
  }
  const first = await judged(options.deadlineMs)
  if (!isServed || first.broken.length === 0 || !isDelayed(first.run)) return first
  return judged(options.deadlineMs * deadlineFactor)
}

/** Runs a program to see whether it breaks a rule. */
const breaks = async (
  checker: Checker,
  rule: CheckRuleName,
  options: RunOptions,
  program: CheckProgram
): Promise<Seen | undefined> => {
  const { broken, run } = await judge(checker, program, options)
  const found = broken.find((one) => one.rule === rule)
  return found === undefined ? undefined : { program, run, broken: found }
}

/** Makes the program of a finding smaller, as long as it breaks the same rule. */
const shrink = async (checker: Checker, rule: CheckRuleName, options: RunOptions, seen: Seen): Promise<Seen> => {
  let smallest = seen
  let left = checker.maxShrinks
  const smaller = async (): Promise<Seen | undefined> => {
    for (const program of smallerPrograms(smallest.program)) {
      if (left <= 0) return undefined
      left -= 1
      const broke = await breaks(checker, rule, options, program)
      if (broke !== undefined) return broke
    }
    return undefined
  }
  for (let next = await smaller(); next !== undefined; next = await smaller()) smallest = next
  return smallest
}

/**
 * The first program that breaks a rule. A program counts if it breaks the rule again, alone: in real time, a busy machine
 * can delay a client; on virtual time, other code of the process can leave a timer.
 */
const confirm = async (
  checker: Checker,
  rule: CheckRuleName,
  options: RunOptions,
  programs: ReadonlyArray<CheckProgram>
): Promise<Seen | undefined> => {
  for (const program of programs) {
    const broke = await breaks(checker, rule, options, program)
    if (broke !== undefined) return broke
  }
  return undefined
}

const findingOf = ({ broken, program, run }: Seen, programs: number): CheckFinding => ({
  rule: broken.rule,
  message: broken.message,
  programs,
  program,
  timeline: run.timeline,
  token: writeToken({ ...program.environment, calls: program.calls }),
  curl: curlOf(program, broken.call ?? 1)
})

/** How many lines of the output of a client that is not connected are shown: those of a crash of Node or Python. */
const shownLines = 20

/** A client that does not succeed without faults is not connected: every finding would say so in its own way. */
const checkConnected = async (checker: Checker, program: CheckProgram, options: RunOptions): Promise<void> => {
  const { run: ran } = await judge(checker, program, options)
  if (ran.calls.length === program.calls.length && ran.calls.every(({ result }) => result?.outcome === "ok")) return
  const outcomes = ran.calls.map(({ call, result }) => `${operationOf(call)}: ${result?.outcome ?? "no outcome"}`)
  const output = [...new Set(ran.output.trim().split("\n"))].slice(0, shownLines).join("\n")
  throw new Error(
    [
      `the client does not succeed without faults (${outcomes.join(", ")}); a check needs all of these calls`,
      ran.timeline.trimEnd(),
      output
    ]
      .filter((line) => line !== "")
      .join("\n")
  )
}

const readReproduction = tokenReader({ calls: Schema.optionalKey(Schema.Array(CallSchema)) })

const programOf = (token: string): CheckProgram => {
  // The schema checks what the types of the options and calls say.
  const { calls, ...environment } = readReproduction(token) as PlainEnvironmentOptions & {
    readonly calls?: ReadonlyArray<AnyCall>
  }
  if (calls === undefined || calls.length === 0) throw new RangeError("reproduction token: has no calls")
  return { environment, calls }
}

/** Runs all programs, and keeps those that broke each rule. */
const runAll = async (checker: Checker, programs: ReadonlyArray<CheckProgram>, options: RunOptions) => {
  const outcomes = { ok: 0, failed: 0, unknown: 0, none: 0 }
  const broke = new Map<CheckRuleName, Set<number>>()
  const retried: Array<Omit<Seen, "broken">> = []
  const pending = programs.entries()
  const work = async (): Promise<void> => {
    for (const [number, program] of pending) {
      const { broken, run } = await judge(checker, program, options)
      for (const { result } of run.calls) outcomes[result?.outcome ?? "none"] += 1
      const calls = run.calls.filter(({ requests }) => requests.length > 1)
      if (calls.length > 0 && !run.isConcurrent) retried.push({ program, run: { ...run, calls } })
      for (const { rule } of broken) broke.set(rule, (broke.get(rule) ?? new Set()).add(number))
    }
  }
  await Promise.all(Array.from({ length: checker.concurrency }, work))
  const programsThatBroke = (rule: CheckRuleName): ReadonlyArray<CheckProgram> =>
    programs.filter((_, number) => broke.get(rule)?.has(number) === true)
  return { outcomes, programsThatBroke, retried }
}

/** The rule that compares the retries of all programs, where it cannot. */
const notEvaluated = (retried: ReadonlyArray<Omit<Seen, "broken">>): ReadonlyArray<string> => {
  const calls = retried.flatMap(({ run }) => run.calls)
  const reason = notComparable(calls, retried[0]?.run.toleranceMs ?? 0)
  return reason === undefined ? [] : [`retry-delays, ${reason}`]
}

/** Checks the delays of the retries of all programs as those of one run; a finding shows one of the programs. */
const delaysFinding = (retried: ReadonlyArray<Omit<Seen, "broken">>): ReadonlyArray<CheckFinding> => {
  const [one] = retried
  if (one === undefined) return []
  const together = { ...one.run, calls: retried.flatMap(({ run }) => run.calls) }
  return checkRules["retry-delays"]
    .check(together)
    .map((breach) => findingOf({ ...one, broken: { rule: "retry-delays", ...breach } }, retried.length))
}

/** Checks a client with a way to run programs. */
export const checkWith = async (checker: Checker, options: CheckOptions): Promise<CheckReport> => {
  check(options)
  const {
    aborts = false,
    concurrent = false,
    deadlineMs = checker.deadlineMs,
    maxRequests,
    operations = [],
    reproduce,
    runs = checker.runs
  } = options
  const { seed = 1, vendor } = options
  const runOptions: RunOptions = {
    deadlineMs,
    graceMs: checker.graceMs,
    ...(maxRequests === undefined ? {} : { maxRequests })
  }
  const environment: PlainEnvironmentOptions = vendor === undefined ? {} : { vendor }
  const { isServed } = checker
  const programOptions: ProgramOptions = {
    seed,
    environment,
    isServed,
    aborts,
    concurrent,
    faults: checkFaults(isServed),
    declared: operations.flatMap(declaredCallsOf)
  }
  if (reproduce === undefined) await checkConnected(checker, plainProgram(programOptions), runOptions)
  const programs =
    reproduce === undefined
      ? Array.from({ length: runs }, (_, number) => generateProgram(number, programOptions))
      : [programOf(reproduce)]
  if (isServed && programs.some(isConcurrent))
    throw new RangeError("checkClient: a command cannot make calls at the same time")
  const { outcomes, programsThatBroke, retried } = await runAll(checker, programs, runOptions)
  const findings: Array<CheckFinding> = []
  for (const rule of checkRuleNames) {
    const broke = programsThatBroke(rule)
    const first = await confirm(checker, rule, runOptions, broke)
    if (first === undefined) continue
    const smallest = reproduce === undefined ? await shrink(checker, rule, runOptions, first) : first
    findings.push(findingOf(smallest, broke.length))
  }
  findings.push(...delaysFinding(retried))
  const report = new CheckReport({
    programs: programs.length,
    outcomes,
    findings,
    notEvaluated: reproduce === undefined ? notEvaluated(retried) : [],
    notChecked: operations.filter(({ examples = [] }) => examples.length === 0).map(({ name }) => name),
    reproduce: checker.reproduce
  })
  if (findings.length > 0) throw new CheckFailed(report)
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
