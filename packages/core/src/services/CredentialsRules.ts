import { isJsonObject } from "../reading/JsonObject.ts"

/** The secrets in the payload of a credentials upsert. */
export const credentialSecretsIn = (payload: unknown): ReadonlyArray<string> => {
  const credentials = isJsonObject(payload) ? payload["credentials"] : undefined
  if (!isJsonObject(credentials)) return []
  const secrets = [credentials["webhookUrl"], credentials["deviceTokens"]].flat()
  return secrets.filter((secret): secret is string => typeof secret === "string")
}

/** Why applying an upsert of credentials twice does harm: device tokens are appended. `undefined` without any. */
export const unsafeToUpsertTwice = (payload: unknown): string | undefined => {
  const credentials = isJsonObject(payload) ? payload["credentials"] : undefined
  const tokens = isJsonObject(credentials) ? credentials["deviceTokens"] : undefined
  return Array.isArray(tokens) && tokens.length > 0 ? "a retry could append the device tokens twice." : undefined
}
