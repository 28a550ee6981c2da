import * as FetchTransport from "@signalbox/core/FetchTransport"
import type { Client } from "./Client.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { type CredentialsClient, credentialsOf } from "./Credentials.ts"
import { type EventsClient, eventsOf } from "./Events.ts"
import { type MessagesClient, messagesOf } from "./Messages.ts"
import { checkClientOptions } from "./internal/OptionRules.ts"
import { makeClient, type Runner } from "./internal/Runner.ts"
import { wholeOf } from "./WholeClient.ts"

const overFetch = <Members extends object>(membersOf: (runner: Runner) => Members, options: ClientOptions) => {
  checkClientOptions(options)
  return makeClient(membersOf, options, { transport: FetchTransport.make(options.fetch) })
}

/**
 * Creates a client.
 *
 * An invalid option throws a `ClientOptionError` that names it. Nothing is sent before the first call.
 *
 * @example
 * ```ts
 * import { createClient } from "@signalbox/sdk"
 *
 * const client = createClient({
 *   apiKey: process.env["SIGNALBOX_API_KEY"] ?? "",
 *   baseUrl: process.env["SIGNALBOX_BASE_URL"] ?? ""
 * })
 * const page = await client.events.list({ limit: 5 })
 * page.data.length // => 5
 * ```
 */
export const createClient = (options: ClientOptions): Client => overFetch(wholeOf, options)

/**
 * Creates a client that only lists events, with the same options and the same `events` as `createClient`, in a smaller
 * bundle.
 *
 * **When to use**: in programs that only read and must be small, such as edge functions. Not in a browser: an API key can
 * also write.
 *
 * @example
 * ```ts
 * import { createEventsClient } from "@signalbox/sdk"
 *
 * const client = createEventsClient({ apiKey: "your-key", baseUrl: "https://api.example.com" })
 * ```
 */
export const createEventsClient = (options: ClientOptions): EventsClient =>
  overFetch((runner) => ({ events: eventsOf(runner) }), options)

/**
 * Creates a client that only upserts credentials; see {@link createEventsClient}.
 */
export const createCredentialsClient = (options: ClientOptions): CredentialsClient =>
  overFetch((runner) => ({ credentials: credentialsOf(runner) }), options)

/**
 * Creates a client that only marks messages; see {@link createEventsClient}.
 */
export const createMessagesClient = (options: ClientOptions): MessagesClient =>
  overFetch((runner) => ({ messages: messagesOf(runner) }), options)
