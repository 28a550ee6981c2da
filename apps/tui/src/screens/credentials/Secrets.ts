/**
 * Which values of a credential are secret, and what stands for them. Knowing a webhook URL or a device token is all it
 * takes to send: neither may stay readable on a screen that others see.
 */
import { isKnownChannelProviderId } from "@signalbox/core/Provider"
import { graphemes } from "@signalbox/operator/text/Graphemes"

/** Fields that hold nothing else. */
const secretFields: ReadonlySet<string> = new Set(["webhookUrl", "deviceTokens"])

/** Fields whose URLs are meant to be seen by those who are notified. */
const urlFields: ReadonlySet<string> = new Set(["imageUrl", "externalUrl"])

/** Device tokens have 64 characters and more; what people name things has fewer. */
const tokenLength = 40

const looksSecret = (value: string): boolean =>
  value.includes("://") || value.split(/\s+/u).some((word) => word.length >= tokenLength)

/** Whether a value was put into a field that is none for secrets, and is one by its looks. */
export const isMisplaced = (field: string, value: string): boolean =>
  !secretFields.has(field) && !urlFields.has(field) && !isKnownChannelProviderId(value) && looksSecret(value)

/** Whether the value of a field is a secret: by its field, or by its looks where it was put into the wrong one. */
export const isSecret = (field: string, value: string): boolean => secretFields.has(field) || isMisplaced(field, value)

/** What stands for a secret on the screen: enough to recognise it, not enough to use it. */
export const masked = (secret: string): string =>
  secret.length <= 8 ? "****" : `****${graphemes(secret).slice(-4).join("")}`
