import { enumerations } from "./Enumerations.ts"
import { bounds, tables } from "./Tables.ts"

/** The type of a field, as in the document. */
export type FieldType =
  | { readonly kind: "string" | "number" | "boolean" | "null" | "object" }
  | { readonly kind: "whole"; readonly minimum: number; readonly maximum: number | undefined }
  | { readonly kind: "enumeration"; readonly values: ReadonlyArray<string | number> }
  | { readonly kind: "array"; readonly element: FieldType }
  | { readonly kind: "table"; readonly name: string }
  | { readonly kind: "alternatives"; readonly types: ReadonlyArray<FieldType> }

/** One row of a table. */
export interface Row {
  readonly field: string
  readonly type: FieldType
  readonly isRequired: boolean
}

const parseType = (text: string): FieldType => {
  if (text.includes(" or ")) return { kind: "alternatives", types: text.split(" or ").map(parseType) }
  if (text.startsWith("array of ")) return { kind: "array", element: parseType(text.slice("array of ".length)) }
  const bound = bounds[text]
  if (bound !== undefined) return { kind: "whole", minimum: bound.minimum, maximum: bound.maximum }
  const values = enumerations[text]
  if (values !== undefined) return { kind: "enumeration", values }
  switch (text) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "object":
      return { kind: text }
  }
  if (!(text in tables)) throw new Error(`"${text}" is no type, no enumeration and no table`)
  return { kind: "table", name: text }
}

const parseRow = (line: string): Row => {
  const [field, type, required, ...rest] = line.split("|").map((cell) => cell.trim())
  if (!field || !type || rest.length > 0 || (required !== "yes" && required !== "no")) {
    throw new Error(`"${line}" is no row of the form: field | type | yes or no`)
  }
  return { field, type: parseType(type), isRequired: required === "yes" }
}

const parsed = new Map(
  Object.entries(tables).map(([name, text]) => [name, text.trim().split("\n").map(parseRow)] as const)
)

/** The rows of a table. */
export const rowsOf = (name: string): ReadonlyArray<Row> => {
  const rows = parsed.get(name)
  if (rows === undefined) throw new Error(`There is no table "${name}"`)
  return rows
}
