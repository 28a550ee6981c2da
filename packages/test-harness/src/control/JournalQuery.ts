import { operationNames } from "@signalbox/core/Operations"
import * as Schema from "effect/Schema"
import { mustBeOneOf } from "../input/Input.ts"
import { OperationNameSchema, routeNames } from "../input/RouteNames.ts"
import { type JournalEntry, outcomeTags } from "../journal/JournalEntry.ts"

const count = Schema.Int.annotate({ description: "An integer, 0 or more" })

/** The query parameters, with their schemas for the OpenAPI document. */
export const journalQuery = {
  after: count.annotate({ description: "Only requests after this number" }),
  limit: count.annotate({ description: "At most this many: the first after a number, or without after the newest" }),
  operation: OperationNameSchema,
  outcome: Schema.Literals(outcomeTags),
  status: count.annotate({ description: "Only responses with this status" }),
  key: Schema.String.annotate({ description: "Only requests with this idempotency key" }),
  call: count.annotate({ description: "Only attempts of the call with this number" })
}

/** Reads an integer of a query; `undefined` if it is absent. */
export const integerIn = (query: URLSearchParams, name: string): number | undefined => {
  const given = query.get(name)
  if (given === null) return undefined
  if (/^\d{1,15}$/u.test(given)) return Number(given)
  throw new RangeError(`${name}: must be an integer, 0 or more, not ${JSON.stringify(given)}`)
}

/** Reads one of several words of a query; `undefined` if it is absent. */
export const wordIn = <Word extends string>(
  query: URLSearchParams,
  name: string,
  allowed: ReadonlyArray<Word>
): Word | undefined => {
  const given = query.get(name)
  if (given === null) return undefined
  const word = allowed.find((one) => one === given)
  if (word !== undefined) return word
  throw new RangeError(`${name}: ${mustBeOneOf(allowed, given)}`)
}

/**
 * The entries that match all parameters of a query.
 *
 * @throws RangeError that names the parameter and what is expected.
 */
export const entriesFor = (
  entries: ReadonlyArray<JournalEntry>,
  query: URLSearchParams
): ReadonlyArray<JournalEntry> => {
  const after = integerIn(query, "after")
  const call = integerIn(query, "call")
  const limit = integerIn(query, "limit")
  const status = integerIn(query, "status")
  const operation = wordIn(query, "operation", [...operationNames, ...routeNames])
  const outcome = wordIn(query, "outcome", outcomeTags)
  const key = query.get("key") ?? undefined
  const found = entries.filter(
    (entry) =>
      (after === undefined || entry.number > after) &&
      (call === undefined || entry.call === call) &&
      (operation === undefined || entry.operation === operation) &&
      (outcome === undefined || entry.outcome._tag === outcome) &&
      (status === undefined || ("status" in entry.outcome && entry.outcome.status === status)) &&
      (key === undefined || entry.idempotencyKey === key)
  )
  if (limit === undefined) return found
  return after === undefined ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit)
}
