import * as Schema from "effect/Schema"
import type { Report, Row } from "./Row.ts"
import { withUnit } from "./Table.ts"

const Measure = Schema.Literals(["value", "ratio", "cpu", "cpuRatio"])

const Budget = Schema.Struct({
  name: Schema.String,
  row: Schema.String,
  measure: Measure,
  atMost: Schema.optionalKey(Schema.Finite),
  atLeast: Schema.optionalKey(Schema.Finite)
})

/** One line of `budgets.json`: the limit of a figure. */
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

const holds = ({ atLeast = -Infinity, atMost = Infinity }: Budget, value: number): boolean =>
  value <= atMost && value >= atLeast

const describeLimit = ({ atLeast, atMost }: Budget): string =>
  atMost === undefined ? `at least ${atLeast ?? "?"}` : `at most ${atMost}`

const rounded = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

const rowFor = (budget: Budget, reports: ReadonlyArray<Report>): Row | undefined =>
  reports.flatMap(({ rows }) => rows).find(({ id }) => id === budget.row)

/** The figure that a budget limits. */
export const measuredFor = (budget: Budget, reports: ReadonlyArray<Report>): string => {
  const { measure } = budget
  const row = rowFor(budget, reports)
  const value = row?.[measure]
  if (row === undefined || value === undefined) return "not measured"
  if (measure === "value") return withUnit({ unit: row.unit, value })
  return measure === "cpu" ? withUnit({ unit: "ms", value }) : `${rounded(value)} ×`
}

/** Compares budgets with the suites that ran. A row that such a suite did not deliver is a breach, never a pass. */
export const findBreaches = (budgets: ReadonlyArray<Budget>, reports: ReadonlyArray<Report>): ReadonlyArray<Breach> =>
  budgets
    .filter(({ row }) => reports.some(({ suite }) => row.startsWith(`${suite}/`)))
    .flatMap((budget) => {
      const { measure, name, row } = budget
      const value = rowFor(budget, reports)?.[measure]
      if (value !== undefined && holds(budget, value)) return []
      const measured = value === undefined ? "not measured" : rounded(value)
      return [{ name, found: `${row} ${measure} ${measured}, allowed ${describeLimit(budget)}` }]
    })
