import type { Client } from "./Client.ts"
import { ClientOptionError } from "./ClientOptionError.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { createClient } from "./CreateClient.ts"

const variables = {
  apiKey: "SIGNALBOX_API_KEY",
  baseUrl: "SIGNALBOX_BASE_URL",
  vendor: "SIGNALBOX_VENDOR"
} as const

const isVariable = (option: string): option is keyof typeof variables => Object.hasOwn(variables, option)

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
export const createClientFromEnv = (options: Partial<ClientOptions> = {}): Client => {
  // Platforms other than Node have no `process`, or one without `env`.
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
  }
  const read = (option: keyof typeof variables): string | undefined => process?.env?.[variables[option]] || undefined
  const { apiKey = read("apiKey"), baseUrl = read("baseUrl"), vendor = read("vendor") } = options
  try {
    // The check of the options rejects what is in neither place.
    return createClient({ ...options, apiKey, baseUrl, vendor } as ClientOptions)
  } catch (error) {
    if (!(error instanceof ClientOptionError) || !isVariable(error.option)) throw error
    const { option, rule } = error
    if (options[option] !== undefined) throw error
    throw new ClientOptionError(variables[option], read(option) === undefined ? "must be set in the environment" : rule)
  }
}
