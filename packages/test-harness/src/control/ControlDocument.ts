/**
 * The OpenAPI document of the control API, from the table of its actions.
 */
import * as Schema from "effect/Schema"
import { type ControlAction, controlActions } from "./ControlActions.ts"
import { liveEventsPath } from "./LiveView.ts"

const jsonSchemaOf = (schema: Schema.Top): object => {
  const { definitions, schema: inner } = Schema.toJsonSchemaDocument(schema)
  return Object.keys(definitions).length === 0 ? inner : { ...inner, $defs: definitions }
}

const error = {
  type: "object",
  properties: { message: { type: "string", description: "What is wrong, where, and what is expected" } },
  required: ["message"]
}

const operationOf = ({ body, creates, needsKey, query = [], summary }: ControlAction): object => ({
  summary,
  ...(needsKey ? { security: [{ apiKey: [] }] } : {}),
  ...(query.length === 0
    ? {}
    : { parameters: query.map((name) => ({ name, in: "query", schema: { type: "string" } })) }),
  ...(body === undefined ? {} : { requestBody: { content: { "application/json": { schema: jsonSchemaOf(body) } } } }),
  responses: {
    [creates === true ? "201" : "200"]: { description: "The result as JSON" },
    default: { description: "An error, in one line", content: { "application/json": { schema: error } } }
  }
})

const liveEvents = {
  summary:
    "Server-sent events: at most 5 a second, each with what changed in environments, journals and unmatched requests; the first has everything",
  responses: { "200": { description: "A stream of JSON objects", content: { "text/event-stream": {} } } }
}

/** The OpenAPI 3.1 document. */
export const controlDocument = (): object => {
  const paths: Record<string, Record<string, object>> = {}
  for (const action of controlActions) {
    paths[action.path] = { ...paths[action.path], [action.method.toLowerCase()]: operationOf(action) }
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
