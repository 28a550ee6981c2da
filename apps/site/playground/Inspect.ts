const longest = 4000

const replacer = (_key: string, value: unknown): unknown => {
  if (value instanceof Error) return { ...value, name: value.name, message: value.message }
  if (value instanceof Map) return { [`Map(${value.size})`]: [...value] }
  if (value instanceof Set) return { [`Set(${value.size})`]: [...value] }
  if (value === undefined) return "undefined"
  return typeof value === "bigint" || typeof value === "function" || typeof value === "symbol" ? String(value) : value
}

/** A value as a reader wants to see it. */
export const inspect = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof Error) return `${value.name}: ${value.message}`
  const text = JSON.stringify(value, replacer, 2) ?? String(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)])
  )
}

/** Whether two values are written equally as JSON, whatever the order of their keys. */
export const looksEqual = (left: unknown, right: unknown): boolean =>
  JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))

/** The values of a call of `console.log` as one line; `%s`, `%d`, `%o` and the like take the values after the first one. */
export const formatted = ([first, ...others]: ReadonlyArray<unknown>): string => {
  const waiting = [...others]
  const text =
    typeof first === "string"
      ? first.replaceAll(/%[sdifoOj]/g, (whole) => (waiting.length === 0 ? whole : inspect(waiting.shift())))
      : inspect(first)
  return [text, ...waiting.map(inspect)].join(" ")
}

/** Rows as columns of text; other values as `console.log` shows them. */
export const table = (rows: unknown): string => {
  if (!Array.isArray(rows) || rows.some((row) => typeof row !== "object" || row === null)) return inspect(rows)
  const names = [...new Set(rows.flatMap((row: object) => Object.keys(row)))]
  const lines = [names, ...rows.map((row: object) => names.map((name) => inspect(Reflect.get(row, name) ?? "")))]
  const widths = names.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)))
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
