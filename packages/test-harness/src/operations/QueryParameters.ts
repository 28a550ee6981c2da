import { eventsListQuery, type IntegerParameter } from "@signalbox/core/Operations"
import { channels as messageChannels, jobTypes, severities } from "@signalbox/core/internal/contract/KnownValues"
import { nestedValue, queryEntries, type QueryEntry, type QueryValue } from "./NestedQuery.ts"
import type { Switches } from "../switches/Switches.ts"
import { internalError, isObjectId, type Problem, type Rejection, rejectProblems } from "./OperationResponse.ts"

type Query = typeof eventsListQuery

type QueryName = keyof Query

const isName = (name: string): name is QueryName => Object.hasOwn(eventsListQuery, name)

const isArray = (name: QueryName): boolean => {
  const { kind } = eventsListQuery[name]
  return kind === "strings" || kind === "one-or-several"
}

/** How a parameter was written: as `a`, `a[]`, `a[0]`, or with any other brackets. */
type Form = "repeat" | "brackets" | "indices" | "nested"

const formOf = ({ path: [key, ...rest] }: QueryEntry): Form => {
  if (key === undefined) return "repeat"
  if (rest.length > 0) return "nested"
  if (key === "") return "brackets"
  return /^\d+$/u.test(key) ? "indices" : "nested"
}

const understood = (switches: Switches, name: QueryName, form: Form): boolean => {
  if (form === "nested" || (!isArray(name) && form !== "repeat")) return switches["list.nested"] === "read"
  if (!isArray(name)) return true
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

/** The value of a parameter; `undefined` if the request does not have it. */
type Given = QueryValue | undefined

interface Collected {
  readonly values: { readonly [Name in QueryName]?: QueryValue }
  readonly unknown: ReadonlyArray<string>
}

/** Parameters whose empty value is no absent filter: a severity is never empty, and no context is a filter. */
const keepsEmpty: ReadonlySet<QueryName> = new Set(["severity", "contextKeys", "page", "limit"])

const collect = (switches: Switches, query: string): Collected => {
  const parts = new Map<QueryName, Array<QueryEntry>>()
  const unknown: Array<string> = []
  const splits = switches["list.arrayEncoding"] === "comma" || switches["list.arrayEncoding"] === "any"
  for (const entry of queryEntries(query)) {
    const { name, value } = entry
    if (!isName(name) || !understood(switches, name, formOf(entry))) {
      unknown.push(name)
      continue
    }
    const pieces =
      splits && isArray(name) ? value.split(",").map((piece) => ({ name, path: entry.path, value: piece })) : [entry]
    parts.set(name, [...(parts.get(name) ?? []), ...pieces])
  }
  const limit = switches["list.valueLimit"] === "none" ? Infinity : Number(switches["list.valueLimit"])
  const values: { [Name in QueryName]?: QueryValue } = {}
  for (const [name, entries] of parts) {
    const value = nestedValue(entries, limit)
    const isAbsent = value === "" && switches["list.empty"] === "no-filter" && !keepsEmpty.has(name)
    if (!isAbsent) values[name] = value
  }
  return { values, unknown }
}

/** A parameter that was read, or what is wrong with it. */
type Reading<Value> = { readonly value: Value } | { readonly problem: Problem } | { readonly rejection: Rejection }

const bad = (status: string, field: string, ...messages: ReadonlyArray<string>) => ({
  problem: { status: Number(status), field, messages }
})

/** A value that only the operation itself finds to be wrong. */
const badFilter = (status: string, field: string, message: string, value: unknown) => ({
  problem: { status: Number(status), field, messages: [message], command: { name: "GetActivityFeedCommand", value } }
})

/** The last of several values, if the service takes it. */
const lastOf = (switches: Switches, given: Given): Given =>
  Array.isArray(given) && switches["list.repeated"] === "last" ? given.at(-1) : given

/** Status of a value that is a list or an object where one string is expected. */
const shapeStatus = (switches: Switches): string =>
  switches["list.repeated"] === "last" ? "400" : switches["list.repeated"]

const numberIn = (switches: Switches, given: QueryValue): number => {
  if (typeof given !== "string") return Number.NaN
  if (given.trim() !== "") return Number(given)
  return switches["list.empty"] === "no-filter" ? 0 : Number.NaN
}

const integer =
  (name: "page" | "limit", onBad: "list.badPage" | "list.badLimit") =>
  (given: Given, switches: Switches): Reading<number> => {
    const { default: fallback, maximum, minimum }: IntegerParameter = eventsListQuery[name]
    const one = lastOf(switches, given)
    if (one === undefined) return { value: fallback }
    const value = numberIn(switches, one)
    // In the order of the observed service.
    const broken = [
      maximum === undefined || value <= maximum ? [] : [`${name} must not be greater than ${maximum}`],
      value >= minimum ? [] : [`${name} must not be less than ${minimum}`],
      Number.isInteger(value) ? [] : [`${name} must be an integer number`]
    ].flat()
    if (broken.length === 0) return { value }
    const status = typeof one === "string" ? switches[onBad] : shapeStatus(switches)
    if (status !== "clamped") return bad(status, name, ...broken)
    return {
      value: Number.isNaN(value) ? fallback : Math.min(maximum ?? Infinity, Math.max(minimum, Math.trunc(value)))
    }
  }

/** Several values of a parameter: strings, or objects in their place. */
const several = (given: Given): ReadonlyArray<QueryValue> | undefined =>
  given === undefined ? undefined : Array.isArray(given) ? given : [given]

/** Narrowing an array checks each element. */
const areStrings = (values: ReadonlyArray<QueryValue>): values is ReadonlyArray<string> =>
  values.every((value) => typeof value === "string")

type Strings = ReadonlyArray<string> | undefined

/** Values that the service does not check, and cannot search for if they are objects. */
const unchecked = (given: Given): Reading<Strings> => {
  const values = several(given)
  return values === undefined || areStrings(values) ? { value: values } : { rejection: internalError }
}

/** Values that have to fit a rule, unless the switches ignore those that do not. */
const checked =
  (
    name: QueryName,
    onBad: "list.badChannel" | "list.badTemplate" | "list.badSeverity",
    rule: (switches: Switches) => { readonly fits: (value: string) => boolean; readonly message: string }
  ) =>
  (given: Given, switches: Switches): Reading<Strings> => {
    const values = several(given)
    if (values === undefined) return { value: undefined }
    const { fits, message } = rule(switches)
    const status = switches[onBad]
    if (areStrings(values) && (status === "no-match" || values.every(fits))) return { value: values }
    return badFilter(status === "no-match" ? "400" : status, name, message, values)
  }

const oneOf = (name: QueryName, known: ReadonlyArray<string>) => ({
  fits: (value: string) => known.includes(value),
  message: `each value in ${name} must be one of the following values: ${known.join(", ")}`
})

const severity = checked("severity", "list.badSeverity", () => oneOf("severity", severities))

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u

const moment =
  (name: "after" | "before") =>
  (given: Given, switches: Switches): Reading<number | undefined> => {
    const one = lastOf(switches, given)
    if (one === undefined || one === "") return { value: undefined }
    if (typeof one !== "string") return badFilter(shapeStatus(switches), name, `${name} must be a string`, one)
    const time = switches["list.dateFormats"] === "any" || isoDate.test(one) ? Date.parse(one) : Number.NaN
    if (!Number.isNaN(time)) return { value: time }
    const status = switches["list.badDate"]
    if (status === "ignored") return { value: undefined }
    const message = `Invalid date format for parameter '${name}': ${one}. Please provide a valid ISO 8601 date string.`
    return { rejection: { status: Number(status), message, hasNoContext: true } }
  }

type Reader = (given: Given, switches: Switches) => Reading<unknown>

const single =
  (name: string) =>
  (given: Given, switches: Switches): Reading<Strings> => {
    const one = lastOf(switches, given)
    if (one === undefined || typeof one === "string") return { value: one === undefined ? undefined : [one] }
    return badFilter(shapeStatus(switches), name, `${name} must be a string`, one)
  }

/** Parameters whose values are not strings: the compiler asks for their reader. */
type Converted = {
  [Name in QueryName]: Query[Name] extends IntegerParameter | { readonly isTime: true } ? Name : never
}[QueryName]

/** The readers of parameters that the service reads in another way than their kind. */
const ownReaders = {
  channels: checked("channels", "list.badChannel", (switches) =>
    oneOf("channels", switches["list.channels"] === "job-types" ? jobTypes : messageChannels)
  ),
  templates: checked("templates", "list.badTemplate", () => ({
    fits: isObjectId,
    message: "each value in templates must be a mongodb id"
  })),
  severity: (given, switches): Reading<Strings> => {
    const read = severity(given, switches)
    if (!("problem" in read)) return read
    // The observed service checks it before the operation, and its message is empty.
    const { command: _, ...problem } = read.problem
    return { problem: { ...problem, observedMessages: [""] } }
  },
  page: integer("page", "list.badPage"),
  limit: integer("limit", "list.badLimit"),
  transactionId: (given, switches): Reading<Strings> => {
    const values = several(given)
    const onRepeated = switches["list.transactionIdRepeated"]
    if (values !== undefined && (!areStrings(values) || (values.length > 1 && /^\d/u.test(onRepeated)))) {
      const status = /^\d/u.test(onRepeated) ? onRepeated : shapeStatus(switches)
      return badFilter(status, "transactionId", "each value in transactionId must be a string", given)
    }
    return { value: onRepeated === "last" ? values?.slice(-1) : values }
  },
  topicKey: (given, switches): Reading<Strings> => {
    const values = several(given)
    const onRepeated = switches["list.topicKeyRepeated"]
    if (values === undefined || (areStrings(values) && values.length <= 1 && !Array.isArray(given))) {
      return { value: values }
    }
    if (!areStrings(values)) return bad(shapeStatus(switches), "topicKey", "topicKey must be a string")
    if (onRepeated === "any-of") return { value: values }
    return onRepeated === "last"
      ? { value: values.slice(-1) }
      : bad(onRepeated, "topicKey", "topicKey must be a string")
  },
  contextKeys: (given, switches): Reading<Strings> => {
    const values = several(given)
    return values === undefined || areStrings(values)
      ? { value: values }
      : bad(shapeStatus(switches), "contextKeys", "each value in contextKeys must be a string")
  },
  after: moment("after"),
  before: moment("before"),
  subscriptionId: (given, switches): Reading<Strings> => {
    const onGiven = switches["list.subscriptionId"]
    if (given === undefined || onGiven === "ignored") return { value: undefined }
    if (onGiven !== "filters") return bad(onGiven, "subscriptionId", "property subscriptionId should not exist")
    return typeof given === "string"
      ? { value: [given] }
      : bad(shapeStatus(switches), "subscriptionId", "subscriptionId must be a string")
  }
} as const satisfies { readonly [Name in Converted]: Reader } & { readonly [Name in QueryName]?: Reader }

type OwnReaders = typeof ownReaders

const readerOf = (name: QueryName): Reader => {
  const own: { readonly [Name in QueryName]?: Reader } = ownReaders
  return own[name] ?? (isArray(name) ? unchecked : single(name))
}

/** The reader of each parameter: its own, or that of its kind. */
const readers = Object.keys(eventsListQuery)
  .filter(isName)
  .map((name) => [name, readerOf(name)] as const)

type ValueOf<Read> = Read extends { readonly value: infer Value } ? Value : never

/** The parameters of a request; `undefined` if it does not filter. */
export type Parameters = {
  readonly [Name in QueryName]: Name extends keyof OwnReaders ? ValueOf<ReturnType<OwnReaders[Name]>> : Strings
}

/** Reads the parameters, or returns the error that the switches select. */
export const readParameters = (switches: Switches, query: string): Parameters | Rejection => {
  const { values, unknown } = collect(switches, query)
  const [first] = unknown
  const onUnknown = switches["list.unknownParameter"]
  const problems: Array<Problem> = []
  if (first !== undefined && onUnknown !== "ignored") {
    problems.push(bad(onUnknown, first, `property ${first} should not exist`).problem)
  }
  const rejections: Array<Rejection> = []
  const read: Record<string, unknown> = {}
  for (const [name, reader] of readers) {
    const reading = reader(values[name], switches)
    if ("problem" in reading) problems.push(reading.problem)
    else if ("rejection" in reading) rejections.push(reading.rejection)
    else read[name] = reading.value
  }
  const [rejection] = problems.length > 0 ? [rejectProblems(switches, problems)] : rejections
  // Every parameter has been read, unless one was rejected.
  return rejection ?? (read as Parameters)
}
