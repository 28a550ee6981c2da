/** A JSON object, which an array is not. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a JSON value is an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
