import * as Schema from "effect/Schema"
import type { Rounds, Sample, Summary } from "./Measure.ts"
import { summarise } from "./Measure.ts"

/**
 * A figure of one suite. `id` is unique over all suites and is what budgets name; `low` and `high` are
 * quartiles where `value` is a median; `cpu` is milliseconds of processor time where `value` is wall time; `baseline`
 * is the row it is compared with, measured in the same run, and a ratio of rounds is the median of the rounds' own
 * ratios.
 */
const Row = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  unit: Schema.Literals(["ms", "bytes", "MB", "percent", "count", "per second"]),
  value: Schema.Finite,
  low: Schema.optionalKey(Schema.Finite),
  high: Schema.optionalKey(Schema.Finite),
  cpu: Schema.optionalKey(Schema.Finite),
  baseline: Schema.optionalKey(Schema.String),
  ratio: Schema.optionalKey(Schema.Finite),
  cpuRatio: Schema.optionalKey(Schema.Finite)
})
export type Row = typeof Row.Type

/** The behaviour of each client in each probe, for suites that compare behaviour instead of speed. */
const Observations = Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.String))
export type Observations = typeof Observations.Type

/** Everything one suite found. */
export const Report = Schema.Struct({
  suite: Schema.String,
  rows: Schema.Array(Row),
  observations: Schema.optionalKey(Observations)
})
export type Report = typeof Report.Type

/** The findings of a suite that runs. */
export type Findings = Omit<Report, "suite">

/** One timed row to be made from rounds: which contestant, what it is called, and what it is measured against. */
export interface TimedRow {
  readonly id: string
  readonly label: string
  readonly contestant: string
  /** The id of another row of the same rounds. */
  readonly baseline?: string
}

const medianOf = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : summarise(known).median
}

const pairedRatio = (
  samples: ReadonlyArray<Sample>,
  baseline: ReadonlyArray<Sample>,
  figure: "wall" | "cpu"
): number | undefined =>
  medianOf(
    samples.map((sample, round) => {
      const [value, other] = [sample[figure], baseline[round]?.[figure]]
      return value === undefined || other === undefined ? undefined : value / other
    })
  )

/** Makes rows of measured rounds; ratios are taken within each round, so that a slow moment of the machine hits both sides. */
export const timedRows = (rounds: Rounds, rows: ReadonlyArray<TimedRow>): ReadonlyArray<Row> => {
  const samplesOf = (id: string): ReadonlyArray<Sample> => {
    const row = rows.find((one) => one.id === id)
    if (row === undefined) throw new Error(`no row "${id}"`)
    const samples = rounds.get(row.contestant)
    if (samples === undefined) throw new Error(`no samples of "${row.contestant}" for the row ${id}`)
    return samples
  }
  return rows.map(({ baseline, id, label }) => {
    const samples = samplesOf(id)
    const wall = summarise(samples.map((sample) => sample.wall))
    const cpu = medianOf(samples.map((sample) => sample.cpu))
    const against = baseline === undefined ? undefined : samplesOf(baseline)
    const ratio = against && pairedRatio(samples, against, "wall")
    const cpuRatio = against && pairedRatio(samples, against, "cpu")
    return {
      id,
      label,
      unit: "ms",
      value: wall.median,
      low: wall.low,
      high: wall.high,
      ...(cpu === undefined ? {} : { cpu }),
      ...(baseline === undefined ? {} : { baseline }),
      ...(ratio === undefined ? {} : { ratio }),
      ...(cpuRatio === undefined ? {} : { cpuRatio })
    }
  })
}

/** A row from one value, or the summary of several, in its unit. */
export const valueRow = (
  id: string,
  label: string,
  unit: Row["unit"],
  found: number | ReadonlyArray<number> | Summary,
  baseline?: Row
): Row => {
  const { median: value, ...quartiles } =
    typeof found === "number" ? { median: found } : "median" in found ? found : summarise(found)
  return {
    id,
    label,
    unit,
    value,
    ...quartiles,
    ...(baseline === undefined ? {} : { baseline: baseline.id, ratio: value / baseline.value })
  }
}
