import type { Client } from "./Client.ts"
import { ClientOptionError } from "./ClientOptionError.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { createClient } from "./CreateClient.ts"

/**
 * Makes a client from the environment variables `SIGNALBOX_API_KEY`, `SIGNALBOX_BASE_URL` and, where the service has a
 * word of its own, `SIGNALBOX_VENDOR`; options that are given have precedence.
 *
 * The variables are read when this is called. What is missing throws a `ClientOptionError` that names the variable;
 * so does a platform without environment variables.
 *
 * @example
 * ```ts
 * import { createClientFromEnv } from "@signalbox/sdk"
 *
 * const client = createClientFromEnv({ timeouts: { call: 5000 } })
 * ```
 */
export const createClientFromEnv = (options: Partial<ClientOptions> = {}): Client => {
  // Platforms other than Node have no `process`, or one without `env`.
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
  }
  const read = (name: string): string | undefined => process?.env?.[name] || undefined
  const required = (name: string): string => {
    const value = read(name)
    if (value === undefined) throw new ClientOptionError(name, "must be set in the environment")
    return value
  }
  return createClient({
    ...options,
    apiKey: options.apiKey ?? required("SIGNALBOX_API_KEY"),
    baseUrl: options.baseUrl ?? required("SIGNALBOX_BASE_URL"),
    vendor: options.vendor ?? read("SIGNALBOX_VENDOR")
  })
}
