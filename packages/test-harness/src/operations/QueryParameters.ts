/**
 * The parameters of the event list, read from the query according to the contract and the switches.
 */
import { eventsListQuery, type IntegerParameter } from "@signalbox/core/Parameters"
import { jobTypes, severities } from "@signalbox/core/KnownValues"
import type { Switches } from "../switches/Switches.ts"
import type { Rejection } from "./OperationResponse.ts"

type Query = typeof eventsListQuery

type QueryName = keyof Query

const isName = (name: string): name is QueryName => Object.hasOwn(eventsListQuery, name)

const names = Object.keys(eventsListQuery).filter(isName)

/** Whether a parameter takes several values. */
const isArray = (name: QueryName): boolean => {
  const { kind } = eventsListQuery[name]
  return kind === "strings" || kind === "one-or-several"
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

const understood = (switches: Switches, name: QueryName, form: "repeat" | "brackets" | "indices"): boolean => {
  if (!isArray(name)) return form === "repeat"
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
  readonly values: ReadonlyMap<QueryName, ReadonlyArray<string>>
  readonly unknown: ReadonlyArray<string>
}

const collect = (switches: Switches, query: URLSearchParams): Given => {
  const values = new Map<QueryName, Array<string>>()
  const unknown: Array<string> = []
  const splits = switches["list.arrayEncoding"] === "comma" || switches["list.arrayEncoding"] === "any"
  for (const [raw, value] of query) {
    const { name, form } = written(raw)
    if (!isName(name) || !understood(switches, name, form)) {
      unknown.push(raw)
      continue
    }
    const parts = splits && isArray(name) ? value.split(",") : [value]
    values.set(name, [...(values.get(name) ?? []), ...parts])
  }
  return { values, unknown }
}

const integer = (name: "page" | "limit", onBad: string, given: string | undefined): number | Rejection => {
  const { default: fallback, maximum = Number.MAX_SAFE_INTEGER, minimum }: IntegerParameter = eventsListQuery[name]
  if (given === undefined) return fallback
  const value = given.trim() === "" ? Number.NaN : Number(given)
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value
  if (onBad === "clamped") {
    return Number.isNaN(value) ? fallback : Math.min(maximum, Math.max(minimum, Math.trunc(value)))
  }
  if (!Number.isInteger(value)) return bad(onBad, name, `${name} must be an integer number`)
  const bound = value < minimum ? `less than ${minimum}` : `greater than ${maximum}`
  return bad(onBad, name, `${name} must not be ${bound}`)
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

const once = (name: QueryName, onRepeated: string, given: Values): Values | Rejection => {
  if (given === undefined || given.length <= 1 || onRepeated === "any-of") return given
  return onRepeated === "last" ? given.slice(-1) : bad(onRepeated, name, `${name} must be a string`)
}

const checked = (
  name: QueryName,
  onBad: string,
  given: Values,
  fits: (value: string) => boolean
): Values | Rejection => {
  const wrong = onBad === "no-match" ? undefined : given?.find((value) => !fits(value))
  return wrong === undefined
    ? given
    : { ...bad(onBad, name, `Validation failed for ${name}: ${wrong} is not allowed`, true), facts: { [name]: wrong } }
}

/** The values of a parameter; `undefined` if the request does not have it. */
type Values = ReadonlyArray<string> | undefined

type Reader = (given: Values, switches: Switches) => unknown

const oneOf =
  (known: ReadonlyArray<string>) =>
  (value: string): boolean =>
    known.includes(value)

/** Parameters with bounds or allowed values: a switch must say what happens to a value that breaks them. */
type BoundedName = {
  [Name in QueryName]: Query[Name] extends { readonly minimum: number } | { readonly values: unknown } ? Name : never
}[QueryName]

/** Parameters whose reading depends on switches, in the order in which errors are reported. */
const switched = {
  page: (given, switches) => integer("page", switches["list.badPage"], given?.at(-1)),
  limit: (given, switches) => integer("limit", switches["list.badLimit"], given?.at(-1)),
  topicKey: (given, switches) => once("topicKey", switches["list.topicKeyRepeated"], given),
  transactionId: (given, switches) => once("transactionId", switches["list.transactionIdRepeated"], given),
  severity: (given, switches) => checked("severity", switches["list.badSeverity"], given, oneOf(severities)),
  channels: (given, switches) => checked("channels", switches["list.badChannel"], given, oneOf(jobTypes)),
  templates: (given, switches) =>
    checked("templates", switches["list.badTemplate"], given, (value) => /^[0-9a-f]{24}$/iu.test(value)),
  after: (given, switches) => moment(switches, "after", given?.at(-1)),
  before: (given, switches) => moment(switches, "before", given?.at(-1))
} as const satisfies { readonly [Name in BoundedName]: Reader } & { readonly [Name in QueryName]?: Reader }

type SwitchedName = keyof typeof switched

/** The values of any other parameter: all of an array, the last of a string that is repeated. */
const unswitched = (name: QueryName, given: Values): Values => (isArray(name) ? given : given?.slice(-1))

/** The parameters of a request; `undefined` if it does not filter. */
export type Parameters = {
  readonly [Name in QueryName]: Name extends SwitchedName
    ? Exclude<ReturnType<(typeof switched)[Name]>, Rejection>
    : Values
}

const isRejection = (value: unknown): value is Rejection =>
  typeof value === "object" && value !== null && "status" in value

/** Reads the parameters, or returns the first error. */
export const readParameters = (switches: Switches, query: URLSearchParams): Parameters | Rejection => {
  const { values, unknown } = collect(switches, query)
  const [first] = unknown
  if (first !== undefined && switches["list.unknownParameter"] !== "ignored") {
    return bad(switches["list.unknownParameter"], first, `property ${first} should not exist`)
  }
  const read: Record<string, unknown> = Object.fromEntries(
    names.map((name) => [name, unswitched(name, values.get(name))])
  )
  for (const [name, reader] of Object.entries<Reader>(switched)) {
    // The readers are keyed by the names of the parameters.
    const value = reader(values.get(name as SwitchedName), switches)
    if (isRejection(value)) return value
    read[name] = value
  }
  // Every parameter has been read, and none was rejected.
  return read as Parameters
}
