/**
 * The filters of the event listing and the options of a walk over it, as plain types.
 *
 * **When to use**: to type what a program passes to `events.list`.
 *
 * @since 0.1.0
 */
import type { eventsListQuery, InputOf } from "../contract/Parameters.ts"
import type { JobType } from "../models/Channel.ts"
import type { Severity } from "../models/Activity.ts"
import type { EventPage } from "../models/EventPage.ts"
import { isJsonObject } from "../reading/JsonObject.ts"

/** The filters of the event listing; all are optional (API document: Endpoints, List all events). */
export interface EventFilters {
  /** Kinds of job: one, or several. */
  readonly channels?: JobType | ReadonlyArray<JobType> | undefined
  /** Internal identifiers of workflows: one, or several. */
  readonly templates?: string | ReadonlyArray<string> | undefined
  /** E-mail addresses: one, or several. */
  readonly emails?: string | ReadonlyArray<string> | undefined
  /**
   * Search term.
   *
   * @deprecated The API document marks this filter as deprecated (API document: Versioning).
   */
  readonly search?: string | undefined
  /** Identifiers of subscribers in the client's system: one, or several. */
  readonly subscriberIds?: string | ReadonlyArray<string> | undefined
  /** Levels of severity: one, or several. */
  readonly severity?: Severity | ReadonlyArray<Severity> | undefined
  /** Number of the page, counted from 0; 0 when absent. */
  readonly page?: number | undefined
  /** Size of the page, from 1 to 50; 10 when absent. */
  readonly limit?: number | undefined
  /** Transaction. */
  readonly transactionId?: string | undefined
  /** Key of a topic that the event was sent to. */
  readonly topicKey?: string | undefined
  /** Exact context keys of the form `type:id`: one, or several. An empty array means "no context". */
  readonly contextKeys?: string | ReadonlyArray<string> | undefined
  /** Only records after this time; the earliest date that the plan allows when absent. */
  readonly after?: string | Date | undefined
  /** Only records before this time; the time of the request when absent. */
  readonly before?: string | Date | undefined
}

/** The filters as the API document has them. */
export type EventsListQuery = InputOf<typeof eventsListQuery>

/** Options of a walk over the pages of the listing. */
export interface PagesOptions {
  /** Where to resume: the `cursor` of a page. It contains the filters. */
  readonly cursor?: string | undefined
  /** Whether the next page is fetched while the consumer works on this one; `true` when absent. */
  readonly prefetch?: boolean | undefined
}

/** One page of a walk over the listing. */
export interface PageOfWalk extends EventPage {
  /** Where to resume after this page. The last page has one, too: resuming from it reads nothing. */
  readonly cursor: string
}

/** Filters that take several values, and that the API document shows with several only. */
const arrays = ["channels", "contextKeys"] as const satisfies ReadonlyArray<keyof EventsListQuery>

/** Filters that are a time. */
const times = ["after", "before"] as const satisfies ReadonlyArray<keyof EventsListQuery>

/** A `Date` without a valid time stays one, for the check of the query to reject. */
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** The filters in the form of the API document; what is wrong in them is left to the check of the query. */
export const queryOfFilters = (filters: EventFilters): EventsListQuery => {
  // Callers without types can pass anything; the check of the query says what is wrong with it.
  if (!isJsonObject(filters)) return filters as EventsListQuery
  const query: Record<string, unknown> = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined)
  )
  for (const name of arrays) if (typeof query[name] === "string") query[name] = [query[name]]
  for (const name of times) {
    const value = query[name]
    if (isDate(value)) query[name] = value.toISOString()
  }
  // Its fields are those of the filters, in the forms that the document has.
  return query as EventsListQuery
}

/** `never` unless the filters are those of the API document: a filter that is missing here does not compile. */
type Complete = [keyof EventFilters, keyof EventsListQuery] extends [keyof EventsListQuery, keyof EventFilters]
  ? true
  : never
true satisfies Complete
