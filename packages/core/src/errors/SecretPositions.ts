/**
 * Secrets in values: at positions such as `body.devices.*.token`, or under names such as `deviceTokens`.
 */
import { isSecretName } from "./Redaction.ts"

// Deeper than any input, and far from overflowing the stack.
const deepest = 100

/** The strings and numbers at a position of a value, and inside of the objects and arrays there. */
const collect = (value: unknown, position: ReadonlyArray<string>, secrets: Array<string>, depth = 0): void => {
  const key = position[depth]
  if (typeof value !== "object" || value === null) {
    if (key === undefined && (typeof value === "string" || typeof value === "number")) secrets.push(String(value))
  } else if (key !== undefined && key !== "*") {
    if (Object.hasOwn(value, key)) collect(value[key as keyof typeof value], position, secrets, depth + 1)
  } else if (depth < deepest) {
    for (const part of Object.values(value)) collect(part, position, secrets, depth + 1)
  }
}

/** The strings under names of secrets. */
export const secretsUnderNames = (value: unknown, isSecret = false, depth = 0): ReadonlyArray<string> => {
  if (typeof value === "string") return isSecret ? [value] : []
  if (typeof value !== "object" || value === null || depth >= deepest) return []
  return Object.entries(value).flatMap(([key, part]) =>
    secretsUnderNames(part, isSecret || (!Array.isArray(value) && isSecretName(key)), depth + 1)
  )
}

/** The strings and numbers at positions of a value, and inside of the objects and arrays there; and those under names of secrets. */
export const secretsIn = (positions: ReadonlyArray<string> | undefined, value: unknown): ReadonlyArray<string> => {
  const found = [...secretsUnderNames(value)]
  for (const position of positions ?? []) collect(value, position.split("."), found)
  return found
}
