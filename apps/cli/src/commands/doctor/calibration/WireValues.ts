/**
 * Reads parts of response bodies whose shape is what calibration asks about.
 */

/** A word, an id and a value of a field that no record of the deployment has. */
export const testValue = "signalbox-calibration"

/** The fields of an object on the wire. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; none if it is not an object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}

/** The objects in a list; none if the value is not a list. */
export const objectsIn = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** The strings in a list; none if the value is not a list. */
export const stringsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((part) => typeof part === "string") : []

/** A string; empty if the value is not one. */
export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** Whether an object has a field. */
export const has = (fields: Fields, name: string): boolean => Object.hasOwn(fields, name)
