/**
 * Timestamps as the service writes them.
 */
import type { Switches } from "../switches/Switches.ts"

/** A time in the form that the switches ask for. */
export const wireTime = (switches: Switches, time: number): string => {
  const text = new Date(time).toISOString()
  switch (switches["time.format"]) {
    case "milliseconds":
      return text
    case "seconds":
      return `${text.slice(0, 19)}Z`
    case "offset":
      return `${text.slice(0, 23)}+00:00`
  }
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

/** Fields that are newer than the document, where the switches ask for them. */
export const extraFields = (switches: Switches): object =>
  switches["response.extraFields"] === "added" ? { _schemaRevision: 4 } : {}
