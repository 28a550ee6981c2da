/**
 * The OpenAPI document of the service with the provenance of everything in it, and with the errors that the fake knows.
 */
import { type OperationName, operationNames } from "@signalbox/core/Operations"
import { isJsonObject, type JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import { observedVersion } from "../switches/SwitchRow.ts"
import { type SwitchName, switchNames, switchRow } from "../switches/Switches.ts"
import { isFor, type Provenance, switchProvenance } from "../request/Provenance.ts"

interface ErrorStatus {
  readonly name: SwitchName
  readonly status: string
}

const errorsOf = (operation: OperationName): ReadonlyArray<ErrorStatus> =>
  switchNames
    .filter((name) => isFor(name, operation))
    .flatMap((name) =>
      switchRow(name)
        .values.filter((value) => /^[45]\d\d$/u.test(value))
        .map((status) => ({ name, status }))
    )

const responseOf = (errors: ReadonlyArray<ErrorStatus>): JsonObject => {
  const provenance: Provenance = errors.some(({ name, status }) => switchProvenance(name, status) === "observed")
    ? "observed"
    : "invented"
  return {
    description: "Not in the API document; decided by switches",
    "x-provenance": provenance,
    "x-switches": errors.map(({ name }) => name)
  }
}

const documented = (part: unknown): unknown => (isJsonObject(part) ? { "x-provenance": "documented", ...part } : part)

const documentedParts = (parts: unknown): unknown =>
  isJsonObject(parts)
    ? Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, documented(part)]))
    : parts

const withErrors = (operation: JsonObject): JsonObject => {
  const name = operationNames.find((known) => known === operation["operationId"])
  const errors = name === undefined ? [] : errorsOf(name)
  const statuses = [...new Set(errors.map(({ status }) => status))].toSorted()
  const { parameters } = operation
  return {
    "x-provenance": "documented",
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(documented) } : {}),
    responses: Object.assign(
      {},
      documentedParts(operation["responses"]),
      Object.fromEntries(
        statuses.map((status) => [status, responseOf(errors.filter((error) => error.status === status))])
      )
    )
  }
}

/** Fields that responses can have although the document does not know them, by schema. */
const furtherFields: Readonly<Record<string, JsonObject>> = {
  Subscriber: {
    id: {
      type: "string",
      description: switchRow("subscriber.extraFields").question,
      "x-provenance": switchProvenance("subscriber.extraFields", "id"),
      "x-switches": ["subscriber.extraFields"]
    }
  }
}

const withFields = ([name, schema]: readonly [string, unknown]): readonly [string, unknown] => {
  if (!isJsonObject(schema)) return [name, schema]
  const { properties } = schema
  if (!isJsonObject(properties)) return [name, documented(schema)]
  const all = Object.assign({}, documentedParts(properties), furtherFields[name])
  return [name, { "x-provenance": "documented", ...schema, properties: all }]
}

const mapValues = (
  value: unknown,
  change: (entry: readonly [string, unknown]) => readonly [string, unknown]
): unknown => (isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(change)) : value)

/** Adds `x-provenance` to each operation, parameter, response, schema and field, and the responses of the switches. */
export const withProvenance = (document: unknown): unknown => {
  if (!isJsonObject(document)) return document
  const { components, paths } = document
  return {
    ...document,
    "x-observed-version": observedVersion,
    paths: mapValues(paths, ([path, item]) => [
      path,
      mapValues(item, ([method, operation]) => [method, isJsonObject(operation) ? withErrors(operation) : operation])
    ]),
    components: isJsonObject(components)
      ? { ...components, schemas: mapValues(components["schemas"], withFields) }
      : components
  }
}
