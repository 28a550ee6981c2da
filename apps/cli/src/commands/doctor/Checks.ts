/**
 * The meaning of each observation of a deployment: ok, a warning or a failure, with evidence and advice.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import type { CallInfo } from "@signalbox/core/CallInfo"
import { neutral } from "@signalbox/core/Vendor"
import { counted } from "@signalbox/operator/text/Counted"
import type { Connection } from "../../connection/Connection.ts"
import { type Difference, type Differences, keyOf, listOf, newsIn, summaryOf } from "../../connection/Difference.ts"
import { vendorAdvice, vendorEvidence } from "../../connection/OfferVendor.ts"
import type { FoundVendor } from "../../connection/VendorSearch.ts"

/** The verdict of a check; `skipped` where it does not apply or could not run. */
export type CheckResult = "ok" | "warning" | "failed" | "skipped"

/** One check with its verdict. */
export interface Check {
  readonly check: string
  readonly result: CheckResult
  /** The observation; never a secret. */
  readonly evidence: string
  /** The next step; empty if nothing needs to be done. */
  readonly advice: string
}

const ok = (check: string, evidence: string): Check => ({ check, result: "ok", evidence, advice: "" })

const warning = (check: string, evidence: string, advice: string): Check => ({
  check,
  result: "warning",
  evidence,
  advice
})

/** A check that failed. */
export const failed = (check: string, evidence: string, advice: string): Check => ({
  check,
  result: "failed",
  evidence,
  advice
})

/** A check that does not apply or could not run. */
export const skipped = (check: string, evidence: string): Check => ({ check, result: "skipped", evidence, advice: "" })

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127\.|\[::1\])/u.test(hostname)

/** The base URL. */
export const checkAddress = (baseUrl: string): Check => {
  const url = new URL(baseUrl)
  if (url.protocol === "https:" || isLoopback(url)) return ok("address", baseUrl)
  return warning("address", `${baseUrl} is not encrypted`, "Use https: the API key is sent with every request.")
}

/** The result of a TLS handshake. */
export interface TlsObservation {
  readonly protocol: string
  readonly authorized: boolean
  readonly problem: string
  readonly expiresAt: number
}

const day = 86_400_000

const expiryWarningDays = 14

/** The certificate and the protocol. */
export const checkTls = (tls: TlsObservation, now: number): Check => {
  const days = Math.floor((tls.expiresAt - now) / day)
  const evidence = `${tls.protocol}, certificate valid for ${counted(days, "day")}`
  if (!tls.authorized)
    return failed("tls", `${tls.protocol}, ${tls.problem}`, "Install a certificate that this machine trusts.")
  if (days < expiryWarningDays) return warning("tls", evidence, "Renew the certificate.")
  return ok("tls", evidence)
}

type Environment = Readonly<Record<string, string | undefined>>

/** Proxies between this machine and the service. */
export const checkProxy = (environment: Environment, headers: CallInfo["headers"], baseUrl: string): Check => {
  const via = headers["via"]
  if (via !== undefined) return ok("proxy", `responses pass through a proxy (via: ${via})`)
  const names = baseUrl.startsWith("https:") ? ["HTTPS_PROXY", "https_proxy"] : ["HTTP_PROXY", "http_proxy"]
  const set = names.find((name) => (environment[name] ?? "") !== "")
  if (set !== undefined && environment["NODE_USE_ENV_PROXY"] !== "1") {
    return warning("proxy", `${set} is set and requests do not use it`, "Set NODE_USE_ENV_PROXY=1 to use the proxy.")
  }
  return ok("proxy", set === undefined ? "no proxy" : `requests use ${set}`)
}

const clockWarningMs = 5000

/** The difference between the clocks, from the Date header and the middle of the call. */
export const checkClock = (date: string | undefined, middle: number): Check => {
  const served = Date.parse(date ?? "")
  if (Number.isNaN(served)) return skipped("clock", "responses have no Date header")
  // The header has whole seconds.
  const skew = Math.abs(served + 500 - middle)
  const evidence = `${(skew / 1000).toFixed(1)} s apart`
  return skew <= clockWarningMs
    ? ok("clock", evidence)
    : warning("clock", evidence, "Synchronise the clocks: filters by time and waits for rate limits depend on them.")
}

/** The rate limit according to responses. */
export const checkRateLimit = ({ rateLimit }: CallInfo): Check => {
  const { limit, remaining } = rateLimit ?? {}
  if (limit === undefined && remaining === undefined) return ok("rate limit", "responses do not mention one")
  // A service that allows bursts can have more left than its limit.
  const left = remaining === undefined ? [] : [`${counted(remaining, "request")} left`]
  const evidence = [...left, ...(limit === undefined ? [] : [`limit ${limit}`])].join(", ")
  return remaining === 0
    ? warning("rate limit", evidence, "Wait for the reset before heavy use.")
    : ok("rate limit", evidence)
}

/** The fields around the events of a page. */
const pageFields = { hasMore: "boolean", page: "number", pageSize: "number" } as const

const describe = (value: unknown): string =>
  value === undefined ? "absent" : value === null ? "null" : `a ${typeof value}`

/** The form of a page, as it came. */
export const checkEnvelope = (body: string): Check => {
  let page: unknown
  try {
    page = JSON.parse(body)
  } catch {
    return failed("envelope", "the response is not JSON", "Check that the base URL leads to the API.")
  }
  const fields: Readonly<Record<string, unknown>> = typeof page === "object" && page !== null ? { ...page } : {}
  if (!Array.isArray(fields["data"])) {
    return failed("envelope", "a page has no list in data", "Check that the base URL leads to the API.")
  }
  const wrong = Object.entries(pageFields).filter(([name, type]) => typeof fields[name] !== type)
  return wrong.length === 0
    ? ok("envelope", "data, hasMore, page and pageSize")
    : warning(
        "envelope",
        wrong.map(([name, type]) => `${name} is ${describe(fields[name])}, not a ${type}`).join(", "),
        "Signalbox derives them from the number of events; compare with the API document."
      )
}

const idOf = ({ _id, transactionId }: ActivityNotification): string => _id ?? transactionId

/** Two pages after each other, and the size that was asked for. */
export const checkPaging = (
  first: ReadonlyArray<ActivityNotification>,
  second: ReadonlyArray<ActivityNotification>,
  size: number
): Check => {
  if (first.length === 0) return skipped("paging", "no event is listed")
  if (first.length > size || second.length > size) {
    return warning(
      "paging",
      `a page of ${size} has ${Math.max(first.length, second.length)} events`,
      "Limits are not honoured."
    )
  }
  if (second.length === 0) return skipped("paging", `${counted(first.length, "event")}, which one page of ${size} has`)
  const known = new Set(first.map(idOf))
  const repeated = second.filter((event) => known.has(idOf(event))).length
  if (repeated > 0) {
    const cause =
      repeated === second.length ? "the page number may be ignored" : "new events may have arrived meanwhile"
    return warning(
      "paging",
      `both pages have ${repeated} of ${counted(second.length, "event")}; ${cause}`,
      "Use signalbox events list --all, which removes duplicates."
    )
  }
  const times = [...first, ...second]
    .map(({ createdAt }) => Date.parse(createdAt ?? ""))
    .filter((at) => !Number.isNaN(at))
  const isSorted = times.every((at, index) => index === 0 || at <= (times[index - 1] ?? at))
  return isSorted
    ? ok("paging", `${counted(first.length + second.length, "event")} on two pages, newest first, none twice`)
    : warning("paging", "events are not sorted by time", "Order listings yourself.")
}

/** The word that stands where the API document writes `service`. */
export const checkVendor = (
  connection: Connection,
  events: ReadonlyArray<ActivityNotification>,
  found: FoundVendor | undefined
): Check => {
  const { vendor = neutral } = connection
  if (found !== undefined && found.vendor !== vendor) {
    return warning("vendor", `events have ${vendorEvidence(found)}`, vendorAdvice(connection, found.vendor))
  }
  return events.length === 0 ? skipped("vendor", "no event is listed") : ok("vendor", vendor)
}

/** How many differences from the API document there are, and how many of them are news. */
export const checkDrift = (
  differences: ReadonlyArray<Difference>,
  known: ReadonlyArray<Difference>,
  records: number
): Check => {
  if (differences.length === 0) {
    return records === 0 ? skipped("drift", "no event is listed") : ok("drift", `none in ${counted(records, "record")}`)
  }
  const evidence = `${summaryOf(differences)}, in ${counted(records, "record")}`
  const news = newsIn(differences, known)
  if (news.length === 0) return ok("drift", `${evidence}; all known`)
  return warning(
    "drift",
    `${evidence}; ${news.length} new`,
    news.some(({ kind }) => kind === "unreadable")
      ? "Parts of records are missing in the output; update Signalbox."
      : "Unknown values are kept; a newer version of Signalbox may know them."
  )
}

const lineOf = ({ kind, operation, path, value }: Difference): string =>
  `${kind} ${path}${value === undefined ? "" : ` ${JSON.stringify(value)}`} (${operation})`

/**
 * One line for each difference: new ones, known ones, and known ones that these responses do not have. Paths, kinds and
 * values that the document does not list.
 */
export const listDifferences = (differences: Differences, known: ReadonlyArray<Difference>): ReadonlyArray<Check> => {
  const news = new Set(newsIn(listOf(differences), known))
  const seen = [...differences.values()].toSorted(
    (one, other) => Number(news.has(other.difference)) - Number(news.has(one.difference))
  )
  return [
    ...seen.map(({ count, difference }): Check => {
      const evidence = `${count} × ${lineOf(difference)}`
      return { check: "difference", result: news.has(difference) ? "warning" : "ok", evidence, advice: "" }
    }),
    ...known
      .filter((difference) => !differences.has(keyOf(difference)))
      .map((difference) => ok("difference", `earlier: ${lineOf(difference)}`))
  ]
}

const slowMs = 1000

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

/** How long small calls take. */
export const checkLatency = (durations: ReadonlyArray<number>): Check => {
  const sorted = durations.toSorted((a, b) => a - b)
  const evidence = `median ${at(sorted, 0.5)} ms, 95 % ${at(sorted, 0.95)} ms, highest ${at(sorted, 1)} ms in ${counted(sorted.length, "call")}`
  return at(sorted, 0.5) <= slowMs
    ? ok("latency", evidence)
    : warning("latency", evidence, "Run from a place nearer to the service, or check the network.")
}
