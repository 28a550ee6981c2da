import { processReport } from "../ProcessReport.ts"
import type { Findings, Observations } from "../Row.ts"

const program = new URL("../processes/behaviour.ts", import.meta.url)

/** Runs the same failure scenarios with every client, in a separate process because one of the clients retries for an hour. */
export const behaviour = async (): Promise<Findings> => ({
  rows: [],
  observations: await processReport<Observations>(program)
})
