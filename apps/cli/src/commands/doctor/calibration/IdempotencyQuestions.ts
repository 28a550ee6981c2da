/**
 * Questions about idempotency keys. They write to the test entry, and mark one message if there is one.
 */
import * as Effect from "effect/Effect"
import type { Deployment, Reply } from "./Deployment.ts"
import { byStatus, choose, either, evidenceOf, settled, type SomeFindings, unknown } from "./Finding.ts"
import type { TestEntry } from "./TestEntry.ts"
import { noSubscriber } from "./TestMessages.ts"
import { testValue } from "./WireValues.ts"

/** One character more than the limit of one service. */
const longKeyLength = 256

const isReplayOf = (second: Reply, first: Reply): boolean =>
  second.headers.has("idempotency-replay") || second.text === first.text

const askBody = Effect.fnUntraced(function* (deployment: Deployment, entry: TestEntry, key: string) {
  const providerId = JSON.stringify(entry.providerId)
  const credentials = `{"channel":"${testValue}-a"}`
  const send = (what: string, body: string) => deployment.upsert(what, entry.subscriberId, body, { key })
  const first = yield* send("a key", `{"providerId":${providerId},"credentials":${credentials}}`)
  yield* entry.set("another channel", { channel: `${testValue}-b` })
  // A new response has another time.
  yield* deployment.tick
  const second = yield* send(
    "the same key and fields in another order",
    `{"credentials":${credentials},"providerId":${providerId}}`
  )
  return either(second.text === first.text, "canonical", "as-sent", evidenceOf(second))
})

/** Why the two questions about replays have no finding where a key may be reused. */
const noReplay = unknown("a key may be reused, and responses do not show whether they are replayed")

const askErrors = Effect.fnUntraced(function* (
  deployment: Deployment,
  { providerId, set, subscriberId }: TestEntry,
  key: string,
  isReused: boolean
) {
  const body = { providerId, credentials: "none" }
  const first = yield* deployment.upsert("a key and a bad body", subscriberId, body, { key })
  const second = yield* deployment.upsert("the same key and bad body", subscriberId, body, { key })
  const shown = choose(evidenceOf(second), {
    "replayed-as-503": second.status === 503 && first.status !== 503,
    cached: second.headers.has("idempotency-replay"),
    "not-cached": second.headers.has("idempotency-key")
  })
  if (shown._tag === "Settled") return shown
  if (isReused) return noReplay
  const good = yield* set("the same key and a good body", { channel: testValue }, { key })
  return byStatus("idempotency.errors", good, { accepted: "not-cached", rejected: "cached" })
})

const askReads = Effect.fnUntraced(function* ({ list }: Deployment, key: string, isEchoed: boolean, isReused: boolean) {
  const read = (limit: string) => list(`a key, limit=${limit}`, [["limit", limit]], { key })
  const first = yield* read("1")
  const evidence = `${evidenceOf(first)}, header Idempotency-Key`
  if (isEchoed) return either(first.headers.has("idempotency-key"), "honoured", "ignored", evidence)
  if (isReused) return noReplay
  return byStatus("idempotency.reads", yield* read("2"), { accepted: "ignored", rejected: "honoured" })
})

const askScope = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  id: string | undefined,
  key: string
) {
  if (id === undefined) return unknown("needs a message: give one with --message")
  const body = { messageId: [id], markAs: "read" }
  yield* deployment.mark("unread", subscriberId, { ...body, markAs: "unread" })
  const own = yield* deployment.mark("a key", subscriberId, body, { key })
  const other = yield* deployment.mark("the same key for an unknown subscriber", noSubscriber, body, { key })
  return other.isAccepted && other.text === own.text
    ? unknown(`${evidenceOf(other)}, the first response; a key of another environment would show the scope`)
    : settled("operation", evidenceOf(other))
})

/** Probes idempotency keys; the prefix makes the keys of a run new. */
export const askIdempotency = Effect.fnUntraced(function* (
  deployment: Deployment,
  entry: TestEntry,
  messageId: string | undefined,
  prefix: string
) {
  const write = (what: string, channel: string, key?: string) =>
    entry.set(what, { channel: `${testValue}-${channel}` }, key === undefined ? {} : { key })
  const key = `${prefix}-same`
  const first = yield* write("a key", "a", key)
  yield* write("another channel", "b")
  yield* deployment.tick
  const second = yield* write("the same key and body", "a", key)
  const isShown = first.isAccepted && (second.isAccepted || second.text === first.text)
  if (!isShown || !isReplayOf(second, first)) {
    const sameBody = isShown
      ? settled("apply", `${evidenceOf(second)}, applied again`)
      : unknown(`${evidenceOf(first)}; ${evidenceOf(second)}, which does not show whether keys have an effect`)
    return { "idempotency.sameBody": sameBody } satisfies SomeFindings
  }
  const other = yield* write("the same key and another body", "c", key)
  const long = yield* write(`a key of ${longKeyLength} characters`, "a", prefix.padEnd(longKeyLength, "k"))
  const isReused = other.isAccepted
  const isEchoed = first.headers.has("idempotency-key")
  return {
    "idempotency.sameBody": settled("replay", `${evidenceOf(second)}, the first response`),
    "idempotency.otherBody": byStatus("idempotency.otherBody", other, { accepted: "apply" }),
    "idempotency.echo": either(isEchoed, "echoed", "absent", `${evidenceOf(first)}, header Idempotency-Key`),
    "idempotency.link": isReused
      ? unknown("a key may be reused, so no error about a key is seen")
      : either(other.headers.has("link"), "present", "absent", `${evidenceOf(other)}, header Link`),
    "idempotency.keyLimit": byStatus("idempotency.keyLimit", long, { accepted: "none", rejected: "255" }),
    "idempotency.body": yield* askBody(deployment, entry, `${prefix}-order`),
    "idempotency.errors": yield* askErrors(deployment, entry, `${prefix}-error`, isReused),
    "idempotency.reads": yield* askReads(deployment, `${prefix}-read`, isEchoed, isReused),
    "idempotency.scope": yield* askScope(deployment, entry.subscriberId, messageId, `${prefix}-scope`)
  } satisfies SomeFindings
})
