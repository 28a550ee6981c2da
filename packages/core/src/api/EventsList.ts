/**
 * The operation `events.list` as a value (API document: Endpoints, List all events).
 *
 * **When to use**: for tools that need the wire itself: method, path, parameters and schemas, written once.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Contract from "../contract/EventPage.ts"
import { eventsListQuery } from "../contract/Parameters.ts"
import { fieldsOf } from "../contract/ParameterSchemas.ts"
import { EventPage } from "../schemas/EventPage.ts"
import * as Operation from "./Operation.ts"

/** Schema of the filters of the listing; all are optional (API document: Endpoints, List all events). */
export const EventsListQuery = Schema.Struct(fieldsOf(eventsListQuery)).annotate({ identifier: "EventsListQuery" })

/**
 * Lists triggered events of the environment, one record for each trigger (API document: Endpoints, List all events).
 */
export const EventsList = Operation.make("events.list", {
  params: undefined,
  query: EventsListQuery,
  payload: undefined,
  success: Contract.EventPage,
  read: EventPage
})
