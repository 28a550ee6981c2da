import {
  type ChannelCredentials,
  channelProviderIds,
  type ChannelSettings,
  isKnownChannelProviderId,
  type KnownChannelProviderId
} from "@signalbox/core/Records"
import { ofIntegration } from "@signalbox/operator/diagnosis/Rule"
import type { Facts } from "../../state/Facts.ts"
import { type CredentialsScreen, type FormField, shownFields, tokensIn, valueOf } from "./CredentialsScreen.ts"
import { allFields, type CredentialField, fieldsOf, type ProviderChannel } from "./ProviderFields.ts"
import { isMisplaced, isSecret, masked } from "./Secrets.ts"
import { counted } from "@signalbox/operator/text/Counted"

/** The request that a form stands for. */
export interface CredentialsRequest {
  readonly providerId: KnownChannelProviderId
  readonly integrationIdentifier?: string
  readonly credentials: ChannelCredentials
}

/** The result of checking a field: an error keeps the form from being sent, a hint does not. */
export interface Check {
  readonly kind: "error" | "hint" | "ok"
  readonly text: string
}

const checkUrl = (value: string): Check => {
  if (!URL.canParse(value)) return { kind: "error", text: "not a URL" }
  const { protocol } = new URL(value)
  return protocol === "https:"
    ? { kind: "ok", text: `https, ${value.length} characters` }
    : { kind: "hint", text: `${protocol}// is unusual: chat providers give https URLs` }
}

const checkTokens = (value: string): Check => {
  const { tokens, repeated } = tokensIn(value)
  const dropped = repeated === 0 ? "" : `, ${repeated} repeated and dropped`
  return {
    kind: repeated === 0 ? "ok" : "hint",
    text: counted(tokens.length, "token") + dropped
  }
}

const misplaced = "hidden, since it looks like a webhook URL or a token: those have fields of their own"

const checkProvider = (value: string, channel: ProviderChannel | undefined): Check => {
  if (value === "")
    return {
      kind: "error",
      text: `required${channel === undefined ? "" : ` for ${channel}`}: ${suggestions("", channel).slice(0, 3).join(", ")} …; tab completes`
    }
  if (isKnownChannelProviderId(value)) return { kind: "ok", text: fieldsOf(value).channel }
  if (isMisplaced("providerId", value)) return { kind: "error", text: misplaced }
  const near = suggestions(value, channel)
  return {
    kind: "error",
    text: `not one of the ${channelProviderIds.length} providers${near.length === 0 ? "" : `; tab completes ${near.slice(0, 3).join(", ")}`}`
  }
}

/** The providers that begin with or contain what was typed; those of the channel, if any, before the others. */
export const suggestions = (typed: string, channel?: ProviderChannel): ReadonlyArray<string> => {
  const rank = (id: string) =>
    (channel !== undefined && fieldsOf(id).channel !== channel ? 2 : 0) + (id.startsWith(typed) ? 0 : 1)
  return channelProviderIds.filter((id) => id.includes(typed)).toSorted((a, b) => rank(a) - rank(b))
}

/** The verdict on one field as it stands; `undefined` when there is nothing to say. */
export const check = (screen: CredentialsScreen, field: FormField): Check | undefined => {
  const fromService = screen.problem?.fields.find(({ path }) => path === field || path.endsWith(`.${field}`))
  if (fromService !== undefined) return { kind: "error", text: `the service says: ${fromService.message}` }
  const value = valueOf(screen, field)
  if (field === "providerId") return checkProvider(value, screen.channel)
  // The one field that goes into the path of other systems and into their logs: nothing secret is sent in it.
  if (isMisplaced(field, value)) return { kind: field === "integrationIdentifier" ? "error" : "hint", text: misplaced }
  if (field === "integrationIdentifier") return undefined
  if (value === "") {
    return fieldsOf(valueOf(screen, "providerId")).required.includes(field)
      ? { kind: "error", text: "required" }
      : undefined
  }
  if (field === "webhookUrl" || field === "imageUrl" || field === "externalUrl") return checkUrl(value)
  return field === "deviceTokens" ? checkTokens(value) : undefined
}

/** The fields that keep the form from being sent. Messages of the service do not: it is asked again. */
export const errors = (screen: CredentialsScreen): ReadonlyArray<FormField> =>
  shownFields(screen).filter((field) => check({ ...screen, problem: undefined }, field)?.kind === "error")

/** The request that the form stands for; absent fields are not sent. */
export const inputOf = (screen: CredentialsScreen): CredentialsRequest | undefined => {
  const providerId = valueOf(screen, "providerId")
  if (!isKnownChannelProviderId(providerId)) return undefined
  const integrationIdentifier = valueOf(screen, "integrationIdentifier")
  const shown = new Set<FormField>(shownFields(screen))
  const credentials: ChannelCredentials = Object.fromEntries(
    allFields.flatMap((field) => {
      const value = valueOf(screen, field)
      if (value === "" || !shown.has(field)) return []
      return [[field, field === "deviceTokens" ? tokensIn(value).tokens : value]]
    })
  )
  return { providerId, ...(integrationIdentifier === "" ? {} : { integrationIdentifier }), credentials }
}

/** Formats a value for the list of changes: masks secrets, shows everything else verbatim. */
const shown = (field: CredentialField, value: string): string => (isSecret(field, value) ? masked(value) : `"${value}"`)

const tokenChange = (before: ChannelSettings | undefined, tokens: ReadonlyArray<string>, unknown: string): string => {
  const stored = before?.credentials.deviceTokens
  const added = tokens.filter((token) => stored?.includes(token) !== true).length
  // Without knowing what is stored, how many of them are new is not known either.
  const change = stored === undefined && unknown !== none ? `sends ${tokens.length}` : `adds ${added}`
  return `${stored === undefined ? unknown : counted(stored.length, "token")}, ${change}; a token can be added here, never removed`
}

const none = "none"

/** One line per credential of the subscriber: its value now, if known, and its next value. */
export const changes = (screen: CredentialsScreen, facts: Facts): ReadonlyArray<string> => {
  const input = inputOf(screen)
  const channels = facts.subscribers.get(screen.subscriberId)?.channels
  if (input === undefined) return []
  const wanted = input.integrationIdentifier
  // Services are known that do not tell the integration of stored credentials: then the provider has to do.
  const before = channels?.find(
    ({ providerId, integrationIdentifier: stored }) =>
      providerId === input.providerId && (wanted === undefined || stored === undefined || stored === wanted)
  )
  const name = `${fieldsOf(input.providerId).channel}/${input.providerId}${isMisplaced("integrationIdentifier", wanted ?? "") ? "" : ofIntegration(wanted)}`
  const unknown = channels === undefined ? "not known (no read in this API)" : none
  const lines = allFields.flatMap((field) => {
    if (field === "deviceTokens") {
      const tokens = input.credentials.deviceTokens
      return tokens === undefined ? [] : [`${name}: ${tokenChange(before, tokens, unknown)}`]
    }
    const value = input.credentials[field]
    if (value === undefined) return []
    const old = before?.credentials[field]
    if (old === value) return [`${name} ${field}: unchanged`]
    return [`${name} ${field}: ${old === undefined ? unknown : shown(field, old)} becomes ${shown(field, value)}`]
  })
  const others = (channels ?? []).filter((other) => other !== before)
  return [
    ...lines,
    ...others.map(
      ({ integrationIdentifier, providerId }) => `${providerId}${ofIntegration(integrationIdentifier)}: unchanged`
    )
  ]
}
