/**
 * What the results of mutants come to.
 */
import type { MutantResult } from "@stryker-mutator/api/core"

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

/** The share of sampled mutants that a test noticed, in percent. */
export const percent = ({ detected, sampled }: Pick<Score, "detected" | "sampled">): number =>
  sampled === 0 ? 0 : (100 * detected) / sampled

/** Whether a test failed or hung because of the mutant. */
export const isDetected = ({ status }: Pick<MutantResult, "status">): boolean =>
  status === "Killed" || status === "Timeout" || status === "RuntimeError"

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
