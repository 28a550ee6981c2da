/**
 * Questions about listing events: bad input, filters, order, dates and pages. Nothing is written: filters are tried on
 * the events that are there.
 */
import type { Switches } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import { type Deployment, eventsOf, type Query, type Reply } from "./Deployment.ts"
import { around, createdAt, type EventLog, includes, iso, noObjectId, shown } from "./EventLog.ts"
import {
  byStatus,
  choose,
  either,
  evidenceOf,
  inimitable,
  settled,
  shownBy,
  type SomeFindings,
  unknown
} from "./Finding.ts"
import { type Fields, fieldsOf, has, objectsIn, stringOf, stringsIn, testValue } from "./WireValues.ts"

const hour = 3_600_000
const day = 24 * hour
const minute = 60_000

/** Writes a parameter with several values as the deployment reads it. */
type WriteSeveral = (name: string, values: ReadonlyArray<string>) => Query

const writers = {
  repeat: (name, values) => values.map((value) => [name, value]),
  brackets: (name, values) => values.map((value) => [`${name}[]`, value]),
  indices: (name, values) => values.map((value, index) => [`${name}[${index}]`, value]),
  comma: (name, values) => [[name, values.join(",")]]
} satisfies Readonly<Record<string, WriteSeveral>>

/** The value of the switch for the encodings that a deployment understands, and one of these. */
const encodings: Readonly<Record<string, readonly [value: Switches["list.arrayEncoding"], WriteSeveral]>> = {
  "repeat brackets indices": ["repeat-brackets-indices", writers.repeat],
  repeat: ["repeat", writers.repeat],
  brackets: ["brackets", writers.brackets],
  indices: ["indices", writers.indices],
  "repeat comma": ["comma", writers.comma],
  "repeat brackets indices comma": ["any", writers.repeat]
}

/** Probes the encodings of parameters with several values. */
const askEncoding = Effect.fnUntraced(function* ({ list }: Deployment, event: Fields) {
  const understood: Array<string> = []
  for (const form of ["repeat", "brackets", "indices"] as const) {
    const reply = yield* list(form, writers[form]("templates", [noObjectId]))
    if (reply.isAccepted && eventsOf(reply).length === 0) understood.push(form)
  }
  const template = stringOf(event["_templateId"])
  const comma = yield* list("comma", writers.comma("templates", [template, template]))
  if (understood[0] === "repeat" && eventsOf(comma).length > 0) understood.push("comma")
  const evidence = `understood: ${understood.join(", ") || "none"}`
  const [value, several] = encodings[understood.join(" ")] ?? []
  return { encoding: value === undefined ? inimitable(evidence) : settled(value, evidence, 4), several }
})

/** One value more than the limit that the fake knows. */
const beyondValueLimit = 21

/** Bad values of parameters that can have several, so that the encoding of these must be known. */
const askBadValues = Effect.fnUntraced(function* ({ list }: Deployment, several: WriteSeveral) {
  const channel = yield* list("an unknown channel", several("channels", [testValue]))
  const template = yield* list("a template that is no object id", several("templates", [testValue]))
  const severity = yield* list("an unknown severity", several("severity", [testValue]))
  const digest = yield* list("channels=digest", several("channels", ["digest"]))
  const values = Array.from({ length: beyondValueLimit }, (_, at) => `${testValue}-${at}@example.invalid`)
  const written = several("emails", values)
  const many = yield* list(`${beyondValueLimit} e-mail addresses`, written)
  const valueLimit = () => {
    if (written.length === 1) return unknown("the values are written as one")
    if (many.status === 500) return settled("20", evidenceOf(many))
    return byStatus("list.valueLimit", many, { accepted: "none", rejected: "20" })
  }
  return {
    // Where any word is accepted, a job type is, too.
    "list.channels": channel.isAccepted
      ? unknown("unknown channels are not rejected")
      : byStatus("list.channels", digest, { accepted: "job-types", rejected: "message-channels" }),
    "list.valueLimit": valueLimit(),
    "list.badChannel": byStatus("list.badChannel", channel, { accepted: "no-match" }),
    "list.badTemplate": byStatus("list.badTemplate", template, { accepted: "no-match" }),
    "list.badSeverity": byStatus("list.badSeverity", severity, { accepted: "no-match" })
  } satisfies SomeFindings
})

const askBadInput = Effect.fnUntraced(function* ({ list }: Deployment, { events, now }: EventLog) {
  const limits = yield* list("limit=1&limit=2")
  const isLast = eventsOf(limits).length === 2 || fieldsOf(limits.body)["pageSize"] === 2
  const empty = yield* list("transactionId=")
  const loose = yield* list("before=Jan 1 2001")
  const reversed = yield* list("after later than before", [
    ["after", iso(now - minute)],
    ["before", iso(now - 2 * minute)]
  ])
  return {
    "list.badLimit": byStatus("list.badLimit", yield* list("limit=51"), { accepted: "clamped" }),
    "list.badPage": byStatus("list.badPage", yield* list("page=-1"), { accepted: "clamped" }),
    "list.unknownParameter": byStatus("list.unknownParameter", yield* list("signalboxCalibration=1"), {
      accepted: "ignored"
    }),
    "list.badDate": byStatus("list.badDate", yield* list("after=not-a-date"), { accepted: "ignored" }),
    "list.reversedRange": byStatus("list.reversedRange", reversed, { accepted: "empty" }),
    "list.repeated": limits.isAccepted ? choose(shown(limits), { last: isLast }) : byStatus("list.repeated", limits),
    "list.dateFormats":
      loose.isAccepted && events.length === 0
        ? unknown("no event is listed")
        : byStatus(
            "list.dateFormats",
            loose,
            { accepted: eventsOf(loose).length === 0 ? "any" : "iso", rejected: "iso" },
            shown(loose)
          ),
    "list.empty":
      events.length === 0
        ? unknown("no event is listed")
        : shownBy(empty, () => either(eventsOf(empty).length > 0, "no-filter", "value", shown(empty)))
  } satisfies SomeFindings
})

/** Probes how filters combine. */
const askCombination = Effect.fnUntraced(function* (
  { list }: Deployment,
  several: WriteSeveral | undefined,
  subscriberId: string,
  event: Fields
) {
  const conflict = yield* list("a known transaction and an unknown topic", [
    ["transactionId", stringOf(event["transactionId"])],
    ["topicKey", testValue]
  ])
  const filters = shownBy(conflict, () => either(eventsOf(conflict).length > 0, "any", "all", shown(conflict)))
  const isAll = filters._tag === "Settled" && filters.value === "all"
  if (several === undefined) return { isAll, hasOwnEvents: false, findings: { "list.filters": filters } }
  const own = several("subscriberIds", [subscriberId])
  const hasOwnEvents = eventsOf(yield* list("of the subscriber", own)).length > 0
  const emails = several("emails", [`${testValue}@example.invalid`])
  const both = yield* list("of the subscriber and of an unknown e-mail address", [...own, ...emails])
  const subscriberFilters = () => {
    if (!isAll) return unknown("a record needs to match only one filter")
    if (!hasOwnEvents) return unknown("the subscriber has no events")
    return shownBy(both, () => either(eventsOf(both).length > 0, "any", "all", shown(both)))
  }
  return { isAll, hasOwnEvents, findings: { "list.filters": filters, "list.subscriberFilters": subscriberFilters() } }
})

/** Probes a repeated parameter: a known value and an unknown one, in both orders. */
const askRepeated = Effect.fnUntraced(function* (
  { list }: Deployment,
  name: "transactionId" | "topicKey",
  value: unknown
) {
  const both = (...values: ReadonlyArray<string>) => values.map((each) => [name, each] as const)
  const known = stringOf(value) || testValue
  const first = yield* list(`a known ${name} and an unknown one`, both(known, testValue))
  if (!first.isAccepted) return byStatus(`list.${name}Repeated`, first)
  if (known === testValue) return unknown(`no event with ${name} is listed`)
  const last = yield* list(`an unknown ${name} and a known one`, both(testValue, known))
  const [isFirst, isLast] = [eventsOf(first).length > 0, eventsOf(last).length > 0]
  return choose(shown(first, last), { "any-of": isFirst && isLast, last: isLast }, 2)
})

/** Probes the results of the deprecated search. */
const askSearch = Effect.fnUntraced(function* (
  { list }: Deployment,
  subscriber: Fields | undefined,
  hasOwnEvents: boolean
) {
  const nothing = yield* list("search for an unknown word", [["search", testValue]])
  if (eventsOf(nothing).length > 0) return settled("ignored", shown(nothing))
  const name = stringOf(subscriber?.["firstName"])
  const email = stringOf(subscriber?.["email"])
  if (name === "" || email.toLowerCase().includes(name.toLowerCase()) || !hasOwnEvents) {
    return unknown("the subscriber has no events, or no first name that its e-mail address lacks")
  }
  const named = yield* list("search for the subscriber's first name", [["search", name]])
  const isFound = eventsOf(named).some(({ _subscriberId }) => _subscriberId === subscriber?.["_id"])
  return either(isFound, "name-email-or-id", "email-or-id", shown(named))
})

/** Probes how context keys match. */
const askContexts = Effect.fnUntraced(function* (
  deployment: Deployment,
  several: WriteSeveral,
  events: ReadonlyArray<Fields>,
  isAll: boolean
) {
  const event = events.find(({ contextKeys }) => stringsIn(contextKeys).length > 1)
  if (event === undefined) {
    const reason = unknown("no event with two context keys is listed")
    return { "list.contextKeys": reason, "list.contextKeysEmpty": reason }
  }
  const [key = ""] = stringsIn(event["contextKeys"])
  const list = (what: string, keys: ReadonlyArray<string>) =>
    deployment.list(what, [...around(event), ...several("contextKeys", keys)])
  const none = yield* list("an unknown context key", [testValue])
  const single = yield* list("one of an event's context keys", [key])
  const two = yield* list("one of an event's context keys and an unknown one", [key, testValue])
  const empty = yield* list("an empty contextKeys", [""])
  return {
    "list.contextKeys": choose(shown(none, single, two), {
      ignored: includes(none, event),
      "exact-set": !includes(single, event),
      "all-of": !includes(two, event),
      // Where a record needs to match only one filter, the range of time is enough.
      "any-of": isAll
    }),
    "list.contextKeysEmpty": either(includes(empty, event), "no-filter", "without-context", shown(empty))
  } satisfies SomeFindings
})

/** Workflows whose events are tried; each has its own default severity. */
const triedWorkflows = 10

/** Probes events without a severity. */
const askSeverity = Effect.fnUntraced(function* (
  { list }: Deployment,
  several: WriteSeveral,
  events: ReadonlyArray<Fields>
) {
  const absent = events.find((event) => !has(event, "severity"))
  const ofNone = events.filter(({ severity }) => severity === "none")
  const byWorkflow = new Map(ofNone.map((event) => [event["_templateId"], event]))
  const tried = absent === undefined ? [...byWorkflow.values()].slice(0, triedWorkflows) : [absent]
  for (const event of tried) {
    const reply = yield* list("severity=none", [...around(event), ...several("severity", ["none"])])
    const isFound = includes(reply, event)
    if (absent === undefined && isFound) continue
    return {
      "event.severityDefault":
        absent === undefined
          ? settled("none", "an event shows the severity none, and the filter does not find it")
          : settled("absent", "an event has no severity"),
      "list.severityNone": either(isFound, "matches-absent", "exact", shown(reply))
    } satisfies SomeFindings
  }
  const reason = unknown("every event shows a severity, so none may be a default or a choice")
  return { "event.severityDefault": reason, "list.severityNone": reason }
})

const order = (events: ReadonlyArray<Fields>) => {
  const times = events.map(createdAt)
  const isSorted = (sign: number) => times.every((time, at) => at === 0 || sign * (time - (times[at - 1] ?? time)) >= 0)
  // Two events are in one of the orders by chance.
  if (new Set(times).size < 3) return unknown("fewer than three events of different times are listed")
  const sorted = { "newest-first": isSorted(-1), "oldest-first": isSorted(1) }
  return choose(`${times.length} events are listed in this order`, sorted, times.length)
}

const askRange = Effect.fnUntraced(function* ({ list }: Deployment, event: Fields) {
  const time = stringOf(event["createdAt"])
  if (!/\.\d/u.test(time)) {
    const reason = unknown("timestamps have whole seconds, so the exact time of an event is unknown")
    return { "list.after": reason, "list.before": reason }
  }
  const ask = Effect.fnUntraced(function* (name: string) {
    const transaction = ["transactionId", stringOf(event["transactionId"])] as const
    const reply = yield* list(`${name} the time of an event`, [[name, time], transaction])
    return either(includes(reply, event), "inclusive", "exclusive", shown(reply))
  })
  return { "list.after": yield* ask("after"), "list.before": yield* ask("before") } satisfies SomeFindings
})

/** Times that the retention of one plan leaves out, and that of the next one includes. */
const retentions = {
  "24h": 26 * hour,
  "7d": 7 * day + 2 * hour,
  "30d": 30 * day + 2 * hour,
  "90d": 90 * day + 2 * hour
}

const askRetention = Effect.fnUntraced(function* ({ list }: Deployment, now: number) {
  for (const [retention, age] of Object.entries(retentions)) {
    const reply = yield* list(`after=${iso(now - age)}`)
    if (reply.isAccepted) continue
    const beyond = byStatus("list.beyondRetention", reply)
    // A key of the table above.
    const known = settled(retention as keyof typeof retentions, evidenceOf(reply))
    return {
      "list.retention": beyond._tag === "Settled" ? known : beyond,
      "list.beyondRetention": beyond
    } satisfies SomeFindings
  }
  const old = yield* list("older than 91 days", [["before", iso(now - 91 * day)]])
  const count = eventsOf(old).length
  return {
    "list.retention":
      count > 0
        ? settled("none", shown(old), count)
        : unknown("no event older than 91 days is listed, and an early date is not rejected"),
    "list.beyondRetention": unknown("an early date is not rejected; what it returns does not show whether it is moved")
  } satisfies SomeFindings
})

/** Pages of an event that is the only one of its transaction. */
const askPages = Effect.fnUntraced(function* ({ list }: Deployment, events: ReadonlyArray<Fields>) {
  const single = events.find(
    ({ transactionId }) => events.filter((other) => other["transactionId"] === transactionId).length === 1
  )
  if (single === undefined) {
    const reason = unknown("no event is the only one of its transaction")
    return { "list.hasMore": reason, "list.pageSize": reason }
  }
  const same = ["transactionId", stringOf(single["transactionId"])] as const
  const full = yield* list("one event, limit=1", [same, ["limit", "1"]])
  const loose = yield* list("one event, limit=5", [same, ["limit", "5"]])
  const isOne = eventsOf(full).length === 1 && eventsOf(loose).length === 1
  const { hasMore } = fieldsOf(full.body)
  const { pageSize } = fieldsOf(loose.body)
  return {
    "list.hasMore": choose(`${shown(full)}, hasMore is ${String(hasMore)}`, {
      "full-page": isOne && hasMore === true,
      exact: isOne && hasMore === false
    }),
    "list.pageSize": choose(`${shown(loose)}, pageSize is ${String(pageSize)}`, {
      limit: isOne && pageSize === 5,
      returned: isOne && pageSize === 1
    })
  } satisfies SomeFindings
})

const askEmptyPage = Effect.fnUntraced(function* ({ list }: Deployment, several: WriteSeveral) {
  const pageOf = (reply: Reply) => fieldsOf(reply.body)["page"]
  const third = ["page", "3"] as const
  const page = pageOf(yield* list("page 3 of an unknown transaction", [["transactionId", testValue], third]))
  const unknownSubscriber = several("subscriberIds", [testValue])
  const withoutSubscriber = pageOf(yield* list("page 3 of an unknown subscriber", [...unknownSubscriber, third]))
  return choose(
    `page is ${String(page)} for an unknown transaction, ${String(withoutSubscriber)} for an unknown subscriber`,
    { zero: page === 0, "zero-when-no-subscriber": page === 3 && withoutSubscriber === 0, asked: page === 3 },
    2
  )
})

/** The subscriber of the calibration. */
export interface KnownSubscriber {
  readonly subscriberId: string
  /** As a write returned it, if one did. */
  readonly subscriber: Fields | undefined
}

/** Probes the event list. Questions that need events, or the encoding of several values, have no finding without. */
export const askLists = Effect.fnUntraced(function* (
  deployment: Deployment,
  log: EventLog,
  { subscriber, subscriberId }: KnownSubscriber
) {
  const { events, now } = log
  const [newest] = events.toSorted((one, other) => createdAt(other) - createdAt(one))
  const always = { ...(yield* askBadInput(deployment, log)), ...(yield* askRetention(deployment, now)) }
  if (newest === undefined) return always
  const { encoding, several } = yield* askEncoding(deployment, events[0] ?? newest)
  const { findings, hasOwnEvents, isAll } = yield* askCombination(deployment, several, subscriberId, newest)
  const [topic] = events.flatMap(({ topics }) => objectsIn(topics))
  return {
    ...always,
    ...findings,
    "list.arrayEncoding": encoding,
    "list.order": order(events),
    ...(yield* askRange(deployment, newest)),
    "list.transactionIdRepeated": yield* askRepeated(deployment, "transactionId", events[0]?.["transactionId"]),
    "list.topicKeyRepeated": yield* askRepeated(deployment, "topicKey", topic?.["topicKey"]),
    "list.search": yield* askSearch(deployment, subscriber, hasOwnEvents),
    ...(yield* askPages(deployment, events)),
    ...(several === undefined
      ? {}
      : {
          ...(yield* askBadValues(deployment, several)),
          ...(yield* askContexts(deployment, several, events, isAll)),
          ...(yield* askSeverity(deployment, several, events)),
          "list.emptyPage": yield* askEmptyPage(deployment, several)
        })
  } satisfies SomeFindings
})
