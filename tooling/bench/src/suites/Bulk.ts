import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { measureCluster } from "../BulkCluster.ts"
import { linesOfLoop } from "../Measurements.ts"
import { collect } from "../Measure.ts"
import { processReport } from "../ProcessReport.ts"
import { collectApart } from "../Rounds.ts"
import type { Findings, Row } from "../Row.ts"
import { timedRows, valueRow } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"
import { linesOf, upserts } from "../UpsertWork.ts"

/** The work whose heap is measured. */
export type HeapWork = "upsertMany" | "run"

/** Megabytes of living objects after the first inputs and after all of them. */
export interface HeapOfBulk {
  readonly early: number
  readonly late: number
}

const count = (value: number): string => value.toLocaleString("en")

/** Rows about the heap of a process after few and after many inputs. */
const heapRows = async (
  id: string,
  work: HeapWork,
  unit: string,
  early: number,
  late: number
): Promise<ReadonlyArray<Row>> => {
  const megabytes = await processReport<HeapOfBulk>(new URL("../processes/bulkHeap.ts", import.meta.url), {
    words: [work, String(early), String(late)],
    flags: ["--expose-gc"]
  })
  const first = valueRow(`bulk/${id}-early`, `heap after ${count(early)} ${unit}`, "MB", megabytes.early)
  return [first, valueRow(`bulk/${id}-late`, `heap after ${count(late)} ${unit}`, "MB", megabytes.late, first)]
}

const rounds = 9
const concurrency = 32

/** The same upserts with the SDK in a loop, and as a bulk run, against a server in its own process. */
const runRows = async (): Promise<ReadonlyArray<Row>> => {
  const server = await startServer(new URL("../processes/subscriberServer.ts", import.meta.url))
  const script = new URL("../processes/bulkRuns.ts", import.meta.url)
  try {
    const words = [server.baseUrl, String(linesOfLoop), String(concurrency)]
    const of = `${count(linesOfLoop)} upserts, ${concurrency} at once`
    const baseline = "bulk/sdk-loop"
    return timedRows(await collectApart({ processes: 1, rounds }, script, [words]), [
      { id: baseline, label: `SDK in a loop, ${of}`, contestant: "sdk" },
      { id: "bulk/run", label: `bulk run, ${of}`, contestant: "run", baseline }
    ])
  } finally {
    server.close()
  }
}

/** The first new outcome of a process that works on a run. */
export interface Restart {
  /** Lines that had succeeded before. */
  readonly recovered: number
  /** Milliseconds since the process started. */
  readonly afterMs: number
}

const restarts = 7

/** How soon a process continues a run whose process was killed, compared with that process, which had no journal. */
const restartRows = async (): Promise<ReadonlyArray<Row>> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-restart-"))
  const server = await startServer(new URL("../processes/subscriberServer.ts", import.meta.url))
  const text = linesOf(upserts(50_000))
  const pair = async () => {
    const input = join(mkdtempSync(join(folder, "run-")), "tokens.ndjson")
    writeFileSync(input, text)
    const start = () =>
      processReport<Restart>(new URL("../processes/bulkRestart.ts", import.meta.url), {
        words: [input, server.baseUrl]
      })
    const [first, second] = [await start(), await start()]
    if (second.recovered === 0) throw new Error("the second process did not continue the run")
    return { first: { wall: first.afterMs }, second: { wall: second.afterMs } }
  }
  try {
    const of = "start of a process to its first outcome"
    const baseline = "bulk/first-start"
    return timedRows(await collect(restarts, [pair]), [
      { id: baseline, label: `${of}, a new run of 50,000 lines`, contestant: "first" },
      { id: "bulk/restart", label: `${of}, a run whose process was killed`, contestant: "second", baseline }
    ])
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}

const clusterLines = 4000

/** A cluster of one worker and of three, 32 calls in flight each; CPU against the SDK in a loop. */
const clusterRows = async (loop: Row | undefined): Promise<ReadonlyArray<Row>> => {
  const { kilobytesOfChunk, one, three } = await measureCluster(clusterLines)
  const of = `${count(clusterLines)} upserts of 200 ms`
  const cpuOfLoop = ((loop?.cpu ?? Number.NaN) * 1000) / linesOfLoop
  const first = valueRow("bulk/cluster-one", `one worker, ${of}`, "per second", one.perSecond)
  const cpu = valueRow("bulk/loop-cpu", "CPU of 1,000 upserts with the SDK in a loop", "ms", cpuOfLoop)
  return [
    first,
    valueRow("bulk/cluster-three", `three workers, ${of}`, "per second", three.perSecond, first),
    cpu,
    valueRow("bulk/cluster-three-cpu", "CPU of 1,000 upserts on three workers", "ms", three.cpuOfThousand, cpu),
    valueRow("bulk/cluster-database", "kilobytes of database for a chunk of 200 lines", "count", kilobytesOfChunk)
  ]
}

/**
 * The cost of a bulk run compared with a loop, and whether bulk work keeps results after the caller has received them.
 */
export const bulk = async (): Promise<Findings> => {
  const runs = await runRows()
  return {
    rows: [
      ...runs,
      ...(await restartRows()),
      ...(await clusterRows(runs.find(({ id }) => id === "bulk/sdk-loop"))),
      ...(await heapRows("heap", "upsertMany", "inputs of 2 KB to upsertMany", 5_000, 50_000)),
      ...(await heapRows("run-heap", "run", "lines of a bulk run", 10_000, 1_000_000))
    ]
  }
}
