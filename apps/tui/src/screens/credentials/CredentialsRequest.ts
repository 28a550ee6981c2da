import { curl, targetOf } from "@signalbox/operator/report/Curl"
import { type CredentialsScreen, valueOf } from "./CredentialsScreen.ts"
import { inputOf } from "./CredentialsForm.ts"
import { isSecret, masked } from "./Secrets.ts"
import type { ConnectionInfo } from "../../state/Connection.ts"

/** A part of the body without its secrets; a list of tokens hides each of them. */
const hide = (key: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => hide(key, one))
  return typeof value === "string" && isSecret(key, value) ? masked(value) : value
}

/** The path of the request. */
export const pathOf = (screen: CredentialsScreen): string =>
  targetOf({ operation: "credentials.upsert", baseUrl: "", params: { subscriberId: screen.subscriberId } })

/** The body as JSON lines; secrets masked unless revealed. A form that is not finished shows what it has. */
export const bodyLines = (screen: CredentialsScreen): ReadonlyArray<string> => {
  const body = inputOf(screen) ?? { providerId: valueOf(screen, "providerId"), credentials: {} }
  return JSON.stringify(
    body,
    (key, value: unknown) => (screen.revealedUntil !== undefined ? value : hide(key, value)),
    2
  ).split("\n")
}

/** Placeholder for a secret until the command is quoted; a character that cannot be typed. */
const marker = (name: string): string => `\uE000${name}\uE000`

/** The name of the variable for a secret field: `WEBHOOK_URL`, `DEVICE_TOKEN_2`. */
const variableName = (key: string, index: number | undefined): string =>
  key === "deviceTokens" ? `DEVICE_TOKEN_${(index ?? 0) + 1}` : key.replaceAll(/([A-Z])/gu, "_$1").toUpperCase()

/** Replaces the secrets in a part of the body with variables. */
const withVariables = (key: string, value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map((one: unknown, index) =>
      typeof one === "string" && isSecret(key, one) ? marker(variableName(key, index)) : one
    )
  }
  return typeof value === "string" && isSecret(key, value) ? marker(variableName(key, undefined)) : value
}

/** The request as a cURL command. The API key and every secret in it are variables of the shell. */
export const upsertCurl = (
  subscriberId: string,
  input: unknown,
  { baseUrl, vendor }: Pick<ConnectionInfo, "baseUrl" | "vendor">
): string =>
  curl({
    operation: "credentials.upsert",
    baseUrl,
    ...(vendor === undefined ? {} : { vendor }),
    params: { subscriberId },
    payload: JSON.parse(JSON.stringify(input, withVariables)) as unknown
    // The single quotes end, the variable follows in double quotes, and the single quotes begin again.
  }).replaceAll(/\uE000(\w+)\uE000/gu, `'"$$$1"'`)

/** The request of the form as a cURL command. */
export const curlFor = (screen: CredentialsScreen, connection: Pick<ConnectionInfo, "baseUrl" | "vendor">): string =>
  upsertCurl(screen.subscriberId, inputOf(screen) ?? {}, connection)
