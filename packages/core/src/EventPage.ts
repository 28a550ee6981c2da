import * as Schema from "effect/Schema"
import { ActivityNotification } from "./Activity.ts"
import * as Contract from "./contract/EventPage.ts"

/**
 * One page of the event listing, as read from a response (API document: Endpoints, List all events).
 */
export class EventPage extends Schema.Opaque<EventPage>()(
  Schema.Struct({
    ...Contract.EventPage.fields,
    /** The records; each stands for one trigger. */
    data: Schema.Array(ActivityNotification)
  })
) {}
