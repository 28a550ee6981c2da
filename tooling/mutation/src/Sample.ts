/**
 * Which mutants are tried: a random sample, because trying every one takes days.
 */
import { isTest, sourceFiles, workspacePackages } from "@signalbox/repository/Workspace"
import type { Mutant } from "@stryker-mutator/api/core"
import type { Logger } from "@stryker-mutator/api/logging"
import { Instrumenter } from "@stryker-mutator/instrumenter"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { programs } from "./Subjects.ts"

/**
 * The files of a package whose mutants count: tests do not, nor does generated code, which CI compares, nor programs, which
 * only tests of built files run.
 */
export const mutatedFiles = (folder: string, read: (file: string) => string): ReadonlyArray<string> => {
  const one = workspacePackages().find((candidate) => candidate.folder === folder)
  if (one === undefined) return []
  return sourceFiles(one).filter(
    (file) =>
      file.startsWith(`${folder}/src/`) &&
      !isTest(file) &&
      !programs.has(file) &&
      !read(file).startsWith("// Generated")
  )
}

/** A name of a mutant that depends on nothing but the mutant: a sample stays the same while other files change. */
export const keyOf = ({ fileName, location, mutatorName, replacement }: Mutant, root: string): string =>
  [
    relative(root, resolve(root, fileName)),
    `${location.start.line}:${location.start.column}-${location.end.line}:${location.end.column}`,
    mutatorName,
    replacement
  ].join(" ")

/** The place of a mutant with this key, as Stryker's `mutate` option names it: lines from one, columns from zero. */
export const placeOf = (key: string): string => {
  const [, file, line, column, endLine, endColumn] = /^(.+?) (\d+):(\d+)-(\d+):(\d+) /u.exec(key) ?? []
  return `${file}:${Number(line) + 1}:${column}-${Number(endLine) + 1}:${endColumn}`
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The seed of a release: survivors that tests were written for say little about the next sample. */
export const seedOfRelease = (version: string): number => Number.parseInt(digestOf(version).slice(0, 6), 16)

/** The first `count` keys in an order that the seed decides. */
export const sampleOf = (keys: ReadonlyArray<string>, count: number, seed: number): ReadonlyArray<string> => {
  return keys
    .map((key) => ({ key, rank: digestOf(`${seed} ${key}`) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ key }) => key)
}

const never = () => false
const nothing = () => undefined
const silent: Logger = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing
}

/** The keys of all mutants of files below `root`. */
export const mutantsOf = async (root: string, files: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { mutants } = await new Instrumenter(silent).instrument(
    files.map((file) => ({ name: join(root, file), content: readFileSync(join(root, file), "utf8"), mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] }
  )
  return mutants.map((mutant) => keyOf({ ...mutant, location: mutant.location }, root))
}
