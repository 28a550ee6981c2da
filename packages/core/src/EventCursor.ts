/**
 * Where a walk over the event listing stands, to go on later or in another process.
 *
 * **When to use**: to look into the `cursor` of a page. To go on with a walk, hand it to `Events.pages` as it is.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { EventsListQuery } from "./operation/EventsList.ts"

const Cursor = Schema.Struct({
  version: Schema.Literal(1),
  page: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  before: Schema.optionalKey(Schema.String),
  filters: EventsListQuery
})

/** What a cursor holds. */
export interface EventCursor {
  /** The page that comes next. */
  readonly page: number
  /** The end of the walk in time, which keeps new events from shifting its pages. */
  readonly before?: string | undefined
  /** The filters of the walk. */
  readonly filters: typeof EventsListQuery.Type
}

/** Writes a cursor as one line of text. */
export const format = ({ before, filters, page }: EventCursor): string =>
  JSON.stringify({ version: 1, page, ...(before === undefined ? {} : { before }), filters })

const decode = Schema.decodeUnknownResult(Cursor, { onExcessProperty: "error" })

/**
 * Reads a cursor; `undefined` for a text that {@link format} did not write.
 *
 * @example
 * ```ts
 * import * as EventCursor from "@signalbox/core/EventCursor"
 *
 * const text = EventCursor.format({ page: 3, filters: { severity: "high" } })
 * EventCursor.parse(text)?.page // => 3
 * EventCursor.parse("page 3") // => undefined
 * ```
 */
export const parse = (text: string): EventCursor | undefined => {
  const value = Result.try((): unknown => JSON.parse(text))
  return Result.getOrUndefined(Result.flatMap(value, (json) => decode(json)))
}
