/**
 * The records and parameters of `openapi.json` as tables.
 *
 * A test compares that file with the contract. The tests of reading take their values from it instead of the schemas, so
 * that they compare two forms of the API.
 */
import { readFileSync } from "node:fs"
import { openApiFile } from "../../writeOpenApi.ts"

/** The type of a field. */
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

interface JsonSchema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<string | number>
  readonly items?: JsonSchema
  readonly maximum?: number
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly type?: "string" | "number" | "boolean" | "null" | "object"
}

interface QueryParameter {
  readonly in: string
  readonly name: string
  readonly schema: JsonSchema
}

// Written by `pnpm openapi`.
const { components, paths } = JSON.parse(readFileSync(openApiFile, "utf8")) as {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly paths: { readonly "/v1/notifications": { readonly get: { parameters: ReadonlyArray<QueryParameter> } } }
}

const typeOf = ({ $ref, anyOf, items, maximum, minimum, type, enum: values }: JsonSchema): FieldType => {
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1)
    const schema = components.schemas[name]
    return schema?.properties === undefined ? typeOf(schema ?? {}) : { kind: "table", name }
  }
  if (values !== undefined) return { kind: "enumeration", values }
  if (minimum !== undefined) return { kind: "whole", minimum, maximum }
  if (items !== undefined) return { kind: "array", element: typeOf(items) }
  if (type !== undefined) return { kind: type }
  const types = (anyOf ?? []).map(typeOf)
  if (types.length === 0) throw new Error("openapi.json has a schema without a type")
  return types.every((each) => each.kind === "enumeration")
    ? { kind: "enumeration", values: types.flatMap((each) => each.values) }
    : { kind: "alternatives", types }
}

const rowsIn = ({ properties = {}, required = [] }: JsonSchema): ReadonlyArray<Row> =>
  Object.entries(properties).map(([field, schema]) => ({
    field,
    type: typeOf(schema),
    isRequired: required.includes(field)
  }))

const query = paths["/v1/notifications"].get.parameters.filter((parameter) => parameter.in === "query")

const tables = new Map([
  ...Object.entries(components.schemas).flatMap(([name, schema]) =>
    schema.properties === undefined ? [] : [[name, rowsIn(schema)] as const]
  ),
  ["EventsListQuery", rowsIn({ properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])) })]
])

/** The names of the tables. */
export const tableNames: ReadonlyArray<string> = [...tables.keys()]

/** The rows of a table. */
export const rowsOf = (name: string): ReadonlyArray<Row> => {
  const rows = tables.get(name)
  if (rows === undefined) throw new Error(`There is no table "${name}"`)
  return rows
}
