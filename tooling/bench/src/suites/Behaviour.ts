import { processReport } from "../ProcessReport.ts"
import type { Observation, Report } from "../Row.ts"

const program = new URL("../processes/behaviour.ts", import.meta.url)

/** The same awkward situations for every client; in a process of its own, because one of them retries for an hour. */
export const behaviour = async (): Promise<Report> => {
  const observations = await processReport<ReadonlyArray<Observation>>(program)
  return { suite: "behaviour", rows: [], observations }
}
