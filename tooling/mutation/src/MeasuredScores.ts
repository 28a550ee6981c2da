/**
 * The scores of the last complete runs.
 */
import { repository } from "@signalbox/repository/Workspace"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Score } from "./Score.ts"
import { subjects } from "./Subjects.ts"

const measured = join(repository, "tooling/mutation/measured.json")

/** The scores of the last run of each package. */
export const measuredScores = (): ReadonlyArray<Score> =>
  // Written by `writeScores` only.
  existsSync(measured) ? (JSON.parse(readFileSync(measured, "utf8")) as ReadonlyArray<Score>) : []

/** Keeps the scores, next to their bars. */
export const writeScores = (scores: ReadonlyArray<Score>): void => {
  const names = Object.keys(subjects)
  const sorted = scores.toSorted((one, other) => names.indexOf(one.package) - names.indexOf(other.package))
  const withBars = sorted.map((score) => Object.assign({ bar: subjects[score.package]?.bar ?? 0 }, score))
  writeFileSync(measured, `${JSON.stringify(withBars, null, 2)}\n`)
}
