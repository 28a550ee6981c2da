/**
 * A call as a cURL command for a POSIX shell. The API key stays a variable; everything else is real, since the command is
 * made to be run.
 */
import { type OperationName, operations, positions } from "@signalbox/core/Operations"
import { requestToWire } from "@signalbox/core/Vendor"

/** One call of an operation. */
export interface Call {
  readonly operation: OperationName
  /** May end in a slash or in `/v1`, as for the client. */
  readonly baseUrl: string
  /** The vendor's name in wire identifiers; the document's neutral `service` when absent. */
  readonly vendor?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | ReadonlyArray<string> | undefined>>
  readonly payload?: unknown
}

/**
 * One word of a POSIX shell, whatever it contains but a NUL, which no argument can hold.
 *
 * @example
 * ```ts
 * shellWord("it's $5") // => "'it'\\''s $5'"
 * ```
 */
export const shellWord = (text: string): string => `'${text.replaceAll("\0", "").replaceAll("'", "'\\''")}'`

/** Percent-encodes; half a character, which no URL can hold, becomes the replacement character. */
const encode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))

const pathOf = ({ operation, params = {} }: Call): string =>
  operations[operation].path.replaceAll(/:(\w+)/gu, (_, name: string) => encode(params[name] ?? ""))

const queryOf = ({ query = {} }: Call): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : (typeof value === "object" ? value : [String(value)]).map((one) => `${name}=${encode(one)}`)
  )
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

/** The path of a call with its query, below the base URL. */
export const targetOf = (call: Call): string => pathOf(call) + queryOf(call)

/** The call as a cURL command of several lines, with the key taken from `$SIGNALBOX_API_KEY`. */
export const curl = (call: Call): string => {
  const { operation, baseUrl, vendor, payload } = call
  const base = baseUrl.replace(/\/+$/u, "").replace(/\/v1$/u, "")
  const wire = vendor === undefined ? payload : requestToWire(positions[operation], vendor, payload)
  return [
    `curl --request ${operations[operation].method} ${shellWord(base + targetOf(call))}`,
    `--header "Authorization: ApiKey $SIGNALBOX_API_KEY"`,
    ...(payload === undefined
      ? []
      : ["--header 'Content-Type: application/json'", `--data-raw ${shellWord(JSON.stringify(wire))}`])
  ].join(" \\\n  ")
}
