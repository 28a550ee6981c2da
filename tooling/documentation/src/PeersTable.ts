/**
 * The comparison with other clients, from the benchmarks in `tooling/bench/measured.json`.
 */
import { observations, rowOf } from "./Measured.ts"

/** The clients, with their rows of the suites `size` and `start`. */
const clients = [
  { name: "@signalbox/sdk", size: "size/sdk-list", start: "start/sdk-bundled", call: "call/sdk-10" },
  { name: "@novu/api", size: "size/novu-function", start: "start/novu-function-bundled", call: "call/novu-10" },
  { name: "@knocklabs/node", size: "size/knock", start: "start/knock-bundled", call: "call/knock-10" },
  { name: "stripe", size: "size/stripe-node", start: "start/stripe-node-bundled", call: "call/stripe-10" }
] as const

const kilobytes = (id: string): string => `${(rowOf(id).value / 1000).toFixed(1)} KB`

const cpuOverFetch = (id: string): string => `${(rowOf(id).cpuRatio ?? NaN).toFixed(1)} ×`

const cpuOverEmpty = (id: string): string => `${Math.round((rowOf(id).cpu ?? 0) - (rowOf("start/empty").cpu ?? 0))} ms`

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const comparisons: ReadonlyArray<readonly [label: string, of: (client: (typeof clients)[number]) => string]> = [
  ["bundle size, gzip", ({ size }) => kilobytes(size)],
  ["start, CPU time", ({ start }) => cpuOverEmpty(start)],
  ["CPU of a list of 10 over bare `fetch`", ({ call }) => cpuOverFetch(call)]
]

/** The table, in Markdown. */
export const peersTable = (): string => {
  const [[, versions = {}] = [], ...probes] = observations
  return [
    line(["", ...clients.map(({ name }) => `${name} ${versions[name]}`)]),
    line(["---", ...clients.map(() => "---")]),
    ...comparisons.map(([label, of]) => line([label, ...clients.map(of)])),
    ...probes.map(([label, seen]) => line([label, ...clients.map(({ name }) => seen[name] ?? "–")]))
  ].join("\n")
}
