import { chatProviderIds, isOneOf, pushProviderIds } from "../contract/KnownValues.ts"
import type { ChatProviderId, KnownChannelProviderId, PushProviderId } from "../models/Records.ts"

/** Every field of credentials that this version knows. */
export interface KnownCredentials {
  /**
   * Device tokens, one or several, for push providers; appended to those that the subscriber has. Secrets. On a service
   * that replaces, `[]` removes all tokens of the provider, and so do credentials without this field.
   */
  readonly deviceTokens?: string | ReadonlyArray<string>
  /** Webhook URL, for chat providers; obtained from the provider. A secret. */
  readonly webhookUrl?: string | undefined
  /** Channel that the message goes to; for Mattermost. */
  readonly channel?: string | undefined
  /** Alert UID of the webhook payload; for Grafana OnCall, like the following fields. */
  readonly alertUid?: string | undefined
  /** Title of the alert. */
  readonly title?: string | undefined
  /** Image URL of the alert. */
  readonly imageUrl?: string | undefined
  /** State of the alert. */
  readonly state?: string | undefined
  /** Link to upstream details. */
  readonly externalUrl?: string | undefined
}

/** Credentials with any field, also one that is newer than this version; for {@link anyProvider}. */
export type AnyCredentials = KnownCredentials | (KnownCredentials & { readonly [field: string]: unknown })

/** The input for some providers, which use these fields. */
interface ProviderInput<Provider extends string, Credentials> {
  /** Provider that the credentials belong to. */
  readonly providerId: Provider
  /** Identifier of the integration, where the environment has several of one provider. */
  readonly integrationIdentifier?: string | undefined
  /** The credentials with which the provider reaches the subscriber. */
  readonly credentials: Credentials
}

const escape: unique symbol = Symbol.for("signalbox/core/anyProvider")

/** A provider that {@link anyProvider} was called with: errors of the compiler name it after the known providers. */
export type FromAnyProvider = string & { readonly anyProvider: true }

/** Made by {@link anyProvider}. */
export interface AnyProviderInput extends ProviderInput<FromAnyProvider, AnyCredentials> {}

// `Pick` instead of names, so that an error of the compiler shows which fields a provider uses.

/** Credentials of a push provider. */
export interface PushInput extends ProviderInput<PushProviderId, Pick<KnownCredentials, "deviceTokens">> {}

/** Credentials of a chat provider. */
export interface ChatInput extends ProviderInput<
  Exclude<ChatProviderId, "mattermost" | "grafana-on-call">,
  Pick<KnownCredentials, "webhookUrl">
> {}

/** Credentials of Mattermost. */
export interface MattermostInput extends ProviderInput<
  "mattermost",
  Pick<KnownCredentials, "webhookUrl" | "channel">
> {}

/** Credentials of Grafana OnCall. */
export interface GrafanaOnCallInput extends ProviderInput<
  "grafana-on-call",
  Pick<KnownCredentials, (typeof grafanaFields)[number]>
> {}

/** The input of `credentials.upsert`. */
export type CredentialsInput = PushInput | ChatInput | MattermostInput | GrafanaOnCallInput | AnyProviderInput

/**
 * Credentials with any field for any provider, also one that is newer than this version. The service decides what it
 * accepts; fields that this version does not know are treated as secrets.
 *
 * @example
 * ```ts
 * import { anyProvider } from "@signalbox/core/Credentials"
 *
 * const input = anyProvider("carrier-pigeon", { channel: "roof", loft: 7 })
 * ```
 */
export const anyProvider = (
  providerId: KnownChannelProviderId | (string & {}),
  credentials: AnyCredentials,
  integrationIdentifier?: string
): AnyProviderInput => {
  // The brand exists in types only, and the mark, which spreading keeps, at run time only.
  const input = { providerId: providerId as FromAnyProvider, credentials, integrationIdentifier, [escape]: true }
  return input
}

/** Whether an input was made by {@link anyProvider}. */
export const isAnyProvider = (input: CredentialsInput): input is AnyProviderInput =>
  // Callers without types can pass anything; the check of the request reports what is wrong.
  typeof input === "object" && input !== null && escape in input

const grafanaFields = ["webhookUrl", "alertUid", "title", "imageUrl", "state", "externalUrl"] as const

const allFields = ["deviceTokens", "channel", ...grafanaFields]

/**
 * The credential fields that a provider is known to use; all fields for an unknown provider.
 *
 * @example
 * ```ts
 * import { usualFields } from "@signalbox/core/Credentials"
 *
 * usualFields("slack") // => ["webhookUrl"]
 * ```
 */
export const usualFields = (providerId: string): ReadonlyArray<string> => {
  if (isOneOf(pushProviderIds, providerId)) return ["deviceTokens"]
  if (!isOneOf(chatProviderIds, providerId)) return allFields
  if (providerId === "mattermost") return ["webhookUrl", "channel"]
  return providerId === "grafana-on-call" ? grafanaFields : ["webhookUrl"]
}

/** The fields that the provider is not known to use; empty with {@link anyProvider}, where the caller decides. */
export const unusualFields = (input: CredentialsInput): ReadonlyArray<string> => {
  // Callers without types can pass anything; the check of the request reports what is wrong.
  const credentials: unknown = isAnyProvider(input) ? undefined : input?.credentials
  if (typeof credentials !== "object" || credentials === null) return []
  const usual = usualFields(input.providerId)
  const given = new Map(Object.entries(credentials))
  // Other fields are refused, and their names can be secrets.
  return allFields.filter((name) => given.get(name) !== undefined && !usual.includes(name))
}

/** Every string in a value. */
const stringsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** The strings in fields of credentials that this version does not know: any of them can be a secret. */
export const unknownSecretsIn = ({ credentials }: AnyProviderInput): ReadonlyArray<string> =>
  // Callers without types can give anything; the check of the request says what is wrong with it.
  Object.entries(credentials ?? {}).flatMap(([name, value]) => (allFields.includes(name) ? [] : stringsIn(value)))
