import type { Observations, Report, Row } from "./Row.ts"

const number = (value: number): string => {
  if (value === 0) return "0"
  if (Math.abs(value) >= 1000)
    return Math.round(value)
      .toString()
      .replace(/\B(?=(\d{3})+$)/g, ",")
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

/** A figure with its unit. */
export const withUnit = ({ unit, value }: Pick<Row, "unit" | "value">, text = number(value)): string =>
  unit === "count" ? text : `${text} ${unit === "percent" ? "%" : unit}`

const cells = (row: Row): ReadonlyArray<string> => [
  row.label,
  withUnit(row),
  row.low === undefined || row.high === undefined ? "" : `${number(row.low)} to ${number(row.high)}`,
  row.cpu === undefined ? "" : `${number(row.cpu)} ms`,
  row.ratio === undefined ? "" : `${number(row.ratio)} ×`,
  row.cpuRatio === undefined ? "" : `${number(row.cpuRatio)} ×`,
  row.baseline ?? ""
]

const figureHeads = ["what", "median", "quartiles", "CPU", "ratio", "CPU ratio", "over"]

const observationTable = (observations: Observations): ReadonlyArray<ReadonlyArray<string>> => {
  const clients = [...new Set(Object.values(observations).flatMap((outcomes) => Object.keys(outcomes)))]
  return [
    ["probe", ...clients],
    ...Object.entries(observations).map(([probe, outcomes]) =>
      [probe].concat(clients.map((client) => outcomes[client] ?? "–"))
    )
  ]
}

/** The tables of a report, heads first, without the columns in which no row has anything to say. */
export const tables = (report: Report): ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> => {
  const found: Array<ReadonlyArray<ReadonlyArray<string>>> = []
  if (report.rows.length > 0) {
    const body = report.rows.map(cells)
    const used = figureHeads.map((_, column) => body.some((row) => row[column] !== ""))
    found.push([figureHeads, ...body].map((row) => row.filter((_, column) => used[column])))
  }
  if (report.observations !== undefined) found.push(observationTable(report.observations))
  return found
}

/** A table for the terminal: columns padded, the first to the left and figures to the right. */
export const plainTable = (table: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => [...(row[column] ?? "")].length)))
  return table
    .map((row) =>
      row
        .map((cell, column) => {
          const padding = " ".repeat((widths[column] ?? 0) - [...cell].length)
          return column === 0 || column === row.length - 1 ? cell + padding : padding + cell
        })
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** The same table in Markdown. */
export const markdownTable = (table: ReadonlyArray<ReadonlyArray<string>>): string => {
  const line = (row: ReadonlyArray<string>) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
  const [heads = [], ...body] = table
  return [line(heads), line(heads.map((_, column) => (column === 0 ? "---" : "---:"))), ...body.map(line)].join("\n")
}
