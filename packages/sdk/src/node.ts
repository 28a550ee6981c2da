/**
 * The client over undici instead of `fetch`, for servers on Node. Types, errors and guards are those of `@signalbox/sdk`.
 */
import { make } from "@signalbox/core/UndiciTransport"
import * as undici from "undici"
import type { Client } from "./Client.ts"
import { ClientOptionError } from "./ClientOptionError.ts"
import { createFromEnv } from "./internal/FromEnv.ts"
import { checkNodeClientOptions } from "./internal/OptionRules.ts"
import { makeClient } from "./internal/Runner.ts"
import { wholeOf } from "./WholeClient.ts"
import type { NodeClientOptions } from "./NodeClientOptions.ts"

export type { Dispatcher } from "@signalbox/core/internal/transport/Dispatcher"
export type { NodeClientOptions } from "./NodeClientOptions.ts"

const makeAgent = ({ connectMs = 4000, proxyFromEnv = false }: NodeClientOptions): undici.Dispatcher => {
  // Neither undici 6, which calls other handlers, nor the replacement that Bun has for it exports them.
  if (!("cacheStores" in undici)) throw new ClientOptionError("dispatcher", "needs Node with undici 7 or 8")
  // Shorter than the limit of an attempt, so that another attempt can still connect.
  const connect = { timeout: connectMs }
  return proxyFromEnv ? new undici.EnvHttpProxyAgent({ connect, proxyTls: connect }) : new undici.Agent({ connect })
}

/**
 * Creates a client that sends its requests with undici.
 *
 * A call costs less CPU than one over `fetch`; whatever ends it before its request was written, a timeout or an abort
 * included, is known to be `not-sent`; and no request is sent twice unless the client retries it. Requests use HTTP/1.1.
 *
 * An invalid option throws a `ClientOptionError` that names it. Nothing is sent before the first call.
 *
 * @example
 * ```ts
 * import { createClient } from "@signalbox/sdk/node"
 * import { Agent } from "undici"
 *
 * const client = createClient({
 *   apiKey: "your-key",
 *   baseUrl: "https://api.example.com",
 *   dispatcher: new Agent({ connections: 20, connect: { timeout: 4000 } })
 * })
 * ```
 */
export const createClient = (options: NodeClientOptions): Client => {
  checkNodeClientOptions(options)
  const { dispatcher, ...others } = options
  if (dispatcher !== undefined) return makeClient(wholeOf, others, { transport: make(dispatcher) })
  const agent = makeAgent(options)
  // All requests are over by then; `close` would wait for connections that are being made.
  return makeClient(wholeOf, others, { transport: make(agent), close: () => agent.destroy() })
}

/**
 * Creates a client that sends its requests with undici, from the environment variables `SIGNALBOX_API_KEY`,
 * `SIGNALBOX_BASE_URL` and, optionally, `SIGNALBOX_VENDOR`; options take precedence.
 *
 * @example
 * ```ts
 * import { createClientFromEnv } from "@signalbox/sdk/node"
 *
 * const client = createClientFromEnv({ timeouts: { callMs: 5000 } })
 * ```
 */
export const createClientFromEnv = (options: Partial<NodeClientOptions> = {}): Client =>
  createFromEnv(createClient, options)
