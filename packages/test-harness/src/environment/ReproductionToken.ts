/**
 * One string that fixes what happened: the options of an environment (seed, preset, switches, vendor, data, clock and
 * faults). A tool adds its own fields, such as the calls of a checked client.
 */
import * as Schema from "effect/Schema"
import { type EnvironmentOptions, environmentFields, stoppedClock } from "./EnvironmentOptions.ts"
import { inputReader } from "../input/Input.ts"

/** The options that a token can contain: plain JSON. */
export interface PlainEnvironmentOptions extends Omit<EnvironmentOptions, "clock"> {
  /** The time at which the clock stops until it is moved. Default: the time of the machine. */
  readonly clock?: string
}

const prefix = "sb1."

export const writeToken = (content: object): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(content))
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  return prefix + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "")
}

const contentOf = (token: string): unknown => {
  const invalid = new RangeError(`reproduction token: must start with ${prefix} and be complete`)
  if (!token.startsWith(prefix)) throw invalid
  try {
    const base64 = token.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/")
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (digit) => digit.charCodeAt(0))))
  } catch {
    throw invalid
  }
}

/**
 * Makes a reader of tokens that can have the fields of a tool, next to the options.
 *
 * @internal
 */
export const tokenReader = (fields: Schema.Struct.Fields): ((token: string) => object) => {
  const read = inputReader("reproduction token", () =>
    Schema.Struct({ ...environmentFields, clock: stoppedClock, ...fields })
  )
  return (token) => read(contentOf(token))
}

// The calls of a token concern only the check.
const readOptions = tokenReader({ calls: Schema.optionalKey(Schema.Array(Schema.Unknown)) })

/**
 * The token of some options.
 *
 * @example
 * ```ts
 * import { createFake, Fault, readToken, reproductionToken } from "@signalbox/test-harness"
 *
 * const token = reproductionToken({ seed: 7, preset: "observed", faults: [Fault.status(503)] })
 * const fake = createFake(readToken(token))
 * fake.faults.armed().length // => 1
 * ```
 */
export const reproductionToken = (options: PlainEnvironmentOptions): string => writeToken(options)

/**
 * The options of a token.
 *
 * @throws RangeError for any string that {@link reproductionToken} did not return.
 */
export const readToken = (token: string): PlainEnvironmentOptions => {
  // The schema checks what the types of the options say.
  const { calls: _, ...options } = readOptions(token) as PlainEnvironmentOptions & { readonly calls?: unknown }
  return options
}
