// Runs Stryker in the current folder, a copy of the repository, and writes the results to a file.
import { Stryker } from "@stryker-mutator/core"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { checkerName } from "./SampleChecker.ts"

const besides = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const [results, ...files] = process.argv.slice(2)
if (results === undefined) throw new Error("runStryker.ts RESULTS FILE...")

writeFileSync(
  results,
  JSON.stringify(
    await new Stryker({
      plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner")), besides("SampleChecker.ts")],
      testRunner: "vitest",
      vitest: { configFile: besides("Projects.ts"), related: false },
      mutate: files,
      checkers: [checkerName],
      coverageAnalysis: "perTest",
      inPlace: true,
      // Tests compare generated files with their sources: nothing but the mutants may change.
      disableTypeChecks: false,
      concurrency: 2,
      dryRunTimeoutMinutes: 15,
      timeoutMS: 20_000,
      reporters: ["progress-append-only"],
      allowConsoleColors: false,
      cleanTempDir: "always"
    }).runMutationTest()
  )
)
