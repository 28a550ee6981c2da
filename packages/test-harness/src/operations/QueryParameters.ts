/**
 * The 13 parameters of the listing, read from the query by the switches.
 */
import { jobTypes } from "@signalbox/core/contract/Channel"
import { severities } from "@signalbox/core/contract/Activity"
import type { Switches } from "../switches/Switches.ts"
import type { Rejection } from "./OperationResponse.ts"

const arrays = ["channels", "templates", "emails", "subscriberIds", "severity", "contextKeys"] as const

const single = ["search", "page", "limit", "transactionId", "topicKey", "after", "before"] as const

type Name = (typeof arrays)[number] | (typeof single)[number]

const isName = (name: string): name is Name =>
  arrays.some((known) => known === name) || single.some((known) => known === name)

/** What the listing was asked for. */
export interface Parameters {
  /** `undefined` where the request does not filter by it. */
  readonly channels: ReadonlyArray<string> | undefined
  readonly templates: ReadonlyArray<string> | undefined
  readonly emails: ReadonlyArray<string> | undefined
  readonly subscriberIds: ReadonlyArray<string> | undefined
  readonly severity: ReadonlyArray<string> | undefined
  readonly contextKeys: ReadonlyArray<string> | undefined
  readonly transactionId: ReadonlyArray<string> | undefined
  readonly topicKey: ReadonlyArray<string> | undefined
  readonly search: string | undefined
  readonly page: number
  readonly limit: number
  readonly after: number | undefined
  readonly before: number | undefined
}

const bad = (status: string, field: string, message: string, byField = false): Rejection => ({
  status: Number(status),
  message,
  fields: { [field]: [message] },
  byField
})

/** Name of a parameter and whether it was written as `a`, `a[]` or `a[0]`. */
const written = (raw: string): { readonly name: string; readonly form: "repeat" | "brackets" | "indices" } => {
  const match = /^([^[\]]+)\[(\d*)\]$/u.exec(raw)
  if (match?.[1] === undefined) return { name: raw, form: "repeat" }
  return { name: match[1], form: match[2] === "" ? "brackets" : "indices" }
}

const understood = (switches: Switches, name: string, form: "repeat" | "brackets" | "indices"): boolean => {
  if (!arrays.some((known) => known === name)) return form === "repeat"
  switch (switches["list.arrayEncoding"]) {
    case "any":
    case "repeat-brackets-indices":
      return true
    case "comma":
      return form === "repeat"
    default:
      return form === switches["list.arrayEncoding"]
  }
}

interface Given {
  readonly values: ReadonlyMap<Name, ReadonlyArray<string>>
  readonly unknown: ReadonlyArray<string>
}

const collect = (switches: Switches, query: URLSearchParams): Given => {
  const values = new Map<Name, Array<string>>()
  const unknown: Array<string> = []
  const splits = switches["list.arrayEncoding"] === "comma" || switches["list.arrayEncoding"] === "any"
  for (const [raw, value] of query) {
    const { name, form } = written(raw)
    if (!isName(name) || !understood(switches, name, form)) {
      unknown.push(raw)
      continue
    }
    const parts = splits && arrays.some((known) => known === name) ? value.split(",") : [value]
    values.set(name, [...(values.get(name) ?? []), ...parts])
  }
  return { values, unknown }
}

const wholeNumber = (
  given: string | undefined,
  fallback: number,
  least: number,
  most: number,
  onBad: string,
  name: string
): number | Rejection => {
  if (given === undefined) return fallback
  const value = given.trim() === "" ? Number.NaN : Number(given)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  if (onBad === "clamped") {
    return Number.isNaN(value) ? fallback : Math.min(most, Math.max(least, Math.trunc(value)))
  }
  const message = !Number.isInteger(value)
    ? `${name} must be an integer number`
    : value < least
      ? `${name} must not be less than ${least}`
      : `${name} must not be greater than ${most}`
  return bad(onBad, name, message)
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u

const moment = (switches: Switches, name: string, given: string | undefined): number | undefined | Rejection => {
  if (given === undefined || given === "") return undefined
  const time = switches["list.dateFormats"] === "any" || isoDate.test(given) ? Date.parse(given) : Number.NaN
  if (!Number.isNaN(time)) return time
  const status = switches["list.badDate"]
  if (status === "ignored") return undefined
  return {
    status: Number(status),
    message: `Invalid date format for parameter '${name}': ${given}. Please provide a valid ISO 8601 date string.`
  }
}

const once = (
  given: ReadonlyArray<string> | undefined,
  onRepeated: string,
  name: string
): ReadonlyArray<string> | undefined | Rejection => {
  if (given === undefined || given.length <= 1 || onRepeated === "any-of") return given
  return onRepeated === "last" ? given.slice(-1) : bad(onRepeated, name, `${name} must be a string`)
}

const checkValues = (
  given: ReadonlyArray<string> | undefined,
  fits: (value: string) => boolean,
  onBad: string,
  name: string
): Rejection | undefined => {
  const wrong = onBad === "no-match" ? undefined : given?.find((value) => !fits(value))
  return wrong === undefined
    ? undefined
    : { ...bad(onBad, name, `Validation failed for ${name}: ${wrong} is not allowed`, true), facts: { [name]: wrong } }
}

const isRejection = (value: unknown): value is Rejection =>
  typeof value === "object" && value !== null && "status" in value

const firstRefusal = (...values: ReadonlyArray<unknown>): Rejection | undefined => values.find(isRejection)

/** Reads the parameters, or says what is wrong with them. */
export const readParameters = (switches: Switches, query: URLSearchParams): Parameters | Rejection => {
  const { values, unknown } = collect(switches, query)
  const [first] = unknown
  if (first !== undefined && switches["list.unknownParameter"] !== "ignored") {
    return bad(switches["list.unknownParameter"], first, `property ${first} should not exist`)
  }
  const last = (name: Name) => values.get(name)?.at(-1)
  const page = wholeNumber(last("page"), 0, 0, Number.MAX_SAFE_INTEGER, switches["list.badPage"], "page")
  const limit = wholeNumber(last("limit"), 10, 1, 50, switches["list.badLimit"], "limit")
  const transactionId = once(values.get("transactionId"), switches["list.transactionIdRepeated"], "transactionId")
  const topicKey = once(values.get("topicKey"), switches["list.topicKeyRepeated"], "topicKey")
  const after = moment(switches, "after", last("after"))
  const before = moment(switches, "before", last("before"))
  const wrongValue =
    checkValues(
      values.get("severity"),
      (value) => severities.some((known) => known === value),
      switches["list.badSeverity"],
      "severity"
    ) ??
    checkValues(
      values.get("channels"),
      (value) => jobTypes.some((known) => known === value),
      switches["list.badChannel"],
      "channels"
    ) ??
    checkValues(
      values.get("templates"),
      (value) => /^[0-9a-f]{24}$/iu.test(value),
      switches["list.badTemplate"],
      "templates"
    )
  const rejection = firstRefusal(page, limit, topicKey, transactionId, wrongValue, after, before)
  if (rejection !== undefined) return rejection
  if (isRejection(page) || isRejection(limit) || isRejection(transactionId) || isRejection(topicKey))
    return bad("400", "", "")
  if (isRejection(after) || isRejection(before)) return bad("400", "", "")
  return {
    channels: values.get("channels"),
    templates: values.get("templates"),
    emails: values.get("emails"),
    subscriberIds: values.get("subscriberIds"),
    severity: values.get("severity"),
    contextKeys: values.get("contextKeys"),
    transactionId,
    topicKey,
    search: last("search"),
    page,
    limit,
    after,
    before
  }
}
