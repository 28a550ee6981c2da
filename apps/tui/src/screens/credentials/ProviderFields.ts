import type { ChannelCredentials } from "@signalbox/core/Subscriber"

/** A field of `credentials`. */
export type CredentialField = keyof ChannelCredentials

/** What a provider of the document uses: its channel, and the fields it needs and may have. */
export interface ProviderFields {
  readonly channel: "chat" | "push"
  readonly required: ReadonlyArray<CredentialField>
  readonly optional: ReadonlyArray<CredentialField>
}

const push: ProviderFields = { channel: "push", required: ["deviceTokens"], optional: [] }
const webhook: ProviderFields = { channel: "chat", required: ["webhookUrl"], optional: [] }

/**
 * The document forbids no field for any provider; it says which field is for which: `deviceTokens` for push, `webhookUrl`
 * for chat, `channel` for Mattermost and five more for Grafana OnCall.
 */
const table: Readonly<Record<string, ProviderFields>> = {
  slack: webhook,
  discord: webhook,
  msteams: webhook,
  mattermost: { channel: "chat", required: ["webhookUrl"], optional: ["channel"] },
  ryver: webhook,
  zulip: webhook,
  "grafana-on-call": {
    channel: "chat",
    required: ["webhookUrl"],
    optional: ["alertUid", "title", "imageUrl", "state", "externalUrl"]
  },
  getstream: webhook,
  "rocket-chat": webhook,
  "whatsapp-business": webhook,
  "chat-webhook": webhook,
  "service-slack": webhook,
  fcm: push,
  apns: push,
  expo: push,
  "one-signal": push,
  pushpad: push,
  "push-webhook": push,
  "pusher-beams": push,
  appio: push
}

const unknown: ProviderFields = { channel: "chat", required: [], optional: [] }

/** The fields of a provider; none for one that the document does not name. */
export const fieldsOf = (providerId: string): ProviderFields => table[providerId] ?? unknown

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

/** What the form calls a field. */
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
