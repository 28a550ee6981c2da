/**
 * The credentials entry that calibration writes to: one provider of the subscriber.
 */
import { channelProviderIds } from "@signalbox/core/Records"
import { repeatedEntriesAdvice, repeatedEntriesIn } from "@signalbox/core/Credentials"
import * as Effect from "effect/Effect"
import type { Unsuccessful } from "../../../failure/CommandError.ts"
import { type Deployment, payloadOf, type Reply, type RequestOptions } from "./Deployment.ts"
import { evidenceOf } from "./Finding.ts"
import { type Fields, fieldsOf, objectsIn, stringOf, stringsIn, testValue } from "./WireValues.ts"

/** Credentials with device tokens that no device has. */
export const tokens = (...numbers: ReadonlyArray<number>) => ({
  deviceTokens: numbers.map((number) => `${testValue}-${number}`)
})

/** The first of these tokens. */
export const [testToken = ""] = tokens(1).deviceTokens

/** One entry of a subscriber's credentials. */
export interface TestEntry {
  readonly providerId: string
  readonly subscriberId: string
  /** The first write, which appended one token. */
  readonly first: Reply
  /** Writes credentials. */
  readonly set: (what: string, credentials: Fields, options?: RequestOptions) => Effect.Effect<Reply, Unsuccessful>
  /** The credentials of the entry in a response. */
  readonly credentialsIn: (reply: Reply) => Fields
  /** The device tokens of the entry in a response. */
  readonly tokensIn: (reply: Reply) => ReadonlyArray<string>
}

/** The subscriber in the response to a write of credentials. */
export const subscriberIn = (reply: Reply): Fields => fieldsOf(payloadOf(reply))

/** The entries of the subscriber. */
export const entriesIn = (reply: Reply): ReadonlyArray<Fields> => objectsIn(subscriberIn(reply)["channels"])

/** Advice about several entries of one integration, which writes at the same time leave behind. */
export const repeatedIn = (reply: Reply): ReadonlyArray<string> => {
  const channels = entriesIn(reply).map(({ _integrationId, providerId }) => ({
    providerId: stringOf(providerId),
    _integrationId: stringOf(_integrationId),
    credentials: {}
  }))
  const providers = new Set(repeatedEntriesIn({ channels }).map(({ providerId }) => providerId))
  return [...providers].map(repeatedEntriesAdvice)
}

/** Providers of credentials, those that the listed events used first. The vendor's own have no credentials. */
export const providersBy = (events: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const used = new Set(events.flatMap(({ jobs }) => objectsIn(jobs)).map(({ providerId }) => providerId))
  const all = channelProviderIds.filter((id) => !id.startsWith("service-"))
  return [...all.filter((id) => used.has(id)), ...all.filter((id) => !used.has(id))]
}

const openEntry = (deployment: Deployment, subscriberId: string, providerId: string, first: Reply): TestEntry => {
  const deviceTokensOf = (credentials: unknown) => stringsIn(fieldsOf(credentials)["deviceTokens"])
  const ofProvider = entriesIn(first).filter((entry) => entry["providerId"] === providerId)
  const written = ofProvider.find(({ credentials }) => deviceTokensOf(credentials).includes(testToken))
  const { _integrationId } = written ?? ofProvider[0] ?? {}
  const isSame = (entry: Fields) => entry["providerId"] === providerId && entry["_integrationId"] === _integrationId
  const credentialsIn = (reply: Reply) => fieldsOf(entriesIn(reply).find(isSame)?.["credentials"])
  return {
    providerId,
    subscriberId,
    first,
    set: (what, credentials, options) => deployment.upsert(what, subscriberId, { providerId, credentials }, options),
    credentialsIn,
    tokensIn: (reply) => deviceTokensOf(credentialsIn(reply))
  }
}

/** Finds a provider that accepts credentials of the subscriber, or returns why there is no entry to write to. */
export const findEntry = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  providers: ReadonlyArray<string>,
  changes: Array<string>
) {
  const rejections: Array<string> = []
  for (const providerId of providers) {
    const reply = yield* deployment.upsert(providerId, subscriberId, { providerId, credentials: tokens(1) })
    if (entriesIn(reply).some((entry) => entry["providerId"] === providerId))
      return openEntry(deployment, subscriberId, providerId, reply)
    if (reply.isAccepted) {
      // More writes could neither be seen nor be undone.
      changes.push(`a test token in the ${providerId} credentials of ${subscriberId}`)
      return `responses to writes do not show the stored credentials (${evidenceOf(reply)})`
    }
    rejections.push(` (${evidenceOf(reply)})`)
  }
  return `no provider accepts credentials of ${subscriberId}${rejections[0] ?? ""}`
})

/** Puts back what the first response showed; names the fields that still differ. */
export const restoreEntry = Effect.fnUntraced(function* ({ credentialsIn, first, set, tokensIn }: TestEntry) {
  const { deviceTokens: _, ...fields } = credentialsIn(first)
  const deviceTokens = tokensIn(first).filter((token) => token !== testToken)
  const wanted: Fields = deviceTokens.length === 0 ? fields : { ...fields, deviceTokens }
  yield* set("no tokens", { deviceTokens: [] })
  yield* set("the original fields", fields)
  const cleared = yield* set("no test values", { channel: null, webhookUrl: null, title: null, ...fields })
  const restored = deviceTokens.length === 0 ? cleared : yield* set("the original tokens", { deviceTokens })
  // A rejected write changes nothing: the next accepted one shows the entry.
  const now = credentialsIn(restored.isAccepted ? restored : yield* set("nothing", fields))
  const isSame = (name: string) => JSON.stringify(wanted[name] ?? []) === JSON.stringify(now[name] ?? [])
  return Object.keys({ ...wanted, ...now }).filter((name) => !isSame(name))
})
