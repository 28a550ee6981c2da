/**
 * The comparison with other clients, from the benchmarks in `tooling/bench/measured.json`.
 */
import { observations, rowOf } from "./Measured.ts"

/** The clients, with their rows of the suites `size` and `start`. */
export const clients = [
  { name: "signalbox", size: "size/sdk-list", start: "start/sdk-bundled" },
  { name: "@novu/api", size: "size/novu-function", start: "start/novu-function-bundled" },
  { name: "@knocklabs/node", size: "size/knock", start: "start/knock-bundled" },
  { name: "stripe", size: "size/stripe", start: "start/stripe-bundled" }
] as const

const kilobytes = (id: string): string => `${(rowOf(id).value / 1000).toFixed(1)} KB`

const cpuOverEmpty = (id: string): string => `${Math.round((rowOf(id).cpu ?? 0) - (rowOf("start/empty").cpu ?? 0))} ms`

const observed = (probe: RegExp, client: string): string => {
  const found = observations.find((observation) => observation.client === client && probe.test(observation.probe))
  if (found === undefined) throw new Error(`tooling/bench/measured.json has no observation ${probe} of ${client}`)
  return found.outcome
}

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const comparisons: ReadonlyArray<readonly [label: string, of: (client: (typeof clients)[number]) => string]> = [
  ["bundle size, gzip", ({ size }) => kilobytes(size)],
  ["start, CPU time", ({ start }) => cpuOverEmpty(start)],
  ["unknown provider in one record of a page", ({ name }) => observed(/provider id/, name)],
  ["503 to each attempt of a write that appends", ({ name }) => observed(/503.*write/, name)],
  ["HTML page with status 400", ({ name }) => observed(/400.*HTML/, name)],
  ["logged error contains API key / device token", ({ name }) => observed(/inspected error/, name)],
  ["headers for one call", ({ name }) => observed(/headers for one call/, name)],
  ["`user-agent` names the client", ({ name }) => observed(/user-agent/, name)],
  ["header that counts retries", ({ name }) => observed(/that counts it/, name)],
  ["error in another thread keeps class / status", ({ name }) => observed(/crosses to a worker/, name)]
]

/** The table, in Markdown. */
export const peersTable = (): string =>
  [
    line(["", ...clients.map(({ name }) => name)]),
    line(["---", ...clients.map(() => "---")]),
    ...comparisons.map(([label, of]) => line([label, ...clients.map(of)]))
  ].join("\n")
