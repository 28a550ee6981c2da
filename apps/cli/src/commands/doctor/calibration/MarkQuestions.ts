/**
 * Questions about marking messages. They mark the messages that the user named, back and forth.
 */
import type { MessageMark } from "@signalbox/core/Messages"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { type Deployment, isSameRejection } from "./Deployment.ts"
import { byStatus, choose, either, evidenceOf, settled, shownBy, type SomeFindings, unknown } from "./Finding.ts"
import { noObjectId } from "./EventLog.ts"
import { markMessages, markOne, messagesIn, noSubscriber, type TestMessage } from "./TestMessages.ts"
import { type Fields, stringOf, testValue } from "./WireValues.ts"

/** Probes requests that name no message of the subscriber. */
export const askMarkErrors = Effect.fnUntraced(function* (deployment: Deployment, subscriberId: string) {
  const mark = (what: string, subscriber: string, ...ids: ReadonlyArray<string>) =>
    markMessages(deployment, subscriber, ids, "read", what)
  const none = yield* mark("an unknown message", subscriberId, noObjectId)
  const unknownSubscriber = yield* mark("an unknown subscriber", noSubscriber, noObjectId)
  const bad = yield* mark("an id that is no object id", subscriberId, testValue)
  const badOfUnknown = yield* mark("an id that is no object id of an unknown subscriber", noSubscriber, testValue)
  const names = [noObjectId, noSubscriber, testValue, subscriberId]
  const isIgnored = isSameRejection(bad, none, names) && isSameRejection(badOfUnknown, unknownSubscriber, names)
  const evidence = `${evidenceOf(bad)}, as for an unknown object id`
  const isWithoutBody = bad.text === "" && bad.status === badOfUnknown.status
  const badMessageId = () => {
    if (bad.isAccepted || !isIgnored) return byStatus("mark.badMessageId", bad, { accepted: "ignored" })
    return isWithoutBody
      ? unknown(`${evidence}, without a body that would tell the two apart`)
      : settled("ignored", evidence)
  }
  return {
    "mark.unknownIds": byStatus("mark.unknownIds", none, { accepted: "ignored" }),
    "mark.unknownSubscriber": byStatus("mark.unknownSubscriber", unknownSubscriber, { accepted: "empty" }),
    "mark.badMessageId": badMessageId(),
    "mark.noMessageId": byStatus("mark.noMessageId", yield* mark("no ids", subscriberId), { accepted: "empty" })
  } satisfies SomeFindings
})

type MarkOne = ReturnType<typeof markOne>

/** Marks in order; the message after the last, which changes it. */
const inOrder = Effect.fnUntraced(function* (mark: MarkOne, marks: ReadonlyArray<MessageMark>) {
  let last: Fields = {}
  for (const each of marks) last = (yield* mark(each)).message ?? last
  return last
})

/** Leaves a message neither read nor seen. */
const clear: ReadonlyArray<MessageMark> = ["read", "unread", "seen", "unseen"]

/** Leaves a message read and seen, with the dates of both where marks set them. */
const fill: ReadonlyArray<MessageMark> = [...clear, "seen", "read"]

/** A message before a mark and after it. */
type Change = readonly [before: Fields, after: Fields]

type DateName = "lastReadDate" | "lastSeenDate"

const dates = ([before, after]: Change, date: DateName): string =>
  `${date} is ${stringOf(before[date]) || "absent"}, then ${stringOf(after[date]) || "absent"}`

const isSet = ([before, after]: Change, date: DateName): boolean =>
  stringOf(after[date]) !== "" && after[date] !== before[date]

/** Whether a mark sets a date or keeps it. */
const setOrKept = (change: Change, date: DateName) => either(isSet(change, date), "set", "kept", dates(change, date))

/** Whether a mark sets a date, keeps it or clears it. No mark is seen to clear a date that none sets. */
const setKeptOrCleared = (change: Change, date: DateName) => {
  const [before, after] = change.map((message) => stringOf(message[date]) !== "")
  return choose(dates(change, date), {
    set: isSet(change, date),
    cleared: before === true && after === false,
    kept: before === true
  })
}

const askEffects = Effect.fnUntraced(function* (deployment: Deployment, mark: MarkOne) {
  /** The message in a state, and after one more mark a moment later. */
  const change = Effect.fnUntraced(function* (state: ReadonlyArray<MessageMark>, next: MessageMark) {
    const before = yield* inOrder(mark, state)
    yield* deployment.tick
    const result: Change = [before, (yield* mark(next)).message ?? before]
    return result
  })
  const flags = (what: string, { read, seen }: Fields) => `${what}: read is ${String(read)}, seen is ${String(seen)}`
  const [, stillUnread] = yield* change(clear, "unread")
  const read = yield* change(clear, "read")
  const seen = yield* change(clear, "seen")
  const unread = yield* change(fill, "unread")
  const unseen = yield* change(fill, "unseen")
  const isSeen = ([, after]: Change) => after["seen"] === true
  return {
    "mark.read.seen": either(isSeen(read), "set", "kept", flags("unseen, then read", read[1])),
    "mark.unread.seen":
      stillUnread["seen"] === true
        ? settled("set", flags("unseen, then unread", stillUnread))
        : either(isSeen(unread), "kept", "cleared", flags("seen, then unread", unread[1])),
    "mark.unseen.read": either(unseen[1]["read"] === true, "kept", "cleared", flags("read, then unseen", unseen[1])),
    "mark.read.lastReadDate": setOrKept(read, "lastReadDate"),
    "mark.read.lastSeenDate": setOrKept(read, "lastSeenDate"),
    "mark.seen.lastSeenDate": setOrKept(seen, "lastSeenDate"),
    "mark.unread.lastReadDate": setKeptOrCleared(unread, "lastReadDate"),
    "mark.unread.lastSeenDate": setKeptOrCleared(unread, "lastSeenDate"),
    "mark.unseen.lastSeenDate": setKeptOrCleared(unseen, "lastSeenDate")
  } satisfies SomeFindings
})

/** Marks that may set a date, each with the mark before it, so that repeating it changes no flag. */
const repeatable = [
  ["unread", "read", "lastReadDate"],
  ["read", "unread", "lastReadDate"],
  ["unseen", "seen", "lastSeenDate"],
  ["seen", "unseen", "lastSeenDate"],
  ["unread", "read", "lastSeenDate"],
  ["read", "unread", "lastSeenDate"]
] as const

const askRepeated = Effect.fnUntraced(function* (deployment: Deployment, mark: MarkOne, effects: SomeFindings) {
  yield* inOrder(mark, fill)
  const { message: second, reply } = yield* mark("read")
  const isReturned = second !== undefined
  const findings = {
    "mark.unchanged": shownBy(reply, () => either(isReturned, "returned", "omitted", "a message marked as read twice"))
  } satisfies SomeFindings
  for (const [opposite, name, date] of repeatable) {
    const effect = effects[`mark.${name}.${date}` as keyof SomeFindings] // of each row but two, a switch
    if (effect?._tag !== "Settled" || effect.value !== "set") continue
    // Marks for seen leave the read date alone, so a later one shows it where the repeated mark is left out.
    if (reply.isAccepted && !isReturned && date === "lastSeenDate") continue
    const before = yield* inOrder(mark, ["seen", opposite, name])
    yield* deployment.tick
    const after = (yield* mark(name)).message ?? (yield* inOrder(mark, ["unseen", "seen"]))
    const evidence = `marked as ${name} twice: ${dates([before, after], date)}`
    return {
      ...findings,
      "mark.repeated": either(after[date] === before[date], "dates-kept", "dates-rewritten", evidence)
    } satisfies SomeFindings
  }
  return { ...findings, "mark.repeated": unknown("no repeated mark shows a date that it could rewrite") }
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
  const mark = (ids: ReadonlyArray<string>, as: MessageMark) => markMessages(deployment, subscriberId, ids, as)
  const timeOf = ({ first }: TestMessage) => stringOf(first["createdAt"])
  const ids = messages.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1)).map(({ id }) => id)
  const [id = ""] = ids
  // Neither oldest first nor newest first, and two requests in different orders: a fixed order matches one at most.
  const rotated = [...ids.slice(-1), ...ids.slice(0, -1)]
  const orders = [rotated, rotated.toReversed()] as const
  yield* mark(rotated, "unread")
  const replies = [yield* mark(orders[0], "read"), yield* mark(orders[1], "unread")].map((reply) =>
    messagesIn(reply).map(({ _id }) => _id)
  )
  const order = () => {
    const evidence = `${counted(ids.length, "message")}, requested in ${counted(orders.length, "order")}`
    const isEach = (expected: ReadonlyArray<ReadonlyArray<string>>) =>
      replies.every((reply, number) => reply.join() === expected[number]?.join())
    if (ids.length < 2) return unknown("needs several messages: give them with --message")
    if (replies.some((reply) => reply.length !== ids.length)) return unknown(`${evidence}: not all are returned`)
    if (isEach(orders)) return settled("request", evidence, orders.length)
    if (ids.length < fewestToOrder || new Set(messages.map(timeOf)).size < ids.length) {
      return unknown(`needs ${fewestToOrder} messages of different times: give them with --message`)
    }
    const newestFirst = ids.toReversed()
    if (isEach([newestFirst, newestFirst])) return unknown("the newest first, which the fake cannot imitate")
    return either(isEach([ids, ids]), "created", "shuffled", evidence, orders.length)
  }
  yield* mark([id], "unread")
  const copies = messagesIn(yield* mark([id, id], "read")).length
  const many = yield* mark(
    Array.from({ length: beyondIdLimit }, () => id),
    "read"
  )
  const other = messages.map(({ first }) => stringOf(first["channel"])).find((each) => each !== "in_app" && each !== "")
  return {
    "mark.order": order(),
    "mark.duplicates": choose(`${counted(copies, "message")} for an id that was sent twice`, {
      repeated: copies > 1,
      collapsed: copies === 1
    }),
    "mark.idLimit": byStatus(
      "mark.idLimit",
      many,
      { accepted: "none", rejected: "100" },
      `${evidenceOf(many)} for ${beyondIdLimit} ids`
    ),
    "mark.channels":
      other === undefined
        ? unknown("no message of another channel was returned")
        : settled("any", `a message of the channel ${other} was marked`)
  } satisfies SomeFindings
})

/** Probes the effect of marks. */
export const askMarks = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  messages: readonly [TestMessage, ...ReadonlyArray<TestMessage>]
) {
  const mark = markOne(deployment, subscriberId, messages[0].id)
  const effects = yield* askEffects(deployment, mark)
  return {
    ...effects,
    ...(yield* askRepeated(deployment, mark, effects)),
    ...(yield* askRequestLists(deployment, subscriberId, messages))
  }
})
