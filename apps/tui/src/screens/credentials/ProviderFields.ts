import { type ChannelCredentials, channelOfProvider } from "@signalbox/core/Records"

/** A field of `credentials`. */
export type CredentialField = keyof ChannelCredentials

/** A channel whose providers take credentials of a subscriber. */
export type ProviderChannel = "chat" | "push"

/** The fields of a provider of the document: its channel, and the fields it needs and may have. */
export interface ProviderFields {
  readonly channel: ProviderChannel
  readonly required: ReadonlyArray<CredentialField>
  readonly optional: ReadonlyArray<CredentialField>
}

/** The fields besides the webhook URL that some chat providers may have. */
const optionalOf: ReadonlyMap<string, ReadonlyArray<CredentialField>> = new Map([
  ["mattermost", ["channel"]],
  ["grafana-on-call", ["alertUid", "title", "imageUrl", "state", "externalUrl"]]
])

/**
 * The fields of a provider; none for one that the document does not name. The document forbids no field for any provider;
 * it says which field is for which: `deviceTokens` for push, `webhookUrl` for chat, `channel` for Mattermost and five more
 * for Grafana OnCall.
 */
export const fieldsOf = (providerId: string): ProviderFields => {
  const channel = channelOfProvider(providerId)
  if (channel === "push") return { channel, required: ["deviceTokens"], optional: [] }
  const required: ReadonlyArray<CredentialField> = channel === "chat" ? ["webhookUrl"] : []
  return { channel: "chat", required, optional: optionalOf.get(providerId) ?? [] }
}

/** Every field of `credentials`, in the order of the document. */
export const allFields: ReadonlyArray<CredentialField> = [
  "webhookUrl",
  "channel",
  "deviceTokens",
  "alertUid",
  "title",
  "imageUrl",
  "state",
  "externalUrl"
]

/** The label of a field in the form. */
export const fieldLabel: Readonly<Record<CredentialField, string>> = {
  webhookUrl: "Webhook URL",
  channel: "Channel",
  deviceTokens: "Device tokens",
  alertUid: "Alert UID",
  title: "Title",
  imageUrl: "Image URL",
  state: "State",
  externalUrl: "External URL"
}
