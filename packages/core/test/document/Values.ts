import { type FieldType, rowsOf } from "./Table.ts"

/** A number from 0 up to 1, from a seed: the same seed gives the same numbers (mulberry32). */
const makeRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** How deep tables may nest before optional fields are omitted and arrays are empty: steps contain steps. */
const deepest = 8

const strings = ["", "a", "ada@example.test", "2026-01-31T10:00:00.000Z", "ünïcødé 🚦", "__proto__", "{}", " "]
const numbers = [0, 1, -1, 2.5, 1e21, -1e-7, Number.MAX_SAFE_INTEGER]
const objects: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  {},
  { key: null },
  { nested: { list: [1, "two", false, null] } },
  { "odd key": "", constructor: 1 }
]

/** A valid value of a table, with about half of its optional fields. */
export const randomValue = (table: string, seed: number): unknown => {
  const random = makeRandom(seed)
  const pick = <A>(from: ReadonlyArray<A>): A => {
    const picked = from[Math.floor(random() * from.length)]
    if (picked === undefined) throw new Error("Nothing to pick from")
    return picked
  }
  const valueOf = (type: FieldType, depth: number): unknown => {
    switch (type.kind) {
      case "string":
        return pick(strings)
      case "number":
        return pick(numbers)
      case "whole":
        return type.minimum + Math.floor(random() * ((type.maximum ?? 1000) - type.minimum + 1))
      case "boolean":
        return random() < 0.5
      case "null":
        return null
      case "object":
        return structuredClone(pick(objects))
      case "enumeration":
        return pick(type.values)
      case "array": {
        const length = depth > deepest ? 0 : Math.floor(random() * 3)
        return Array.from({ length }, () => valueOf(type.element, depth + 1))
      }
      case "alternatives":
        return valueOf(pick(type.types), depth)
      case "table":
        return Object.fromEntries(
          rowsOf(type.name)
            .filter(({ isRequired }) => isRequired || (depth <= deepest && random() < 0.5))
            .map(({ field, type }) => [field, valueOf(type, depth + 1)])
        )
    }
  }
  return valueOf({ kind: "table", name: table }, 0)
}

/**
 * A valid value of a table with every field and one element in every array; of several types it takes the one with
 * the number `alternative`.
 */
export const fullValue = (table: string, alternative: number): unknown => {
  const valueOf = (type: FieldType, inside: ReadonlyArray<string>): unknown => {
    switch (type.kind) {
      case "string":
        return "text"
      case "number":
        return 7
      case "whole":
        return type.minimum
      case "boolean":
        return true
      case "null":
        return null
      case "object":
        return { key: "value" }
      case "enumeration":
        return type.values[0]
      case "array": {
        const isRepeated = type.element.kind === "table" && count(inside, type.element.name) > 1
        return isRepeated ? [] : [valueOf(type.element, inside)]
      }
      case "alternatives":
        return valueOf(alternativeOf(type.types, alternative), inside)
      case "table":
        return Object.fromEntries(
          rowsOf(type.name).map((row) => [row.field, valueOf(row.type, [...inside, type.name])])
        )
    }
  }
  return valueOf({ kind: "table", name: table }, [])
}

const count = (names: ReadonlyArray<string>, name: string): number => names.filter((other) => other === name).length

/** The type with a number, counted around. */
export const alternativeOf = (types: ReadonlyArray<FieldType>, alternative: number): FieldType => {
  const type = types[alternative % types.length]
  if (type === undefined) throw new Error("A field has no type")
  return type
}
