// Checks types, lint and format, and runs the in-process tests.
import { testedInProcess } from "./testedInProcess.mjs"
import { becomeTurbo } from "./turbo.mjs"

const packages = ["//", ...testedInProcess].map((name) => `--filter=${name}`)
becomeTurbo(
  "lint",
  "format",
  "compiler",
  "check",
  "test",
  "--output-logs=new-only",
  ...packages,
  ...process.argv.slice(2)
)
