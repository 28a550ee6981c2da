// Generated from the names of the operations by `pnpm --filter @signalbox/core run readers`; a test compares the two.
import { Subscriber } from "./Subscriber.ts"
import { Message } from "./Message.ts"
import { EventPage } from "./Activity.ts"

/** The records of responses. */
export const records = { Subscriber, Message, EventPage }
