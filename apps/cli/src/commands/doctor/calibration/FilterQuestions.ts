/**
 * Questions about the filters of the event list. Nothing is written: filters are tried on the events that are there.
 */
import * as Effect from "effect/Effect"
import { type Deployment, eventsOf, type Query } from "./Deployment.ts"
import { around, includes, noEvents, noObjectId, noWord, shown } from "./EventLog.ts"
import {
  allUnknown,
  either,
  type Settled,
  settled,
  shownBy,
  type SomeFindings,
  statusOf,
  type Unknown,
  unknown
} from "./Finding.ts"
import { type Fields, has, objectsIn, stringOf, stringsIn } from "./WireValues.ts"

type Encoding = "repeat-brackets-indices" | "repeat" | "brackets" | "indices" | "comma" | "any"

/** Writes a parameter with several values as the deployment reads it. */
export type WriteSeveral = (name: string, values: ReadonlyArray<string>) => Query

/** Writes parameters in one of the encodings. */
export const writeAs =
  (encoding: Encoding): WriteSeveral =>
  (name, values) => {
    switch (encoding) {
      case "comma":
        return [[name, values.join(",")]]
      case "brackets":
        return values.map((value) => [`${name}[]`, value] as const)
      case "indices":
        return values.map((value, index) => [`${name}[${index}]`, value] as const)
      case "any":
      case "repeat":
      case "repeat-brackets-indices":
        return values.map((value) => [name, value] as const)
    }
  }

const encodings: Readonly<Record<string, Encoding>> = {
  "repeat brackets indices": "repeat-brackets-indices",
  repeat: "repeat",
  brackets: "brackets",
  indices: "indices",
  "repeat comma": "comma",
  "repeat brackets indices comma": "any"
}

/** Probes the encodings of parameters with several values. */
export const askEncoding = Effect.fnUntraced(function* (deployment: Deployment, [event]: ReadonlyArray<Fields>) {
  if (event === undefined) return noEvents
  const template = stringOf(event["_templateId"])
  const forms = {
    repeat: [["templates", noObjectId]],
    brackets: [["templates[]", noObjectId]],
    indices: [["templates[0]", noObjectId]]
  } as const
  const understood: Array<string> = []
  for (const [form, query] of Object.entries(forms)) {
    const reply = yield* deployment.list(`GET events, ${form}`, query)
    if (reply.isAccepted && eventsOf(reply).length === 0) understood.push(form)
  }
  const comma = yield* deployment.list("GET events, comma", [["templates", `${template},${template}`]])
  if (understood.includes("repeat") && eventsOf(comma).length > 0) understood.push("comma")
  const value = encodings[understood.join(" ")]
  const evidence = `understood: ${understood.length === 0 ? "none" : understood.join(", ")}`
  return value === undefined ? unknown(`${evidence}, which the fake cannot imitate`) : settled(value, evidence, 4)
})

/** Whether a record must match all filters. */
const isAll = (filters: Settled<"all" | "any"> | Unknown): boolean =>
  filters._tag === "Settled" && filters.value === "all"

/** Probes how filters combine. */
export const askCombination = Effect.fnUntraced(function* (
  deployment: Deployment,
  several: WriteSeveral | undefined,
  subscriberId: string,
  event: Fields
) {
  const conflict = yield* deployment.list("GET events, a known transaction and an unknown topic", [
    ["transactionId", stringOf(event["transactionId"])],
    ["topicKey", noWord]
  ])
  const filters = shownBy(conflict, () => either(eventsOf(conflict).length > 0, "any", "all", shown(conflict)))
  if (several === undefined) {
    const subscriberFilters = unknown("how parameters with several values are written is unknown")
    return {
      filters,
      hasOwnEvents: false,
      findings: { "list.filters": filters, "list.subscriberFilters": subscriberFilters } satisfies SomeFindings
    }
  }
  const own = yield* deployment.list("GET events of the subscriber", several("subscriberIds", [subscriberId]))
  const both = yield* deployment.list("GET events of the subscriber and of an unknown e-mail address", [
    ...several("subscriberIds", [subscriberId]),
    ...several("emails", ["signalbox-calibration@example.invalid"])
  ])
  const subscriberFilters = () => {
    if (!isAll(filters)) return unknown("a record needs to match only one filter")
    if (eventsOf(own).length === 0) return unknown("the subscriber has no events")
    return shownBy(both, () => either(eventsOf(both).length > 0, "any", "all", shown(both)))
  }
  return {
    filters,
    hasOwnEvents: eventsOf(own).length > 0,
    findings: {
      "list.filters": filters,
      "list.subscriberFilters": subscriberFilters()
    } satisfies SomeFindings
  }
})

/** Probes a repeated parameter: a known value and an unknown one, in both orders. */
export const askRepeated = Effect.fnUntraced(function* (deployment: Deployment, events: ReadonlyArray<Fields>) {
  const inTopic = events.find((event) => objectsIn(event["topics"]).length > 0)
  const ask = Effect.fnUntraced(function* (name: string, value: string, what: string) {
    const query = (...values: ReadonlyArray<string>): Query => values.map((each) => [name, each] as const)
    const first = yield* deployment.list(`GET events, ${what} and an unknown one`, query(value || noWord, noWord))
    if (!first.isAccepted) return statusOf(first, ["400", "422"])
    if (value === "") return unknown(`no event with ${what} is listed`)
    const last = yield* deployment.list(`GET events, an unknown one and ${what}`, query(noWord, value))
    const isFoundAs = [first, last].map((reply) => eventsOf(reply).length > 0)
    const evidence = `${shown(first)}; ${shown(last)}`
    if (isFoundAs.every(Boolean)) return settled("any-of", evidence, 2)
    return isFoundAs[1] === true ? settled("last", evidence, 2) : unknown(evidence)
  })
  return {
    "list.transactionIdRepeated": yield* ask("transactionId", stringOf(events[0]?.["transactionId"]), "a transaction"),
    "list.topicKeyRepeated": yield* ask(
      "topicKey",
      stringOf(objectsIn(inTopic?.["topics"])[0]?.["topicKey"]),
      "a topic"
    )
  } satisfies SomeFindings
})

/** Probes the results of the deprecated search. */
export const askSearch = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriber: Fields | undefined,
  hasOwnEvents: boolean
) {
  const nothing = yield* deployment.list("GET events, search for an unknown word", [["search", noWord]])
  if (eventsOf(nothing).length > 0) return { "list.search": settled("ignored", shown(nothing)) }
  const name = stringOf(subscriber?.["firstName"])
  const email = stringOf(subscriber?.["email"])
  if (name === "" || email.toLowerCase().includes(name.toLowerCase()) || !hasOwnEvents) {
    return { "list.search": unknown("the subscriber has no events, or no first name that its e-mail address lacks") }
  }
  const named = yield* deployment.list("GET events, search for the subscriber's first name", [["search", name]])
  const isFound = eventsOf(named).some(({ _subscriberId }) => _subscriberId === subscriber?.["_id"])
  return { "list.search": either(isFound, "name-email-or-id", "email-or-id", shown(named)) }
})

/** Probes how context keys match. */
export const askContexts = Effect.fnUntraced(function* (
  deployment: Deployment,
  several: WriteSeveral,
  events: ReadonlyArray<Fields>,
  filters: Settled<"all" | "any"> | Unknown
) {
  const event = events.find(({ contextKeys }) => stringsIn(contextKeys).length > 1)
  if (event === undefined) {
    return allUnknown(["list.contextKeys", "list.contextKeysEmpty"], "no event with two context keys is listed")
  }
  const [key = ""] = stringsIn(event["contextKeys"])
  const list = (what: string, keys: ReadonlyArray<string>) =>
    deployment.list(`GET events, ${what}`, [...around(event), ...several("contextKeys", keys)])
  const none = yield* list("an unknown context key", [noWord])
  const one = yield* list("one of an event's context keys", [key])
  const two = yield* list("one of an event's context keys and an unknown one", [key, noWord])
  const empty = yield* list("an empty contextKeys", [""])
  const matching = () => {
    if (includes(none, event)) return settled("ignored", shown(none))
    if (!includes(one, event)) return settled("exact-set", shown(one))
    if (!includes(two, event)) return settled("all-of", shown(two))
    return isAll(filters) ? settled("any-of", shown(two)) : unknown("a record needs to match only one filter")
  }
  return {
    "list.contextKeys": matching(),
    "list.contextKeysEmpty": either(includes(empty, event), "no-filter", "without-context", shown(empty))
  } satisfies SomeFindings
})

/** Workflows whose events are tried; each has its own default severity. */
const triedWorkflows = 10

/** Probes events without a severity. */
export const askSeverity = Effect.fnUntraced(function* (
  deployment: Deployment,
  several: WriteSeveral,
  events: ReadonlyArray<Fields>
) {
  const isFoundAsNone = Effect.fnUntraced(function* (event: Fields) {
    const reply = yield* deployment.list("GET events, severity=none", [
      ...around(event),
      ...several("severity", ["none"])
    ])
    return { reply, isFound: includes(reply, event) }
  })
  const absent = events.find((event) => !has(event, "severity"))
  if (absent !== undefined) {
    const { isFound, reply } = yield* isFoundAsNone(absent)
    return {
      "event.severityDefault": settled("absent", "an event has no severity"),
      "list.severityNone": either(isFound, "matches-absent", "exact", shown(reply))
    } as const
  }
  const byWorkflow = new Map(
    events.filter(({ severity }) => severity === "none").map((event) => [event["_templateId"], event])
  )
  for (const event of [...byWorkflow.values()].slice(0, triedWorkflows)) {
    const { isFound, reply } = yield* isFoundAsNone(event)
    if (!isFound) {
      return {
        "event.severityDefault": settled("none", "an event shows the severity none, and the filter does not find it"),
        "list.severityNone": settled("exact", shown(reply))
      }
    }
  }
  return allUnknown(
    ["event.severityDefault", "list.severityNone"],
    "every event shows a severity, so none may be a default or a choice"
  )
})
