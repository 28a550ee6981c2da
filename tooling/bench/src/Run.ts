import { cpus, loadavg, release, totalmem } from "node:os"
import * as Schema from "effect/Schema"
import { Report } from "./Row.ts"

const Run = Schema.Struct({
  node: Schema.String,
  machine: Schema.String,
  date: Schema.String,
  /** Load of the machine at the end, over the last five minutes: above its processors, other work was measured, too. */
  load: Schema.optionalKey(Schema.Finite),
  reports: Schema.Array(Report)
})

/** One run of the command: where it ran and what its suites found. It is what `--json` writes. */
export type Run = typeof Run.Type

/** Describes the machine and wraps the reports. */
export const makeRun = (reports: ReadonlyArray<Report>): Run => {
  const processors = cpus()
  return {
    node: process.versions.node,
    machine: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}`,
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[1] ?? 0,
    reports
  }
}

/** Reads what `--json` wrote; throws with the path of what is wrong. */
export const parseRun = Schema.decodeUnknownSync(Schema.fromJsonString(Run))
