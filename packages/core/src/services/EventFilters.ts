import type * as Effect from "effect/Effect"
import type { eventsListQuery, InputOf } from "../contract/Operations.ts"
import type { ActivityNotification, EventPage, ListFilters } from "../models/Records.ts"
import type { Optional, OperationWire } from "../contract/Shape.ts"
import type { ListEventsError } from "../errors/Errors.ts"
import { inWireForm } from "../call/Input.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import { eventsListWire } from "../reading/Shapes.ts"

type Query = typeof eventsListQuery

/**
 * The filters of the event listing; all are optional (API document: Endpoints, List all events).
 *
 * A filter with several values also takes one. An empty array of `contextKeys` means "no context"; any other
 * filter without a value is rejected, because services ignore it and list all events.
 */
export interface EventFilters extends ListFilters {
  /**
   * Parameters that this version does not know, and values that it would reject, sent unchecked; they replace filters with
   * the same name. The service decides what they mean, and may ignore them.
   */
  readonly unsafe?: UnsafeParameters | undefined
}

/** Lists one page; see `Events.list`. */
export type ListEvents = (filters?: EventFilters) => Effect.Effect<EventPage, ListEventsError>

/** Query parameters by name, sent unchecked. */
export type UnsafeParameters = Readonly<Record<string, string | number | boolean | ReadonlyArray<string> | undefined>>

/** The filters in the form of the API document. */
export type EventsListQuery = InputOf<Query>

/** The query of a request: the filters in the form of the API document, and the unchecked parameters. */
export type EventsListRequest = EventsListQuery & { readonly unsafe?: UnsafeParameters }

/** Options of a walk over the pages of the listing. */
export interface PagesOptions {
  /**
   * Where to resume: the `cursor` of a page. It contains the filters.
   *
   * Records of the first page can appear again if events arrived within a second of it; a walk with `before` set to a
   * time in the past has no such records.
   */
  readonly cursor?: string | undefined
  /** Whether the next page is fetched while the consumer works on this one; `true` when absent. */
  readonly prefetch?: boolean | undefined
}

/** One page of a walk over the listing. */
export interface PageOfWalk<Event = ActivityNotification> extends EventPage<Event> {
  /** Where to resume after this page. The last page has one, too; resuming from it reads nothing. */
  readonly cursor: string
}

const time = [
  { of: "string", checks: [], expected: "a Date or an ISO 8601 string, such as 2026-01-31T09:00:00Z" }
] as const

/** The filters that are a time. */
const times: Readonly<
  Record<{ [Name in keyof Query]: Query[Name] extends { readonly isTime: true } ? Name : never }[keyof Query], Optional>
> = { after: time, before: time }

/** The wire of the listing, whose query also takes unchecked parameters. */
export const listWire = {
  ...eventsListWire,
  query: { fields: { ...eventsListWire.query?.fields, ...times, unsafe: ["record"] } }
} as const satisfies OperationWire<EventPage>

/** An invalid `Date` is kept, so that the check of the query rejects it. */
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** The filters in the form of the API document; the check of the query reports invalid values. */
export const requestOfFilters = (filters: EventFilters): EventsListRequest => {
  // Callers without types can pass anything; the check of the query reports what is wrong.
  if (!isJsonObject(filters)) return filters as EventsListRequest
  const query: Record<string, unknown> = { ...filters }
  for (const name in times) {
    const value = query[name]
    if (isDate(value)) query[name] = value.toISOString()
  }
  // Its fields are those of the filters, in the forms that the document has.
  return inWireForm(query, listWire.query) as EventsListRequest
}

/** The filters in the form of the API document, without the unchecked parameters. */
export const queryOfFilters = (filters: EventFilters): EventsListQuery => {
  const { unsafe: _, ...query } = requestOfFilters(filters)
  return query
}
