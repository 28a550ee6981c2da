import { describe } from "../faults/Fault.ts"
import { fromJson } from "../faults/FaultSchema.ts"
import { describeCall, requestOf } from "./CheckedCall.ts"
import type { CheckProgram } from "./CheckProgram.ts"
import { type CheckRuleName, checkRules } from "./CheckRules.ts"

/** A rule that the client broke, with the smallest program in which it does. */
export interface CheckFinding {
  readonly rule: CheckRuleName
  /** How it broke the rule in the smallest program. */
  readonly message: string
  /** How many programs broke it. */
  readonly programs: number
  readonly program: CheckProgram
  /** Every request of the smallest program. */
  readonly timeline: string
  /** Repeats exactly this program. */
  readonly token: string
  /** A command that sends the call's request to `signalbox-fake --port 4010 --reproduce TOKEN`. */
  readonly curl: string
}

/** How many calls had each outcome. `none`: the client never finished. */
export type OutcomeCounts = Readonly<Record<"ok" | "failed" | "unknown" | "none", number>>

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const curlOf = ({ calls, environment }: CheckProgram, number: number): string => {
  const call = calls[number - 1] ?? calls[0]
  if (call === undefined) return ""
  const { body, method, target } = requestOf(call)
  return [
    `curl -i -X ${method} ${quoted(`http://127.0.0.1:4010${target}`)}`,
    `-H ${quoted(`Authorization: ApiKey fake-key-1-${environment.seed ?? 1}`)}`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`])
  ].join(" ")
}

const serviceLine = ({ environment }: CheckProgram): string => {
  const { faults = [], preset = "document", switches = {} } = environment
  const changed = Object.entries(switches).map(([name, value]) => `${name} = ${value}`)
  const armed = faults.map((fault) => {
    const which =
      fault.request === undefined
        ? fault.times === undefined
          ? ""
          : `, ${fault.times === "always" ? "always" : `${fault.times} times`}`
        : `, request ${fault.request}`
    return describe(fromJson(fault)) + which
  })
  return [`preset ${preset}`, ...changed, ...(armed.length === 0 ? ["no fault"] : armed)].join("; ")
}

const indented = (text: string): ReadonlyArray<string> =>
  text.split("\n").map((line) => (line === "" ? "" : `  ${line}`))

const linesOf = (finding: CheckFinding, reproduce: string): ReadonlyArray<string> => {
  const { curl, message, program, programs, rule, timeline, token } = finding
  return [
    `${rule} (${programs === 1 ? "1 program" : `${programs} programs`}): ${message}`,
    `  rule: ${checkRules[rule].summary}`,
    `  service: ${serviceLine(program)}`,
    ...program.calls.map((call, index) => `  call ${index + 1}: ${describeCall(call)}`),
    ...indented(timeline.trimEnd()),
    `  TOKEN=${token}`,
    `  reproduce: ${reproduce}`,
    `  by hand: npx -p @signalbox/test-harness signalbox-fake --port 4010 --reproduce "$TOKEN" &`,
    `           ${curl}`
  ]
}

/** The results of a check. */
export class CheckReport {
  /** How many programs ran. */
  declare readonly programs: number
  declare readonly outcomes: OutcomeCounts
  /** One for each broken rule, in the order of the rules. */
  declare readonly findings: ReadonlyArray<CheckFinding>
  /** The rules that had too little to judge, such as `retry-delays, 12 of 30 retries`. */
  declare readonly notEvaluated: ReadonlyArray<string>
  /** The names of declared operations that were not called, because they have no examples. */
  declare readonly notChecked: ReadonlyArray<string>
  /** The command that repeats a finding from its token, named `TOKEN` in it. */
  declare readonly reproduce: string

  constructor(parts: Omit<CheckReport, "text">) {
    Object.assign(this, parts)
  }

  /** The report as text: one line without findings. */
  get text(): string {
    const { failed, none, ok, unknown } = this.outcomes
    const broken = this.findings.length === 0 ? "no rule broken" : `rules broken: ${this.findings.length}`
    const unfinished = none === 0 ? "" : `, ${none} never finished`
    const calls = `(calls: ${ok} ok, ${failed} failed, ${unknown} unknown${unfinished})`
    const notChecked = this.notChecked.map((name) => `; not checked, without examples: ${name}`).join("")
    const notEvaluated = this.notEvaluated.map((rule) => `; not evaluated: ${rule}`).join("")
    const summary = `${broken} in ${this.programs} programs ${calls}${notEvaluated}${notChecked}`
    return [summary, ...this.findings.flatMap((finding) => ["", ...linesOf(finding, this.reproduce)])].join("\n")
  }
}

/** A client broke a rule. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed"
  readonly report: CheckReport

  constructor(report: CheckReport) {
    super(report.text)
    this.report = report
  }
}
