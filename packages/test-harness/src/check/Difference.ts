/**
 * The first difference between a value and the expected one, both as JSON. The journal removes secrets, so a removed value
 * equals any.
 */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "absent"
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const isRemoved = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isRemoved) : typeof value === "string" && value.includes("<redacted>")

/** One value equals a list of it: the document allows both forms in requests. */
const isSame = (found: unknown, expected: unknown): boolean =>
  isRemoved(found) ||
  isRemoved(expected) ||
  found === expected ||
  (Array.isArray(expected) && expected.length === 1 && !isObject(found) && found === expected[0])

/**
 * The first difference, with its path. Fields that only one of both has differ too, unless `partly` says that only fields
 * of both are compared.
 */
export const differenceIn = (found: unknown, expected: unknown, path: string, partly = false): string | undefined => {
  if (isSame(found, expected)) return undefined
  if (!isObject(found) || !isObject(expected) || Array.isArray(found) !== Array.isArray(expected))
    return `${path} is ${shown(found)}, not ${shown(expected)}`
  const names = partly
    ? Object.keys(found).filter((name) => Object.hasOwn(expected, name))
    : new Set([...Object.keys(found), ...Object.keys(expected)])
  if (Array.isArray(found) && found.length !== Object.keys(expected).length)
    return `${path} has ${found.length} entries, not ${Object.keys(expected).length}`
  for (const name of names) {
    const difference = differenceIn(found[name], expected[name], `${path}.${name}`, partly)
    if (difference !== undefined) return difference
  }
  return undefined
}
