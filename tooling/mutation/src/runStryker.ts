// Runs Stryker in the current folder, a copy of the repository, and writes the results to a file.
import type { LogLevel } from "@stryker-mutator/api/core"
import { Stryker } from "@stryker-mutator/core"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { placeOf } from "./Sample.ts"
import { pluginName } from "./SamplePlugin.ts"
import { sampleVariable } from "./SampleVariable.ts"

const besides = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const [results, concurrency] = process.argv.slice(2)
if (results === undefined) throw new Error("runStryker.ts RESULTS CONCURRENCY")
// Written by Run.ts.
const sample = JSON.parse(readFileSync(process.env[sampleVariable] ?? "", "utf8")) as ReadonlyArray<string>
const places = new Set(sample.map(placeOf))
const files = [...new Set([...places].map((place) => place.split(":", 1)[0]))]

writeFileSync(
  results,
  JSON.stringify(
    await new Stryker({
      plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner")), besides("SamplePlugin.ts")],
      testRunner: "vitest",
      // Not only related files: vitest does not find all of them, and a mutant that no test runs against seems to survive.
      vitest: { configFile: besides("Projects.ts"), related: false },
      // Every mutant in a file makes the file slower, tried or not.
      mutate: [...places],
      // Stryker compares each place with each file that it does not ignore.
      ignorePatterns: ["**", ...files.map((file) => `!/${file}`)],
      checkers: [pluginName],
      coverageAnalysis: "perTest",
      inPlace: true,
      // Tests compare generated files with their sources: nothing but the mutants may change.
      disableTypeChecks: false,
      concurrency: Number(concurrency),
      dryRunTimeoutMinutes: 90,
      // On a busy machine a test takes many times as long as before; Stryker itself ends endless loops by counting.
      timeoutMS: 60_000,
      reporters: ["progress-append-only", pluginName],
      allowConsoleColors: false,
      // Its warnings are about test files, which `ignorePatterns` leaves out. The compiler imports no constant enumeration.
      logLevel: "error" as LogLevel,
      cleanTempDir: "always"
    }).runMutationTest()
  )
)
