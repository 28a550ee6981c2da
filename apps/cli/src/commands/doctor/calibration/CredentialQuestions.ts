/**
 * Questions about upserting credentials. They write to one provider of the subscriber.
 */
import { isDeepStrictEqual } from "node:util"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { type Deployment, isSameRejection, type Reply } from "./Deployment.ts"
import { byStatus, choose, either, evidenceOf, settled, shownBy, type SomeFindings, unknown } from "./Finding.ts"
import { entriesIn, subscriberIn, type TestEntry, tokens } from "./TestEntry.ts"
import { type Fields, has, testValue } from "./WireValues.ts"

const aChannel = { channel: testValue }

const [one = "", two = "", three = ""] = tokens(1, 2, 3).deviceTokens

/** How many tokens are sent to reach the limit of one service. */
const beyondTokenLimit = 101

const askTokens = Effect.fnUntraced(function* ({ set, tokensIn }: TestEntry) {
  const second = yield* set("another token", tokens(2))
  const after = tokensIn(second)
  const isAppended = after.includes(one)
  const isFirst = after.indexOf(one) < after.indexOf(two)
  const double = yield* set("a token twice", tokens(3, 3))
  const copies = tokensIn(double).filter((token) => token === three).length
  const empty = yield* set("no tokens", tokens())
  const isCleared = tokensIn(empty).length === 0
  yield* set("a token", tokens(1))
  const absent = yield* set("without tokens", aChannel)
  const isWiped = tokensIn(absent).length === 0
  const askLimit = Effect.gen(function* () {
    if (isAppended && !isCleared && !isWiped) return unknown(`${beyondTokenLimit} tokens could not be removed again`)
    const numbers = Array.from({ length: beyondTokenLimit }, (_, at) => at + 1)
    const many = yield* set(`${beyondTokenLimit} tokens`, tokens(...numbers))
    // One token replaces them all, where tokens are replaced.
    if (many.isAccepted && !isAppended) yield* set("a token", tokens(1))
    return byStatus("credentials.tokenLimit", many, { accepted: "none", rejected: "100" })
  })
  return {
    "credentials.tokens": shownBy(second, () =>
      either(isAppended, "append", "replace", `${counted(after.length, "token")} after a second one`)
    ),
    "credentials.tokenDuplicates": shownBy(double, () =>
      choose(`${copies} of a token that was sent twice`, { kept: copies > 1, dropped: copies === 1 })
    ),
    "credentials.tokenOrder": isAppended
      ? either(isFirst, "stored-first", "new-first", "two tokens, one after the other")
      : unknown("tokens are replaced, not appended"),
    "credentials.tokensEmpty": shownBy(empty, () => either(isCleared, "cleared", "kept", evidenceOf(empty))),
    "credentials.tokensAbsent": shownBy(absent, () => either(isWiped, "wiped", "kept", evidenceOf(absent))),
    "credentials.tokenLimit": yield* askLimit
  } satisfies SomeFindings
})

const askFields = Effect.fnUntraced(function* ({ upsert }: Deployment, entry: TestEntry) {
  const { credentialsIn, first, providerId, set, subscriberId } = entry
  yield* set("a webhook URL", { webhookUrl: "https://signalbox-calibration.invalid/" })
  const channel = yield* set("a channel", aChannel)
  const isMerged = has(credentialsIn(channel), "webhookUrl")
  const title = yield* set("a title", { title: testValue })
  const isStored = credentialsIn(title)["title"] === testValue
  const wrongType = yield* set("channel is a number", { channel: 5 })
  const bad = yield* upsert("credentials is a string", subscriberId, { providerId, credentials: "none" })
  const extraBody = { providerId, credentials: aChannel, signalboxCalibration: true }
  const extra = yield* upsert("an unknown field", subscriberId, extraBody)
  const isNamed = entriesIn(first).some((each) => has(each, "integrationIdentifier"))
  // Where fields are replaced, only an entry without the list of tokens shows that null has cleared it.
  const field = isMerged ? "channel" : "deviceTokens"
  yield* set("a token and a channel", { ...tokens(1), ...aChannel })
  const nothing = yield* set(`${field} is null`, { [field]: null })
  return {
    "credentials.otherFields": shownBy(channel, () =>
      either(isMerged, "merge", "replace", "a webhook URL, then a channel", 2)
    ),
    "credentials.storedFields": shownBy(title, () =>
      either(isStored, "all", "webhook-channel-tokens", evidenceOf(title))
    ),
    "credentials.nullFields": byStatus("credentials.nullFields", nothing, {
      accepted: has(credentialsIn(nothing), field) ? "ignored" : "cleared",
      rejected: "refused"
    }),
    "credentials.innerTypes": byStatus("credentials.innerTypes", wrongType, {
      accepted: credentialsIn(wrongType)["channel"] === 5 ? "stored" : "ignored",
      rejected: "refused"
    }),
    "credentials.badBody": byStatus("credentials.badBody", bad),
    "credentials.integrationIdentifier": either(isNamed, "returned", "omitted", evidenceOf(first)),
    "request.unknownField": byStatus("request.unknownField", extra, { accepted: "ignored" })
  } satisfies SomeFindings
})

/** Two responses, one after the other. */
type Pair = readonly [before: Fields, after: Fields]

const valuesOf = (name: string, [before, after]: Pair) =>
  `${name} is ${String(before[name])}, then ${String(after[name])}`

/** Whether a version or an update time stays the same with a write that changes nothing. */
const keptOrBumped = (name: "__v" | "updatedAt", change: Pair, noChange: Pair) => {
  // Where a change does not show, its absence would not show either.
  if (change[0][name] === change[1][name]) return unknown(`${valuesOf(name, change)} after a change`)
  return either(noChange[0][name] === noChange[1][name], "kept", "bumped", valuesOf(name, noChange), 2)
}

const askNoOp = Effect.fnUntraced(function* ({ tick }: Deployment, { credentialsIn, set }: TestEntry) {
  // All that is stored, since less may count as a change; tokens could be appended again.
  const storedIn = (reply: Reply): Fields => {
    const { deviceTokens, ...fields } = credentialsIn(reply)
    return Array.isArray(deviceTokens) && deviceTokens.length === 0 ? { ...fields, deviceTokens } : fields
  }
  const before = yield* set("a channel", { channel: `${testValue}-before` })
  yield* tick
  const after = yield* set("another channel", aChannel)
  const stored = storedIn(yield* set("what is stored", storedIn(after)))
  const once = yield* set("what is stored", stored)
  yield* tick
  const again = yield* set("what is stored", stored)
  yield* tick
  const part = yield* set("a part of what is stored", aChannel)
  const change: Pair = [subscriberIn(before), subscriberIn(after)]
  const noChange: Pair = [subscriberIn(once), subscriberIn(again)]
  const isPart = Object.keys(stored).length > 1 && isDeepStrictEqual(credentialsIn(part), credentialsIn(again))
  const updated = () => {
    const equal = keptOrBumped("updatedAt", change, noChange)
    if (equal._tag === "Unknown") return equal
    // Tokens would be appended, and other fields may have been stored by other means than a request.
    const isRepeatable = Object.keys(stored).every((name) => ["webhookUrl", "channel", "deviceTokens"].includes(name))
    if (!isRepeatable || !isDeepStrictEqual(stored, credentialsIn(again))) {
      return unknown(`${equal.evidence}; no request may equal what is stored`)
    }
    if (equal.value === "bumped") return equal
    if (!part.isAccepted || !isPart) return unknown(`${equal.evidence}; no part of what is stored changes nothing`)
    const fewer = keptOrBumped("updatedAt", change, [subscriberIn(again), subscriberIn(part)])
    return fewer._tag === "Unknown" || fewer.value === "kept"
      ? fewer
      : settled("kept-if-equal", `${equal.evidence}; with a part of what is stored, ${fewer.evidence}`, 3)
  }
  const [start, end] = change.map((fields) => fields["__v"])
  return {
    "subscriber.version": shownBy(after, () =>
      choose(
        `${valuesOf("__v", change)} after a change`,
        {
          constant: start !== undefined && start === end,
          counted: start !== end
        },
        2
      )
    ),
    "credentials.noOpVersion": shownBy(again, () => keptOrBumped("__v", change, noChange)),
    "credentials.noOpUpdatedAt": shownBy(again, updated)
  } satisfies SomeFindings
})

/** Probes the effect of writing credentials. */
export const askCredentials = Effect.fnUntraced(function* (deployment: Deployment, entry: TestEntry) {
  return {
    ...(yield* askTokens(entry)),
    ...(yield* askFields(deployment, entry)),
    ...(yield* askNoOp(deployment, entry))
  }
})

/** A subscriber that does not exist, unless the service has created it in this run or an earlier one. */
const newSubscriber = `${testValue}-new`

/** Providers that are tried for one without an integration. */
const triedProviders = 3

/** Probes a provider without an integration, and a subscriber that does not exist; adds what that created. */
export const askMissing = Effect.fnUntraced(function* (
  { upsert }: Deployment,
  { providerId, subscriberId }: TestEntry,
  unused: ReadonlyArray<string>,
  created: Array<string>
) {
  const write = (subscriber: string, provider: string) =>
    upsert(provider, subscriber, { providerId: provider, credentials: {} })
  const tried = unused.slice(0, triedProviders)
  let missing: Reply | undefined
  let unknownSubscriber: Reply | undefined
  for (const provider of tried) {
    const reply = yield* write(subscriberId, provider)
    if (reply.isAccepted) {
      created.push(`an entry for ${provider} in the credentials of ${subscriberId}`)
      continue
    }
    missing = reply
    // A service that creates subscribers rejects this one for its provider, and nothing is created.
    const careful = yield* write(newSubscriber, provider)
    if (!isSameRejection(careful, missing, [newSubscriber, subscriberId])) unknownSubscriber = careful
    break
  }
  unknownSubscriber ??= yield* write(newSubscriber, providerId)
  if (unknownSubscriber.isAccepted) created.push(`the subscriber ${newSubscriber}`)
  const accepted = () =>
    tried.length === triedProviders
      ? settled("store", `accepted for ${counted(triedProviders, "provider")} that no event uses`, triedProviders)
      : unknown("too few providers that no event uses")
  return {
    "credentials.missingIntegration":
      missing === undefined ? accepted() : byStatus("credentials.missingIntegration", missing),
    "credentials.unknownSubscriber": byStatus("credentials.unknownSubscriber", unknownSubscriber, {
      accepted: "create"
    })
  } satisfies SomeFindings
})
