/**
 * The differences between two JSON values, as lines that show no secret.
 */
import { redact } from "@signalbox/core/Redaction"
import { isJsonObject } from "@signalbox/core/internal/reading/JsonObject"

type ComparedFields = "expected" | "both" | "all"

const shown = (value: unknown): string => {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value))
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`
}

/** A difference in one line. Two values that are equal once secrets are removed differ in a secret. */
export const differenceLine = (place: string, expected: unknown, received: unknown): string => {
  const [one, other] = [shown(expected), shown(received)]
  return one === other ? `${place}: another secret than expected` : `${place}: expected ${one}, received ${other}`
}

/** The part of a redacted value at a path, or the placeholder that replaces it. */
const partAt = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let part = value
  for (const name of path) {
    if (typeof part === "string") return part
    part = typeof part === "object" && part !== null ? Reflect.get(part, name) : undefined
  }
  return part
}

const namesIn = (expected: object, received: object, compared: ComparedFields): ReadonlyArray<string> => {
  const names = Object.keys(expected)
  switch (compared) {
    case "expected":
      return names
    case "both":
      return names.filter((name) => Object.hasOwn(received, name))
    case "all":
      return [...new Set([...names, ...Object.keys(received)])]
  }
}

const differingPaths = (
  expected: unknown,
  received: unknown,
  compared: ComparedFields,
  path: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> => {
  const below = (name: string | number, one: unknown, other: unknown) =>
    differingPaths(one, other, compared, [...path, String(name)])
  if (Array.isArray(expected)) {
    // The document allows a value instead of a list with one value.
    if (compared === "all" && expected.length === 1 && expected[0] === received) return []
    if (!Array.isArray(received) || received.length !== expected.length) return [path]
    return expected.flatMap((part, index) => below(index, part, received[index]))
  }
  if (isJsonObject(expected)) {
    if (!isJsonObject(received)) return [path]
    return namesIn(expected, received, compared).flatMap((name) => below(name, expected[name], received[name]))
  }
  return Object.is(expected, received) ? [] : [path]
}

/** Every difference of a JSON value from the expected one, one in a line, without secrets. */
export const differencesIn = (
  place: string,
  expected: unknown,
  received: unknown,
  compared: ComparedFields
): ReadonlyArray<string> => {
  const paths = differingPaths(expected, received, compared)
  if (paths.length === 0) return []
  const [redacted, sent] = [redact(expected), redact(received)]
  return paths.map((path) => differenceLine([place, ...path].join("."), partAt(redacted, path), partAt(sent, path)))
}
