/**
 * Records in the format of the service.
 */
import type { JsonObject } from "../state/JsonObject.ts"
import type { Switches } from "../switches/Switches.ts"

/**
 * The fields of a record, each of them named: a field that is not sent is `undefined`. Values are not typed, because
 * switches make some of them differ from the document.
 */
export type WireFields<Contract extends { readonly Type: unknown }> = {
  readonly [Name in keyof Contract["Type"]]-?: unknown
}

/** A record without the fields that have no value. */
export const present = (fields: object): object => {
  const kept: Record<string, unknown> = {}
  // A loop, not Object.fromEntries: a page has thousands of fields.
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** Fields that are newer than the document, if the switches add them. */
export const extraFields = (switches: Switches): object =>
  switches["response.extraFields"] === "added" ? { _schemaRevision: 4 } : {}

/** The ids that the observed service adds to parts of a workflow. */
export const partIds = (switches: Switches, id: () => string): object => {
  if (switches["response.extraFields"] === "none") return {}
  const own = id()
  return { _id: own, id: own }
}

/** An object of the caller's; the observed service does not store empty ones. */
export const stored = (switches: Switches, value: JsonObject | undefined): JsonObject | undefined =>
  value !== undefined && switches["response.emptyObjects"] === "absent" && Object.keys(value).length === 0
    ? undefined
    : value
