import { measureCluster } from "../BulkCluster.ts"
import { processReport } from "../ProcessReport.ts"
import { collect } from "../Measure.ts"
import { openRounds } from "../Rounds.ts"
import type { Report, Row } from "../Row.ts"
import { timedRows } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"

/** Megabytes of living objects after the first inputs and after all of them. */
export interface HeapOfBulk {
  readonly early: number
  readonly late: number
}

const count = (value: number): string => value.toLocaleString("en")

/** Two rows about the heap of a process after few and after many inputs. */
const heapRows = async (
  id: string,
  script: URL,
  unit: string,
  early: number,
  late: number
): Promise<ReadonlyArray<Row>> => {
  const megabytes = await processReport<HeapOfBulk>(script, {
    words: [String(early), String(late)],
    flags: ["--expose-gc"]
  })
  const first: Row = {
    id: `bulk/${id}-early`,
    label: `heap after ${count(early)} ${unit}`,
    unit: "MB",
    value: megabytes.early
  }
  return [
    first,
    {
      id: `bulk/${id}-late`,
      label: `heap after ${count(late)} ${unit}`,
      unit: "MB",
      value: megabytes.late,
      baseline: first.id,
      ratio: megabytes.late / megabytes.early
    },
    {
      id: `bulk/${id}-growth`,
      label: `growth of the heap from ${count(early)} to ${count(late)} ${unit}`,
      unit: "MB",
      value: megabytes.late - megabytes.early
    }
  ]
}

const rounds = 15
const lines = 2000
const concurrency = 32

/** The same upserts with bare fetch, with the SDK in a loop, and as a bulk run, against a server in its own process. */
const runRows = async (): Promise<ReadonlyArray<Row>> => {
  const server = await startServer(new URL("../processes/subscriberServer.ts", import.meta.url))
  const script = new URL("../processes/bulkRuns.ts", import.meta.url)
  const process = await openRounds(script, [server.baseUrl, String(lines), String(concurrency)])
  try {
    const of = `${count(lines)} upserts, ${concurrency} at once`
    const sdk = { id: "bulk/sdk-loop", contestant: "sdk" }
    return timedRows(await collect(rounds, [process.round]), [
      { ...sdk, label: `SDK in a loop, ${of}` },
      { id: "bulk/fetch-loop", label: `bare fetch in a loop, ${of}`, contestant: "fetch", baseline: sdk },
      { id: "bulk/run", label: `bulk run, ${of}`, contestant: "run", baseline: sdk }
    ])
  } finally {
    process.close()
    server.close()
  }
}

const clusterLines = 4000

/** A cluster of one worker and of three, 32 calls in flight each; CPU against the SDK in a loop. */
const clusterRows = async (loop: Row | undefined): Promise<ReadonlyArray<Row>> => {
  const { kilobytesOfChunk, loopCpuOfThousand, one, three } = await measureCluster(clusterLines)
  const of = `${count(clusterLines)} upserts of 200 ms`
  const cpuOfLoop = ((loop?.cpu ?? Number.NaN) * 1000) / lines
  const cpuRow = (id: string, label: string, value: number): Row => ({
    id: `bulk/${id}`,
    label,
    unit: "ms",
    value,
    baseline: "bulk/loop-cpu",
    ratio: value / cpuOfLoop
  })
  return [
    { id: "bulk/cluster-one", label: `one worker, ${of}`, unit: "per second", value: one.perSecond },
    {
      id: "bulk/cluster-three",
      label: `three workers, ${of}`,
      unit: "per second",
      value: three.perSecond,
      baseline: "bulk/cluster-one",
      ratio: three.perSecond / one.perSecond
    },
    { id: "bulk/loop-cpu", label: "CPU of 1,000 upserts with the SDK in a loop", unit: "ms", value: cpuOfLoop },
    cpuRow("slow-loop-cpu", "CPU of 1,000 upserts of 200 ms with the SDK in a loop", loopCpuOfThousand),
    cpuRow("cluster-one-cpu", "CPU of 1,000 upserts on one worker", one.cpuOfThousand),
    cpuRow("cluster-three-cpu", "CPU of 1,000 upserts on three workers", three.cpuOfThousand),
    {
      id: "bulk/cluster-database",
      label: "kilobytes of database for a chunk of 200 lines",
      unit: "count",
      value: kilobytesOfChunk
    }
  ]
}

/**
 * The cost of a bulk run compared with a loop, and whether bulk work keeps results after the caller has received them.
 */
export const bulk = async (): Promise<Report> => {
  const runs = await runRows()
  return {
    suite: "bulk",
    rows: [
      ...runs,
      ...(await clusterRows(runs.find(({ id }) => id === "bulk/sdk-loop"))),
      ...(await heapRows(
        "heap",
        new URL("../processes/bulk.ts", import.meta.url),
        "inputs of 2 KB to upsertMany",
        5_000,
        50_000
      )),
      ...(await heapRows(
        "run-heap",
        new URL("../processes/bulkMemory.ts", import.meta.url),
        "lines of a bulk run",
        10_000,
        1_000_000
      ))
    ],
    observations: []
  }
}
