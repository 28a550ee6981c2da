/**
 * Stryker's plugin for samples. Stryker has no setting for "these mutants only", but leaves out what a checker rejects;
 * and it shows survivors at the end only, while a run takes minutes in which tests can be written.
 */
import { CheckStatus, type Checker, type CheckResult } from "@stryker-mutator/api/check"
import type { Mutant, MutantResult } from "@stryker-mutator/api/core"
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import type { MutationTestingPlanReadyEvent, Reporter } from "@stryker-mutator/api/report"
import { readFileSync } from "node:fs"
import { relative, resolve } from "node:path"
import { keyOf } from "./Sample.ts"
import { sampleVariable } from "./SampleVariable.ts"
import { fromReport, isDetected, lineOf, survivorOf } from "./Score.ts"

/** The name by which Stryker's options mention the checker and the reporter. */
export const pluginName = "sample"

/** The results of mutants outside the sample carry this reason. */
const outside = "not in the sample"

class SampleChecker implements Checker {
  readonly #keys: ReadonlySet<string> = new Set(
    JSON.parse(readFileSync(process.env[sampleVariable] ?? "", "utf8")) as ReadonlyArray<string>
  )

  async init(): Promise<void> {}

  /** One group: the decision needs no more than the mutant. */
  async group(mutants: ReadonlyArray<Mutant>): Promise<Array<Array<string>>> {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: ReadonlyArray<Mutant>): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        this.#keys.has(keyOf(mutant, process.cwd()))
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: outside }
      ])
    )
  }
}

/** Prints each survivor when its tests have passed, and what timed out, which on a busy machine need not be a mutant's fault. */
class SurvivorReporter implements Reporter {
  #tried = 0

  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    const fixed = mutantPlans.filter(({ mutant }) => mutant.static).length
    console.log(`${mutantPlans.length} mutants in the sampled places, ${fixed} of them active while modules load`)
  }

  onMutantTested(result: Readonly<MutantResult>): void {
    if (result.statusReason === outside) return
    this.#tried += 1
    const isTimeout = result.status === "Timeout"
    if (isDetected(result) && !isTimeout) return
    const file = relative(process.cwd(), resolve(result.fileName))
    const survivor = survivorOf(fromReport(result), { file, covered: result.status !== "NoCoverage" })
    console.log(`${this.#tried}. ${lineOf(survivor)}${isTimeout ? " (timed out)" : ""}`)
  }
}

/** Read by Stryker. */
export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, pluginName, SampleChecker),
  declareClassPlugin(PluginKind.Reporter, pluginName, SurvivorReporter)
]
