/**
 * Records in the format of the service.
 */
import type { Switches } from "../switches/Switches.ts"

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
