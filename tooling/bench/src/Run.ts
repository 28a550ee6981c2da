import { cpus, loadavg, release, totalmem } from "node:os"
import * as Schema from "effect/Schema"
import { Report } from "./Row.ts"

const Place = Schema.Struct({
  node: Schema.String,
  machine: Schema.String,
  date: Schema.String,
  /** Load of the machine at the end, over the last five minutes: above its processors, other work was measured, too. */
  load: Schema.Finite
})

const Run = Schema.Struct({
  reports: Schema.Array(Schema.Struct({ ...Report.fields, place: Place }))
})

/** The results of suites. It is what `--json` writes. */
export type Run = typeof Run.Type

/** Describes this machine now. */
export const describePlace = (): typeof Place.Type => {
  const processors = cpus()
  return {
    node: process.versions.node,
    machine: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}`,
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[1] ?? 0
  }
}

/** Reads what `--json` wrote; throws with the path of what is wrong. */
export const parseRun = Schema.decodeUnknownSync(Schema.fromJsonString(Run))

/** An earlier run in which the reports of a later one replace those of the same suites. */
export const mergeRuns = (earlier: Run, later: Run): Run => ({
  reports: [...new Map([...earlier.reports, ...later.reports].map((report) => [report.suite, report])).values()]
})
