import { measureCluster } from "../BulkCluster.ts"
import { processReport } from "../ProcessReport.ts"
import { collectApart } from "../Rounds.ts"
import type { Findings, Row } from "../Row.ts"
import { timedRows, valueRow } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"

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
  const growth = megabytes.late - megabytes.early
  const first = valueRow(`bulk/${id}-early`, `heap after ${count(early)} ${unit}`, "MB", megabytes.early)
  return [
    first,
    valueRow(`bulk/${id}-late`, `heap after ${count(late)} ${unit}`, "MB", megabytes.late, first),
    valueRow(`bulk/${id}-growth`, `growth of the heap from ${count(early)} to ${count(late)} ${unit}`, "MB", growth)
  ]
}

const rounds = 15
const lines = 2000
const concurrency = 32

/** The same upserts with bare fetch, with the SDK in a loop, and as a bulk run, against a server in its own process. */
const runRows = async (): Promise<ReadonlyArray<Row>> => {
  const server = await startServer(new URL("../processes/subscriberServer.ts", import.meta.url))
  const script = new URL("../processes/bulkRuns.ts", import.meta.url)
  try {
    const words = [server.baseUrl, String(lines), String(concurrency)]
    const of = `${count(lines)} upserts, ${concurrency} at once`
    const baseline = "bulk/sdk-loop"
    return timedRows(await collectApart({ processes: 1, rounds }, script, [words]), [
      { id: baseline, label: `SDK in a loop, ${of}`, contestant: "sdk" },
      { id: "bulk/fetch-loop", label: `bare fetch in a loop, ${of}`, contestant: "fetch", baseline },
      { id: "bulk/run", label: `bulk run, ${of}`, contestant: "run", baseline }
    ])
  } finally {
    server.close()
  }
}

const clusterLines = 4000

/** A cluster of one worker and of three, 32 calls in flight each; CPU against the SDK in a loop. */
const clusterRows = async (loop: Row | undefined): Promise<ReadonlyArray<Row>> => {
  const { kilobytesOfChunk, loopCpuOfThousand, one, three } = await measureCluster(clusterLines)
  const of = `${count(clusterLines)} upserts of 200 ms`
  const cpuOfLoop = ((loop?.cpu ?? Number.NaN) * 1000) / lines
  const first = valueRow("bulk/cluster-one", `one worker, ${of}`, "per second", one.perSecond)
  const cpu = valueRow("bulk/loop-cpu", "CPU of 1,000 upserts with the SDK in a loop", "ms", cpuOfLoop)
  const cpuRow = (id: string, label: string, value: number): Row =>
    valueRow(`bulk/${id}`, `CPU of 1,000 upserts ${label}`, "ms", value, cpu)
  return [
    first,
    valueRow("bulk/cluster-three", `three workers, ${of}`, "per second", three.perSecond, first),
    cpu,
    cpuRow("slow-loop-cpu", "of 200 ms with the SDK in a loop", loopCpuOfThousand),
    cpuRow("cluster-one-cpu", "on one worker", one.cpuOfThousand),
    cpuRow("cluster-three-cpu", "on three workers", three.cpuOfThousand),
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
      ...(await clusterRows(runs.find(({ id }) => id === "bulk/sdk-loop"))),
      ...(await heapRows("heap", "upsertMany", "inputs of 2 KB to upsertMany", 5_000, 50_000)),
      ...(await heapRows("run-heap", "run", "lines of a bulk run", 10_000, 1_000_000))
    ]
  }
}
