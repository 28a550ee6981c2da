/**
 * Questions about idempotency keys. They write to the test entry, and mark one message if there is one.
 */
import * as Effect from "effect/Effect"
import type { Deployment, Reply } from "./Deployment.ts"
import {
  acceptedOr,
  acceptedOrRejected,
  allUnknown,
  either,
  evidenceOf,
  type Findings,
  settled,
  unknown
} from "./Finding.ts"
import type { TestEntry } from "./TestEntry.ts"
import { noSubscriber } from "./TestMessages.ts"

/** Questions that only keys with an effect answer. */
const questions = [
  "idempotency.otherBody",
  "idempotency.scope",
  "idempotency.errors",
  "idempotency.body",
  "idempotency.reads",
  "idempotency.echo",
  "idempotency.link",
  "idempotency.keyLimit"
] as const

type Question = "idempotency.sameBody" | (typeof questions)[number]

/** The findings without a provider that accepts credentials. */
export const withoutKeys = (reason: string) => allUnknown(["idempotency.sameBody", ...questions], reason)

/** One character more than the limit of one service. */
const longKeyLength = 256

const askBody = Effect.fnUntraced(function* (
  deployment: Deployment,
  { providerId, set, subscriberId }: TestEntry,
  key: string
) {
  const credentials = '{"channel":"signalbox-calibration-a"}'
  const provider = JSON.stringify(providerId)
  const first = yield* deployment.upsert(
    "PATCH credentials, a key",
    subscriberId,
    `{"providerId":${provider},"credentials":${credentials}}`,
    { key }
  )
  yield* set("another channel", { channel: "signalbox-calibration-b" })
  // A new response has another time.
  yield* deployment.tick
  const second = yield* deployment.upsert(
    "PATCH credentials, the same key and fields in another order",
    subscriberId,
    `{"credentials":${credentials},"providerId":${provider}}`,
    { key }
  )
  return either(second.text === first.text, "canonical", "as-sent", evidenceOf(second))
})

const askErrors = Effect.fnUntraced(function* (
  deployment: Deployment,
  { providerId, set, subscriberId }: TestEntry,
  key: string,
  isReused: boolean
) {
  const fail = (what: string) =>
    deployment.upsert(`PATCH credentials, ${what}`, subscriberId, { providerId, credentials: "none" }, { key })
  const first = yield* fail("a key and a bad body")
  const second = yield* fail("the same key and bad body")
  if (second.status === 503 && first.status !== 503) return settled("replayed-as-503", evidenceOf(second))
  if (second.headers.has("idempotency-replay")) {
    return settled("cached", `${evidenceOf(second)} with Idempotency-Replay`)
  }
  if (second.headers.has("idempotency-key")) {
    return settled("not-cached", `${evidenceOf(second)} without Idempotency-Replay`)
  }
  if (isReused) return unknown("a key may be reused, and responses do not show whether they are replayed")
  const good = yield* set("the same key and a good body", { channel: "signalbox-calibration" }, { key })
  return acceptedOrRejected(good, "not-cached", "cached")
})

const askReads = Effect.fnUntraced(function* (
  deployment: Deployment,
  key: string,
  isEchoed: boolean,
  isReused: boolean
) {
  const list = (limit: string) => deployment.list(`GET events, a key, limit=${limit}`, [["limit", limit]], { key })
  const first = yield* list("1")
  if (isEchoed) {
    return either(
      first.headers.has("idempotency-key"),
      "honoured",
      "ignored",
      `${evidenceOf(first)}, header Idempotency-Key`
    )
  }
  if (isReused) return unknown("a key may be reused, and responses do not show whether they are replayed")
  const second = yield* list("2")
  return acceptedOrRejected(second, "ignored", "honoured")
})

const askScope = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  messageId: string | undefined,
  key: string
) {
  if (messageId === undefined) return unknown("needs a message: give one with --message")
  const mark = (what: string, subscriber: string, markAs: string, given: { readonly key?: string }) =>
    deployment.mark(`POST mark-as, ${what}`, subscriber, { messageId: [messageId], markAs }, given)
  yield* mark("unread", subscriberId, "unread", {})
  const own = yield* mark("a key", subscriberId, "read", { key })
  const other = yield* mark("the same key for an unknown subscriber", noSubscriber, "read", { key })
  return other.isAccepted && other.text === own.text
    ? unknown(`${evidenceOf(other)}, the first response; a key of another environment would show the scope`)
    : settled("operation", evidenceOf(other))
})

const isReplayOf = (second: Reply, first: Reply): boolean =>
  second.headers.has("idempotency-replay") || second.text === first.text

/** Probes idempotency keys; the prefix makes the keys of a run new. */
export const askIdempotency = Effect.fnUntraced(function* (
  deployment: Deployment,
  entry: TestEntry,
  messageId: string | undefined,
  prefix: string
) {
  const { set, subscriberId } = entry
  const key = (name: string) => `${prefix}-${name}`
  const write = (what: string, channel: string, given: { readonly key?: string }) =>
    set(what, { channel: `signalbox-calibration-${channel}` }, given)
  const first = yield* write("a key", "a", { key: key("same") })
  yield* write("another channel", "b", {})
  yield* deployment.tick
  const second = yield* write("the same key and body", "a", { key: key("same") })
  if (!first.isAccepted || (!second.isAccepted && second.text !== first.text)) {
    const reply = first.isAccepted ? second : first
    return withoutKeys(`${evidenceOf(reply)}, which does not show whether keys have an effect`)
  }
  if (!isReplayOf(second, first)) {
    const findings: Findings<Question> = {
      "idempotency.sameBody": settled("apply", `${evidenceOf(second)}, applied again`),
      ...allUnknown(questions, "keys have no effect")
    }
    return findings
  }
  const other = yield* write("the same key and another body", "c", { key: key("same") })
  const long = yield* write("a key of 256 characters", "a", { key: prefix.padEnd(longKeyLength, "k") })
  const isReused = other.isAccepted
  const isEchoed = first.headers.has("idempotency-key")
  const findings: Findings<Question> = {
    "idempotency.sameBody": settled("replay", `${evidenceOf(second)}, the first response`),
    "idempotency.otherBody": acceptedOr(other, "apply", ["422", "409", "400"]),
    "idempotency.echo": either(isEchoed, "echoed", "absent", `${evidenceOf(first)}, header Idempotency-Key`),
    "idempotency.link": isReused
      ? unknown("a key may be reused, so no error about a key is seen")
      : either(other.headers.has("link"), "present", "absent", `${evidenceOf(other)}, header Link`),
    "idempotency.keyLimit": acceptedOrRejected(long, "none", "255"),
    "idempotency.body": yield* askBody(deployment, entry, key("order")),
    "idempotency.errors": yield* askErrors(deployment, entry, key("error"), isReused),
    "idempotency.reads": yield* askReads(deployment, key("read"), isEchoed, isReused),
    "idempotency.scope": yield* askScope(deployment, subscriberId, messageId, key("scope"))
  }
  return findings
})
