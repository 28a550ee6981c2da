/**
 * One string that fixes what happened: the options of an environment (seed, preset, switches, vendor, data, clock and
 * faults) and, from a check of a client, the calls in their order.
 */
import * as Schema from "effect/Schema"
import { CallSchema, type CheckedCall } from "../check/CheckedCall.ts"
import { type EnvironmentOptions, environmentFields, stoppedClock } from "./EnvironmentOptions.ts"
import { inputReader } from "../input/Input.ts"

/** The options that a token can contain: plain JSON. */
export interface PlainEnvironmentOptions extends Omit<EnvironmentOptions, "clock"> {
  /** The time at which the clock stops until it is moved. Default: the time of the machine. */
  readonly clock?: string
}

/** The content of a token. */
export interface Reproduction extends PlainEnvironmentOptions {
  /** The calls of a checked client, in order. */
  readonly calls?: ReadonlyArray<CheckedCall>
}

const prefix = "sb1."

const read = inputReader(
  "reproduction token",
  Schema.Struct({
    ...environmentFields,
    clock: stoppedClock,
    calls: Schema.optionalKey(Schema.Array(CallSchema))
  })
)

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
export const reproductionToken = (options: PlainEnvironmentOptions): string => writeReproduction(options)

/** The token of some options, and of calls. */
export const writeReproduction = (options: Reproduction): string => {
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
  const { calls: _, ...options } = readReproduction(token)
  return options
}

/** Everything that a token contains. */
export const readReproduction = (token: string): Reproduction => {
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
  return read(json) as Reproduction
}
