import { credentialsOf } from "./CredentialsCalls.ts"
import { eventsOf } from "./EventsCalls.ts"
import { messagesOf } from "./MessagesCalls.ts"
import { operationsOf } from "./OperationCalls.ts"
import type { Runner } from "./Runner.ts"

/** The members of the client with all operations. */
export const wholeOf = (runner: Runner) => ({
  credentials: credentialsOf(runner),
  messages: messagesOf(runner),
  events: eventsOf(runner),
  ...operationsOf(runner)
})
