/**
 * Records in the format of the service.
 */
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { Switches } from "../switches/Switches.ts"

/** A field of a record that the fake never sends. */
export const notSent = undefined

/**
 * The fields of a record, each of them named. An optional field may have no value: a switch may leave it out, and
 * {@link notSent} says that the fake never sends it.
 */
type WireFields<Model> = {
  readonly [Name in keyof Model]-?: Model[Name] | (Pick<Model, never> extends Pick<Model, Name> ? undefined : never)
}

/** A record of the API without the fields that have no value. Switches add fields that it does not have. */
export const present = <Model extends object>(fields: WireFields<NoInfer<Model>>): Model => {
  const kept: Record<string, unknown> = {}
  // A loop, not Object.fromEntries: a page has thousands of fields.
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) kept[name] = value
  }
  // The fields that have no value are optional.
  return kept as Model
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
