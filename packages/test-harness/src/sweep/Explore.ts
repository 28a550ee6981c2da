import { type PlainEnvironmentOptions, reproductionToken } from "../environment/ReproductionToken.ts"
import * as Switches from "../switches/Switches.ts"
import { checkUse, runTest, type SweptTest } from "./Sweep.ts"
import { doesNotPass, reasonOf } from "./SweepReport.ts"
import { type VirtualRun, virtualStart } from "../time/VirtualTime.ts"

/** A value of a switch with which the test does not pass. */
export interface Dependency {
  readonly switch: Switches.SwitchName
  readonly value: string
  /** The value with which the test passes. */
  readonly passesWith: string
  /** The open question, and the sentence of the API document that leaves it open. */
  readonly question: string
  readonly sentence: string
  /** Section of the API document. */
  readonly section: string
  /** `hung`: the test never finished. */
  readonly outcome: "failed" | "hung"
  /** The error of the test, or why it did not finish. */
  readonly error?: unknown
  /** Makes an environment with this value, everywhere a fake is created. */
  readonly token: string
}

/** The open questions that a test depends on. */
export class ExploreReport {
  /** How many switches were tried. */
  declare readonly switches: number
  /** How many times the test ran. */
  declare readonly runs: number
  declare readonly dependencies: ReadonlyArray<Dependency>

  constructor(parts: Pick<ExploreReport, "switches" | "runs" | "dependencies">) {
    Object.assign(this, parts)
  }

  /** Names of the switches that the test depends on. */
  get dependsOn(): ReadonlyArray<Switches.SwitchName> {
    return [...new Set(this.dependencies.map((dependency) => dependency.switch))]
  }

  /** The report as text. */
  get text(): string {
    const names = this.dependsOn
    if (names.length === 0) return `this test depends on none of ${this.switches} open questions of the API document`
    const things = names.length === 1 ? "1 thing" : `${names.length} things`
    return [
      `this test depends on ${things} that the API document does not say: ${names.join(", ")}`,
      ...names.flatMap((name) => this.#linesOf(name))
    ].join("\n")
  }

  #linesOf(name: Switches.SwitchName): ReadonlyArray<string> {
    const { question, section, sentence } = Switches.switchRow(name)
    const found = this.dependencies.filter((dependency) => dependency.switch === name)
    const passing = `  ${found[0]?.passesWith}: passes`
    const failing = found.map((dependency) => `  ${dependency.value}: ${reasonOf(dependency)}`)
    return ["", `${name}: ${question}`, `  ${section}: "${sentence}"`, passing, ...failing]
  }
}

const dependencyOf = (
  name: Switches.SwitchName,
  value: string,
  passesWith: string,
  run: VirtualRun<unknown>,
  token: string
): ReadonlyArray<Dependency> => {
  if (run._tag === "Returned") return []
  const { question, section, sentence } = Switches.switchRow(name)
  const known = { switch: name, value, passesWith, question, sentence, section, token }
  return [{ ...known, outcome: run._tag === "Hung" ? "hung" : "failed", error: run.error }]
}

/**
 * Runs a test once for each value of each switch, and reports the open questions of the API document that it depends on.
 * The test must pass with the given options.
 *
 * **When to use**: to find out whether a test, and the program that it tests, rely on behaviour that the service never
 * promised.
 *
 * **Details**: each run has its own fake, by default without data and with the preset `document`, and virtual time as in
 * {@link sweep}. Do not run other asynchronous code at the same time.
 *
 * @example
 * ```ts
 * import { explore } from "@signalbox/test-harness"
 *
 * const report = await explore(async (fake) => {
 *   const response = await fake.fetch(`${fake.baseUrl}/v1/notifications`)
 *   if (response.status !== 401) throw new Error(`status ${response.status}`)
 * })
 * report.dependsOn // => ["auth.missingKey"]
 * ```
 */
export const explore = async (test: SweptTest, options: PlainEnvironmentOptions = {}): Promise<ExploreReport> => {
  const values = { ...Switches.preset(options.preset ?? "document"), ...options.switches }
  const base = await runTest(test, options)
  if (base.run._tag !== "Returned")
    throw doesNotPass("explore: the test does not pass with the given options", base.run, base.timeline)
  checkUse("explore", base)
  const dependencies: Array<Dependency> = []
  let runs = 1
  for (const name of Switches.switchNames) {
    for (const value of Switches.switchRow(name).values.filter((other) => other !== values[name])) {
      const changed = { ...options, switches: { ...options.switches, [name]: value } }
      const token = reproductionToken({ data: "empty", clock: virtualStart, ...changed })
      dependencies.push(...dependencyOf(name, value, values[name], (await runTest(test, changed)).run, token))
      runs += 1
    }
  }
  return new ExploreReport({ switches: Switches.switchNames.length, runs, dependencies })
}
