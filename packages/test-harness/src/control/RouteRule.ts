/**
 * Routes that tests in other languages add: a response, or a rule that keeps records.
 */
import { brokenRule, type DeclaredOperation } from "@signalbox/core/DeclaredOperation"
import * as Schema from "effect/Schema"
import { integer, Milliseconds } from "../input/Input.ts"
import type { RouteHandler } from "../request/DeclaredRoute.ts"
import { isJsonObject, type JsonObject } from "@signalbox/core/internal/reading/JsonObject"

const text = Schema.String
const optional = Schema.optionalKey

export const RouteBody = Schema.Struct({
  name: text.annotate({
    description: "A resource and an action, such as topics.create: faults and expectations name it"
  }),
  method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: text.annotate({ description: "The path below the base URL; /:name stands for a path parameter" }),
  idempotent: optional(
    Schema.Boolean.annotate({ description: "Whether applying a request twice does no harm; false when absent" })
  ),
  status: optional(integer(200, 599).annotate({ description: "201 for a POST when absent, otherwise 200" })),
  body: optional(Schema.Unknown.annotate({ description: "The JSON of the response; the record when absent" })),
  delayMs: optional(Milliseconds.annotate({ description: "Time of the environment from the change to its response" })),
  stateKey: optional(
    text
      .check(
        Schema.isPattern(/^(?:path|query|body)(?:\.[^.]+)+$/u, { expected: "a position such as body.key or path.key" })
      )
      .annotate({
        description:
          "The position of a record's key in requests. A POST or PUT keeps its body under the key, a PATCH changes fields, a DELETE removes the record, all but POST and PUT respond with 404 where there is none. All routes of a resource share its records"
      })
  )
})

type RouteRule = typeof RouteBody.Type

const partAt = (value: unknown, position: string): unknown => {
  let part = value
  for (const name of position.split("."))
    part = isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined
  return part
}

/** The record after a request; `undefined` after a DELETE. */
const recordAfter = ({ method }: RouteRule, stored: unknown, body: unknown): unknown => {
  switch (method) {
    case "GET":
      return stored
    case "DELETE":
      return undefined
    case "PATCH":
      return { ...Object(stored), ...Object(body) }
    default:
      return body ?? {}
  }
}

const handlerOf =
  (rule: RouteRule): RouteHandler<unknown, unknown, JsonObject> =>
  ({ input, state: records = {} }) => {
    const { body, delayMs, method, name, stateKey, status } = rule
    const settings = { ...(status !== undefined && { status }), ...(delayMs !== undefined && { delayMs }) }
    if (stateKey === undefined) return { ...settings, body }
    const key = partAt(input, stateKey)
    if (typeof key !== "string" && typeof key !== "number") return { status: 422, error: `${stateKey} is missing` }
    const known = Object.hasOwn(records, key) ? records[key] : undefined
    if (known === undefined && method !== "POST" && method !== "PUT") {
      return { status: 404, error: `${name}: there is no ${JSON.stringify(key)}` }
    }
    const record = recordAfter(rule, known, partAt(input, "body"))
    const others = Object.entries(records).filter(([other]) => other !== String(key))
    return {
      ...settings,
      body: body ?? record ?? known,
      state: Object.fromEntries(record === undefined ? others : [...others, [String(key), record]])
    }
  }

/**
 * The operation and the handler of a rule. Names need not be unique in the process: each test has its own environment.
 *
 * @throws RangeError that names the field and what is expected.
 */
export const routeOfRule = (
  rule: RouteRule
): readonly [DeclaredOperation, RouteHandler<unknown, unknown, JsonObject>] => {
  const { idempotent, method, name, path } = rule
  const operation = { name, method, path, ...(idempotent !== undefined && { idempotent }) }
  const broken = brokenRule(operation)
  if (broken !== undefined) throw new RangeError(`route.${broken}`)
  // Only clients call an operation, the fake serves it.
  return [{ ...operation, "~callable": {} }, handlerOf(rule)]
}
