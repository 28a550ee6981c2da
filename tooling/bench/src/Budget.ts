import type { Report, Row } from "./Row.ts"
import { withUnit } from "./Table.ts"

/** The limit of a figure. */
export type Budget = {
  /** The id of a row. */
  readonly row: string
  readonly measure: "value" | "ratio" | "cpuRatio"
  /** Why it is more than 15 % from the published figure. */
  readonly because?: string
} & ({ readonly atMost: number } | { readonly atLeast: number })

/** A budget and what was measured. */
export interface Outcome {
  /** The label of its row. */
  readonly name: string
  readonly measured: string
  readonly limit: string
  readonly isKept: boolean
}

const rounded = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Compares a budget with reports. A row that they lack breaks its budget. */
export const outcomeOf = (budget: Budget, reports: ReadonlyArray<Report>): Outcome => {
  const { measure } = budget
  const rows = reports.flatMap((report) => report.rows)
  const find = (id: string | undefined): Row | undefined => rows.find((row) => row.id === id)
  const row = find(budget.row)
  const value = row?.[measure]
  const baseline = measure === "value" ? undefined : find(row?.baseline)?.label
  const figure = (number: number, text?: string): string =>
    measure === "value" ? withUnit({ unit: row?.unit ?? "count", value: number }, text) : `${text ?? rounded(number)} ×`
  const [bound, least] = "atMost" in budget ? [budget.atMost, false] : [budget.atLeast, true]
  const name = `${measure === "cpuRatio" ? "CPU of " : ""}${row?.label ?? budget.row}`
  return {
    name: baseline === undefined ? name : `${name}, compared with ${baseline}`,
    measured: value === undefined ? "not measured" : figure(value),
    limit: `at ${least ? "least" : "most"} ${figure(bound, bound.toLocaleString("en-US"))}`,
    isKept: value !== undefined && (least ? value >= bound : value <= bound)
  }
}

/** The outcomes of the budgets of suites that ran. */
export const outcomesOf = (budgets: ReadonlyArray<Budget>, reports: ReadonlyArray<Report>): ReadonlyArray<Outcome> =>
  budgets
    .filter(({ row }) => reports.some(({ suite }) => row.startsWith(`${suite}/`)))
    .map((budget) => outcomeOf(budget, reports))
