/**
 * The sending of each channel, and the service's record of it in execution details.
 */
import * as Random from "../random/Random.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { JobProviderId, StepRecord } from "../state/Records.ts"
import type { Sending } from "./Attempt.ts"

export interface Content {
  readonly seed: number
  /** The layout of e-mails. */
  readonly layoutId: string
  readonly template: StepRecord
  /** With its variables filled in. */
  readonly text: string
  readonly payload: JsonObject
}

const iso = (at: number): string => new Date(at).toISOString()

export const inApp: Sending = { draft: { channel: "in_app", providerId: "service" } }

export const email = (
  providerId: JobProviderId,
  address: string | undefined,
  { layoutId, payload, seed, template }: Content,
  at: number
): Sending => ({
  draft: { channel: "email", providerId, ...(address === undefined ? {} : { email: address }) },
  // The service adds the subscriber with all credentials. The fake does not: its data are shown in documents.
  created: {
    senderName: "",
    subject: template.subject ?? "",
    content: template.content ?? "",
    layoutId,
    contentType: "customHtml",
    payload
  },
  accepted: { id: `<${Random.uuid(seed, "email")}@mail.example.test>`, date: iso(at) }
})

export const sms = (
  providerId: JobProviderId,
  phone: string | undefined,
  { payload, seed }: Content,
  at: number
): Sending => ({
  draft: { channel: "sms", providerId, ...(phone === undefined ? {} : { phone }) },
  created: payload,
  accepted: { id: `SM${Random.objectId(seed, "sms", 1)}`, date: iso(at) }
})

export const chat = (
  providerId: JobProviderId,
  webhookUrl: string | undefined,
  { text }: Content,
  at: number
): Sending => ({
  draft: { channel: "chat", providerId, ...(webhookUrl === undefined ? {} : { directWebhookUrl: webhookUrl }) },
  created: text,
  accepted: {
    id: `webhook-id-${at}`,
    date: iso(at),
    channelData: { identifier: "-", type: "webhook", endpoint: { url: webhookUrl } }
  }
})

export const push = (providerId: JobProviderId, token: string, { seed, text }: Content, at: number): Sending => ({
  draft: { channel: "push", providerId, deviceTokens: [token] },
  created: { providerId, content: JSON.stringify(text) },
  accepted: { id: Random.objectId(seed, "push", Random.hash(token)), date: iso(at) }
})

export const endpointResponse = (at: number): object => ({
  statusCode: 200,
  body: { ok: true },
  headers: { "content-type": "application/json", date: new Date(at).toUTCString() }
})
