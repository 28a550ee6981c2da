/**
 * `docs/api.md`: the tables come from `openapi.json`, the open questions from the fake's switches, and the text between
 * them is written here.
 */
import { type OperationName, operationNames, operations as facts } from "@signalbox/core/Operations"
import { type JsonSchema, type Operation, operations, type Parameter, schemas } from "./OpenApi.ts"
import { read } from "./Repository.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

const code = (text: string | number): string => `\`${text}\``

const anchor = (heading: string): string => heading.toLowerCase().replaceAll(" ", "-")

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

const isEnumeration = (name: string): boolean =>
  schemas[name]?.enum !== undefined || (schemas[name]?.anyOf?.every((option) => option.enum !== undefined) ?? false)

const valuesOf = (schema: JsonSchema): ReadonlyArray<string | number> =>
  schema.enum ?? (schema.anyOf ?? []).flatMap(valuesOf)

const isPayload = (name: string): boolean => name.endsWith("Payload")

/** A type in words, with a link where it has a section on the page. */
const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    return `[${name}](#${anchor(name)})`
  }
  if (schema.enum !== undefined) return schema.enum.map(code).join(", ")
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ")
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  if (schema.type === "object" && schema.properties === undefined) return "object, free-form"
  return schema.type ?? "any"
}

const notes = (about: string, isDeprecated: boolean | undefined): string =>
  isDeprecated === true ? `**Deprecated.** ${about.replace(/ The API document marks .* as deprecated\./, "")}` : about

const fieldTable = ({ properties = {}, required = [] }: JsonSchema): string =>
  table(
    ["Field", "Type", "Required", "Meaning"],
    Object.entries(properties).map(([field, schema]) => [
      code(field),
      typeOf(schema),
      required.includes(field) ? "yes" : "no",
      notes(schema.description ?? "", schema.deprecated)
    ])
  )

const boundsOf = ({ maximum, minimum }: JsonSchema): string =>
  [minimum === undefined ? "" : `at least ${minimum}`, maximum === undefined ? "" : `at most ${maximum}`]
    .filter((bound) => bound !== "")
    .join(", ")

const defaultOf = (schema: JsonSchema): string =>
  schema.default === undefined ? "" : code(JSON.stringify(schema.default))

const parameterTable = (parameters: ReadonlyArray<Parameter>): string =>
  table(
    ["Parameter", "Type", "Default", "Bounds", "Meaning"],
    parameters.map(({ deprecated, description, name, schema }) => [
      code(name),
      typeOf(schema),
      defaultOf(schema),
      boundsOf(schema),
      notes(description, deprecated)
    ])
  )

const operationOf = (id: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === id)
  if (found === undefined) throw new Error(`openapi.json has no operation ${id}`)
  return found
}

const schemaOf = (name: string): JsonSchema => {
  const found = schemas[name]
  if (found === undefined) throw new Error(`openapi.json has no schema ${name}`)
  return found
}

const successOf = ({ responses }: Operation): string =>
  Object.entries(responses)
    .map(([status, { content }]) => `${code(status)} with ${typeOf(content["application/json"].schema)}`)
    .join(" or ")

/** The heading of an operation, by which comments cite it: the part of its section after the comma. */
export const headingOf = (name: OperationName): string => facts[name].section.replace(/^Endpoints, /, "")

/** The request and the response of an operation, without a heading. */
export const requestOf = (name: OperationName): ReadonlyArray<string> => {
  const operation = operationOf(name)
  const payload = operation.requestBody?.content["application/json"].schema.$ref
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path")
  const query = operation.parameters.filter((parameter) => parameter.in === "query")
  return [
    `Operation ${code(operation.operationId)}: ${code(`${operation.method} ${operation.path}`)}`,
    "",
    operation.description,
    ...inPath.flatMap(({ description, name }) => ["", `Path parameter ${code(name)}. ${description}`]),
    ...(payload === undefined ? [] : ["", "Request body:", "", fieldTable(schemaOf(nameOf(payload)))]),
    ...(query.length === 0 ? [] : ["", "Query parameters, all optional:", "", parameterTable(query)]),
    "",
    `Response: ${successOf(operation)}.`
  ]
}

const endpoint = (name: OperationName): ReadonlyArray<string> => ["", `### ${headingOf(name)}`, "", ...requestOf(name)]

const resource = (name: string): ReadonlyArray<string> => {
  const schema = schemaOf(name)
  const values = valuesOf(schema)
  return [
    "",
    `### ${name}`,
    "",
    ...(schema.description === undefined ? [] : [schema.description, ""]),
    isEnumeration(name)
      ? `${values.length} values: ${values.map(code).join(", ")}.`
      : schema.anyOf === undefined
        ? fieldTable(schema)
        : `One of ${schema.anyOf.map(typeOf).join(", ")}.`
  ]
}

const resourceNames = (): ReadonlyArray<string> => Object.keys(schemas).filter((name) => !isPayload(name))

const byKind = (isWanted: (name: string) => boolean): ReadonlyArray<string> =>
  resourceNames().filter(isWanted).sort().flatMap(resource)

/** The open questions, from the page of the fake's switches: each switch is one question that the document leaves open. */
const openQuestions = (): ReadonlyArray<string> =>
  [...read("docs/fake-switches.md").matchAll(/^\| `([\w.-]+)` \| ([^|]+) \|/gm)]
    .filter(([, name = ""]) => name.includes("."))
    .map(([, name = "", question = ""]) => `| ${question.trim()} | ${code(name)} |`)

/** The page, in Markdown. */
export const apiPage = (): string =>
  `${[
    "# API document",
    "",
    "<!-- Generated from openapi.json by `pnpm --filter @signalbox/documentation run write`. Edit tooling/documentation/src/ApiPage.ts. -->",
    "",
    "This page describes the notification service's API as Signalbox understands it: operations, their resources, and",
    "what the service leaves unspecified. Comments in the code cite its sections as “API document: Endpoints, List all events”.",
    "The machine-readable form is [`openapi.json`](../openapi.json).",
    "",
    "## What the service does",
    "",
    "The service notifies *subscribers* over *channels* (in-app, e-mail, SMS, chat, push). Each channel delivers through a",
    "*provider*, such as `fcm` or `sendgrid`. Triggering a *workflow* creates one *event*, which runs as a list of *jobs*: one for",
    "each step of the workflow. Signalbox covers these operations:",
    "",
    table(
      ["Operation", "Request", "Purpose"],
      operationNames.map((name) => {
        const { method, path } = operationOf(name)
        return [`[${code(name)}](#${anchor(headingOf(name))})`, code(`${method} ${path}`), `${facts[name].summary}.`]
      })
    ),
    "",
    "Every operation works in one *environment*: the one that the API key belongs to.",
    "",
    "## Conventions",
    "",
    "- Bodies are JSON. Requests with a body send `Content-Type: application/json`.",
    "- Times are ISO 8601 strings. Signalbox passes them on unchanged.",
    "- Names that start with `_` are internal identifiers of the service. `subscriberId` is your identifier.",
    "- Some values carry the vendor's name. This page and Signalbox write `service` in its place (`service-slack`,",
    "  `service-cloud`); the `vendor` option sets the name that is sent.",
    "- *Free-form* objects have string keys and any values.",
    "",
    "## Authentication",
    "",
    "Every request has the header `Authorization: ApiKey <API_KEY>`. The key identifies the organization and the environment.",
    "The service accepts it in this header only.",
    "",
    "## Endpoints",
    "",
    "Every endpoint accepts an optional `idempotency-key` header. The document does not show what the service does when it",
    "receives the same key twice; see [retries and idempotency](sdk/retries-and-idempotency.md).",
    ...operationNames.flatMap(endpoint),
    "",
    "## Resources",
    "",
    "Objects first, enumerations after them. A field that is not required may be absent. Services add fields and enumeration",
    "values between versions, so the SDK accepts unknown ones in responses: see [drift](sdk/drift.md).",
    ...byKind((name) => !isEnumeration(name)),
    "",
    "### MessageTemplate",
    "",
    "The document names message templates without showing their fields. Signalbox returns them unchanged, as free-form objects.",
    ...byKind(isEnumeration),
    "",
    "## States and transitions",
    "",
    table(
      ["State", "Values", "Changed by"],
      [
        ["`Message.read`", "`true`, `false`", "`messages.markAs` with `read` or `unread`"],
        ["`Message.seen`", "`true`, `false`", "`messages.markAs` with `seen` or `unseen`"],
        ...[
          ["Message", "status"],
          ["MessageAction", "status"],
          ["ExecutionDetail", "status"]
        ].map(([name = "", field = ""]) => [
          code(`${name}.${field}`),
          valuesOf(schemaOf(name).properties?.[field] ?? {})
            .map(code)
            .join(", "),
          "the service; when is not shown"
        ]),
        ["`Subscriber.deleted`", "`true`, `false`", "the service; when is not shown"]
      ]
    ),
    "",
    "The document does not show whether marking a message as read also marks it as seen, nor how `lastSeenDate` and `lastReadDate`",
    "change. `ActivityJob.status` is a string without a list of values. A failed step is an execution detail with the status",
    "`Failed`.",
    "",
    "## Events",
    "",
    "The service has no documented webhooks or streams. The events on this page are stored records that",
    "[`events.list`](#list-all-events) returns.",
    "",
    "## Errors",
    "",
    "The document shows no error statuses and no error bodies. Signalbox chooses the reason of an error by the HTTP status and",
    "reads the body where it has a known shape: see [errors](errors.md).",
    "",
    "## Limits",
    "",
    table(
      ["Parameter", "Default", "Bounds"],
      operationOf("events.list")
        .parameters.filter(({ schema }) => schema.default !== undefined)
        .map(({ name, schema }) => [code(name), defaultOf(schema), boundsOf(schema)])
    ),
    "",
    "`after` defaults to the earliest date that the plan allows, `before` to the time of the request. The document does not show",
    "rate limits, how long idempotency keys are kept, or which dates a plan allows.",
    "",
    "## Versioning",
    "",
    "The version is part of the path: `/v1`. `Subscriber.__v` is the version of that subscriber's record. `Subscriber.topics` and",
    "the `search` parameter are deprecated. The document does not show how the service announces changes.",
    "",
    "## Open questions",
    "",
    "The [fake](testing/README.md) answers each question below with a [switch](fake-switches.md), so you can test your code",
    "against every answer.",
    "",
    "| Question | Switch |",
    "| --- | --- |",
    ...openQuestions()
  ].join("\n")}\n`
