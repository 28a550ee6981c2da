/**
 * What a caller gives to `Credentials.upsert`: the provider guides to the fields that make sense for it.
 *
 * **When to use**: to type what is handed to `Credentials.upsert`; `anyProvider` takes any field for any provider.
 *
 * @since 0.1.0
 */
import {
  channelOfProvider,
  type ChatProviderId,
  type KnownChannelProviderId,
  type PushProviderId
} from "../models/Provider.ts"

/** Credentials of a push provider. */
export interface PushCredentials {
  /** Device tokens; appended to those that the subscriber has. Secrets. */
  readonly deviceTokens?: ReadonlyArray<string> | undefined
}

/** Credentials of a chat provider. */
export interface ChatCredentials {
  /** Webhook URL, obtained from the chat provider. A secret. */
  readonly webhookUrl?: string | undefined
}

/** Credentials of Mattermost. */
export interface MattermostCredentials extends ChatCredentials {
  /** Channel that the message goes to. */
  readonly channel?: string | undefined
}

/** Credentials of Grafana OnCall. */
export interface GrafanaOnCallCredentials extends ChatCredentials {
  /** Alert UID of the webhook payload. */
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

/** Every field of credentials; for {@link anyProvider}. */
export interface AnyCredentials extends PushCredentials, MattermostCredentials, GrafanaOnCallCredentials {}

interface Guided<Provider extends string, Fields> {
  /** Provider that the credentials belong to. */
  readonly providerId: Provider
  /** Identifier of the integration, where the environment has several of one provider. */
  readonly integrationIdentifier?: string | undefined
  /** What the provider needs to reach the subscriber. */
  readonly credentials: Fields
}

const escape: unique symbol = Symbol.for("signalbox/core/anyProvider")

/** Made by {@link anyProvider}. */
export interface AnyProviderInput extends Guided<string, AnyCredentials> {
  readonly [escape]: true
}

/** What a caller gives to `Credentials.upsert`. */
export type CredentialsInput =
  | Guided<PushProviderId, PushCredentials>
  | Guided<Exclude<ChatProviderId, "mattermost" | "grafana-on-call">, ChatCredentials>
  | Guided<"mattermost", MattermostCredentials>
  | Guided<"grafana-on-call", GrafanaOnCallCredentials>
  | AnyProviderInput

/**
 * Credentials with any field for any provider, also one that is newer than this version.
 *
 * @example
 * ```ts
 * import { anyProvider } from "@signalbox/core/CredentialsInput"
 *
 * const input = anyProvider("carrier-pigeon", { channel: "roof" })
 * ```
 */
export const anyProvider = (
  providerId: KnownChannelProviderId | (string & {}),
  credentials: AnyCredentials,
  integrationIdentifier?: string
): AnyProviderInput => ({ providerId, credentials, integrationIdentifier, [escape]: true })

/** Whether an input was made by {@link anyProvider}. */
export const isAnyProvider = (input: CredentialsInput): input is AnyProviderInput =>
  // Callers without types can give anything; the check of the request says what is wrong with it.
  typeof input === "object" && input !== null && escape in input

const grafanaFields = ["webhookUrl", "alertUid", "title", "imageUrl", "state", "externalUrl"]

const allFields = ["deviceTokens", "channel", ...grafanaFields]

/**
 * The credential fields that a provider is known to use; all fields for an unknown provider.
 *
 * @example
 * ```ts
 * import { usualFields } from "@signalbox/core/CredentialsInput"
 *
 * usualFields("slack") // => ["webhookUrl"]
 * ```
 */
export const usualFields = (providerId: string): ReadonlyArray<string> => {
  const channel = channelOfProvider(providerId)
  if (channel !== "chat" && channel !== "push") return allFields
  if (channel === "push") return ["deviceTokens"]
  if (providerId === "mattermost") return ["webhookUrl", "channel"]
  return providerId === "grafana-on-call" ? grafanaFields : ["webhookUrl"]
}

/** The fields that the provider is not known to use; none where {@link anyProvider} says that the caller knows better. */
export const unusualFields = (input: CredentialsInput): ReadonlyArray<string> => {
  // Callers without types can give anything; the check of the request says what is wrong with it.
  const credentials: unknown = isAnyProvider(input) ? undefined : input?.credentials
  if (typeof credentials !== "object" || credentials === null) return []
  const usual = usualFields(input.providerId)
  const given = new Map(Object.entries(credentials))
  // Other fields are refused, and their names can be secrets.
  return allFields.filter((name) => given.get(name) !== undefined && !usual.includes(name))
}
