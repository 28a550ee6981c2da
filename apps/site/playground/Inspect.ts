const longest = 4000

const replacer = (_key: string, value: unknown): unknown => {
  if (value instanceof Error) return { ...value, name: value.name, message: value.message }
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
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
