import { read } from "./Repository.ts"

/** The parts of a JSON schema that occur in `openapi.json`. */
export interface JsonSchema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly default?: unknown
  readonly deprecated?: boolean
  readonly description?: string
  readonly enum?: ReadonlyArray<string | number>
  readonly items?: JsonSchema
  readonly maximum?: number
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly type?: string
}

/** A parameter of an operation. */
export interface Parameter {
  readonly deprecated?: boolean
  readonly description: string
  readonly in: "header" | "path" | "query"
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

interface JsonBody {
  readonly content: { readonly "application/json": { readonly schema: JsonSchema } }
}

/** An operation, with the method and path that it stands under. */
export interface Operation {
  readonly description: string
  readonly method: string
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly path: string
  readonly requestBody?: JsonBody
  readonly responses: Readonly<Record<string, JsonBody>>
}

type PathItem = Readonly<Record<string, Omit<Operation, "method" | "path">>>

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly paths: Readonly<Record<string, PathItem>>
}

const document: OpenApi = JSON.parse(read("openapi.json"))

/** The named schemas of `openapi.json`. */
export const schemas = document.components.schemas

/** The operations of `openapi.json`. */
export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => Object.assign({ method: method.toUpperCase(), path }, operation))
)
