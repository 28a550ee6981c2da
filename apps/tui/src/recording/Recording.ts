/**
 * A recording of a session: its requests and their responses as newline-delimited JSON. The first line describes the
 * session, each further line is one exchange, written when it ended. It contains no secrets: a recorder removes them
 * before anything is written.
 */
import { type Outgoing, outlet } from "@signalbox/operator/outlet/Outlet"
import { isJsonObject, type JsonObject, parseJson } from "@signalbox/core/internal/reading/JsonObject"

/** The version of the format that this module writes and reads. */
export const recordingVersion = 1

/** The source of a recording: the first line of the file. */
export interface RecordingStart {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Name of the connection. */
  readonly connection: string
  readonly baseUrl: string
  /** The vendor's name in wire identifiers, where it is not the neutral one of the API document. */
  readonly vendor?: string
  /** The filter of the list in written form; empty if the list has no filter. */
  readonly filter: string
  /** How many events the list had. */
  readonly events: number
  /** Whether personal data was masked. */
  readonly masked: boolean
}

/** A request without its secrets; headers are not recorded. */
export interface RecordedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** The JSON of the body; absent when there was none. */
  readonly body?: unknown
}

/** A complete response without its secrets. */
export interface RecordedResponse {
  readonly status: number
  /** The headers that a client reads. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Why there was no complete response. */
export interface RecordedFailure {
  /** The platform's code, such as `ECONNREFUSED`. */
  readonly code?: string
  /** The system call that failed. */
  readonly syscall?: string
  readonly message?: string
  readonly delivery?: "not-sent" | "unknown"
}

/** One request and its outcome. */
export interface Exchange {
  /** When the request was sent, in milliseconds since the start of the recording. */
  readonly at: number
  /** Milliseconds until the outcome. */
  readonly ms: number
  readonly request: RecordedRequest
  readonly outcome:
    | ({ readonly _tag: "Response" } & RecordedResponse)
    | ({ readonly _tag: "Failure" } & RecordedFailure)
}

/** A recording that was read. */
export interface Recording {
  readonly start: RecordingStart
  readonly exchanges: ReadonlyArray<Exchange>
  /** Whether the file ends in the middle of a line, as after a crash; that line is left out. */
  readonly isCutOff: boolean
}

/** The result of reading a recording; the message is one line without the name of the file. */
export type ReadRecording =
  | { readonly _tag: "Read"; readonly recording: Recording }
  | { readonly _tag: "Refused"; readonly message: string }

const { json } = outlet("recordings")

/** The first line of a recording. */
export const formatStart = ({ startedAt, ...start }: RecordingStart): Outgoing =>
  json({
    recording: "signalbox",
    version: recordingVersion,
    startedAt: new Date(startedAt).toISOString(),
    ...start
  })

/** One exchange as a line. A body that is JSON stays JSON, so that `jq` reads it. */
export const formatExchange = ({ at, ms, outcome, request }: Exchange): Outgoing => {
  if (outcome._tag === "Failure") {
    const { _tag, ...failure } = outcome
    return json({ at, ms, request, failure })
  }
  const { headers, status, text } = outcome
  const body = parseJson(text)
  return json({ at, ms, request, status, headers, ...(body === undefined ? { text } : { body }) })
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const isText = (value: unknown): value is string => typeof value === "string"

const isTextRecord = (value: unknown): value is Readonly<Record<string, string>> =>
  isJsonObject(value) && Object.values(value).every(isText)

const startOf = (value: JsonObject): RecordingStart | undefined => {
  const { baseUrl, connection, events, filter, masked, startedAt, vendor } = value
  const at = isText(startedAt) ? Date.parse(startedAt) : Number.NaN
  if (Number.isNaN(at) || !isText(connection) || !isText(baseUrl) || !isText(filter)) return undefined
  if (!isNumber(events) || typeof masked !== "boolean" || (vendor !== undefined && !isText(vendor))) return undefined
  return { startedAt: at, connection, baseUrl, filter, events, masked, ...(vendor === undefined ? {} : { vendor }) }
}

const failureOf = (value: JsonObject): RecordedFailure | undefined => {
  const { code, delivery, message, syscall } = value
  if (![code, message, syscall].every((part) => part === undefined || isText(part))) return undefined
  if (delivery !== undefined && delivery !== "not-sent" && delivery !== "unknown") return undefined
  return value
}

const outcomeOf = (value: JsonObject): Exchange["outcome"] | undefined => {
  if (isJsonObject(value["failure"])) {
    const failure = failureOf(value["failure"])
    return failure && { _tag: "Failure", ...failure }
  }
  const { headers, status } = value
  if (!isNumber(status) || !isTextRecord(headers)) return undefined
  const text = "body" in value ? JSON.stringify(value["body"]) : value["text"]
  return isText(text) ? { _tag: "Response", status, headers, text } : undefined
}

const exchangeOf = (value: unknown): Exchange | undefined => {
  if (!isJsonObject(value) || !isJsonObject(value["request"])) return undefined
  const { at, ms, request } = value
  const { method, target } = value["request"]
  if (!isNumber(at) || !isNumber(ms) || !isJsonObject(request) || !isText(method) || !isText(target)) return undefined
  const outcome = outcomeOf(value)
  const sent = { method, target, ...("body" in request ? { body: request["body"] } : {}) }
  return outcome && { at, ms, request: sent, outcome }
}

const refused = (message: string): ReadRecording => ({ _tag: "Refused", message })

/**
 * Reads a recording. A last line that was cut off, as after a crash, is left out.
 *
 * @example
 * ```ts
 * readRecording('{"hello":"world"}\n')
 * // => { _tag: "Refused", message: "not a recording: the first line does not describe one" }
 * ```
 */
export const readRecording = (text: string): ReadRecording => {
  const [first = "", ...lines] = text.split("\n")
  const head = parseJson(first)
  if (!isJsonObject(head) || head["recording"] !== "signalbox") {
    return refused("not a recording: the first line does not describe one")
  }
  const { version } = head
  if (version !== recordingVersion) {
    return refused(`a recording of version ${String(version)}; this program reads version ${recordingVersion}`)
  }
  const start = startOf(head)
  if (start === undefined) return refused("not a recording: the first line lacks what describes one")
  const last = lines.at(-1) ?? ""
  const exchanges: Array<Exchange> = []
  for (const [index, one] of lines.entries()) {
    if (one === "" && index === lines.length - 1) continue
    const exchange = exchangeOf(parseJson(one))
    if (exchange !== undefined) exchanges.push(exchange)
    else if (index < lines.length - 1) return refused(`line ${index + 2} is not an exchange of a recording`)
  }
  const isCutOff = last !== "" && exchangeOf(parseJson(last)) === undefined
  return { _tag: "Read", recording: { start, exchanges, isCutOff } }
}
