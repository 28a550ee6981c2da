/**
 * The filters of the event listing and the options of a walk over it, as plain types.
 *
 * **When to use**: to type what a program passes to `events.list`.
 *
 * @since 0.1.0
 */
import type { eventsListQuery, InputOf, Parameter } from "../contract/Parameters.ts"
import type { JobType } from "../models/Channel.ts"
import type { Severity } from "../models/Activity.ts"
import type { EventPage } from "../models/EventPage.ts"
import { inWireForm } from "../call/Input.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import { eventsListWire } from "../reading/Shapes.ts"

type Query = typeof eventsListQuery

/** Filters of one kind. */
type NamesOf<Kind extends Parameter["kind"]> = {
  [Name in keyof Query]: Query[Name]["kind"] extends Kind ? Name : never
}[keyof Query]

/** Filters whose values have a more specific type than the API document gives them. */
interface SpecificValues {
  readonly channels: JobType
  readonly severity: Severity
  readonly after: string | Date
  readonly before: string | Date
}

type ValueOf<Name extends keyof Query> = Name extends keyof SpecificValues
  ? SpecificValues[Name]
  : Name extends NamesOf<"integer">
    ? number
    : string

type Filters = {
  readonly [Name in keyof Query]?:
    | ValueOf<Name>
    | (Name extends NamesOf<"strings" | "one-or-several"> ? ReadonlyArray<ValueOf<Name>> : never)
    | undefined
}

// An interface, because editors show its name instead of all fields.
/**
 * The filters of the event listing; all are optional (API document: Endpoints, List all events).
 *
 * A filter with several values also takes one. An empty array of `contextKeys` means "no context".
 */
export interface EventFilters extends Filters {}

/** The filters in the form of the API document. */
export type EventsListQuery = InputOf<Query>

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
export interface PageOfWalk extends EventPage {
  /** Where to resume after this page. The last page has one, too; resuming from it reads nothing. */
  readonly cursor: string
}

/** The filters that are a time. */
const times = ["after", "before"] as const satisfies ReadonlyArray<keyof Query>

/** An invalid `Date` is kept, so that the check of the query rejects it. */
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** The filters in the form of the API document; the check of the query reports invalid values. */
export const queryOfFilters = (filters: EventFilters): EventsListQuery => {
  // Callers without types can pass anything; the check of the query reports what is wrong.
  if (!isJsonObject(filters)) return filters as EventsListQuery
  const query: Record<string, unknown> = { ...filters }
  for (const name of times) {
    const value = query[name]
    if (isDate(value)) query[name] = value.toISOString()
  }
  // Its fields are those of the filters, in the forms that the document has.
  return inWireForm(query, eventsListWire.query) as EventsListQuery
}
