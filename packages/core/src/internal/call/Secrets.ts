import { isJsonObject } from "../JsonObject.ts"

const stringsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return Array.isArray(value) ? value.filter((part): part is string => typeof part === "string") : []
}

/** The secrets of one call: the API key, the values of gateway headers, and the credentials in the payload. */
export const secretsOf = (
  apiKey: string,
  headers: Readonly<Record<string, string>>,
  payload: unknown
): ReadonlyArray<string> => {
  const credentials = isJsonObject(payload) ? payload["credentials"] : undefined
  const own = isJsonObject(credentials)
    ? [...stringsOf(credentials["webhookUrl"]), ...stringsOf(credentials["deviceTokens"])]
    : []
  return [apiKey, ...Object.values(headers), ...own]
}
