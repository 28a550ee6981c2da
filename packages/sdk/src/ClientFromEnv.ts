import type { Client } from "./Client.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { createClient } from "./CreateClient.ts"
import { createFromEnv } from "./internal/FromEnv.ts"

/**
 * Creates a client from the environment variables `SIGNALBOX_API_KEY`, `SIGNALBOX_BASE_URL` and, optionally,
 * `SIGNALBOX_VENDOR`; options take precedence.
 *
 * The variables are read when this function is called. A missing or invalid variable throws a `ClientOptionError` that
 * names it, also on platforms without environment variables.
 *
 * @example
 * ```ts
 * import { createClientFromEnv } from "@signalbox/sdk"
 *
 * const client = createClientFromEnv({ timeouts: { callMs: 5000 } })
 * ```
 */
export const createClientFromEnv = (options: Partial<ClientOptions> = {}): Client =>
  createFromEnv(createClient, options)
