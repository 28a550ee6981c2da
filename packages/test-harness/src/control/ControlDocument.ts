/**
 * The OpenAPI document of the control API, from the table of its actions.
 */
import * as Schema from "effect/Schema"
import { type ControlAction, controlActions } from "./ControlActions.ts"

const jsonSchemaOf = (schema: Schema.Top): object => {
  const { definitions, schema: inner } = Schema.toJsonSchemaDocument(schema)
  return Object.keys(definitions).length === 0 ? inner : { ...inner, $defs: definitions }
}

const operationOf = ({ body, needsKey, query = [], summary }: ControlAction): object => ({
  summary,
  ...(needsKey ? { security: [{ apiKey: [] }] } : {}),
  ...(query.length === 0
    ? {}
    : { parameters: query.map((name) => ({ name, in: "query", schema: { type: "string" } })) }),
  ...(body === undefined ? {} : { requestBody: { content: { "application/json": { schema: jsonSchemaOf(body) } } } }),
  responses: {
    "200": { description: "Done" },
    "400": { description: "The input is not valid; the message names the place and what is expected" }
  }
})

/** The OpenAPI 3.1 document. */
export const controlDocument = (): object => {
  const paths: Record<string, Record<string, object>> = {}
  for (const action of controlActions) {
    paths[action.path] = { ...paths[action.path], [action.method.toLowerCase()]: operationOf(action) }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Control API of the Signalbox fake", version: "1" },
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
