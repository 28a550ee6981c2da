import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { read, root, trackedFiles } from "./Repository.ts"

interface Manifest {
  readonly name: string
  readonly scripts?: Readonly<Record<string, string>>
}

const files = trackedFiles()

const manifestOf = (folder: string): Manifest => JSON.parse(read(join(folder, "package.json")))

/** The folders of the workspace's packages, by their names. */
const packages = new Map(
  files
    .filter((file) => /^(?:apps|packages|tooling)\/[\w-]+\/package\.json$/.test(file))
    .map((file) => file.slice(0, -"/package.json".length))
    .map((folder) => [manifestOf(folder).name, folder] as const)
)

/** The pages for contributors. */
const pages = files.filter(
  (file) =>
    file === "CONTRIBUTING.md" || file === "docs/architecture.md" || /^tooling\/(?:[\w-]+\/)?README\.md$/.test(file)
)

/** The commands in a page, from code in lines and from blocks for a shell. */
const commandsIn = (page: string): ReadonlyArray<string> =>
  [
    ...page.matchAll(/`((?:pnpm|npm|npx|vitest|turbo|tsc) [^`\n]+)`/g),
    ...page.matchAll(/^((?:pnpm|npm|npx) .+?)(?: +#.*)?$/gm)
  ].map(([, command = ""]) => command.trim())

const executables = (folder: string): ReadonlyArray<string> =>
  [join(root, folder, "node_modules/.bin"), join(root, "node_modules/.bin")].flatMap((bin) =>
    existsSync(bin) ? readdirSync(bin) : []
  )

/** Arguments of vitest that are neither options nor part of a path of a test. */
const noTest = (folder: string, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const tests = files.filter((file) => file.startsWith(`${folder}/`) && /\.test\.tsx?$/.test(file))
  return words.filter((word) => !word.startsWith("-") && !tests.some((test) => test.includes(word)))
}

/** The reason why a command does not run verbatim; `undefined` for one that does. */
const problemOf = (command: string): string | undefined => {
  const [program = "", ...words] = command.split(/\s+/)
  const scripts = (folder: string) => Object.keys(manifestOf(folder).scripts ?? {})
  if (program === "npm") {
    const script = words[0] === "run" ? words[1] : words[0]
    return scripts(".").includes(script ?? "") ? undefined : `package.json has no script ${script}`
  }
  if (program !== "pnpm")
    return executables(".").includes(program) ? undefined : `${program} is not installed at the root`
  if (words[0] !== "--filter") {
    const [script = ""] = words
    return scripts(".").includes(script) ? undefined : `package.json has no script ${script}`
  }
  const [, name = "", verb = "", ...rest] = words
  const folder = packages.get(name)
  if (folder === undefined) return `there is no package ${name}`
  if (verb !== "exec") {
    const script = verb === "run" ? (rest[0] ?? "") : verb
    return scripts(folder).includes(script) ? undefined : `${name} has no script ${script}`
  }
  const [executable = "", ...args] = rest
  if (!executables(folder).includes(executable)) return `${name} has no ${executable}`
  if (executable !== "vitest") return undefined
  // `-u` takes the next word as its value.
  const update = args.indexOf("-u")
  if (update !== -1 && update !== args.length - 1) return "-u must be the last argument"
  const unknown = noTest(folder, args.slice(1))
  return unknown.length === 0 ? undefined : `${name} has no test ${unknown.join(", ")}`
}

describe("documented commands", () => {
  it.each(pages)("of %s run as written", (file) => {
    const problems = commandsIn(read(file)).flatMap((command) => {
      const problem = problemOf(command)
      return problem === undefined ? [] : [`${command}: ${problem}`]
    })
    assert.deepStrictEqual(problems, [])
  })

  it("are found", () => {
    assert.isAbove(pages.flatMap((file) => commandsIn(read(file))).length, 25)
  })

  it.each([
    ["vitest run -u", "vitest is not installed at the root"],
    ["pnpm --filter @signalbox/core exec vitest run -u src", "-u must be the last argument"],
    ["pnpm --filter @signalbox/core exec vitest run src/nothing -u", "@signalbox/core has no test src/nothing"],
    ["pnpm --filter @signalbox/none test", "there is no package @signalbox/none"],
    ["npm run nothing", "package.json has no script nothing"]
  ])("are reported where they do not run: %s", (command, problem) => {
    assert.strictEqual(problemOf(command), problem)
  })
})
