const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

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
  const credentials = isRecord(payload) ? payload["credentials"] : undefined
  const own = isRecord(credentials)
    ? [...stringsOf(credentials["webhookUrl"]), ...stringsOf(credentials["deviceTokens"])]
    : []
  return [apiKey, ...Object.values(headers), ...own]
}
