import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join, matchesGlob } from "node:path"
import { directions, wrongDirections } from "./Directions.ts"
import { importsOf } from "./Imports.ts"
import { read, repository, sourceFiles, type WorkspacePackage, workspacePackages } from "./Workspace.ts"

const packages = workspacePackages()
const tooling = new Set(packages.filter(({ kind }) => kind === "tooling").map(({ name }) => name))

describe("imports", () => {
  it("are found in every form", () => {
    const text = [
      `import * as Effect from "effect/Effect"`,
      `import type { A } from "./A.ts"`,
      `import { type B } from "./B.ts"`,
      `export * from "./C.ts"`,
      `export type { D } from "./D.ts"`,
      `import "./E.ts"`,
      `const later = () => import("./F.ts")`,
      `const text = 'import "./G.ts"' // import "./H.ts"`,
      `export const one = <A,>(a: A): A => a satisfies A`
    ].join("\n")
    assert.sameMembers(
      [...importsOf("One.ts", text)],
      ["effect/Effect", "./A.ts", "./B.ts", "./C.ts", "./D.ts", "./E.ts", "./F.ts"]
    )
  })

  it("have a direction for every library and app", () => {
    const shipped = packages.filter(({ kind }) => kind !== "tooling").map(({ name }) => name)
    assert.deepStrictEqual(
      shipped.filter((name) => directions[name] === undefined),
      []
    )
  })

  it.each(packages)("of $folder point one way", (one) => {
    const files = sourceFiles(one)
    assert.isNotEmpty(files)
    assert.deepStrictEqual(
      files.flatMap((file) => wrongDirections(one, file, importsOf(file, read(file)), tooling)),
      []
    )
  })

  describe("that point the wrong way are reported", () => {
    const core = { name: "core", folder: "packages/core", kind: "packages" } as const
    const sdk = { name: "sdk", folder: "packages/sdk", kind: "packages" } as const

    it.each([
      [core, "packages/core/src/Events.ts", "@signalbox/sdk"],
      [core, "packages/core/src/Events.test.ts", "@signalbox/test-harness"],
      [core, "packages/core/src/Events.ts", "@signalbox/node-build/Entries"],
      [core, "packages/core/src/Events.ts", "../../sdk/src/Client.ts"],
      [sdk, "packages/sdk/src/Client.ts", "@signalbox/test-harness/server"]
    ] as const)("%o: %s imports %s", (one, file, specifier) => {
      assert.lengthOf(wrongDirections(one, file, [specifier], tooling), 1)
    })

    it.each([
      [sdk, "packages/sdk/src/Client.test.ts", "@signalbox/test-harness/server"],
      [sdk, "packages/sdk/src/Client.ts", "@signalbox/core/Events"],
      [core, "packages/core/build.mjs", "@signalbox/node-build"],
      [core, "packages/core/src/call/Call.ts", "../Events.ts"]
    ] as const)("and those that do not are not: %o, %s, %s", (one, file, specifier) => {
      assert.deepStrictEqual(wrongDirections(one, file, [specifier], tooling), [])
    })
  })
})

const scriptsOf = ({ folder }: WorkspacePackage) =>
  (
    JSON.parse(read(`${folder}/package.json`)) as {
      readonly scripts?: { readonly test?: string; readonly verify?: string }
    }
  ).scripts ?? {}

/** How many of the scripts `test` and `verify` of a package run a test file. */
const timesRun = (one: WorkspacePackage, file: string): number => {
  const { test, verify } = scriptsOf(one)
  const inPackage = file.slice(one.folder.length + 1)
  const excluded = [...(test ?? "").matchAll(/--exclude "([^"]+)"/gu)].map(([, glob = ""]) => glob)
  const chosen = (verify ?? "").split(" ").slice(2)
  const inTest = test !== undefined && !excluded.some((glob) => matchesGlob(inPackage, glob))
  const inVerify = verify !== undefined && (chosen.length === 0 || chosen.some((path) => inPackage.startsWith(path)))
  return Number(inTest) + Number(inVerify)
}

describe("tests", () => {
  const tested = packages.filter((one) => sourceFiles(one).some((file) => /\.test\.tsx?$/u.test(file)))

  it.each(tested)(
    "of $folder have the settings of all tests: limits for busy machines, and shared workers",
    ({ folder }) => {
      assert.isTrue(existsSync(join(repository, folder, "vitest.config.ts")), "without vitest.config.ts")
      assert.include(read(`${folder}/vitest.config.ts`), 'from "../../vitest.config.ts"')
    }
  )

  it.each(tested)("of $folder run once, in npm test or in npm run verify", (one) => {
    const files = sourceFiles(one).filter((file) => /\.test\.tsx?$/u.test(file))
    assert.deepStrictEqual(
      files.filter((file) => timesRun(one, file) !== 1),
      []
    )
  })
})

describe("file names", () => {
  it("say what is in the file: no utils, helpers, common or types", () => {
    const vague = /(?:^|[./-])(?:utils?|helpers?|common|types?|misc|shared)(?=[./-]|$)/iu
    const files = packages.flatMap(sourceFiles)
    assert.deepStrictEqual(
      files.filter((file) => vague.test(file)),
      []
    )
  })
})
