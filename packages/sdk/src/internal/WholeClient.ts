import type { Client } from "../Client.ts"
import { credentialsOf } from "./CredentialsCalls.ts"
import { eventsOf } from "./EventsCalls.ts"
import { messagesOf } from "./MessagesCalls.ts"
import type { Runner } from "./Runner.ts"

/** The client with all operations. */
export const wholeClientOf = (runner: Runner): Client =>
  runner.clientWith({
    credentials: credentialsOf(runner),
    messages: messagesOf(runner),
    events: eventsOf(runner)
  })
