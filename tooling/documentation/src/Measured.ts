/**
 * The benchmarks of `tooling/bench/measured.json`.
 */
import { read } from "./Repository.ts"

/** A measured row. Times are milliseconds, sizes are bytes. */
export interface Row {
  readonly cpu?: number
  readonly cpuRatio?: number
  readonly id: string
  readonly value: number
}

interface Measured {
  readonly reports: ReadonlyArray<{
    readonly observations?: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly rows: ReadonlyArray<Row>
  }>
}

const { reports }: Measured = JSON.parse(read("tooling/bench/measured.json"))

const rows = reports.flatMap(({ rows }) => rows)

/** The behaviour of each client in each probe. */
export const observations = reports.flatMap(({ observations = {} }) => Object.entries(observations))

/** The row with an id, such as `size/sdk-list`. */
export const rowOf = (id: string): Row => {
  const found = rows.find((row) => row.id === id)
  if (found === undefined) throw new Error(`tooling/bench/measured.json has no row ${id}`)
  return found
}
