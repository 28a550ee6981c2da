/**
 * The facts of a failure in the form that rules match: the words of the execution detail, the provider's HTTP status and
 * the provider's message.
 */
import {
  type ActivityJob,
  channelProviderIds,
  comparableText,
  type ExecutionDetail,
  inOrder,
  isKnownChannelProviderId,
  type KnownChannelProviderId,
  noActiveIntegration
} from "@signalbox/core/Records"
import { messageCreated, messageSent, rowOf } from "./Catalogue.ts"

/** The response of a mail server, as SMTP clients report it. */
export interface MailResponse {
  /** Command that the server refused: `RCPT TO`. */
  readonly command: string
  /** The server's three digits; absent if it sent none. */
  readonly status: number | undefined
  /** The subject of its enhanced status code: `1.1` of `550 5.1.1`. */
  readonly subject: string | undefined
}

/** Why a provider or an endpoint could not be reached. */
export type NetworkProblem = "host-unknown" | "dns" | "refused" | "timeout" | "broken" | "tls"

/** The facts about one job that needs an explanation. */
export interface Evidence {
  readonly job: ActivityJob
  /** Absent if the job has no execution detail to explain it. */
  readonly detail: ExecutionDetail | undefined
  /** Detail and raw response in lower case, for matching words. Leaves out what a parsed response repeats of the request. */
  readonly words: string
  /** The same as plain words: `bad device token` for `BadDeviceToken`, `no service` for `no_service`. */
  readonly plain: string
  /** Detail and provider message, in plain words. Leaves out the rest of the raw response, which may echo the request. */
  readonly sentences: ReadonlyArray<string>
  /** HTTP status of the provider's response. */
  readonly status: number | undefined
  readonly mail: MailResponse | undefined
  readonly network: NetworkProblem | undefined
  /** The provider's message, if it sent one in words: one line of at most 200 characters. */
  readonly providerMessage: string | undefined
  /** Provider that was used, as the service names it. */
  readonly provider: string | undefined
  /** The same provider, if subscribers can have credentials for it. */
  readonly channelProvider: KnownChannelProviderId | undefined
  /** Identifier of the integration that was used: the environment may have several of one provider. */
  readonly integration: string | undefined
  /** Whether the job sent the message all the same: through another integration, or to another device. */
  readonly isSent: boolean
}

/** Only this many characters of a message or a raw response are searched; it can be a megabyte. */
export const readLimit = 8000

/** Only this many values of a raw response are searched. */
const valueLimit = 200

const statusKeys: ReadonlySet<string> = new Set([
  "status",
  "statuscode",
  "code",
  "httpstatus",
  "httpcode",
  "responsecode"
])

const messageKeys: ReadonlyArray<string> = [
  "message",
  "error_description",
  "description",
  "detail",
  "title",
  "error",
  "reason",
  "response",
  "responsedata",
  "errors"
]

/** Parts of an error that repeat the request, or the program that sent it. */
const echoKeys: ReadonlySet<string> = new Set(["config", "request", "headers", "stack", "channeldata", "payload"])

/** Messages that repeat the status in words. The reason is further inside, if the provider gave one. */
const statusPhrase =
  /^(?:request failed with status code \d+|bad request|unauthorized|forbidden|not found|gone|internal server error|bad gateway|service unavailable|gateway timeout|error|\w+ webhook error)$/iu

interface ProviderResponse {
  readonly status: number | undefined
  readonly mail: MailResponse | undefined
  /** Code of the system or of the client that sent the request: `ECONNREFUSED`. */
  readonly code: string | undefined
  readonly errno: number | undefined
  readonly message: string | undefined
  /** Its strings, one a line, without those that repeat the request. */
  readonly text: string
}

const asStatus = (value: unknown): number | undefined => {
  const status = typeof value === "string" ? Number(value) : value
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined
}

/** The message among the fields of one object: one with a reason, or else one that repeats the status. */
const messageIn = (entries: ReadonlyArray<readonly [string, unknown]>): string | undefined => {
  const found = messageKeys
    .map((key) => entries.find(([name]) => name.toLowerCase() === key)?.[1])
    .map((value): unknown => (Array.isArray(value) ? value[0] : value))
    .filter((value) => typeof value === "string")
    .filter((text) => text !== "" && !text.startsWith("<"))
  return found.find((text) => !statusPhrase.test(text)) ?? found[0]
}

/** A refused command of SMTP: the server's status is not one of HTTP. */
const mailResponse = (response: object, status: number | undefined, text: string): MailResponse | undefined =>
  "command" in response && typeof response.command === "string"
    ? { command: response.command, status, subject: /(?<![\d.])[45]\.(\d{1,3}\.\d{1,3})(?!\.?\d)/u.exec(text)?.[1] }
    : undefined

/** Walks a parsed response breadth first: outer values describe the whole response better than nested ones. */
const fromParsed = (parsed: object): ProviderResponse => {
  const queue: Array<unknown> = [parsed]
  const strings: Array<string> = []
  let status: number | undefined
  let code: string | undefined
  let errno: number | undefined
  let message: string | undefined
  for (let at = 0; at < queue.length && at < valueLimit; at += 1) {
    const value = queue[at]
    if (typeof value === "string") strings.push(value)
    if (typeof value !== "object" || value === null) continue
    const entries = Object.entries(value).filter(([key]) => !echoKeys.has(key.toLowerCase()))
    for (const [key, inner] of entries) {
      if (statusKeys.has(key.toLowerCase().replaceAll(/[_-]/gu, ""))) status ??= asStatus(inner)
      if (key === "code" && typeof inner === "string") code ??= inner
      if (key === "errno" && typeof inner === "number") errno ??= inner
      queue.push(inner)
    }
    const found = messageIn(entries)
    if (message === undefined || (found !== undefined && statusPhrase.test(message))) message = found ?? message
  }
  const text = strings.join("\n")
  const mail = mailResponse(parsed, status, text)
  return { status: mail === undefined ? status : undefined, mail, code, errno, message, text }
}

/** The value of JSON; `undefined` for any other string. */
export const parsed = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

const readResponse = (raw: string): ProviderResponse => {
  const value = raw.length <= readLimit ? parsed(raw) : undefined
  if (typeof value === "object" && value !== null) return fromParsed(value)
  return {
    status: undefined,
    mail: undefined,
    code: undefined,
    errno: undefined,
    message: raw.trim() === "" || raw.length > readLimit ? undefined : raw.trim(),
    text: raw.slice(0, readLimit)
  }
}

/** Addresses have numbers that look like a status: `http://127.0.0.1`. */
const withoutAddresses = (text: string): string =>
  text.replaceAll(/\b[a-z]+:\/\/\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/giu, "")

/** A status in words: `status code 401`, `HTTP 503`, `(403)`, `answered 500`. */
const statusIn = (text: string): number | undefined => {
  const found =
    /(?:\bstatus(?: ?code)?\b|\bhttp(?:\/[\d.]+)?\b|\bcode\b|\berror\b|\b(?:answer|respond|return|repl[yi])(?:ed|s|ing)?(?: with)?\b|\()\W{0,3}([1-5]\d\d)\b/iu.exec(
      withoutAddresses(text)
    )
  return asStatus(found?.[1])
}

/** Error numbers of Linux, macOS and libuv. A socket error of an SMTP client has no other name for its reason. */
const problemOfErrno: Readonly<Record<number, NetworkProblem>> = {
  [-111]: "refused",
  [-61]: "refused",
  [-113]: "refused",
  [-101]: "refused",
  [-110]: "timeout",
  [-60]: "timeout",
  [-104]: "broken",
  [-54]: "broken",
  [-3008]: "host-unknown",
  [-3001]: "dns"
}

/** Codes of the system or of the client, and words for them. */
const problems: ReadonlyArray<readonly [NetworkProblem, RegExp]> = [
  ["dns", /\beai_again\b/u],
  ["host-unknown", /\benotfound\b|\beai_nodata\b|\bedns\b|getaddrinfo|resolve (?:the )?host/u],
  ["refused", /\beconnrefused\b|\behostunreach\b|\benetunreach\b|connection (?:was )?refused/u],
  ["tls", /self[- _]signed|certificate|\bcert_|altname|leaf_signature|\b(?:ssl|e?tls|eproto)\b/u],
  ["timeout", /\be(?:socket)?timedout\b|\beconnaborted\b|\btimed?[ -]?out\b|did(?: not|n't) answer/u],
  [
    "broken",
    /\beconnreset\b|\bepipe\b|\besocket\b|\beconnection\b|socket hang up|connection (?:\w+ )?(?:reset|closed|failed|aborted)|network error/u
  ]
]

const problemIn = (text: string): NetworkProblem | undefined => problems.find(([, pattern]) => pattern.test(text))?.[0]

/** A socket or connection error of an SMTP client has its reason in the number or the words. */
const networkProblem = ({ code, errno }: ProviderResponse, words: string): NetworkProblem | undefined =>
  problemOfErrno[errno ?? 0] ??
  problemIn(code?.toLowerCase().replace(/^e(?:socket|connection)$/u, "") ?? "") ??
  problemIn(words)

const plainWords = (text: string): string =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z][a-z])/gu, " ")
    .toLowerCase()
    .replaceAll(/(?<=[a-z])[_-]+(?=[a-z])/gu, " ")

const oneLine = (text: string): string => text.slice(0, 1000).replaceAll(/\s+/gu, " ").trim()

const shortened = (line: string): string =>
  line.length > 200 ? `${line.slice(0, 199).replace(/\p{Surrogate}$/u, "")}…` : line

/** A message as a sentence quotes it: one line, and no more than people read of one. */
export const quotable = (text: string): string => shortened(oneLine(text))

const providerPatterns = channelProviderIds.map((id) => ({
  id,
  pattern: new RegExp(`(?<![\\w-])${id}(?![\\w-])`, "u")
}))

const providerIn = (text: string): KnownChannelProviderId | undefined =>
  // Most strings name none, and looking for the name is faster than a pattern.
  providerPatterns.find(({ id, pattern }) => text.includes(id) && pattern.test(text))?.id

interface Selection {
  readonly identifier?: unknown
  readonly providerId?: unknown
}

const selectedText = / provider was selected$/iu

/** An id of the service, which its operations do not accept as an identifier. */
const isInternalId = (id: string): boolean => /^[0-9a-f]{24}$/u.test(id)

// Each part is checked where it is used.
const selectionsIn = (details: ReadonlyArray<ExecutionDetail>): ReadonlyArray<Selection | null | undefined> =>
  details
    .filter(({ detail }) => selectedText.test(detail))
    .map(({ raw }) => parsed(raw?.slice(0, readLimit) ?? "") as Selection | null | undefined)

/** Identifiers of the integrations that a job has used, as far as its details name them. */
export const integrationsOf = ({ executionDetails }: ActivityJob): ReadonlyArray<unknown> =>
  selectionsIn(executionDetails).flatMap((selection) => selection?.identifier ?? [])

/**
 * The integration of a detail. A step of several integrations selects them in turn, and names the provider of the first one
 * in all of its details.
 */
const selectionOf = (
  { detail, raw }: ExecutionDetail,
  before: ReadonlyArray<ExecutionDetail>
): { readonly integration?: string; readonly provider?: string } => {
  if (comparableText(detail) === comparableText(noActiveIntegration)) return {}
  const selections = selectionsIn(before)
  const missing = /\bintegrationId: (\S+) is missing/u.exec(raw?.slice(0, readLimit) ?? "")?.[1]
  const selection =
    missing === undefined
      ? rowOf(detail)?.kind === "summary" && selections.length > 1
        ? undefined
        : selections.at(-1)
      : selections.findLast((each) => each?.identifier === missing)
  const integration = missing ?? selection?.identifier
  const provider = selection?.providerId
  return {
    ...(typeof integration !== "string" || isInternalId(integration) ? {} : { integration }),
    ...(typeof provider === "string" ? { provider } : {})
  }
}

/**
 * Whether the message was sent after the detail, or before the attempt of the detail. A success of the same attempt is what
 * a later failure takes back: a message may bounce.
 */
const isSentApart = (details: ReadonlyArray<ExecutionDetail>, at: number): boolean => {
  const isAttempt = ({ detail }: ExecutionDetail) => detail === messageCreated || selectedText.test(detail)
  const start = details.findLastIndex((detail, place) => place < at && isAttempt(detail))
  return details.some(
    ({ detail, status }, place) =>
      status === "Success" && comparableText(detail) === messageSent && (place > at || place < start)
  )
}

/** Collects what a job and one of its execution details say. */
export const gather = (job: ActivityJob, detail: ExecutionDetail | undefined): Evidence => {
  const details = inOrder(job)
  const at = detail === undefined ? -1 : details.indexOf(detail)
  const selection = detail === undefined ? {} : selectionOf(detail, details.slice(0, Math.max(0, at)))
  const response = readResponse(detail?.raw ?? "")
  const said = (detail?.detail ?? "").slice(0, readLimit)
  const text = `${said}\n${response.text}`
  const words = text.toLowerCase()
  const message = response.message === undefined ? undefined : oneLine(response.message)
  const provider = selection.provider ?? detail?.providerId ?? job.providerId
  const status =
    response.mail === undefined ? (response.status ?? statusIn(said) ?? statusIn(response.text)) : undefined
  return {
    job,
    detail,
    words,
    status,
    mail: response.mail,
    network: status === undefined && response.mail?.status === undefined ? networkProblem(response, words) : undefined,
    plain: plainWords(text),
    sentences: [said, message ?? ""].map(plainWords),
    providerMessage: message === undefined ? undefined : shortened(message),
    provider,
    channelProvider: isKnownChannelProviderId(provider) ? provider : providerIn(words),
    integration: selection.integration,
    isSent: at !== -1 && isSentApart(details, at)
  }
}
