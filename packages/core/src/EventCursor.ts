/**
 * Where a walk over the event listing stands, to go on later or in another process.
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

const decode = Schema.decodeUnknownResult(Cursor)

/** Reads a cursor; `undefined` for a text that {@link format} did not write. */
export const parse = (text: string): EventCursor | undefined => {
  const value = Result.try((): unknown => JSON.parse(text))
  return Result.getOrUndefined(Result.flatMap(value, (json) => decode(json)))
}
