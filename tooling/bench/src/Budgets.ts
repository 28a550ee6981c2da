import type { Budget } from "./Budget.ts"

/** The limits of figures, by row. */
export const budgets: ReadonlyArray<Budget> = [
  { row: "decode/reader", measure: "ratio", atMost: 0.5 },
  { row: "size/core-list", measure: "value", atMost: 48_600 },
  { row: "size/sdk-list", measure: "value", atMost: 41_000 },
  { row: "size/sdk-client", measure: "value", atMost: 48_000 },
  { row: "size/sdk-guard", measure: "value", atMost: 166 },
  { row: "start/sdk-bundled-cpu", measure: "ratio", atMost: 0.25 },
  { row: "start/sdk-unbundled-cpu", measure: "ratio", atMost: 0.43 },
  { row: "types/consumer-5.9", measure: "cpuRatio", atMost: 1.1 },
  { row: "types/consumer-7", measure: "ratio", atMost: 1.1 },
  { row: "tui/first-frame", measure: "ratio", atMost: 5.3 },
  { row: "tui/key-wide", measure: "ratio", atMost: 0.165 },
  {
    row: "tui/key-many",
    measure: "ratio",
    atMost: 1.08,
    because: "a 95th percentile of a few milliseconds: the same code had 0.75 and 0.90"
  },
  { row: "tui/bytes-narrow", measure: "value", atMost: 650 },
  { row: "tui/bytes-wide", measure: "value", atMost: 2292 },
  { row: "tui/bytes-huge", measure: "value", atMost: 3500 },
  { row: "tui/erases-wide", measure: "value", atMost: 0 },
  { row: "tui/idle-bytes", measure: "value", atMost: 0 },
  {
    row: "tui/idle-cpu",
    measure: "value",
    atMost: 0.4,
    because: "Linux counts processor time in ticks of 10 ms, of which these are two; nothing is not a baseline"
  },
  { row: "tui/memory", measure: "value", atMost: 127 },
  { row: "tui/memory-5000", measure: "value", atMost: 202 },
  { row: "tui/memory-20000", measure: "value", atMost: 403 },
  {
    row: "tui/tail-cpu",
    measure: "ratio",
    atMost: 2.2,
    because: "Linux counts processor time in ticks of 10 ms: the same code had 1.80 and 2.08"
  },
  { row: "call/core-10", measure: "cpuRatio", atMost: 1.23 },
  { row: "call/core-50", measure: "cpuRatio", atMost: 1.29 },
  { row: "call/sdk-10", measure: "cpuRatio", atMost: 1.33 },
  { row: "call/sdk-50", measure: "cpuRatio", atMost: 1.24 },
  { row: "call/sdk-upsert", measure: "cpuRatio", atMost: 1.6 },
  { row: "bulk/run", measure: "ratio", atMost: 1.18 },
  { row: "bulk/run", measure: "cpuRatio", atMost: 1.18 },
  { row: "bulk/restart", measure: "ratio", atMost: 0.82 },
  { row: "bulk/run-heap-late", measure: "ratio", atMost: 0.97 },
  { row: "bulk/cluster-three", measure: "ratio", atLeast: 2.6 },
  { row: "bulk/cluster-three-cpu", measure: "ratio", atMost: 1.71 },
  { row: "bulk/heap-late", measure: "ratio", atMost: 1.12 },
  { row: "fake/start", measure: "ratio", atMost: 1.21 },
  { row: "fake/post", measure: "ratio", atLeast: 0.52 },
  { row: "fake/list", measure: "ratio", atLeast: 0.55 },
  { row: "fake/fetch", measure: "ratio", atMost: 1.21 },
  { row: "fake/memory", measure: "value", atMost: 185 },
  { row: "fake/page-1000000", measure: "ratio", atMost: 0.53 },
  { row: "fake/sweep", measure: "cpuRatio", atMost: 1.09 },
  { row: "fake/environment", measure: "ratio", atMost: 1.24 },
  { row: "cli/version", measure: "ratio", atMost: 1.4 },
  { row: "cli/help", measure: "ratio", atMost: 1.56 },
  { row: "cli/list", measure: "ratio", atMost: 4.42 },
  {
    row: "cli/memory-growth",
    measure: "value",
    atMost: 24,
    because: "most of it is what the collector has not collected yet: the same code had 12 to 22 MB"
  },
  { row: "call/sdk-node-upsert", measure: "cpuRatio", atMost: 0.43 },
  { row: "call/sdk-node-10", measure: "cpuRatio", atMost: 0.69 },
  { row: "tui/filter-large", measure: "ratio", atMost: 0.46 },
  {
    row: "tui/filter-huge",
    measure: "ratio",
    atMost: 0.55,
    because: "a 95th percentile of a few milliseconds: the same code had 0.40 and 0.46"
  }
]
