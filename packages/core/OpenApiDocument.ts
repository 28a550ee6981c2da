/** The OpenAPI document of the service, built from `Api`, with the descriptions that are passed in. */
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Api } from "./Api.ts"
import { isJsonObject, type JsonObject } from "./src/reading/JsonObject.ts"
import { registry } from "./Registry.ts"
import { sourceNameOf } from "./writeLists.ts"

/** The documentation of one schema or field. */
export interface Documented {
  readonly description: string
  readonly isDeprecated: boolean
}

/** The documentation of one schema and its fields. */
export interface DocumentedSchema {
  readonly about: Documented | undefined
  readonly fields: ReadonlyMap<string, Documented>
}

/** The documentation of the schemas, by their identifiers, and of their fields. */
export type Documentation = ReadonlyMap<string, DocumentedSchema>

/**
 * Makes the OpenAPI 3.1 document of the operations.
 *
 * Three things that `OpenApi.fromApi` cannot say are put right: whole numbers in the query have their bounds and
 * defaults instead of the pattern of a string; objects do not forbid fields that the document does not know, since a
 * strict client in another language would refuse a newer service; and schemas, fields and parameters carry what
 * `documentation` says about them, deprecations included.
 */
export const make = (documentation: Documentation): OpenApi.OpenAPISpec => {
  const document = structuredClone(OpenApi.fromApi(Api))
  document.info = {
    title: "Subscriber Notification Service API",
    version: "v1",
    description: "Provider credentials, in-app message state and the listing of triggered events."
  }
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.get, item.put, item.post, item.patch, item.delete]) {
      if (operation === undefined) continue
      apply(operation, documentation.get("Operations")?.fields.get(operation.operationId))
      for (const parameter of operation.parameters) describeParameter(parameter, documentation, operation.operationId)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    allowUnknownFields(schema)
    describeSchema(schema, documentation.get(name))
  }
  return document
}

const allowUnknownFields = (value: unknown): void => {
  if (Array.isArray(value)) value.forEach(allowUnknownFields)
  if (!isJsonObject(value)) return
  if (value["additionalProperties"] === false) Reflect.deleteProperty(value, "additionalProperties")
  Object.values(value).forEach(allowUnknownFields)
}

const apply = (target: object, documented: Documented | undefined): void => {
  if (documented === undefined) return
  const { description, isDeprecated } = documented
  Object.assign(target, { description }, isDeprecated ? { deprecated: true } : {})
}

const describeSchema = (schema: JsonObject, documentation: DocumentedSchema | undefined): void => {
  apply(schema, documentation?.about)
  const properties = schema["properties"]
  if (!isJsonObject(properties)) return
  for (const [name, property] of Object.entries(properties)) {
    if (isJsonObject(property)) apply(property, documentation?.fields.get(name))
  }
}

/** The JSON schema of a query parameter before its codec to strings, which loses whole numbers, bounds and defaults. */
const querySchemaOf = (operationId: string, name: string): unknown => {
  const query = Object.values(registry).find((operation) => operation.name === operationId)?.query
  if (query === undefined) return undefined
  const properties = Schema.toJsonSchemaDocument(Schema.Struct(query.fields)).schema["properties"]
  return isJsonObject(properties) ? properties[name] : undefined
}

/** The largest safe integer is a limit of JavaScript, not of the service. */
const withoutSafeBound = ({ maximum, ...schema }: JsonObject): JsonObject =>
  maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? schema : { ...schema, maximum }

const describeParameter = (
  parameter: OpenApi.OpenAPISpecParameter,
  documentation: Documentation,
  operationId: string
): void => {
  const source = sourceNameOf(operationId)
  const group = { header: "Headers", query: `${source}Query`, path: `${source}Path`, cookie: "" }[parameter.in]
  if (parameter.in === "query") {
    const schema = querySchemaOf(operationId, parameter.name)
    if (isJsonObject(schema)) parameter.schema = withoutSafeBound(schema)
  }
  apply(parameter, documentation.get(group)?.fields.get(parameter.name))
}
