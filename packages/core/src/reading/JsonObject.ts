/** A JSON object, which an array is not. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a JSON value is an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value of a JSON string; `undefined` for any other string. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
