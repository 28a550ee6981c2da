/**
 * The packages whose tests are measured, and which tests can notice a change of each.
 */

/** A package whose tests are measured. */
export interface Subject {
  readonly folder: string
  /** Folders of packages that use this one: their tests are tried on what its own tests do not notice. */
  readonly dependents: ReadonlyArray<string>
  /** The share of detected mutants that a release must have, in percent. */
  readonly bar: number
}

/** All measured packages by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  core: {
    folder: "packages/core",
    dependents: ["packages/sdk", "packages/test-harness", "tooling/golden"],
    bar: 92
  },
  sdk: {
    folder: "packages/sdk",
    dependents: ["tooling/golden", "tooling/simulation"],
    bar: 90
  },
  "test-harness": {
    folder: "packages/test-harness",
    dependents: ["packages/sdk", "packages/operator", "tooling/compatibility", "tooling/golden", "tooling/simulation"],
    bar: 85
  },
  operator: { folder: "packages/operator", dependents: [], bar: 85 },
  bulk: { folder: "packages/bulk", dependents: ["tooling/simulation"], bar: 85 },
  cli: { folder: "apps/cli", dependents: [], bar: 85 },
  tui: { folder: "apps/tui", dependents: [], bar: 85 }
}

/** Tests that say nothing about a mutant, by folder. */
export const leftOut: Readonly<Record<string, ReadonlyArray<string>>> = {
  // They compile sources or compare them with generated files; instrumented sources pass neither.
  "packages/core": ["test/document/OpenApi.test.ts"],
  "packages/sdk": ["test/Documentation.test.ts"],
  // The executable is built: a mutant is not in it.
  "packages/test-harness": ["test/documentation/**", "src/executable/Executable.test.ts"],
  // Threads cannot change their time zone.
  "packages/operator": ["src/text/Zone.test.ts"],
  // They run built programs, or processes that read the sources again.
  "packages/bulk": ["test/cluster/Cluster.test.ts", "test/crash/**", "test/disk/**"],
  "apps/cli": ["test/process/**", "test/pty/**"],
  "apps/tui": ["test/hostile.test.ts", "test/pty/**"]
}

/** Files that run a program, or need a browser, when they are imported: no mutant of them can be tried in a process of tests. */
export const programs: ReadonlySet<string> = new Set([
  "packages/test-harness/src/executable/main.ts",
  "packages/test-harness/src/executable/Executable.ts",
  "packages/test-harness/src/pages/Inspector.tsx",
  "apps/cli/src/main.ts",
  "apps/cli/src/Start.ts",
  "apps/tui/src/main.ts"
])
