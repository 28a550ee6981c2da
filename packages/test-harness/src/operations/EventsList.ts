import * as HashMap from "effect/HashMap"
import * as EventLog from "../state/EventLog.ts"
import { type EnvironmentState, subscribersWithEmail, subscriberOf } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import type { EventRecord, SubscriberRecord } from "../state/Records.ts"
import type { Switches } from "../switches/Switches.ts"
import { settle } from "../trigger/Settle.ts"
import {
  type Operate,
  type OperationContext,
  type OperationResult,
  type Rejection,
  refuse
} from "./OperationResponse.ts"
import { makeEventWires } from "./EventWires.ts"
import { type Parameters, readParameters } from "./QueryParameters.ts"

const hour = 3_600_000

const retentions: Readonly<Record<Exclude<Switches["list.retention"], "none">, number>> = {
  "24h": 24 * hour,
  "7d": 7 * 24 * hour,
  "30d": 30 * 24 * hour,
  "90d": 90 * 24 * hour
}

const searched = (state: EnvironmentState, switches: Switches, text: string): ReadonlyArray<string> => {
  const wanted = text.toLowerCase()
  const inEmail = (subscriber: SubscriberRecord) => subscriber.email?.toLowerCase().includes(wanted) === true
  const inName = (subscriber: SubscriberRecord) =>
    `${subscriber.firstName ?? ""} ${subscriber.lastName ?? ""}`.toLowerCase().includes(wanted)
  const found: Array<string> = []
  for (const subscriber of HashMap.values(state.subscribers)) {
    if (subscriber.deleted) continue
    const fits =
      subscriber.subscriberId === text ||
      inEmail(subscriber) ||
      (switches["list.search"] === "name-email-or-id" && inName(subscriber))
    if (fits) found.push(subscriber.subscriberId)
  }
  return found
}

const contextCriteria = (switches: Switches, keys: ReadonlyArray<string>): ReadonlyArray<EventLog.Criterion> => {
  const given = keys.filter((key) => key !== "")
  if (given.length === 0) {
    return switches["list.contextKeysEmpty"] === "no-filter" ? [] : [{ dimension: "contextSet", values: [""] }]
  }
  switch (switches["list.contextKeys"]) {
    case "ignored":
      return []
    case "exact-set":
      return [{ dimension: "contextSet", values: [EventLog.contextSet(given)] }]
    case "any-of":
      return [{ dimension: "contextKey", values: given }]
    case "all-of":
      return given.map((key) => ({ dimension: "contextKey", values: [key] }))
  }
}

/** The meaning of a filter: the values that an event must have. */
type Meaning = (
  values: ReadonlyArray<string>,
  switches: Switches,
  state: EnvironmentState
) => ReadonlyArray<EventLog.Criterion>

const subscribers = (values: ReadonlyArray<string>): ReadonlyArray<EventLog.Criterion> => [
  { dimension: "subscriber", values }
]

/** Filters by subscriber, which a switch combines in one of two ways. */
const subscriberFilters = {
  emails: (values, _, state) => subscribers(values.flatMap((email) => subscribersWithEmail(state, email))),
  subscriberIds: (values, _, state) => subscribers(values.filter((id) => subscriberOf(state, id) !== undefined)),
  search: ([term = ""], switches, state) =>
    term === "" || switches["list.search"] === "ignored" ? [] : subscribers(searched(state, switches, term))
} satisfies { readonly [Name in keyof Parameters]?: Meaning }

/** Parameters that choose a range of time or a page. */
type RangeParameter = "after" | "before" | "page" | "limit"

/** The meaning of the other parameters. A new parameter without a meaning does not compile. */
const recordFilters: {
  readonly [Name in Exclude<keyof Parameters, RangeParameter | keyof typeof subscriberFilters>]: Meaning
} = {
  channels: (values) => [{ dimension: "channel", values }],
  templates: (values) => [{ dimension: "workflow", values }],
  severity: (values, switches) => {
    const absent = values.includes("none") && switches["list.severityNone"] === "matches-absent" ? [""] : []
    return [{ dimension: "severity", values: [...values, ...absent] }]
  },
  transactionId: (values) => [{ dimension: "transaction", values }],
  topicKey: (values) => [{ dimension: "topic", values }],
  contextKeys: (values, switches) => contextCriteria(switches, values),
  subscriptionId: (values) => [{ dimension: "subscription", values }]
}

const criteriaOf = (
  filters: { readonly [Name in Exclude<keyof Parameters, RangeParameter>]?: Meaning },
  state: EnvironmentState,
  switches: Switches,
  parameters: Parameters
): ReadonlyArray<EventLog.Criterion> =>
  Object.entries(filters).flatMap(([name, meaning]) => {
    // The filters are keyed by parameters whose values are arrays.
    const values = parameters[name as keyof typeof filters]
    return values === undefined ? [] : meaning(values, switches, state)
  })

const subscriberCriteria = (
  state: EnvironmentState,
  switches: Switches,
  parameters: Parameters
): ReadonlyArray<EventLog.Criterion> => {
  const criteria = criteriaOf(subscriberFilters, state, switches, parameters)
  return switches["list.subscriberFilters"] === "any" && criteria.length > 0
    ? subscribers(criteria.flatMap(({ values }) => values))
    : criteria
}

/** Events with the same timestamp, in the order that the switches select for ties. */
const tied = (state: EnvironmentState, switches: Switches, events: Array<EventRecord>): ReadonlyArray<EventRecord> => {
  switch (switches["list.ties"]) {
    case "last-inserted-first":
      return events.sort((one, other) => other.sequence - one.sequence)
    case "first-inserted-first":
      return events.sort((one, other) => one.sequence - other.sequence)
    case "shuffled":
      return events.sort((one, other) => Random.hash(state.seed, one.id) - Random.hash(state.seed, other.id))
  }
}

const page = (
  state: EnvironmentState,
  switches: Switches,
  wanted: EventLog.Search,
  skip: number,
  limit: number
): { readonly events: ReadonlyArray<EventRecord>; readonly more: boolean } => {
  const events: Array<EventRecord> = []
  let passed = 0
  let ties: Array<EventRecord> = []
  const flush = () => {
    for (const event of ties.length > 1 ? tied(state, switches, ties) : ties) {
      if (passed >= skip) events.push(event)
      passed += 1
    }
    ties = []
  }
  for (const event of EventLog.search(state.events, wanted)) {
    if (ties[0] !== undefined && ties[0].createdAt !== event.createdAt) {
      flush()
      if (events.length > limit) break
    }
    ties.push(event)
  }
  flush()
  return { events: events.slice(0, limit), more: events.length > limit }
}

const earliest = (
  switches: Switches,
  parameters: Parameters,
  now: number
): { readonly from: number } | { readonly rejection: Rejection } => {
  const retention = switches["list.retention"]
  const inclusive = switches["list.after"] === "inclusive" ? 0 : 1
  const from = parameters.after === undefined ? Number.NEGATIVE_INFINITY : parameters.after + inclusive
  if (retention === "none") return { from }
  const allowed = now - retentions[retention]
  // The observed service allows an extra hour, so that "24 hours ago" still works a moment later.
  if (parameters.after === undefined || parameters.after >= allowed - hour)
    return { from: Math.max(from, allowed - hour) }
  const onEarlier = switches["list.beyondRetention"]
  if (onEarlier === "clamped") return { from: allowed }
  return {
    rejection: {
      status: Number(onEarlier),
      message: `Requested date range exceeds your plan's retention period. The earliest accessible date for your plan is ${new Date(allowed).toISOString().slice(0, 10)}. Please upgrade your plan to access older activities.`,
      hasNoContext: true
    }
  }
}

/** `GET /v1/notifications` */
export const listEvents = (before: EnvironmentState, context: OperationContext, query: string): OperationResult => {
  const { switches, now } = context
  const state = settle(before, now)
  const parameters = readParameters(switches, query)
  if ("status" in parameters) return refuse(state, context, parameters)
  if (
    parameters.after !== undefined &&
    parameters.after > (parameters.before ?? now) &&
    switches["list.reversedRange"] === "400"
  ) {
    return refuse(state, context, {
      status: 400,
      message: "Invalid date range: start date (after) must be earlier than end date (before)",
      hasNoContext: true
    })
  }
  const range = earliest(switches, parameters, now)
  if ("rejection" in range) return refuse(state, context, range.rejection)

  const bySubscriber = subscriberCriteria(state, switches, parameters)
  const to =
    parameters.before === undefined ? now : parameters.before - (switches["list.before"] === "inclusive" ? 0 : 1)
  const { events, more } = page(
    state,
    switches,
    {
      criteria: [...bySubscriber, ...criteriaOf(recordFilters, state, switches, parameters)],
      combine: switches["list.filters"],
      from: range.from,
      to,
      order: switches["list.order"]
    },
    parameters.page * parameters.limit,
    parameters.limit
  )
  const noSubscriber = bySubscriber.some(({ values }) => values.length === 0)
  const emptyPage = switches["list.emptyPage"]
  const zero =
    events.length === 0 && (emptyPage === "zero" || (emptyPage === "zero-when-no-subscriber" && noSubscriber))
  const { eventWires = makeEventWires() } = context
  const forms = events.map((event) => eventWires.of(state, switches, now, event))
  const rest = {
    hasMore: switches["list.hasMore"] === "exact" ? more : events.length === parameters.limit,
    page: zero ? 0 : parameters.page,
    pageSize: switches["list.pageSize"] === "limit" ? parameters.limit : events.length
  }
  return {
    state,
    response: {
      status: 200,
      body: { data: forms.map(({ wire }) => wire), ...rest },
      encoded: () => eventWires.page(forms, rest)
    }
  }
}

export const operate: Operate = (state, context, { query }) => listEvents(state, context, query)
