import * as Schema from "effect/Schema"
import type { Rounds, Sample, Summary } from "./Measure.ts"
import { summarise } from "./Measure.ts"

/**
 * A figure of one suite. `id` is unique over all suites and is what `budgets.json` names; `low` and `high` are
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
  cpuRatio: Schema.optionalKey(Schema.Finite),
  note: Schema.optionalKey(Schema.String)
})
export type Row = typeof Row.Type

/** The observed behaviour of a program, for suites that compare behaviour instead of speed. */
const Observation = Schema.Struct({ probe: Schema.String, client: Schema.String, outcome: Schema.String })
export type Observation = typeof Observation.Type

/** Everything one suite found. */
export const Report = Schema.Struct({
  suite: Schema.String,
  rows: Schema.Array(Row),
  observations: Schema.Array(Observation)
})
export type Report = typeof Report.Type

/** One timed row to be made from rounds: which contestant, what it is called, and what it is measured against. */
export interface TimedRow {
  readonly id: string
  readonly label: string
  readonly contestant: string
  readonly baseline?: { readonly id: string; readonly contestant: string }
  readonly note?: string
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
export const timedRows = (rounds: Rounds, rows: ReadonlyArray<TimedRow>): ReadonlyArray<Row> =>
  rows.map(({ baseline, contestant, id, label, note }) => {
    const samples = rounds.get(contestant)
    if (samples === undefined) throw new Error(`no samples of "${contestant}" for the row ${id}`)
    const wall = summarise(samples.map((sample) => sample.wall))
    const cpu = medianOf(samples.map((sample) => sample.cpu))
    const against = baseline === undefined ? undefined : rounds.get(baseline.contestant)
    const ratio = against === undefined ? undefined : pairedRatio(samples, against, "wall")
    const cpuRatio = against === undefined ? undefined : pairedRatio(samples, against, "cpu")
    return {
      id,
      label,
      unit: "ms",
      value: wall.median,
      low: wall.low,
      high: wall.high,
      ...(cpu === undefined ? {} : { cpu }),
      ...(baseline === undefined ? {} : { baseline: baseline.id }),
      ...(ratio === undefined ? {} : { ratio }),
      ...(cpuRatio === undefined ? {} : { cpuRatio }),
      ...(note === undefined ? {} : { note })
    }
  })

/** A row from values that are already in its unit. */
export const valueRow = (
  id: string,
  label: string,
  unit: Row["unit"],
  summary: Summary,
  extra: Pick<Row, "note"> & { readonly baseline?: Row } = {}
): Row => ({
  id,
  label,
  unit,
  value: summary.median,
  low: summary.low,
  high: summary.high,
  ...(extra.baseline === undefined
    ? {}
    : { baseline: extra.baseline.id, ratio: summary.median / extra.baseline.value }),
  ...(extra.note === undefined ? {} : { note: extra.note })
})
