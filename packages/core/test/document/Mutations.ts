import { alternativeOf, fullValue } from "./Values.ts"
import { type FieldType, rowsOf } from "./Table.ts"

/** One thing that is wrong with an otherwise valid value. */
export interface Mutation {
  readonly kind: "dropped" | "wrong type" | "null" | "outside" | "out of bounds"
  /** The table and field that the document has a rule for; an element of an array belongs to the array's field. */
  readonly table: string
  readonly field: string
  /** Where the document's rule is broken. */
  readonly path: ReadonlyArray<string | number>
  readonly value: unknown
}

type Kind = "string" | "number" | "boolean" | "null" | "object" | "array"

const samples: Readonly<Record<Exclude<Kind, "null">, unknown>> = {
  string: "text of another type",
  number: 42,
  boolean: true,
  object: { of: "another type" },
  array: ["of another type"]
}

const kindsOf = (type: FieldType): ReadonlyArray<Kind> => {
  switch (type.kind) {
    case "whole":
      return ["number"]
    case "enumeration":
      return type.values.map((value) => (typeof value === "number" ? "number" : "string"))
    case "table":
      return ["object"]
    case "alternatives":
      return type.types.flatMap(kindsOf)
    default:
      return [type.kind]
  }
}

const replaced = (value: unknown, path: ReadonlyArray<string | number>, by: unknown): unknown => {
  const [segment, ...rest] = path
  if (segment === undefined) return by
  if (Array.isArray(value))
    return value.map((element, index) => (index === segment ? replaced(element, rest, by) : element))
  if (typeof value !== "object" || value === null) throw new Error(`Nothing at ${path.join(".")}`)
  const { [segment]: child, ...others } = value as Record<string | number, unknown>
  if (rest.length === 0 && by === dropped) return others
  return { ...value, [segment]: replaced(child, rest, by) }
}

const dropped = Symbol("dropped")

/** Every single mutation of the full value of a table. */
export const mutationsOf = (table: string, alternative: number): ReadonlyArray<Mutation> => {
  const full = fullValue(table, alternative)
  const mutations: Array<Mutation> = []

  /** `unionPath` is the path of the value that is one of several tables; its `type` says which one it is. */
  const visitTable = (name: string, value: unknown, path: ReadonlyArray<string | number>, isOneOfSeveral: boolean) => {
    for (const { field, isRequired, type } of rowsOf(name)) {
      const at = [...path, field]
      // A value with another `type` matches no table, so the whole value breaks the rule.
      const broken = isOneOfSeveral && field === "type" ? path : at
      const add = (kind: Mutation["kind"], by: unknown) =>
        mutations.push({ kind, table: name, field, path: broken, value: replaced(full, at, by) })
      if (isRequired) add("dropped", dropped)
      visitType(type, childOf(value, field), at, { table: name, field, broken })
    }
  }

  const visitType = (
    type: FieldType,
    value: unknown,
    path: ReadonlyArray<string | number>,
    place: { readonly table: string; readonly field: string; readonly broken: ReadonlyArray<string | number> }
  ) => {
    const add = (kind: Mutation["kind"], by: unknown) =>
      mutations.push({
        kind,
        table: place.table,
        field: place.field,
        path: place.broken,
        value: replaced(full, path, by)
      })
    const kinds = kindsOf(type)
    for (const [kind, sample] of Object.entries(samples)) {
      if (!kinds.some((allowed) => allowed === kind)) add("wrong type", sample)
    }
    if (!kinds.includes("null")) add("null", null)
    visitInside(type, value, path, place, add)
  }

  const visitInside = (
    type: FieldType,
    value: unknown,
    path: ReadonlyArray<string | number>,
    place: { readonly table: string; readonly field: string },
    add: (kind: Mutation["kind"], by: unknown) => void
  ): void => {
    switch (type.kind) {
      case "whole":
        add("out of bounds", type.minimum - 1)
        add("out of bounds", type.minimum + 0.5)
        if (type.maximum !== undefined) add("out of bounds", type.maximum + 1)
        return
      case "enumeration":
        add("outside", "value outside of the enumeration")
        if (kindsOf(type).includes("number")) add("outside", 97)
        return
      case "array":
        if (!Array.isArray(value) || value.length === 0) return
        return visitType(type.element, value[0], [...path, 0], { ...place, broken: [...path, 0] })
      case "table":
        return visitTable(type.name, value, path, false)
      case "alternatives": {
        const chosen = alternativeOf(type.types, alternative)
        if (chosen.kind === "table") return visitTable(chosen.name, value, path, true)
        if (chosen.kind === "array") return visitInside(chosen, value, path, place, add)
      }
    }
  }

  visitTable(table, full, [], false)
  return mutations
}

const childOf = (value: unknown, field: string): unknown =>
  // The value was made from the tables, so it is an object where a table is.
  (value as Readonly<Record<string, unknown>>)[field]
