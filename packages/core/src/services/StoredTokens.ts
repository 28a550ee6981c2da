import type { ChannelSettings, Subscriber } from "../models/Records.ts"
import type { CredentialsInput } from "./CredentialsInput.ts"

/** The most device tokens in one entry, which is also the most that one request appends. @internal */
export const maxTokens = 100

/** How often tokens that are missing from a response are appended again. @internal */
export const maxRepairs = 2

/** Rejections of a whole request of which parts may be valid, such as one that exceeds the tokens of an entry. @internal */
export const partialRejections: ReadonlySet<string | undefined> = /* @__PURE__ */ new Set([
  "Rejected",
  "PayloadTooLarge"
])

/** The tokens that an input appends. @internal */
export const tokensIn = ({ credentials }: CredentialsInput): ReadonlyArray<string> =>
  "deviceTokens" in credentials ? [credentials.deviceTokens ?? []].flat() : []

/** The same input with other tokens. @internal */
export const withTokens = (input: CredentialsInput, deviceTokens: ReadonlyArray<string>): CredentialsInput =>
  // The same fields as before.
  ({ ...input, credentials: { ...input.credentials, deviceTokens } }) as CredentialsInput

/**
 * The entries of a subscriber that repeat the integration of an earlier entry: writes at the same time leave them behind,
 * and later writes change only the first. To repair them, remove the credentials of the provider in the service, then
 * store all tokens in one call.
 *
 * @example
 * ```ts
 * import { repeatedEntriesIn } from "@signalbox/core/Credentials"
 *
 * const entry = { providerId: "fcm", credentials: {}, _integrationId: "i" }
 * repeatedEntriesIn({ channels: [entry, entry] }).length // => 1
 * ```
 */
export const repeatedEntriesIn = ({ channels }: Pick<Subscriber, "channels">): ReadonlyArray<ChannelSettings> =>
  (channels ?? []).filter(
    (one, at, all) =>
      all.findIndex((other) => other.providerId === one.providerId && other._integrationId === one._integrationId) < at
  )

/** Advice about repeated entries of a provider, in one line. */
export const repeatedEntriesAdvice = (providerId: string): string =>
  `several entries of one ${providerId} integration: remove them, then store all tokens in one call`

/** The tokens of one provider in a response; `undefined` where the response does not show the provider's credentials. */
export const storedTokensIn = (subscriber: Subscriber, providerId: string): ReadonlySet<string> | undefined => {
  const entries = (subscriber.channels ?? []).filter((channel) => channel.providerId === providerId)
  return entries.length === 0
    ? undefined
    : new Set(entries.flatMap(({ credentials }) => credentials.deviceTokens ?? []))
}

/** The tokens of an input that the response to it lacks; none where it does not show the provider's credentials. @internal */
export const missingTokensIn = (input: CredentialsInput, subscriber: Subscriber): ReadonlyArray<string> => {
  const stored = storedTokensIn(subscriber, input.providerId)
  return stored === undefined ? [] : tokensIn(input).filter((token) => !stored.has(token))
}

/** The entries that are remembered; the one that was written longest ago is forgotten. */
const maxEntries = 1_000

/** Remembers the tokens that responses showed as stored, for one piece of work. */
export interface StoredTokens {
  /**
   * The tokens that a response should show for an entry and does not: those that its request appended, and those of
   * earlier responses. None where the response does not show the entry. Each is returned once: the caller appends it
   * again, or reports it.
   */
  readonly missingAfter: (
    entry: string,
    stored: ReadonlySet<string> | undefined,
    appended: ReadonlyArray<string>
  ) => ReadonlyArray<string>
  /** Forgets an entry, after a request that may have removed its tokens. */
  readonly forget: (entry: string) => void
}

/** Makes a memory without tokens. */
export const makeStoredTokens = (): StoredTokens => {
  const entries = new Map<string, ReadonlyArray<string>>()
  return {
    missingAfter: (entry, stored, appended) => {
      if (stored === undefined) return []
      const expected = [...new Set([...(entries.get(entry) ?? []), ...appended])]
      entries.delete(entry)
      entries.set(entry, [...stored])
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
      return expected.filter((token) => !stored.has(token))
    },
    forget: (entry) => void entries.delete(entry)
  }
}
