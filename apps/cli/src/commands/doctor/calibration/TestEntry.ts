/**
 * The credentials entry that calibration writes to: one provider of the subscriber.
 */
import { channelProviderIds } from "@signalbox/core/Provider"
import { repeatedEntriesAdvice, repeatedEntriesIn } from "@signalbox/core/StoredTokens"
import * as Effect from "effect/Effect"
import type { Unsuccessful } from "../../../failure/CommandError.ts"
import { type Deployment, payloadOf, type Reply, type RequestOptions } from "./Deployment.ts"
import { type Fields, fieldsOf, objectsIn, stringOf, stringsIn } from "./WireValues.ts"

/** A device token that no device has. */
export const testToken = (number: number): string => `signalbox-calibration-${number}`

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

/** Advice about several entries of one integration, which writes at the same time leave behind. */
export const repeatedIn = (reply: Reply): ReadonlyArray<string> => {
  const channels = objectsIn(subscriberIn(reply)["channels"]).map(({ _integrationId, providerId }) => ({
    providerId: stringOf(providerId),
    _integrationId: stringOf(_integrationId),
    credentials: {}
  }))
  const providers = new Set(repeatedEntriesIn({ channels }).map(({ providerId }) => providerId))
  return [...providers].map(repeatedEntriesAdvice)
}

/** The effects that the providers of a deployment have on credentials of the subscriber. */
export interface ProviderSearch {
  /** The first provider that accepted credentials. */
  readonly entry: TestEntry | undefined
  /** The rejections before that. */
  readonly rejected: ReadonlyArray<Reply>
}

const jobProviders = (events: ReadonlyArray<Fields>): ReadonlyArray<string> =>
  events.flatMap(({ jobs }) => objectsIn(jobs)).map(({ providerId }) => stringOf(providerId))

/** Providers of credentials, those that the listed events used first. The vendor's own have no credentials. */
export const providersBy = (events: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const used = new Set(jobProviders(events))
  const all = channelProviderIds.filter((id) => !id.startsWith("service-"))
  return [...all.filter((id) => used.has(id)), ...all.filter((id) => !used.has(id))]
}

const openEntry = (deployment: Deployment, subscriberId: string, providerId: string, first: Reply): TestEntry => {
  const entriesIn = (reply: Reply) => objectsIn(subscriberIn(reply)["channels"])
  const ofProvider = entriesIn(first).filter((entry) => entry["providerId"] === providerId)
  const written = ofProvider.find(({ credentials }) =>
    stringsIn(fieldsOf(credentials)["deviceTokens"]).includes(testToken(1))
  )
  const { _integrationId } = written ?? ofProvider[0] ?? {}
  const credentialsIn = (reply: Reply) =>
    fieldsOf(
      entriesIn(reply).find(
        (entry) => entry["providerId"] === providerId && entry["_integrationId"] === _integrationId
      )?.["credentials"]
    )
  return {
    providerId,
    subscriberId,
    first,
    set: (what, credentials, options) =>
      deployment.upsert(`PATCH credentials, ${what}`, subscriberId, { providerId, credentials }, options),
    credentialsIn,
    tokensIn: (reply) => stringsIn(credentialsIn(reply)["deviceTokens"])
  }
}

/** Finds a provider that accepts credentials of the subscriber. */
export const findEntry = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  providers: ReadonlyArray<string>
) {
  const rejected: Array<Reply> = []
  for (const providerId of providers) {
    const reply = yield* deployment.upsert(`PATCH credentials, ${providerId}`, subscriberId, {
      providerId,
      credentials: { deviceTokens: [testToken(1)] }
    })
    if (reply.isAccepted) return { entry: openEntry(deployment, subscriberId, providerId, reply), rejected }
    rejected.push(reply)
  }
  const search: ProviderSearch = { entry: undefined, rejected }
  return search
})
