/**
 * The settings of every package's tests.
 */
import { TestRun } from "./tooling/testing/src/TestRun.ts"

// The limits only end what hangs, on two busy cores. `pnpm verify` starts databases, browsers and programs.
const limit = process.env["npm_lifecycle_event"] === "verify" ? 180_000 : 20_000

export default {
  test: {
    testTimeout: limit,
    hookTimeout: limit,
    // A missing golden file fails; `vitest run -u` writes it.
    update: "none" as const,
    snapshotEnvironment: `${import.meta.dirname}/tooling/testing/src/GoldenFiles.ts`,
    reporters: ["default", new TestRun()],
    // Each new worker loads Effect again, which takes longer than most files. Tests undo what they change in the process.
    isolate: false
  }
}
