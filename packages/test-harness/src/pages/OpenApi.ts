/**
 * The parts of OpenAPI documents that the reference shows.
 */

/** A JSON Schema. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly additionalProperties?: JsonSchema | boolean
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>
}

/** A response; `x-switches` names those that lead to it. */
interface Response extends Content {
  readonly description?: string
  readonly "x-switches"?: ReadonlyArray<string>
}

/** An operation. */
export interface OpenApiOperation {
  readonly summary?: string
  readonly description?: string
  readonly security?: ReadonlyArray<object>
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema?: JsonSchema
  }>
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Response>>
}

/** A document. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> }
}

/** The schemas that references name. */
export type Definitions = Readonly<Record<string, JsonSchema>>

/** The name of the schema that a reference leads to. */
const refName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** The schema itself, or the one that it refers to. */
export const resolved = (schema: JsonSchema, definitions: Definitions): JsonSchema =>
  schema.$ref === undefined ? schema : (definitions[refName(schema.$ref)] ?? schema)

/** The JSON schema of a body. */
export const bodySchema = ({ content }: Content): JsonSchema | undefined => content?.["application/json"]?.schema

/** The type of a schema in one line. */
export const typeText = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return refName(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return [...new Set(parts.map(typeText))].join(" | ")
  if (schema.items !== undefined) return `array of ${typeText(schema.items)}`
  return schema.type ?? (schema.properties === undefined ? "any" : "object")
}
