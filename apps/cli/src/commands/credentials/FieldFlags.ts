import type { CredentialField } from "@signalbox/operator/diagnosis/Rule"

/** One field of credentials on the command line. */
export interface FieldFlag {
  readonly name: string
  readonly description: string
}

/** The flag of each field of credentials. A new field does not compile until it has one. */
export const fieldFlags: Readonly<Record<CredentialField, FieldFlag>> = {
  webhookUrl: { name: "webhook-url", description: "Webhook URL of a chat provider." },
  deviceTokens: { name: "device-token", description: "Device token of a push provider; repeatable." },
  channel: { name: "channel", description: "Channel of Mattermost." },
  alertUid: { name: "alert-uid", description: "Alert UID of Grafana OnCall." },
  title: { name: "title", description: "Alert title of Grafana OnCall." },
  imageUrl: { name: "image-url", description: "Alert image URL of Grafana OnCall." },
  state: { name: "state", description: "Alert state of Grafana OnCall." },
  externalUrl: { name: "external-url", description: "Link of Grafana OnCall to upstream details." }
}
