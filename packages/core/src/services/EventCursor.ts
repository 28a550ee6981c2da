/**
 * Where a walk over the event listing stands, to go on later or in another process.
 *
 * **When to use**: to look into the `cursor` of a page. To go on with a walk, hand it to `Events.pages` as it is.
 *
 * @since 0.1.0
 */
import { parseJson } from "../call/ErrorBody.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import type { eventsListQuery, InputOf } from "../contract/Parameters.ts"

/** What a cursor holds. */
export interface EventCursor {
  /** The page that comes next. */
  readonly page: number
  /** Whether the walk is complete: no page comes next. */
  readonly isDone?: true | undefined
  /** The end of the walk in time, which keeps new events from shifting its pages. */
  readonly before?: string | undefined
  /** The filters of the walk. */
  readonly filters: InputOf<typeof eventsListQuery>
}

/** Writes a cursor as one line of text. */
export const format = ({ before, filters, isDone, page }: EventCursor): string =>
  JSON.stringify({ version: 1, page, ...(isDone && { isDone }), ...(before === undefined ? {} : { before }), filters })

/**
 * Reads a cursor; `undefined` for a text that has not the form of one. Its filters are checked by the call that they are
 * used for.
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
  const value = parseJson(text)
  if (!isJsonObject(value) || value["version"] !== 1 || !isJsonObject(value["filters"])) return undefined
  const { before, filters, isDone, page } = value
  if (typeof page !== "number" || !Number.isSafeInteger(page) || page < 0) return undefined
  if (before !== undefined && typeof before !== "string") return undefined
  if (isDone !== undefined && isDone !== true) return undefined
  return { page, filters, ...(isDone && { isDone }), ...(before !== undefined && { before }) }
}
