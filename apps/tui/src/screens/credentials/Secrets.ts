/**
 * Which values of a credential are secret, and what stands for them. Knowing a webhook URL or a device token is all it
 * takes to send: neither may stay readable on a screen that others see.
 */
import { isKnownChannelProviderId } from "@signalbox/core/Records"
import { graphemes } from "@signalbox/operator/text/Graphemes"

/** Fields that always contain secrets. */
const secretFields: ReadonlySet<string> = new Set(["webhookUrl", "deviceTokens"])

/** Fields whose URLs are visible to the recipients of notifications. */
const urlFields: ReadonlySet<string> = new Set(["imageUrl", "externalUrl"])

/** Device tokens have 64 characters or more; names are shorter. */
const tokenLength = 40

const looksSecret = (value: string): boolean =>
  value.includes("://") || value.split(/\s+/u).some((word) => word.length >= tokenLength)

/** Whether a value looks like a secret but was entered into a field that is not for secrets. */
export const isMisplaced = (field: string, value: string): boolean =>
  !secretFields.has(field) && !urlFields.has(field) && !isKnownChannelProviderId(value) && looksSecret(value)

/** Whether a value is a secret: because of its field, or because it looks like one in the wrong field. */
export const isSecret = (field: string, value: string): boolean => secretFields.has(field) || isMisplaced(field, value)

/** The masked form of a secret on the screen: enough to recognise it, not enough to use it. */
export const masked = (secret: string): string =>
  secret.length <= 8 ? "****" : `****${graphemes(secret).slice(-4).join("")}`
