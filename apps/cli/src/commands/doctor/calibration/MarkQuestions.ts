/**
 * Questions about marking messages. They mark the messages that the user named, back and forth.
 */
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import type { Unsuccessful } from "../../../failure/CommandError.ts"
import { type Deployment, isSameRejection, type Reply } from "./Deployment.ts"
import {
  acceptedOr,
  acceptedOrRejected,
  allUnknown,
  either,
  evidenceOf,
  type Findings,
  type Settled,
  settled,
  shownBy,
  type SomeFindings,
  type Unknown,
  unknown
} from "./Finding.ts"
import { noObjectId } from "./EventLog.ts"
import { type Mark, markMessages, messagesIn, noSubscriber, type TestMessage } from "./TestMessages.ts"
import { type Fields, stringOf } from "./WireValues.ts"

const badId = "signalbox-calibration"

/** Probes requests that name no message of the subscriber. */
export const askMarkErrors = Effect.fnUntraced(function* (deployment: Deployment, subscriberId: string) {
  const none = yield* markMessages(deployment, subscriberId, [noObjectId], "read", "an unknown message")
  const unknownSubscriber = yield* markMessages(deployment, noSubscriber, [noObjectId], "read", "an unknown subscriber")
  const bad = yield* markMessages(deployment, subscriberId, [badId], "read", "an id that is no object id")
  const badOfUnknownSubscriber = yield* markMessages(deployment, noSubscriber, [badId], "read", "an unknown subscriber")
  const empty = yield* markMessages(deployment, subscriberId, [], "read", "no ids")
  const names = [noObjectId, badId, noSubscriber, subscriberId]
  const badMessageId = () => {
    const evidence = evidenceOf(bad)
    const isIgnored =
      isSameRejection(bad, none, names) && isSameRejection(badOfUnknownSubscriber, unknownSubscriber, names)
    if (bad.isAccepted) return settled("ignored", evidence)
    if (!isIgnored) return acceptedOr(bad, "ignored", ["400", "422"])
    return bad.text === "" && bad.status === badOfUnknownSubscriber.status
      ? unknown(`${evidence}, as for an unknown object id, without a body that would tell the two apart`)
      : settled("ignored", `${evidence}, as for an unknown object id`)
  }
  return {
    "mark.unknownIds": acceptedOr(none, "ignored", ["400", "404"]),
    "mark.unknownSubscriber": acceptedOr(unknownSubscriber, "empty", ["404", "400", "422"]),
    "mark.badMessageId": badMessageId(),
    "mark.noMessageId": acceptedOr(empty, "empty", ["400", "422"])
  } satisfies SomeFindings
})

/** One message, and marks of it; the message is absent where the response leaves it out. */
interface Marked {
  readonly reply: Reply
  readonly message: Fields | undefined
}

type MarkOne = (mark: Mark) => Effect.Effect<Marked, Unsuccessful>

const markOne =
  (deployment: Deployment, subscriberId: string, id: string): MarkOne =>
  (mark) =>
    Effect.map(markMessages(deployment, subscriberId, [id], mark), (reply) => ({
      reply,
      message: messagesIn(reply).find(({ _id }) => _id === id)
    }))

/** Marks in order; the message after the last, which changes it. */
const inOrder = Effect.fnUntraced(function* (mark: MarkOne, marks: ReadonlyArray<Mark>) {
  let last: Fields = {}
  for (const each of marks) last = (yield* mark(each)).message ?? last
  return last
})

/** Leaves a message neither read nor seen. */
const clear: ReadonlyArray<Mark> = ["read", "unread", "seen", "unseen"]

/** Leaves a message read and seen, with the dates of both where marks set them. */
const fill: ReadonlyArray<Mark> = ["read", "unread", "seen", "unseen", "seen", "read"]

type DateName = "lastReadDate" | "lastSeenDate"

const isSet = (before: Fields, after: Fields, date: DateName): boolean =>
  after[date] !== undefined && after[date] !== null && after[date] !== before[date]

const dates = (before: Fields, after: Fields, date: DateName): string =>
  `${date} is ${stringOf(before[date]) || "absent"}, then ${stringOf(after[date]) || "absent"}`

/** Whether a mark sets a date or keeps it. */
const setOrKept = (before: Fields, after: Fields, date: DateName) =>
  either(isSet(before, after, date), "set", "kept", dates(before, after, date))

/** Whether a mark sets a date, keeps it or clears it. */
const setKeptOrCleared = (
  before: Fields,
  after: Fields,
  date: DateName
): Settled<"set" | "kept" | "cleared"> | Unknown => {
  const evidence = dates(before, after, date)
  if (isSet(before, after, date)) return settled("set", evidence)
  if (stringOf(before[date]) === "") return unknown(`${evidence}: no mark sets it, so none is seen to clear it`)
  return either(stringOf(after[date]) === "", "cleared", "kept", evidence)
}

const effectQuestions = [
  "mark.read.seen",
  "mark.unread.seen",
  "mark.unseen.read",
  "mark.read.lastReadDate",
  "mark.unread.lastReadDate",
  "mark.seen.lastSeenDate",
  "mark.unseen.lastSeenDate",
  "mark.read.lastSeenDate",
  "mark.unread.lastSeenDate"
] as const

type EffectQuestion = (typeof effectQuestions)[number]

const askEffects = Effect.fnUntraced(function* (deployment: Deployment, mark: MarkOne) {
  /** The message in a state, and after one more mark a moment later. */
  const change = Effect.fnUntraced(function* (state: ReadonlyArray<Mark>, next: Mark) {
    const before = yield* inOrder(mark, state)
    yield* deployment.tick
    return [before, (yield* mark(next)).message ?? before] as const
  })
  const flags = ({ read, seen }: Fields) => `read is ${String(read)}, seen is ${String(seen)}`
  const [, stillUnread] = yield* change(clear, "unread")
  const read = yield* change(clear, "read")
  const seen = yield* change(clear, "seen")
  const unread = yield* change(fill, "unread")
  const unseen = yield* change(fill, "unseen")
  return {
    "mark.read.seen": either(read[1]["seen"] === true, "set", "kept", `unseen, then read: ${flags(read[1])}`),
    "mark.unread.seen":
      stillUnread["seen"] === true
        ? settled("set", `unseen, then unread: ${flags(stillUnread)}`)
        : either(unread[1]["seen"] === true, "kept", "cleared", `seen, then unread: ${flags(unread[1])}`),
    "mark.unseen.read": either(unseen[1]["read"] === true, "kept", "cleared", `read, then unseen: ${flags(unseen[1])}`),
    "mark.read.lastReadDate": setOrKept(...read, "lastReadDate"),
    "mark.read.lastSeenDate": setOrKept(...read, "lastSeenDate"),
    "mark.seen.lastSeenDate": setOrKept(...seen, "lastSeenDate"),
    "mark.unread.lastReadDate": setKeptOrCleared(...unread, "lastReadDate"),
    "mark.unread.lastSeenDate": setKeptOrCleared(...unread, "lastSeenDate"),
    "mark.unseen.lastSeenDate": setKeptOrCleared(...unseen, "lastSeenDate")
  } satisfies SomeFindings
})

const isSettledAs = (finding: Settled<string> | Unknown, value: string): boolean =>
  finding._tag === "Settled" && finding.value === value

/** The marks before a repeated one, so that the repeated one changes no flag. */
const opposite: Readonly<Record<Mark, Mark>> = { read: "unread", unread: "read", seen: "unseen", unseen: "seen" }

const askRepeated = Effect.fnUntraced(function* (
  deployment: Deployment,
  mark: MarkOne,
  effects: Findings<EffectQuestion>
) {
  yield* inOrder(mark, fill)
  const { message: second, reply } = yield* mark("read")
  const unchanged = shownBy(reply, () =>
    either(second !== undefined, "returned", "omitted", "a message marked as read twice")
  )
  const candidates = [
    ["read", "lastReadDate"],
    ["unread", "lastReadDate"],
    ["seen", "lastSeenDate"],
    ["unseen", "lastSeenDate"],
    ["read", "lastSeenDate"],
    ["unread", "lastSeenDate"]
  ] as const
  for (const [name, date] of candidates) {
    const question = `mark.${name}.${date}` as const
    // `seen` and `unseen` have no read date: the list above pairs only marks and dates that are a question.
    if (!(question in effects) || !isSettledAs(effects[question as EffectQuestion], "set")) continue
    // Marks for seen leave the read date alone, so a later one shows it where the repeated mark is left out.
    if (isSettledAs(unchanged, "omitted") && date === "lastSeenDate") continue
    const before = yield* inOrder(mark, ["seen", opposite[name], name])
    yield* deployment.tick
    const repeated = yield* mark(name)
    const after = repeated.message ?? (yield* inOrder(mark, ["unseen", "seen"]))
    return {
      "mark.unchanged": unchanged,
      "mark.repeated": either(
        after[date] === before[date],
        "dates-kept",
        "dates-rewritten",
        `marked as ${name} twice: ${dates(before, after, date)}`
      )
    } satisfies SomeFindings
  }
  return {
    "mark.unchanged": unchanged,
    "mark.repeated": unknown("no repeated mark shows a date that it could rewrite")
  } satisfies SomeFindings
})

/** With fewer messages, an order by anything else is too often that of their creation by chance. */
const fewestToOrder = 4

/** One id more than the limit that the fake knows. */
const beyondIdLimit = 101

const askRequestLists = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  messages: ReadonlyArray<TestMessage>
) {
  const ids = messages
    .toSorted((one, other) => (stringOf(one.first["createdAt"]) < stringOf(other.first["createdAt"]) ? -1 : 1))
    .map(({ id }) => id)
  const [id = ""] = ids
  const times = new Set(messages.map(({ first }) => first["createdAt"]))
  // Neither oldest first nor newest first, and two requests in different orders: a fixed order matches one at most.
  const rotated = [...ids.slice(-1), ...ids.slice(0, -1)]
  const orders = [rotated, rotated.toReversed()]
  const replies: Array<ReadonlyArray<string>> = []
  for (const [number, order] of orders.entries()) {
    const marks: ReadonlyArray<Mark> = number === 0 ? ["unread", "read"] : ["unread"]
    let reply: Reply | undefined
    for (const mark of marks) reply = yield* markMessages(deployment, subscriberId, order, mark)
    replies.push(reply === undefined ? [] : messagesIn(reply).map(({ _id }) => String(_id)))
  }
  const order = () => {
    const evidence = `${counted(ids.length, "message")}, requested in ${counted(orders.length, "order")}`
    const isEach = (expected: (number: number) => ReadonlyArray<string> | undefined) =>
      replies.every((reply, number) => reply.join() === expected(number)?.join())
    if (ids.length < 2) return unknown("needs several messages: give them with --message")
    if (replies.some((reply) => reply.length !== ids.length)) return unknown(`${evidence}: not all are returned`)
    if (isEach((number) => orders[number])) return settled("request", evidence, orders.length)
    if (ids.length < fewestToOrder || times.size < ids.length) {
      return unknown(`needs ${fewestToOrder} messages of different times: give them with --message`)
    }
    if (isEach(() => ids)) return settled("created", evidence, orders.length)
    if (isEach(() => ids.toReversed())) return unknown("the newest first, which the fake cannot imitate")
    return settled("shuffled", evidence, orders.length)
  }
  yield* markMessages(deployment, subscriberId, [id], "unread")
  const twice = messagesIn(yield* markMessages(deployment, subscriberId, [id, id], "read"))
  const many = yield* markMessages(
    deployment,
    subscriberId,
    Array.from({ length: beyondIdLimit }, () => id),
    "read"
  )
  const channels = new Set(messages.map(({ first }) => stringOf(first["channel"])))
  const other = [...channels].find((channel) => channel !== "in_app" && channel !== "")
  return {
    "mark.order": order(),
    "mark.duplicates":
      twice.length === 0
        ? unknown("no message is returned for an id that was sent twice")
        : either(
            twice.length > 1,
            "repeated",
            "collapsed",
            `${counted(twice.length, "message")} for an id that was sent twice`
          ),
    "mark.idLimit": acceptedOrRejected(many, "none", "100", `${evidenceOf(many)} for ${beyondIdLimit} ids`),
    "mark.channels":
      other === undefined
        ? unknown("no message of another channel was returned")
        : settled("any", `a message of the channel ${other} was marked`)
  } satisfies SomeFindings
})

/** One message or more. */
type Messages = readonly [TestMessage, ...ReadonlyArray<TestMessage>]

/** Questions that a message answers. */
const messageQuestions = [
  ...effectQuestions,
  "mark.unchanged",
  "mark.repeated",
  "mark.order",
  "mark.duplicates",
  "mark.idLimit",
  "mark.channels"
] as const

/** The findings without a message. */
export const withoutMessages = (reason: string) => allUnknown(messageQuestions, reason)

/** Probes the effect of marks. */
export const askMarks = Effect.fnUntraced(function* (deployment: Deployment, subscriberId: string, messages: Messages) {
  const mark = markOne(deployment, subscriberId, messages[0].id)
  const effects = yield* askEffects(deployment, mark)
  const findings: Findings<(typeof messageQuestions)[number]> = {
    ...effects,
    ...(yield* askRepeated(deployment, mark, effects)),
    ...(yield* askRequestLists(deployment, subscriberId, messages))
  }
  return findings
})
