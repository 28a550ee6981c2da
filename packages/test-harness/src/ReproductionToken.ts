/**
 * One string that fixes how an environment behaves: seed, preset, switches, vendor, data and faults.
 */
import * as Schema from "effect/Schema"
import { type EnvironmentOptions, environmentFields } from "./EnvironmentOptions.ts"
import { inputReader } from "./Input.ts"

/** The options that a token can contain: plain JSON. */
export type PlainEnvironmentOptions = Omit<EnvironmentOptions, "clock">

const prefix = "sb1."

const read = inputReader("reproduction token", Schema.Struct(environmentFields))

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
export const reproductionToken = (options: PlainEnvironmentOptions): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(options))
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  return prefix + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "")
}

/**
 * The options of a token.
 *
 * @throws RangeError for any string that {@link reproductionToken} did not return.
 */
export const readToken = (token: string): PlainEnvironmentOptions => {
  const invalid = new RangeError(`reproduction token: must start with ${prefix} and be complete`)
  if (!token.startsWith(prefix)) throw invalid
  let json: unknown
  try {
    const base64 = token.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/")
    json = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (digit) => digit.charCodeAt(0))))
  } catch {
    throw invalid
  }
  // The schema checks what the types of the options say.
  return read(json) as PlainEnvironmentOptions
}
