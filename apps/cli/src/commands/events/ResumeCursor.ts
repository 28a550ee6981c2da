/**
 * Where a listing continues: between two events, also in the middle of a page. One short word, which a double click selects.
 */
import * as EventCursor from "@signalbox/core/internal/services/EventCursor"
import { largestPage } from "@signalbox/core/Operations"
import * as Hash from "effect/Hash"

/** A place in the listing of a filter, which the command that continues it names again. */
export interface ResumeCursor {
  readonly page: number
  /** Events of that page that were printed. */
  readonly skip: number
  readonly pageSize: number
  /** The period of the listing in milliseconds since 1970; its end keeps new events from shifting the pages. */
  readonly before?: number | undefined
  readonly after?: number | undefined
}

const base = 36

/** Tells two filters apart without naming them. */
const checksum = (filter: string): number => (filter === "" ? 0 : (Hash.string(filter) >>> 0) % base ** 4)

/** Writes a place in the listing of a filter, in its canonical form, as one word. */
export const format = ({ after, before, page, pageSize, skip }: ResumeCursor, filter: string): string =>
  [page, skip, pageSize, checksum(filter), before, after]
    .map((part) => part?.toString(base) ?? "")
    .join("_")
    .replace(/_+$/u, "")

const shape = /^[\da-z]{1,6}(?:_[\da-z]{1,6}){3}(?:_(?:-?[\da-z]{1,10})?){0,2}$/u

const numberOf = (digits = ""): number | undefined => (digits === "" ? undefined : Number.parseInt(digits, base))

/** Reads what {@link format} wrote for a listing with this filter; `undefined` for any other string. */
export const parse = (text: string, filter: string): ResumeCursor | "other filter" | undefined => {
  if (!shape.test(text)) return undefined
  const [page = 0, skip = 0, pageSize = 0, sum, before, after] = text.split("_").map(numberOf)
  if (pageSize < 1 || pageSize > largestPage || skip > pageSize) return undefined
  return sum === checksum(filter) ? { page, skip, pageSize, before, after } : "other filter"
}

const timeOf = (time: unknown): number | undefined => (typeof time === "string" ? Date.parse(time) : undefined)

/** The cursor of the page in which a listing continues. */
export const pageCursor = (
  { after, before, page, pageSize }: ResumeCursor,
  query: EventCursor.EventCursor["filters"]
): string =>
  EventCursor.format({
    page,
    before: before === undefined ? query.before : new Date(before).toISOString(),
    filters: { limit: pageSize, ...query, ...(after === undefined ? {} : { after: new Date(after).toISOString() }) }
  })

/** The period of a walk, which the cursors of its pages carry. */
export const periodOf = (cursor: string): Pick<ResumeCursor, "after" | "before"> => {
  const { before, filters = {} } = EventCursor.parse(cursor) ?? {}
  return { before: timeOf(before), after: timeOf(filters.after) }
}
