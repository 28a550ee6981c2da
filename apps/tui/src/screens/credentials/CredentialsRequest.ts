import { CredentialsUpsert } from "@signalbox/core/operation/CredentialsUpsert"
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
  targetOf({ operation: CredentialsUpsert, baseUrl: "", params: { subscriberId: screen.subscriberId } })

/** The body as JSON lines; secrets masked unless revealed. A form that is not finished shows what it has. */
export const bodyLines = (screen: CredentialsScreen): ReadonlyArray<string> => {
  const body = inputOf(screen) ?? { providerId: valueOf(screen, "providerId"), credentials: {} }
  return JSON.stringify(
    body,
    (key, value: unknown) => (screen.revealedUntil !== undefined ? value : hide(key, value)),
    2
  ).split("\n")
}

/** The request as a cURL command. The key stays a variable; the values are the real ones, since it is made to be run. */
export const curlFor = (
  screen: CredentialsScreen,
  { baseUrl, vendor }: Pick<ConnectionInfo, "baseUrl" | "vendor">
): string =>
  curl({
    operation: CredentialsUpsert,
    baseUrl,
    ...(vendor === undefined ? {} : { vendor }),
    params: { subscriberId: screen.subscriberId },
    payload: inputOf(screen) ?? {}
  })
