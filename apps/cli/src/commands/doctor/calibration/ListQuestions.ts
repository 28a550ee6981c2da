/**
 * Questions about listing events: bad input, order, dates and pages. Nothing is written.
 */
import * as Effect from "effect/Effect"
import { type Deployment, eventsOf, type Query, type Reply } from "./Deployment.ts"
import { createdAt, type EventLog, includes, iso, noEvents, noWord, shown } from "./EventLog.ts"
import {
  askCombination,
  askContexts,
  askEncoding,
  askRepeated,
  askSearch,
  askSeverity,
  writeAs,
  type WriteSeveral
} from "./FilterQuestions.ts"
import {
  acceptedOr,
  acceptedOrRejected,
  allUnknown,
  either,
  evidenceOf,
  type Findings,
  settled,
  shownBy,
  type SomeFindings,
  statusOf,
  unknown
} from "./Finding.ts"
import { type Fields, fieldsOf, stringOf } from "./WireValues.ts"
import { counted } from "@signalbox/operator/text/Counted"

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

/** Why a question about a parameter with several values has no finding. */
const noEncoding = "how parameters with several values are written is unknown"

const badDate = "not-a-date"

/** Questions whose parameters can have several values, so that the encoding of these must be known. */
const encodedQuestions = [
  "list.badChannel",
  "list.badTemplate",
  "list.badSeverity",
  "list.channels",
  "list.valueLimit"
] as const

/** One value more than the limit that the fake knows. */
const beyondValueLimit = 21

const askBadValues = Effect.fnUntraced(function* (deployment: Deployment, several: WriteSeveral | undefined) {
  if (several === undefined) return allUnknown(encodedQuestions, noEncoding)
  const list = (what: string, query: Query) => deployment.list(`GET events, ${what}`, query)
  const channel = yield* list("an unknown channel", several("channels", [noWord]))
  const template = yield* list("a template that is no object id", several("templates", [noWord]))
  const severity = yield* list("an unknown severity", several("severity", [noWord]))
  const digest = yield* list("channels=digest", several("channels", ["digest"]))
  const values = Array.from({ length: beyondValueLimit }, (_, at) => `signalbox-calibration-${at}@example.invalid`)
  const written = several("emails", values)
  const many = yield* list(`${beyondValueLimit} e-mail addresses`, written)
  const findings: Findings<(typeof encodedQuestions)[number]> = {
    // Where any word is accepted, a job type is, too.
    "list.channels": channel.isAccepted
      ? unknown("unknown channels are not rejected")
      : acceptedOrRejected(digest, "job-types", "message-channels"),
    "list.valueLimit":
      written.length === 1
        ? unknown("the values are written as one")
        : many.status === 500
          ? settled("20", evidenceOf(many))
          : acceptedOrRejected(many, "none", "20"),
    "list.badChannel": acceptedOr(channel, "no-match", ["400", "422"]),
    "list.badTemplate": acceptedOr(template, "no-match", ["400", "422"]),
    "list.badSeverity": acceptedOr(severity, "no-match", ["400", "422"])
  }
  return findings
})

const askBadInput = Effect.fnUntraced(function* (deployment: Deployment, { events, now }: EventLog) {
  const list = (what: string, query: Query) => deployment.list(`GET events, ${what}`, query)
  const limit = yield* list("limit=51", [["limit", "51"]])
  const page = yield* list("page=-1", [["page", "-1"]])
  const parameter = yield* list("an unknown parameter", [["signalboxCalibration", "1"]])
  const limits = yield* list("limit=1 and limit=2", [
    ["limit", "1"],
    ["limit", "2"]
  ])
  const empty = yield* list("an empty transactionId", [["transactionId", ""]])
  const repeated = () => {
    if (!limits.isAccepted) return statusOf(limits, ["400", "422"])
    const isLast = eventsOf(limits).length === 2 || fieldsOf(limits.body)["pageSize"] === 2
    return isLast ? settled("last", shown(limits)) : unknown(shown(limits))
  }
  const date = yield* list(`after=${badDate}`, [["after", badDate]])
  const loose = yield* list("before=Jan 1 2001", [["before", "Jan 1 2001"]])
  const reversed = yield* list("after later than before", [
    ["after", iso(now - minute)],
    ["before", iso(now - 2 * minute)]
  ])
  return {
    "list.badLimit": acceptedOr(limit, "clamped", ["400", "422"]),
    "list.badPage": acceptedOr(page, "clamped", ["400", "422"]),
    "list.unknownParameter": acceptedOr(parameter, "ignored", ["400", "422"]),
    "list.badDate": acceptedOr(date, "ignored", ["400", "422"]),
    "list.dateFormats":
      loose.isAccepted && events.length === 0
        ? noEvents
        : acceptedOrRejected(loose, eventsOf(loose).length === 0 ? "any" : "iso", "iso", shown(loose)),
    "list.repeated": repeated(),
    "list.empty":
      events.length === 0
        ? noEvents
        : shownBy(empty, () => either(eventsOf(empty).length > 0, "no-filter", "value", shown(empty))),
    "list.reversedRange": acceptedOr(reversed, "empty", ["400"])
  } satisfies SomeFindings
})

const askOrder = (events: ReadonlyArray<Fields>): Findings<"list.order"> => {
  const times = events.map(createdAt)
  const isSorted = (sign: number) => times.every((time, at) => at === 0 || sign * (time - (times[at - 1] ?? time)) >= 0)
  const evidence = `${counted(times.length, "event")} in this order`
  // Two events are in one of the orders by chance.
  if (new Set(times).size < 3) return { "list.order": unknown("fewer than three events of different times are listed") }
  if (isSorted(-1)) return { "list.order": settled("newest-first", evidence, times.length) }
  return {
    "list.order": isSorted(1)
      ? settled("oldest-first", evidence, times.length)
      : unknown("events are not sorted by time, which the fake cannot imitate")
  }
}

const askRange = Effect.fnUntraced(function* (deployment: Deployment, event: Fields) {
  const time = stringOf(event["createdAt"])
  if (!/\.\d/u.test(time)) {
    return allUnknown(
      ["list.after", "list.before"],
      "timestamps have whole seconds, so the exact time of an event is unknown"
    )
  }
  const same: Query = [["transactionId", stringOf(event["transactionId"])]]
  const after = yield* deployment.list("GET events, after the time of an event", [["after", time], ...same])
  const before = yield* deployment.list("GET events, before the time of an event", [["before", time], ...same])
  return {
    "list.after": either(includes(after, event), "inclusive", "exclusive", shown(after)),
    "list.before": either(includes(before, event), "inclusive", "exclusive", shown(before))
  } satisfies SomeFindings
})

const askRetention = Effect.fnUntraced(function* (deployment: Deployment, now: number) {
  const steps = [
    ["24h", now - 26 * hour],
    ["7d", now - 7 * day - 2 * hour],
    ["30d", now - 30 * day - 2 * hour],
    ["90d", now - 90 * day - 2 * hour]
  ] as const
  for (const [retention, after] of steps) {
    const reply = yield* deployment.list(`GET events, after ${iso(after)}`, [["after", iso(after)]])
    if (!reply.isAccepted) {
      const status = statusOf(reply, ["402", "400"])
      return {
        "list.retention": status._tag === "Settled" ? settled(retention, evidenceOf(reply)) : status,
        "list.beyondRetention": status
      }
    }
  }
  const old = yield* deployment.list("GET events, older than 91 days", [["before", iso(now - 91 * day)]])
  return {
    "list.retention":
      eventsOf(old).length > 0
        ? settled("none", shown(old), eventsOf(old).length)
        : unknown("no event older than 91 days is listed, and an early date is not rejected"),
    "list.beyondRetention": unknown("an early date is not rejected; what it returns does not show whether it is moved")
  }
})

const askPages = Effect.fnUntraced(function* (
  deployment: Deployment,
  several: WriteSeveral | undefined,
  events: ReadonlyArray<Fields>
) {
  return { ...(yield* askOneEvent(deployment, events)), ...(yield* askEmptyPage(deployment, several)) }
})

const askOneEvent = Effect.fnUntraced(function* (deployment: Deployment, events: ReadonlyArray<Fields>) {
  const single = events.find(
    ({ transactionId }) => events.filter((other) => other["transactionId"] === transactionId).length === 1
  )
  if (single === undefined) {
    return allUnknown(["list.hasMore", "list.pageSize"], "no event is the only one of its transaction")
  }
  const same: Query = [["transactionId", stringOf(single["transactionId"])]]
  const full = yield* deployment.list("GET one event, limit=1", [...same, ["limit", "1"]])
  const loose = yield* deployment.list("GET one event, limit=5", [...same, ["limit", "5"]])
  const { hasMore } = fieldsOf(full.body)
  const { pageSize } = fieldsOf(loose.body)
  const isOne = eventsOf(full).length === 1 && eventsOf(loose).length === 1
  if (!isOne) return allUnknown(["list.hasMore", "list.pageSize"], `${shown(full)}; ${shown(loose)}`)
  const absent = (name: string) => unknown(`pages have no ${name}`)
  const size = `pageSize is ${String(pageSize)} for one event, limit=5`
  return {
    "list.hasMore":
      typeof hasMore === "boolean"
        ? either(hasMore, "full-page", "exact", `hasMore is ${String(hasMore)} for one event, limit=1`)
        : absent("hasMore"),
    "list.pageSize":
      pageSize === 5 || pageSize === 1 ? either(pageSize === 5, "limit", "returned", size) : unknown(size)
  } satisfies SomeFindings
})

const askEmptyPage = Effect.fnUntraced(function* (deployment: Deployment, several: WriteSeveral | undefined) {
  if (several === undefined) return allUnknown(["list.emptyPage"], noEncoding)
  const nothing = yield* deployment.list("GET events, page 3 of an unknown transaction", [
    ["transactionId", noWord],
    ["page", "3"]
  ])
  const unknownSubscriber = yield* deployment.list("GET events, page 3 of an unknown subscriber", [
    ...several("subscriberIds", [noWord]),
    ["page", "3"]
  ])
  const pageOf = (reply: Reply) => fieldsOf(reply.body)["page"]
  const pages = `page is ${String(pageOf(nothing))} for an unknown transaction, ${String(pageOf(unknownSubscriber))} for an unknown subscriber`
  const emptyPage = () => {
    if (pageOf(nothing) === 0) return settled("zero", pages, 2)
    if (pageOf(nothing) !== 3) return unknown(pages)
    return either(pageOf(unknownSubscriber) === 0, "zero-when-no-subscriber", "asked", pages, 2)
  }
  return { "list.emptyPage": emptyPage() } satisfies SomeFindings
})

/** Questions that the listed events answer. */
const dataQuestions = [
  "list.order",
  "list.after",
  "list.before",
  "list.filters",
  "list.subscriberFilters",
  "list.transactionIdRepeated",
  "list.topicKeyRepeated",
  "list.search",
  "list.contextKeys",
  "list.contextKeysEmpty",
  "event.severityDefault",
  "list.severityNone",
  "list.hasMore",
  "list.pageSize",
  "list.emptyPage"
] as const

/** The subscriber of the calibration. */
export interface KnownSubscriber {
  readonly subscriberId: string
  /** As a write returned it, if one did. */
  readonly subscriber: Fields | undefined
}

/** Questions that the events themselves help to answer. */
const askWithEvents = Effect.fnUntraced(function* (
  deployment: Deployment,
  several: WriteSeveral | undefined,
  { events }: EventLog,
  { subscriber, subscriberId }: KnownSubscriber
) {
  const [newest] = events.toSorted((one, other) => createdAt(other) - createdAt(one))
  if (newest === undefined) return allUnknown(dataQuestions, noEvents.reason)
  const combination = yield* askCombination(deployment, several, subscriberId, newest)
  const findings: Findings<(typeof dataQuestions)[number]> = {
    ...combination.findings,
    ...askOrder(events),
    ...(yield* askRange(deployment, newest)),
    ...(yield* askRepeated(deployment, events)),
    ...(yield* askSearch(deployment, subscriber, combination.hasOwnEvents)),
    ...(several === undefined
      ? allUnknown(
          ["list.contextKeys", "list.contextKeysEmpty", "event.severityDefault", "list.severityNone"],
          noEncoding
        )
      : {
          ...(yield* askContexts(deployment, several, events, combination.filters)),
          ...(yield* askSeverity(deployment, several, events))
        }),
    ...(yield* askPages(deployment, several, events))
  }
  return findings
})

/** Probes the event list. */
export const askLists = Effect.fnUntraced(function* (deployment: Deployment, log: EventLog, known: KnownSubscriber) {
  const encoding = yield* askEncoding(deployment, log.events)
  const several = encoding._tag === "Settled" ? writeAs(encoding.value) : undefined
  return {
    "list.arrayEncoding": encoding,
    ...(yield* askBadInput(deployment, log)),
    ...(yield* askBadValues(deployment, several)),
    ...(yield* askRetention(deployment, log.now)),
    ...(yield* askWithEvents(deployment, several, log, known))
  }
})
