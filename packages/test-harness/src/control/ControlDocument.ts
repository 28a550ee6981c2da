/**
 * The OpenAPI document of the control API, from the table of its actions.
 */
import * as Schema from "effect/Schema"
import { type ControlAction, controlActions } from "./ControlActions.ts"
import { controlResults } from "./ControlResults.ts"
import { liveEventsPath } from "./LiveView.ts"

/** The schemas that others refer to, by name. */
type Components = Record<string, unknown>

/** References lead to the definitions of one schema; in the document they are components. */
const withReferences = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema)
      .replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')
      // An object without fields, which generated clients otherwise take for any value.
      .replaceAll('{"not":{"type":"null"}}', '{"type":"object"}')
  )

const jsonSchemaOf = (schema: Schema.Top, components: Components): unknown => {
  const { definitions, schema: inner } = Schema.toJsonSchemaDocument(schema)
  for (const [name, definition] of Object.entries(definitions)) components[name] = withReferences(definition)
  return withReferences(inner)
}

const jsonContent = (schema: unknown): object => ({ "application/json": { schema } })

const error = {
  type: "object",
  properties: { message: { type: "string", description: "What is wrong, where, and what is expected" } },
  required: ["message"]
}

/** The parameters of a path and a query; generated clients expect no empty list. */
const parametersOf = (
  path: string,
  query: NonNullable<ControlAction["query"]>,
  components: Components
): { readonly parameters?: ReadonlyArray<object> } => {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" }
  }))
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    name,
    in: "query",
    schema: jsonSchemaOf(schema, components)
  }))
  const parameters = [...inPath, ...inQuery]
  return parameters.length === 0 ? {} : { parameters }
}

const operationOf = (
  { body, creates, id, method, needsKey, path, query = {}, summary }: ControlAction,
  components: Components
): object => ({
  operationId: id,
  summary,
  ...(needsKey ? { security: [{ apiKey: [] }] } : {}),
  ...parametersOf(path, query, components),
  ...(body === undefined ? {} : { requestBody: { content: jsonContent(jsonSchemaOf(body, components)) } }),
  responses: {
    [creates === true ? "201" : "200"]: {
      description: "The result",
      content: jsonContent(jsonSchemaOf(controlResults[`${method} ${path}`] ?? Schema.Unknown, components))
    },
    default: { description: "An error, in one line", content: jsonContent(error) }
  }
})

const liveEvents = {
  operationId: "followEvents",
  summary:
    "Server-sent events: at most 5 a second, each with what changed in environments, journals and unmatched requests; the first has everything",
  responses: { "200": { description: "A stream of JSON objects", content: { "text/event-stream": {} } } }
}

/** The OpenAPI 3.1 document. */
export const controlDocument = (): object => {
  const paths: Record<string, Record<string, object>> = {}
  const components: Components = {}
  for (const action of controlActions) {
    paths[action.path] = { ...paths[action.path], [action.method.toLowerCase()]: operationOf(action, components) }
  }
  paths[liveEventsPath] = { get: liveEvents }
  return {
    openapi: "3.1.0",
    info: {
      title: "Control API of the Signalbox fake",
      version: "1",
      description: "Prepares and inspects environments of the fake, for tests in any language."
    },
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "ApiKey, a space, and the key of the environment"
        }
      }
    }
  }
}
