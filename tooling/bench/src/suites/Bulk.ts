import { processReport } from "../ProcessReport.ts"
import type { Report, Row } from "../Row.ts"

/** Megabytes of living objects after the first inputs and after all of them. */
export interface HeapOfBulk {
  readonly early: number
  readonly late: number
}

const program = new URL("../processes/bulk.ts", import.meta.url)
const early = 5_000
const late = 50_000

/** Living objects of a process that upserts credentials from a long source, each input of 2 KB. */
export const bulk = async (): Promise<Report> => {
  const megabytes = await processReport<HeapOfBulk>(program, {
    words: [String(early), String(late)],
    flags: ["--expose-gc"]
  })
  const first: Row = {
    id: "bulk/heap-early",
    label: `heap after ${early.toLocaleString("en")} inputs of 2 KB`,
    unit: "MB",
    value: megabytes.early
  }
  const last: Row = {
    id: "bulk/heap-late",
    label: `heap after ${late.toLocaleString("en")} inputs of 2 KB`,
    unit: "MB",
    value: megabytes.late,
    baseline: first.id,
    ratio: megabytes.late / megabytes.early
  }
  return { suite: "bulk", rows: [first, last], observations: [] }
}
