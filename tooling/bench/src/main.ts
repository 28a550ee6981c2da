import { readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { runTool } from "@signalbox/repository/CommandLine"
import { parseArguments, usage } from "./Arguments.ts"
import { outcomesOf } from "./Budget.ts"
import { budgets } from "./Budgets.ts"
import { measurementsPage, parseScores } from "./Measurements.ts"
import type { Report } from "./Row.ts"
import type { Run } from "./Run.ts"
import { mergeRuns, parseRun, describePlace } from "./Run.ts"
import { suites } from "./Suites.ts"
import { plainTable, tables } from "./Table.ts"

const pageFile = fileURLToPath(new URL("../../../docs/measurements.md", import.meta.url))
const scoresFile = fileURLToPath(new URL("../../mutation/measured.json", import.meta.url))
const measuredFile = fileURLToPath(new URL("../measured.json", import.meta.url))

// pnpm runs this in its own folder; a relative file name means the folder the command was typed in.
const typedPath = (file: string) => resolve(process.env["INIT_CWD"] ?? process.cwd(), file)

const print = (report: Report) => {
  console.log(`\n${report.suite}: ${suites[report.suite]?.question ?? ""}`)
  for (const table of tables(report)) console.log(`\n${plainTable(table)}`)
}

const measure = async (names: ReadonlyArray<string>): Promise<Run> => {
  const reports: Array<Run["reports"][number]> = []
  for (const name of names) {
    const suite = suites[name]
    if (suite === undefined) continue
    const report = { suite: name, ...(await suite.run()) }
    print(report)
    reports.push({ ...report, place: describePlace() })
  }
  return { reports }
}

const main = async (): Promise<number> => {
  const known = Object.keys(suites)
  const wanted = parseArguments(process.argv.slice(2), known)
  if (wanted.help) {
    console.log(usage(known))
    return 0
  }
  const run =
    wanted.from === undefined ? await measure(wanted.suites) : parseRun(readFileSync(typedPath(wanted.from), "utf8"))
  const textOf = (of: Run) => `${JSON.stringify(of, null, 2)}\n`
  if (wanted.json !== undefined) writeFileSync(typedPath(wanted.json), textOf(run))
  if (wanted.docs) {
    const kept = mergeRuns(parseRun(readFileSync(measuredFile, "utf8")), run)
    writeFileSync(measuredFile, textOf(kept))
    const scores = parseScores(readFileSync(scoresFile, "utf8"))
    writeFileSync(pageFile, measurementsPage(readFileSync(pageFile, "utf8"), kept, budgets, scores))
  }
  const outcomes = outcomesOf(budgets, run.reports)
  if (outcomes.length > 0) console.log("")
  for (const { isKept, limit, measured, name } of outcomes) {
    console.log(`${isKept ? "kept" : "over budget"}: ${name}: ${measured}, ${limit}`)
  }
  return wanted.check && outcomes.some(({ isKept }) => !isKept) ? 1 : 0
}

await runTool(main)
