/**
 * Mutation scores, from the results of mutants.
 */
import type { MutantResult, Position } from "@stryker-mutator/api/core"

/** A mutant that no test noticed. */
export interface Survivor {
  readonly file: string
  readonly line: number
  readonly mutator: string
  /** The code of the mutant on one line, shortened. */
  readonly replacement: string
  /** Whether any test runs the code. */
  readonly covered: boolean
}

/** The score of one package. */
export interface Score {
  readonly package: string
  readonly seed: number
  /** All mutants of the package. */
  readonly mutants: number
  readonly sampled: number
  readonly detected: number
  readonly survivors: ReadonlyArray<Survivor>
}

/** Stryker counts lines and columns from one in results, and from zero before. */
export const fromReport = (result: Readonly<MutantResult>): MutantResult => {
  const before = ({ line, column }: Position): Position => ({ line: line - 1, column: column - 1 })
  return { ...result, location: { start: before(result.location.start), end: before(result.location.end) } }
}

/** The share of sampled mutants that a test noticed, in percent. */
export const percent = ({ detected, sampled }: Pick<Score, "detected" | "sampled">): number =>
  sampled === 0 ? 0 : (100 * detected) / sampled

/** Whether a test failed or hung because of the mutant. */
export const isDetected = ({ status }: Pick<MutantResult, "status">): boolean =>
  status === "Killed" || status === "Timeout" || status === "RuntimeError"

/** Whether a mutant survived because tests that cover it did not run. */
export const isUntested = ({
  coveredBy = [],
  status,
  testsCompleted = 0
}: Pick<MutantResult, "coveredBy" | "status" | "testsCompleted">): boolean =>
  status === "Survived" && testsCompleted < Math.max(1, coveredBy.length)

/** Describes a mutant that no test noticed. */
export const survivorOf = (
  { location, mutatorName, replacement }: Pick<MutantResult, "location" | "mutatorName" | "replacement">,
  { covered, file }: Pick<Survivor, "covered" | "file">
): Survivor => ({
  file,
  line: location.start.line + 1,
  mutator: mutatorName,
  replacement: replacement.replaceAll(/\s+/gu, " ").slice(0, 80),
  covered
})

/** A survivor in one line for a terminal. */
export const lineOf = ({ file, line, mutator, replacement, covered }: Survivor): string =>
  `${file}:${line} ${mutator} ${replacement}${covered ? "" : " (no test runs this code)"}`
