/**
 * Records as the service writes them.
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

/** Fields that are newer than the document, where the switches ask for them. */
export const extraFields = (switches: Switches): object =>
  switches["response.extraFields"] === "added" ? { _schemaRevision: 4 } : {}
