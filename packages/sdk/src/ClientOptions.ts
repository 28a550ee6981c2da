import type { ConnectionError } from "@signalbox/core/Connection"

/** What {@link createClient} needs. */
export interface ClientOptions {
  /** The API key of the environment (API document: Authentication). */
  readonly apiKey: string
  /** Where the service is: may have a path, a trailing slash, or end in `/v1`. */
  readonly baseUrl: string | URL
  /** The maker's word in provider and origin identifiers on the wire; the document's `service` when absent. */
  readonly vendor?: string | undefined
  /** Sends the requests; the platform's `fetch` when absent. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** What one call can be given. */
export interface CallOptions {
  /** Aborting rejects the call at once with the signal's reason, also between two attempts. */
  readonly signal?: AbortSignal | undefined
  /** The idempotency key of this call: 1 to 255 printable ASCII characters; a new random one when absent. */
  readonly idempotencyKey?: string | undefined
}

/** A setting of {@link ClientOptions} that cannot work; the message names it and the rule. */
export type ClientOptionsError = ConnectionError
