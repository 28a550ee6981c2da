/**
 * Where a listing continues: between two events, also in the middle of a page. One word for a shell.
 */
import * as EventCursor from "@signalbox/core/EventCursor"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The form of a place in a listing. */
export const ResumeCursor = Schema.Struct({
  version: Schema.Literal(1),
  /** The filter of the listing in its canonical form. */
  filter: Schema.String,
  /** Cursor of the page; absent for the first page. */
  page: Schema.optionalKey(Schema.String),
  /** Events of that page that were printed. */
  skip: Schema.Natural
})

/** A place in a listing. */
export type ResumeCursor = typeof ResumeCursor.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(ResumeCursor))

/** Writes a cursor as one word. */
export const format = (cursor: ResumeCursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url")

/** Reads what {@link format} wrote; `undefined` for anything else. */
export const parse = (text: string): ResumeCursor | undefined =>
  Option.getOrUndefined(decode(Buffer.from(text, "base64url").toString("utf8")))

/** The cursor of the page before the one that `following` points to: pinned in time, so that new events do not shift it. */
export const pageBefore = (following: string | undefined): string | undefined => {
  const cursor = following === undefined ? undefined : EventCursor.parse(following)
  return cursor === undefined || cursor.page === 0
    ? undefined
    : EventCursor.format({ ...cursor, page: cursor.page - 1 })
}
