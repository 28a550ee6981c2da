// Generated from the names of the operations by `pnpm --filter @signalbox/core run readers`; a test compares the two.
import { operationsOf } from "./Calls.ts"
import { type CredentialsClient, credentialsOf } from "./Credentials.ts"
import { type MessagesClient, messagesOf } from "./Messages.ts"
import { type EventsClient, eventsOf } from "./Events.ts"
import type { Runner } from "./internal/Runner.ts"

/** The operations of all groups. */
export interface GroupsClient extends CredentialsClient, MessagesClient, EventsClient {}

/** The members of the client with all operations. */
export const wholeOf = (runner: Runner) => ({
  credentials: credentialsOf(runner),
  messages: messagesOf(runner),
  events: eventsOf(runner),
  ...operationsOf(runner)
})
