import { isJsonObject, type JsonObject, parseJson } from "../reading/JsonObject.ts"
import type { EventsListRequest } from "./EventFilters.ts"

/** The contents of a cursor. */
export interface EventCursor {
  /** The next page. */
  readonly page: number
  /** Whether the walk is complete: there is no next page. */
  readonly isDone?: true | undefined
  /** The end of the walk in time, which keeps new events from shifting its pages. */
  readonly before?: string | undefined
  /** The filters of the walk. */
  readonly filters: EventsListRequest
}

// No URL has room for filters of this size, and comparing much larger ones would block the process.
const longest = 100_000

/** Whether each filter is a string, a number, or an array of strings; the call checks the record of unchecked ones. */
const areFlat = (filters: JsonObject): boolean =>
  Object.entries(filters).every(([name, value]) =>
    Array.isArray(value)
      ? value.every((item) => typeof item === "string")
      : typeof value !== "object" || name === "unsafe"
  )

/** Writes a cursor as one line. */
export const format = ({ before, filters, isDone, page }: EventCursor): string =>
  JSON.stringify({ version: 1, page, ...(isDone && { isDone }), ...(before === undefined ? {} : { before }), filters })

/**
 * Reads a cursor; `undefined` for a string that is not a cursor. Its filters are checked by the call that uses them.
 */
export const parse = (text: string): EventCursor | undefined => {
  const value = text.length > longest ? undefined : parseJson(text)
  if (!isJsonObject(value) || value["version"] !== 1 || !isJsonObject(value["filters"])) return undefined
  const { before, filters, isDone, page, version: _, ...unknown } = value
  // A walk without the end that a changed name hides would read some events again and lose others.
  if (Object.keys(unknown).length > 0) return undefined
  if (!areFlat(filters)) return undefined
  if (typeof page !== "number" || !Number.isSafeInteger(page) || page < 0) return undefined
  if (before !== undefined && (typeof before !== "string" || Number.isNaN(Date.parse(before)))) return undefined
  if (isDone !== undefined && isDone !== true) return undefined
  return { page, filters, ...(isDone && { isDone }), ...(before !== undefined && { before }) }
}
