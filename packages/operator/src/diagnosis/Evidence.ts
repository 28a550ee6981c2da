/**
 * The facts of a failure in the form that rules match: the words of the execution detail, the provider's HTTP status and
 * the provider's message.
 */
import type { ActivityJob, ExecutionDetail } from "@signalbox/core/Activity"
import { channelProviderIds, isKnownChannelProviderId, type KnownChannelProviderId } from "@signalbox/core/Provider"

/** The facts about one job that needs an explanation. */
export interface Evidence {
  readonly job: ActivityJob
  /** Absent if the job has no execution detail to explain it. */
  readonly detail: ExecutionDetail | undefined
  /** Detail and raw response in lower case, for matching words. */
  readonly words: string
  /** Detail and provider message, each in lower case. Leaves out the rest of the raw response, which may echo the request. */
  readonly sentences: ReadonlyArray<string>
  /** HTTP status of the provider's response. */
  readonly status: number | undefined
  /** The provider's message, if it sent one in words: one line of at most 200 characters. */
  readonly providerMessage: string | undefined
  /** Provider that was used, as the service names it. */
  readonly provider: string | undefined
  /** The same provider, if subscribers can have credentials for it. */
  readonly channelProvider: KnownChannelProviderId | undefined
}

/** Only this many characters of a raw response are searched; it can be a megabyte. */
const rawLimit = 8000

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
  "reason"
]

interface ProviderResponse {
  readonly status: number | undefined
  readonly message: string | undefined
}

const asStatus = (value: unknown): number | undefined => {
  const status = typeof value === "string" ? Number(value) : value
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined
}

/** Walks a parsed response breadth first: outer values describe the whole response better than nested ones. */
const fromParsed = (parsed: unknown): ProviderResponse => {
  const queue: Array<unknown> = [parsed]
  let status: number | undefined
  let message: string | undefined
  for (let at = 0; at < queue.length && at < valueLimit; at += 1) {
    const value = queue[at]
    if (typeof value !== "object" || value === null) continue
    const entries = Object.entries(value)
    for (const [key, inner] of entries) {
      if (statusKeys.has(key.toLowerCase().replaceAll(/[_-]/gu, ""))) status ??= asStatus(inner)
      queue.push(inner)
    }
    for (const key of messageKeys) {
      const found = entries.find(([name]) => name.toLowerCase() === key)?.[1]
      if (typeof found === "string" && found !== "") message ??= found
    }
  }
  return { status, message }
}

const parsed = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

const readResponse = (raw: string): ProviderResponse => {
  const value = raw.length <= rawLimit ? parsed(raw) : undefined
  if (typeof value === "object" && value !== null) return fromParsed(value)
  return { status: undefined, message: raw.trim() === "" || raw.length > rawLimit ? undefined : raw.trim() }
}

/** A status in words: `status code 401`, `HTTP 503`, `(403)`. */
const statusIn = (text: string): number | undefined => {
  const found = /(?:\bstatus(?: ?code)?\b|\bhttp(?:\/[\d.]+)?\b|\bcode\b|\berror\b|\()\W{0,3}([1-5]\d\d)\b/iu.exec(text)
  return asStatus(found?.[1])
}

const oneLine = (text: string): string => {
  const line = text.slice(0, 1000).replaceAll(/\s+/gu, " ").trim()
  return line.length > 200 ? `${line.slice(0, 199).replace(/\p{Surrogate}$/u, "")}…` : line
}

const providerPatterns = channelProviderIds.map((id) => ({
  id,
  pattern: new RegExp(`(?<![\\w-])${id}(?![\\w-])`, "u")
}))

const providerIn = (text: string): KnownChannelProviderId | undefined =>
  providerPatterns.find(({ pattern }) => pattern.test(text))?.id

/** Collects what a job and one of its execution details say. */
export const gather = (job: ActivityJob, detail: ExecutionDetail | undefined): Evidence => {
  const raw = detail?.raw ?? ""
  const response = readResponse(raw)
  const words = `${detail?.detail ?? ""}\n${raw.slice(0, rawLimit)}`.toLowerCase()
  const providerMessage = response.message === undefined ? undefined : oneLine(response.message)
  const provider = detail?.providerId ?? job.providerId
  return {
    job,
    detail,
    words,
    status: response.status ?? statusIn(detail?.detail ?? "") ?? statusIn(raw.slice(0, rawLimit)),
    sentences: [detail?.detail ?? "", providerMessage ?? ""].map((text) => text.toLowerCase()),
    providerMessage,
    provider,
    channelProvider: isKnownChannelProviderId(provider) ? provider : providerIn(words)
  }
}
