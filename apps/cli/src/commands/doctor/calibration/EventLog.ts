/**
 * The events that a deployment lists, and how questions refer to one of them.
 */
import { largestPage } from "@signalbox/core/Parameters"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { type Deployment, eventsOf, type Query, type Reply } from "./Deployment.ts"
import { evidenceOf, unknown } from "./Finding.ts"
import { type Fields, stringOf } from "./WireValues.ts"

/** An object id that no record has. */
export const noObjectId = "000000000000000000000000"

/** A word that no record has. */
export const noWord = "signalbox-calibration"

/** The first events of a deployment. */
export interface EventLog {
  readonly first: Reply
  readonly events: ReadonlyArray<Fields>
  /** Time of the service, in milliseconds since 1970. */
  readonly now: number
}

const logPages = 4

/** Reads the first events. */
export const readLog = Effect.fnUntraced(function* (deployment: Deployment, now: number) {
  const page = (number: number) =>
    deployment.list("GET events", [
      ["limit", String(largestPage)],
      ["page", String(number)]
    ])
  const first = yield* page(0)
  const events = [...eventsOf(first)]
  for (let number = 1; number < logPages && events.length === number * 50; number += 1) {
    events.push(...eventsOf(yield* page(number)))
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

/** The evidence of a page. */
export const shown = (reply: Reply): string => `${evidenceOf(reply)}, ${counted(eventsOf(reply).length, "event")}`

/** The finding where an event would be needed. */
export const noEvents = unknown("no event is listed")
