/**
 * The operation `events.list` as a value (API document: Endpoints, List all events).
 *
 * **When to use**: for tools that need the wire itself: method, path, parameters and schemas, written once.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Contract from "../contract/EventPage.ts"
import { EventPage } from "../schemas/EventPage.ts"
import * as Operation from "../contract/Operation.ts"

const oneOrSeveral = Schema.Union([Schema.String, Schema.Array(Schema.String)])

/** The 13 filters of the listing; all are optional (API document: Endpoints, List all events). */
export const EventsListQuery = Schema.Struct({
  /** Kinds of channel. */
  channels: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Internal identifiers of workflows: one, or several. */
  templates: Schema.optionalKey(oneOrSeveral),
  /** E-mail addresses: one, or several. */
  emails: Schema.optionalKey(oneOrSeveral),
  /**
   * Search term.
   *
   * @deprecated The API document marks this filter as deprecated (API document: Versioning).
   */
  search: Schema.optionalKey(Schema.String),
  /** Identifiers of subscribers in the client's system: one, or several. */
  subscriberIds: Schema.optionalKey(oneOrSeveral),
  /** Levels of severity: one, or several. */
  severity: Schema.optionalKey(oneOrSeveral),
  /** Number of the page, counted from 0; 0 when absent. */
  page: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ default: 0 })),
  /** Size of the page, from 1 to 50; 10 when absent. */
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 })).annotate({ default: 10 })),
  /** Transaction. */
  transactionId: Schema.optionalKey(Schema.String),
  /** Key of a topic that the event was sent to. */
  topicKey: Schema.optionalKey(Schema.String),
  /** Exact context keys, each of the form `type:id`. */
  contextKeys: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Only records after this timestamp; the earliest date that the plan allows when absent. */
  after: Schema.optionalKey(Schema.String),
  /** Only records before this timestamp; the time of the request when absent. */
  before: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "EventsListQuery" })

/**
 * Lists triggered events of the environment, one record for each trigger (API document: Endpoints, List all events).
 */
export const EventsList = Operation.make({
  name: "events.list",
  method: "GET",
  path: "/v1/notifications",
  params: undefined,
  query: EventsListQuery,
  payload: undefined,
  success: Contract.EventPage,
  read: EventPage,
  status: 200,
  section: "Endpoints, List all events",
  summary: "Lists triggered events of the environment"
})
