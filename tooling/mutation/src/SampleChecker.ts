/**
 * The plugin that keeps Stryker to the sample: it has no setting for "these mutants only", but leaves out what a
 * checker rejects.
 */
import { CheckStatus, type Checker, type CheckResult } from "@stryker-mutator/api/check"
import type { Mutant } from "@stryker-mutator/api/core"
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import { readFileSync } from "node:fs"
import { keyOf } from "./Sample.ts"

/** The environment variable with the file of the sample's keys: plugins run in processes of their own. */
export const sampleVariable = "SIGNALBOX_MUTATION_SAMPLE"

/** The name by which Stryker's options mention the checker. */
export const checkerName = "sample"

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
          : { status: CheckStatus.CompileError, reason: "not in the sample" }
      ])
    )
  }
}

/** Read by Stryker. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, checkerName, SampleChecker)]
