import type { Client } from "../Client.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { ClientOptions } from "../ClientOptions.ts"

const variables = {
  apiKey: "SIGNALBOX_API_KEY",
  baseUrl: "SIGNALBOX_BASE_URL",
  vendor: "SIGNALBOX_VENDOR"
} as const

const isVariable = (option: string): option is keyof typeof variables => Object.hasOwn(variables, option)

/** The options of a client that can be environment variables. */
type EnvironmentOptions = Pick<ClientOptions, keyof typeof variables>

/** Creates a client with the options that are missing taken from the environment; an error names the variable. */
export const createFromEnv = <Options extends EnvironmentOptions>(
  create: (options: Options) => Client,
  options: Partial<Options>
): Client => {
  // Platforms other than Node have no `process`, or one without `env`.
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
  }
  const read = (option: keyof typeof variables): string | undefined => process?.env?.[variables[option]] || undefined
  const { apiKey = read("apiKey"), baseUrl = read("baseUrl"), vendor = read("vendor") } = options
  const missing = Object.entries({ apiKey, baseUrl }).flatMap(([option, value]) =>
    value === undefined && isVariable(option) ? [variables[option]] : []
  )
  if (missing.length > 0) throw new ClientOptionError(missing.join(" and "), "must be set in the environment")
  try {
    return create({ ...options, apiKey, baseUrl, vendor } as Options)
  } catch (error) {
    if (!(error instanceof ClientOptionError) || !isVariable(error.option)) throw error
    if (options[error.option] !== undefined) throw error
    throw new ClientOptionError(variables[error.option], error.rule)
  }
}
