import * as Schema from "effect/Schema"
import type { Report, Row } from "./Row.ts"
import { withUnit } from "./Table.ts"

const Measure = Schema.Literals(["value", "ratio", "cpu", "cpuRatio"])
type Measure = typeof Measure.Type

const Limit = Schema.Struct({
  row: Schema.String,
  measure: Measure,
  atMost: Schema.optionalKey(Schema.Finite),
  atLeast: Schema.optionalKey(Schema.Finite)
})
type Limit = typeof Limit.Type

const Budget = Schema.Struct({ name: Schema.String, anyOf: Schema.NonEmptyArray(Limit) })

/** One line of `budgets.json`: it holds when any of its limits holds. */
export type Budget = typeof Budget.Type

/** Reads the text of `budgets.json`; throws with the path of what is wrong. */
export const parseBudgets = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Budget)), {
  onExcessProperty: "error"
})

/** A budget that was not kept, with what was measured instead. */
export interface Breach {
  readonly name: string
  readonly found: string
}

const figure = (row: Row, measure: Measure): number | undefined => row[measure]

const holds = (limit: Limit, value: number): boolean =>
  (limit.atMost === undefined || value <= limit.atMost) && (limit.atLeast === undefined || value >= limit.atLeast)

const describeLimit = (limit: Limit): string =>
  limit.atMost === undefined ? `at least ${limit.atLeast ?? "?"}` : `at most ${limit.atMost}`

const rounded = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** The figures that a budget limits. */
export const measuredFor = (budget: Budget, reports: ReadonlyArray<Report>): string => {
  const rows = reports.flatMap((report) => report.rows)
  const figures = budget.anyOf.map(({ measure, row }) => {
    const found = rows.find(({ id }) => id === row)
    const value = found && figure(found, measure)
    if (found === undefined || value === undefined) return "not measured"
    return measure === "value" || measure === "cpu"
      ? withUnit({ unit: measure === "cpu" ? "ms" : found.unit, value })
      : `${rounded(value)} ×`
  })
  return figures.join(", ")
}

/** Compares budgets with the suites that ran. A row that such a suite did not deliver is a breach, never a pass. */
export const findBreaches = (budgets: ReadonlyArray<Budget>, reports: ReadonlyArray<Report>): ReadonlyArray<Breach> => {
  const rows = new Map(reports.flatMap((report) => report.rows.map((row) => [row.id, row] as const)))
  const suites = new Set(reports.map((report) => report.suite))
  return budgets
    .filter((budget) => budget.anyOf.some((limit) => suites.has(limit.row.split("/")[0] ?? "")))
    .flatMap((budget) => {
      const found: Array<string> = []
      for (const limit of budget.anyOf) {
        const row = rows.get(limit.row)
        const value = row === undefined ? undefined : figure(row, limit.measure)
        if (value !== undefined && holds(limit, value)) return []
        const measured = value === undefined ? "not measured" : rounded(value)
        found.push(`${limit.row} ${limit.measure} ${measured}, allowed ${describeLimit(limit)}`)
      }
      return [{ name: budget.name, found: found.join("; ") }]
    })
}
