/**
 * Where a listing continues: between two events, also in the middle of a page. One word for a shell.
 */
import * as EventCursor from "@signalbox/core/internal/services/EventCursor"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A place in a listing. */
export interface ResumeCursor {
  /** The filter of the listing in its canonical form. */
  readonly filter: string
  /** Cursor of the page; absent for the first page. */
  readonly page?: string
  /** Events of that page that were printed. */
  readonly skip: number
}

/** As short as possible, since people copy it: the version, the printed events, the filter, and the parts of the page's cursor. */
const compact = Schema.Tuple([
  Schema.Literal(2),
  Schema.Natural,
  Schema.String,
  Schema.optionalKey(Schema.Unknown),
  Schema.optionalKey(Schema.Unknown),
  Schema.optionalKey(Schema.Unknown)
])

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(compact))

const base = 36

/** Writes a cursor as one word. */
export const format = ({ filter, page, skip }: ResumeCursor): string => {
  const parts = page === undefined ? undefined : EventCursor.parse(page)
  const { before, filters } = parts ?? {}
  const pageParts =
    parts === undefined ? [] : [parts.page, filters, ...(before === undefined ? [] : [shortTime(before)])]
  return Buffer.from(JSON.stringify([2, skip, filter, ...pageParts])).toString("base64url")
}

/** A time of the service without a fraction of a millisecond; another string is returned unchanged. */
const shortTime = (time: string): string => {
  const at = Date.parse(time)
  return new Date(at).toISOString() === time ? `~${at.toString(base)}` : time
}

const longTime = (time: unknown): unknown =>
  typeof time === "string" && /^~-?[\da-z]{1,9}$/u.test(time)
    ? new Date(Number.parseInt(time.slice(1), base)).toISOString()
    : time

/** Reads what {@link format} wrote; `undefined` for anything else. */
export const parse = (text: string): ResumeCursor | undefined => {
  const decoded = Option.getOrUndefined(decode(Buffer.from(text, "base64url").toString("utf8")))
  if (decoded === undefined) return undefined
  const [, skip, filter, page, filters, before] = decoded
  if (page === undefined) return { filter, skip }
  const cursor = JSON.stringify({ version: 1, page, filters, before: longTime(before) })
  return EventCursor.parse(cursor) === undefined ? undefined : { filter, skip, page: cursor }
}

/** The cursor of the page before the one that `following` points to: pinned in time, so that new events do not shift it. */
export const pageBefore = (following: string | undefined): string | undefined => {
  const cursor = following === undefined ? undefined : EventCursor.parse(following)
  return cursor === undefined || cursor.page === 0
    ? undefined
    : EventCursor.format({ ...cursor, page: cursor.page - 1 })
}
