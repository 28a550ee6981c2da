/**
 * The events that a deployment lists, and how questions refer to one of them.
 */
import { largestPage } from "@signalbox/core/Operations"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { type Deployment, eventsOf, type Query, type Reply } from "./Deployment.ts"
import { evidenceOf } from "./Finding.ts"
import { type Fields, stringOf } from "./WireValues.ts"

/** An object id that no record has. */
export const noObjectId = "000000000000000000000000"

/** The first events of a deployment. */
export interface EventLog {
  readonly first: Reply
  readonly events: ReadonlyArray<Fields>
  /** Time of the service, in milliseconds since 1970. */
  readonly now: number
}

const logPages = 4

/** Reads the first events. */
export const readLog = Effect.fnUntraced(function* ({ list }: Deployment, now: number) {
  const first = yield* list(`limit=${largestPage}&page=0`)
  const events = [...eventsOf(first)]
  for (let page = 1; page < logPages && events.length === page * largestPage; page += 1) {
    events.push(...eventsOf(yield* list(`limit=${largestPage}&page=${page}`)))
  }
  const served = Date.parse(first.headers.get("date") ?? "")
  const log: EventLog = { first, events, now: Number.isNaN(served) ? now : served }
  return log
})

/** A time as the API document writes it. */
export const iso = (time: number): string => new Date(time).toISOString()

/** When an event was created, in milliseconds since 1970. */
export const createdAt = (event: Fields): number => Date.parse(stringOf(event["createdAt"]))

/** A short range of time around an event, so that a page shows it however long the listing is. */
export const around = (event: Fields): Query => {
  const time = createdAt(event)
  if (Number.isNaN(time)) return []
  return [
    ["after", iso(time - 2000)],
    ["before", iso(time + 2000)]
  ]
}

/** Whether a page has an event. */
export const includes = (reply: Reply, event: Fields): boolean =>
  eventsOf(reply).some(({ _id }) => _id === event["_id"])

/** The evidence of pages. */
export const shown = (...replies: ReadonlyArray<Reply>): string =>
  replies.map((reply) => `${evidenceOf(reply)}, ${counted(eventsOf(reply).length, "event")}`).join("; ")
