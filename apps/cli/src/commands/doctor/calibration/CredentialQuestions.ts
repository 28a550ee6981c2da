/**
 * Questions about upserting credentials. They write to one provider of the subscriber and put back what was there.
 */
import { isDeepStrictEqual } from "node:util"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { type Deployment, isSameRejection, type Reply } from "./Deployment.ts"
import {
  acceptedOr,
  acceptedOrRejected,
  allUnknown,
  either,
  evidenceOf,
  settled,
  shownBy,
  type SomeFindings,
  statusOf,
  unknown
} from "./Finding.ts"
import { subscriberIn, type TestEntry, testToken } from "./TestEntry.ts"
import { type Fields, fieldsOf, has, objectsIn } from "./WireValues.ts"

const testChannel = "signalbox-calibration"

const testWebhook = "https://signalbox-calibration.invalid/"

const tokens = (...numbers: ReadonlyArray<number>) => ({ deviceTokens: numbers.map(testToken) })

/** How many tokens are sent to reach the limit of one service. */
const beyondTokenLimit = 101

const askTokens = Effect.fnUntraced(function* ({ set, tokensIn }: TestEntry) {
  const second = yield* set("another token", tokens(2))
  const after = tokensIn(second)
  const isAppended = after.includes(testToken(1))
  const added = either(isAppended, "append", "replace", `${counted(after.length, "token")} after a second one`)
  const double = yield* set("a token twice", tokens(3, 3))
  const copies = tokensIn(double).filter((token) => token === testToken(3)).length
  const empty = yield* set("no tokens", { deviceTokens: [] })
  const isCleared = tokensIn(empty).length === 0
  yield* set("a token", tokens(1))
  const absent = yield* set("without tokens", { channel: testChannel })
  const isWiped = tokensIn(absent).length === 0
  const limit = Effect.gen(function* () {
    if (isAppended && !isCleared && !isWiped) return unknown(`${beyondTokenLimit} tokens could not be removed again`)
    const many = yield* set(
      `${beyondTokenLimit} tokens`,
      tokens(...Array.from({ length: beyondTokenLimit }, (_, at) => at + 1))
    )
    // One token replaces them all, where tokens are replaced.
    if (many.isAccepted && !isAppended) yield* set("a token", tokens(1))
    return acceptedOrRejected(many, "none", "100")
  })
  return {
    "credentials.tokens": shownBy(second, () => added),
    "credentials.tokenDuplicates": shownBy(double, () =>
      copies === 0
        ? unknown("a response does not show the tokens that were sent")
        : either(copies > 1, "kept", "dropped", `${copies} of a token that was sent twice`)
    ),
    "credentials.tokenOrder": isAppended
      ? either(
          after.indexOf(testToken(1)) < after.indexOf(testToken(2)),
          "stored-first",
          "new-first",
          "two tokens, one after the other"
        )
      : unknown("tokens are replaced, not appended"),
    "credentials.tokensEmpty": shownBy(empty, () => either(isCleared, "cleared", "kept", evidenceOf(empty))),
    "credentials.tokensAbsent": shownBy(absent, () => either(isWiped, "wiped", "kept", evidenceOf(absent))),
    "credentials.tokenLimit": yield* limit
  } satisfies SomeFindings
})

const askNull = Effect.fnUntraced(function* ({ credentialsIn, set }: TestEntry, isMerged: boolean) {
  // Where fields are replaced, only an entry without the list of tokens shows that null has cleared it.
  const field = isMerged ? "channel" : "deviceTokens"
  yield* set("a token and a channel", { ...tokens(1), channel: testChannel })
  const reply = yield* set(`${field} is null`, { [field]: null })
  if (!reply.isAccepted) return acceptedOrRejected(reply, "ignored", "refused")
  return either(has(credentialsIn(reply), field), "ignored", "cleared", evidenceOf(reply))
})

const askFields = Effect.fnUntraced(function* (deployment: Deployment, entry: TestEntry) {
  const { credentialsIn, first, providerId, set, subscriberId } = entry
  yield* set("a webhook URL", { webhookUrl: testWebhook })
  const channel = yield* set("a channel", { channel: testChannel })
  const isMerged = has(credentialsIn(channel), "webhookUrl")
  const title = yield* set("a title", { title: testChannel })
  const wrongType = yield* set("channel is a number", { channel: 5 })
  const bad = yield* deployment.upsert("PATCH credentials, credentials is a string", subscriberId, {
    providerId,
    credentials: "none"
  })
  const extra = yield* deployment.upsert("PATCH credentials, an unknown field", subscriberId, {
    providerId,
    credentials: { channel: testChannel },
    signalboxCalibration: true
  })
  const innerTypes = () => {
    if (wrongType.status === 500) return settled("500", evidenceOf(wrongType))
    if (wrongType.isAccepted && credentialsIn(wrongType)["channel"] === 5) {
      return settled("stored", evidenceOf(wrongType))
    }
    return acceptedOrRejected(wrongType, "ignored", "refused")
  }
  const isNamed = objectsIn(subscriberIn(first)["channels"]).some((channel) => has(channel, "integrationIdentifier"))
  return {
    "credentials.otherFields": shownBy(channel, () =>
      either(isMerged, "merge", "replace", "a webhook URL, then a channel", 2)
    ),
    "credentials.storedFields": shownBy(title, () =>
      either(credentialsIn(title)["title"] === testChannel, "all", "webhook-channel-tokens", evidenceOf(title))
    ),
    "credentials.nullFields": yield* askNull(entry, isMerged),
    "credentials.innerTypes": innerTypes(),
    "credentials.badBody": statusOf(bad, ["400", "422"]),
    "credentials.integrationIdentifier": either(isNamed, "returned", "omitted", evidenceOf(first)),
    "request.unknownField": acceptedOr(extra, "ignored", ["400", "422"])
  } satisfies SomeFindings
})

/** Two responses, one after the other. */
type Pair = readonly [before: Fields, after: Fields]

/** Whether a version or an update time stays the same with a write that changes nothing. */
const keptOrBumped = (name: "__v" | "updatedAt", change: Pair, noChange: Pair) => {
  const values = ([before, after]: Pair) => `${name} is ${String(before[name])}, then ${String(after[name])}`
  if (change[0][name] === undefined) return unknown(`no response shows ${name}`)
  // Where a change does not show, its absence would not show either.
  if (change[0][name] === change[1][name]) return unknown(`${values(change)} after a change`)
  return either(noChange[0][name] === noChange[1][name], "kept", "bumped", values(noChange), 2)
}

const askNoOp = Effect.fnUntraced(function* (deployment: Deployment, { credentialsIn, set }: TestEntry) {
  // All that is stored, since less may count as a change; tokens could be appended again.
  const storedIn = (reply: Reply): Fields => {
    const { deviceTokens, ...fields } = credentialsIn(reply)
    return Array.isArray(deviceTokens) && deviceTokens.length === 0 ? { ...fields, deviceTokens } : fields
  }
  const before = yield* set("a channel", { channel: `${testChannel}-before` })
  yield* deployment.tick
  const after = yield* set("another channel", { channel: testChannel })
  const stored = storedIn(yield* set("what is stored", storedIn(after)))
  const once = yield* set("what is stored", stored)
  yield* deployment.tick
  const again = yield* set("what is stored", stored)
  const change: Pair = [subscriberIn(before), subscriberIn(after)]
  const noChange: Pair = [subscriberIn(once), subscriberIn(again)]
  yield* deployment.tick
  const part = yield* set("a part of what is stored", { channel: testChannel })
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
  const version = () => {
    const [start, end] = change.map((fields) => fields["__v"])
    const evidence = `__v is ${String(start)}, then ${String(end)} after a change`
    if (start === undefined) return unknown("no response shows __v")
    return either(start === end, "constant", "counted", evidence, 2)
  }
  return {
    "subscriber.version": shownBy(after, version),
    "credentials.noOpVersion": shownBy(again, () => keptOrBumped("__v", change, noChange)),
    "credentials.noOpUpdatedAt": shownBy(again, updated)
  } satisfies SomeFindings
})

/** Puts back what the first response showed; names the fields that still differ. */
export const restoreEntry = Effect.fnUntraced(function* ({ credentialsIn, first, set, tokensIn }: TestEntry) {
  const original = { ...credentialsIn(first) }
  const ownTokens = tokensIn(first).filter((token) => token !== testToken(1))
  const { deviceTokens: _, ...fields } = original
  yield* set("no tokens", { deviceTokens: [] })
  yield* set("the original fields", fields)
  const cleared = yield* set("no test values", { channel: null, webhookUrl: null, title: null, ...fields })
  const restored = ownTokens.length === 0 ? cleared : yield* set("the original tokens", { deviceTokens: ownTokens })
  // A rejected write changes nothing: the next accepted one shows the entry.
  const last = restored.isAccepted ? restored : yield* set("nothing", fields)
  const now = credentialsIn(last)
  const wanted = { ...fields, ...(ownTokens.length === 0 ? {} : { deviceTokens: ownTokens }) }
  const isSame = (name: string) => JSON.stringify(fieldsOf(wanted)[name] ?? []) === JSON.stringify(now[name] ?? [])
  return [...new Set([...Object.keys(wanted), ...Object.keys(now)])].filter((name) => !isSame(name))
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
const newSubscriber = "signalbox-calibration-new"

/** Providers that are tried for one without an integration. */
const triedProviders = 3

/** Probes a provider without an integration, and a subscriber that does not exist. */
export const askMissing = Effect.fnUntraced(function* (
  deployment: Deployment,
  entry: TestEntry,
  search: { readonly rejected: ReadonlyArray<Reply>; readonly unused: ReadonlyArray<string> }
) {
  const { providerId, subscriberId } = entry
  const created: Array<string> = []
  const upsert = (subscriber: string, provider: string) =>
    deployment.upsert(`PATCH credentials, ${provider}`, subscriber, { providerId: provider, credentials: {} })
  let missing: { readonly provider: string; readonly reply: Reply } | undefined
  for (const provider of search.unused.slice(0, triedProviders)) {
    const reply = yield* upsert(subscriberId, provider)
    if (reply.isAccepted) created.push(`an entry for ${provider} in the credentials of ${subscriberId}`)
    else {
      missing = { provider, reply }
      break
    }
  }
  const askUnknown = Effect.gen(function* () {
    if (missing !== undefined) {
      // A service that creates subscribers rejects this one for its provider, and nothing is created.
      const careful = yield* upsert(newSubscriber, missing.provider)
      if (!isSameRejection(careful, missing.reply, [newSubscriber, subscriberId])) {
        if (careful.isAccepted) created.push(`the subscriber ${newSubscriber}`)
        return acceptedOr(careful, "create", ["404", "400", "422"])
      }
    }
    const reply = yield* upsert(newSubscriber, providerId)
    if (reply.isAccepted) created.push(`the subscriber ${newSubscriber}`)
    return acceptedOr(reply, "create", ["404", "400", "422"])
  })
  const accepted = (providers: number) =>
    providers === triedProviders
      ? settled("store", `accepted for ${counted(providers, "provider")} that no event uses`, providers)
      : unknown("too few providers that no event uses")
  const findings = {
    "credentials.missingIntegration":
      missing === undefined ? accepted(created.length) : statusOf(missing.reply, ["400", "404", "422"]),
    "credentials.unknownSubscriber": yield* askUnknown
  } satisfies SomeFindings
  return { findings, created }
})

const entryQuestions = [
  "credentials.tokens",
  "credentials.tokenDuplicates",
  "credentials.tokenOrder",
  "credentials.tokensEmpty",
  "credentials.tokensAbsent",
  "credentials.tokenLimit",
  "credentials.otherFields",
  "credentials.storedFields",
  "credentials.nullFields",
  "credentials.innerTypes",
  "credentials.badBody",
  "credentials.integrationIdentifier",
  "request.unknownField",
  "subscriber.version",
  "credentials.noOpVersion",
  "credentials.noOpUpdatedAt",
  "credentials.missingIntegration",
  "credentials.unknownSubscriber"
] as const

/** The findings without a provider that accepts credentials. */
export const withoutEntry = (reason: string) => allUnknown(entryQuestions, reason)
