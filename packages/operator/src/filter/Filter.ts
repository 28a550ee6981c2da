/**
 * The filter language of Signalbox, for chips, prompts, flags and saved views:
 * `after:24h channel:email,push -status:ok subscriber:u_1 invoice`.
 *
 * All terms must match; any value of a term is enough. `-` negates a term. A word without a key is searched in names, ids,
 * values of the payload and reasons; one that looks like a mistyped condition, such as `3h`, must be quoted. The API filters
 * what it can; results, causes, words, workflow names and negated terms are computed among the loaded events.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import type { EventsListQuery } from "@signalbox/core/Events"
import { eventResult } from "../status/Status.ts"
import { expectedOneOf } from "@signalbox/core/Nearest"
import {
  type FilterKey,
  filterKeyNames,
  filterKeys,
  type FindWord,
  isFilterKey,
  type KeyRule,
  nameIn,
  notOffered,
  type Test
} from "./FilterKey.ts"
import { byField } from "./PayloadValue.ts"
import { searchedText } from "./SearchedText.ts"
import { canonicalTime, isEarlier, timeAt, timeForms } from "./FilterTime.ts"
import { type Fault, type Place, readTerms, type Term, type Value, writeValue } from "./Term.ts"
import { oncePer } from "../reading/OncePer.ts"

export type { FindWord } from "./FilterKey.ts"
export { searchedText } from "./SearchedText.ts"

/** One condition: a key, its values in canonical form, and whether it is negated. */
export interface Clause {
  readonly key: FilterKey
  readonly negated: boolean
  readonly values: ReadonlyArray<string>
}

/** A filter: all clauses hold. At most one clause for a key and its negated form each. */
export interface Filter {
  readonly clauses: ReadonlyArray<Clause>
}

/** The result of parsing. */
export type Parsed =
  | { readonly _tag: "Parsed"; readonly filter: Filter }
  | ({
      readonly _tag: "Refused"
      /** One line that says where, what is wrong and what is allowed. */
      readonly message: string
    } & Place)

/** The empty filter: every event passes. */
export const clear: Filter = { clauses: [] }

/** A filter that matches only events whose subscriber or transaction is `value`. */
export const only = (key: "subscriber" | "transaction", value: string): Filter => ({
  clauses: [{ key, negated: false, values: [value] }]
})

const isRefusal = (value: string | Fault | Clause): value is Fault => typeof value === "object" && "message" in value

const refuse = ({ from, to }: Place, message: string): Fault => ({ message, from, to })

const readName = (key: FilterKey, rule: KeyRule, value: Value): string | Fault => {
  const names = rule.names ?? []
  const name = nameIn(value.text, rule)
  if (value.quoted || names.includes(name)) return value.text
  const typed = name.toLowerCase()
  const known = names.includes(typed)
    ? typed
    : Object.entries(rule.aliases ?? {}).find(([alias]) => alias === typed)?.[1]
  if (known !== undefined) return known + value.text.slice(name.length)
  return refuse(
    value,
    `"${value.text}" is not a known ${key}; ${expectedOneOf(typed, names)}; quote the value to use another`
  )
}

const readValue = (key: FilterKey, rule: KeyRule, value: Value): string | Fault => {
  if (value.text === "") return refuse(value, `${key} needs a value, for example ${example(key, rule)}`)
  switch (rule.form) {
    case "text":
      return value.text
    case "time":
      return canonicalTime(value.text) ?? refuse(value, `"${value.text}" is not a time; write ${timeForms}`)
    case "name":
      return readName(key, rule, value)
  }
}

const example = (key: FilterKey, rule: KeyRule): string => {
  const value = { text: "abc", time: "24h", name: rule.names?.[0] ?? "" }
  return `${key}${rule.hasField === true ? ".orderId" : ""}:${value[rule.form]}`
}

/** The condition that a bare word probably means; absent for a word to search for. */
const intended = (word: string): string | undefined => {
  const assigned = /^(?<key>[a-z][\w.]*)[=<>!]+(?<value>.*)$/iu.exec(word)?.groups
  if (assigned !== undefined) return `${assigned["key"]}:${assigned["value"]}`
  if (/^(?:today|yesterday)$/iu.test(word)) return "after:24h"
  return canonicalTime(word) === undefined ? undefined : `after:${word}`
}

/** An operator of another language, where words without a key would be searched. */
const operator = /^(?:AND|OR|NOT|&&|\|\||!|(?:NOT)?[!(].*|[^(]*\))$/su

/** How conditions combine, in one sentence. */
const combining =
  "all conditions must match, repeated keys are alternatives, -key:value excludes, and quotes search for the word itself"

const refuseOperator = ({ text, ...place }: Place & { readonly text: string }): Fault =>
  refuse(place, `"${text}" is not an operator of filters; ${combining}`)

const readClause = (term: Term): Clause | Fault => {
  const { key, negated, values } = term
  if (key === undefined) {
    for (const { from, quoted, text, to } of values) {
      if (!quoted && operator.test(text)) return refuseOperator({ text, from, to })
      const condition = quoted ? undefined : intended(text)
      if (condition === undefined) continue
      const message = `"${text}" has no key; write ${condition}, or text:"${text}" to search for it`
      return refuse({ from, to }, message)
    }
    const words = values.map(({ text }) => text)
    return words.includes("")
      ? refuse(term, "a word to search for is missing; write a word or key:value, for example status:failed")
      : { key: "text", negated, values: [...new Set(words)] }
  }
  if (operator.test(key.text)) return refuseOperator(key)
  const [head = "", ...path] = key.text.split(".")
  const field = path.join(".")
  const name = isFilterKey(head.toLowerCase()) && field !== "" ? head.toLowerCase() : key.text.toLowerCase()
  if (!isFilterKey(name)) {
    const reason = Object.entries(notOffered).find(([parameter]) => parameter === name)?.[1]
    if (reason !== undefined) return refuse(key, `"${key.text}" is not a key of filters; ${reason}`)
    return refuse(key, `unknown key "${key.text}"; ${expectedOneOf(name, filterKeyNames)}`)
  }
  const rule = filterKeys[name]
  if ((rule.hasField === true) !== (field !== "")) {
    return refuse(
      key,
      rule.hasField === true ? `${name} needs a field, for example ${name}.orderId:A-4226` : `${name} has no fields`
    )
  }
  if (negated && rule.test === undefined) return refuse(term, `${name} cannot be negated`)
  if (!rule.several && !negated && values.length > 1)
    return refuse(term, `${name} takes one value, not ${values.length}`)
  const read: Array<string> = []
  for (const value of values) {
    const one = readValue(name, rule, value)
    if (isRefusal(one)) return one
    const written = field === "" ? one : `${field}:${one}`
    if (!read.includes(written)) read.push(written)
  }
  return { key: name, negated, values: read }
}

const isBackwards = (clauses: ReadonlyArray<Clause>): boolean => {
  const [after, before] = ["after", "before"].map((key) => clauses.find((clause) => clause.key === key)?.values[0])
  return after !== undefined && before !== undefined && isEarlier(after, before) === false
}

const readClauses = (terms: ReadonlyArray<Term>): ReadonlyArray<Clause> | Fault => {
  const clauses: Array<Clause> = []
  for (const term of terms) {
    const clause = readClause(term)
    if (isRefusal(clause)) return clause
    const at = clauses.findIndex(({ key, negated }) => key === clause.key && negated === clause.negated)
    const first = clauses[at]
    if (first === undefined) {
      clauses.push(clause)
    } else if (filterKeys[clause.key].several || clause.negated) {
      clauses[at] = { ...first, values: [...new Set([...first.values, ...clause.values])] }
    } else {
      return refuse(term, `${clause.key} is given twice; it takes one value`)
    }
    if (isBackwards(clauses)) return refuse(term, "after is not earlier than before: nothing lies between them")
  }
  return clauses
}

/**
 * Parses a filter. An unknown value of a key is refused with its column and the allowed values. Quote a value to skip this
 * check, for example a value newer than this version.
 *
 * @example
 * ```ts
 * parse("chanel:email")
 * // => { _tag: "Refused", from: 0, to: 6, message: 'column 1: unknown key "chanel"; did you mean channel? ...' }
 * ```
 */
export const parse = (text: string): Parsed => {
  const terms = readTerms(text)
  const read = "message" in terms ? terms : readClauses(terms)
  return "message" in read
    ? { ...read, _tag: "Refused", message: `column ${read.from + 1}: ${read.message}` }
    : { _tag: "Parsed", filter: { clauses: read } }
}

/** Whether a word without a key would read as something else. */
const isAmbiguous = (word: string): boolean =>
  word.startsWith("-") || word.includes(":") || operator.test(word) || intended(word) !== undefined

/** The values of each field in written form: `payload.orderId: payload.total:7`. */
const fieldChips = (key: FilterKey, negated: boolean, values: ReadonlyArray<string>): string => {
  return Array.from(
    byField(values),
    ([path, each]) => `${negated ? "-" : ""}${key}.${path}:${each.map((value) => writeValue(value)).join(",")}`
  ).join(" ")
}

const chip = ({ key, negated, values }: Clause): string => {
  const rule = filterKeys[key]
  if (key === "text") {
    return values.map((word) => `${negated ? "-" : ""}${writeValue(word, isAmbiguous(word))}`).join(" ")
  }
  if (rule.hasField === true) return fieldChips(key, negated, values)
  const written = values.map((value) => writeValue(value, rule.names?.includes(nameIn(value, rule)) === false))
  return `${negated ? "-" : ""}${key}:${written.join(",")}`
}

/** The clauses in written form, in order. */
export const chips = ({ clauses }: Filter): ReadonlyArray<string> => clauses.map(chip)

/** The filter in its canonical form, which {@link parse} reads as the same filter. */
export const format = (filter: Filter): string => chips(filter).join(" ")

/** The filter without its last clause. */
export const withoutLast = ({ clauses }: Filter): Filter => ({ clauses: clauses.slice(0, -1) })

/** The clause without a value; nothing where that was its only one. */
const withoutValue = (clause: Clause, value: string): ReadonlyArray<Clause> => {
  const values = clause.values.filter((other) => other !== value)
  return values.length === 0 ? [] : [{ ...clause, values }]
}

/**
 * The filter that requires this value of the key and no other; if it does so already, the filter without the key.
 * Negated values stay, except for the value itself.
 *
 * @example
 * ```ts
 * format(toggled(filter, "status", "failed")) // => "status:failed after:1h" for `status:failed,warning after:1h`
 * ```
 */
export const toggled = ({ clauses }: Filter, key: FilterKey, value: string): Filter => {
  const wanted: Clause = { key, negated: false, values: [value] }
  const before = clauses.find((clause) => clause.key === key && !clause.negated)
  const isWanted = before?.values.length === 1 && before.values[0] === value
  const kept = clauses.flatMap((clause) => {
    if (clause === before) return isWanted ? [] : [wanted]
    return clause.key === key ? withoutValue(clause, value) : [clause]
  })
  return { clauses: before === undefined ? [...kept, wanted] : kept }
}

/** The value of a filter of the API, from the values of its key. */
const wireValue = ({ form, several }: KeyRule, values: ReadonlyArray<string>, now: number) => {
  if (several) return values
  const [value = ""] = values
  return form === "time" ? new Date(timeAt(value, now)).toISOString() : value
}

/** The part of the filter that the API has, at the time `now` (milliseconds since 1970). */
export const toQuery = ({ clauses }: Filter, now: number): EventsListQuery => {
  const query: EventsListQuery = {}
  for (const { key, negated, values } of clauses) {
    const rule = filterKeys[key]
    if (!negated && rule.parameter !== undefined)
      Object.assign(query, { [rule.parameter]: wireValue(rule, values, now) })
  }
  return query
}

/**
 * Computes what filters test: results, causes and the text of a search. Call it for each page that is read, so that the
 * first key of a search among thousands of events does not wait for all of them.
 */
export const prepare = (events: ReadonlyArray<ActivityNotification>): void => {
  for (const event of events) {
    eventResult(event)
    searchedText(event)
  }
}

const everyEvent = (): Test => () => true

/** Any value of a field matches; all fields must match. */
const fieldTest = (key: FilterKey, values: ReadonlyArray<string>): Test => {
  const tests = Array.from(byField(values), ([path, each]) =>
    each.map((value) => (filterKeys[key].test ?? everyEvent)(`${path}:${value}`))
  )
  return (event) => tests.every((ofField) => ofField.some((test) => test(event)))
}

const testOf = ({ key, negated, values }: Clause, findWord?: FindWord): Test => {
  if (filterKeys[key].hasField === true && !negated) return fieldTest(key, values)
  const each = values.map((value) => (filterKeys[key].test ?? everyEvent)(value, findWord))
  const [first] = each
  if (each.length === 1 && first !== undefined && !negated) return first
  // Any value of a key matches; all words must match.
  return key === "text" && !negated
    ? (event, place) => each.every((test) => test(event, place))
    : (event, place) => each.some((test) => test(event, place)) !== negated
}

const all = (clauses: ReadonlyArray<Test>): Test => {
  const [first] = clauses
  return clauses.length === 1 && first !== undefined
    ? first
    : (event, place) => clauses.every((test) => test(event, place))
}

/** Whether the API has no filter for the key. */
const isComputed = (key: FilterKey): boolean => filterKeys[key].parameter === undefined

/**
 * The clauses that are computed here. Subscriber and e-mail are among them when both are given: services are known that
 * take either, and here all terms must hold.
 */
export const local = (filter: Filter): ReadonlyArray<Clause> => {
  const people = filter.clauses.filter(({ key, negated }) => !negated && (key === "subscriber" || key === "email"))
  return filter.clauses.filter(
    (clause) => clause.negated || isComputed(clause.key) || (people.length > 1 && people.includes(clause))
  )
}

/** Whether a part of the filter is computed among the loaded events, so that "none" may mean "none of those". */
export const localOnly = (filter: Filter): boolean => local(filter).length > 0

/** The test of the part of the filter that is computed among the loaded events. */
export const localTest = (filter: Filter, findWord?: FindWord): Test =>
  all(local(filter).map((clause) => testOf(clause, findWord)))

const knownLocalTest = oncePer((filter: Filter) => localTest(filter))

/** Whether an event passes the part of the filter that is computed among the loaded events. */
export const matches = (filter: Filter, event: ActivityNotification): boolean => knownLocalTest(filter)(event)

const timeTest = (key: "after" | "before", value: string, now: number): Test => {
  const limit = timeAt(value, now)
  return ({ createdAt }) => {
    const at = Date.parse(createdAt ?? "")
    return Number.isNaN(at) || (key === "after" ? at > limit : at < limit)
  }
}

/**
 * The test of the whole filter, also of the part that the API would compute: to narrow loaded events before the service
 * is asked. `search` means something only to the service; any event passes it.
 */
export const wholeTest = ({ clauses }: Filter, now: number, findWord?: FindWord): Test =>
  all(
    clauses.map((clause) => {
      const { key, values } = clause
      return key === "after" || key === "before"
        ? all(values.map((value) => timeTest(key, value, now)))
        : testOf(clause, findWord)
    })
  )

const implies = (clause: Clause, wider: Clause): boolean => {
  if (clause.key !== wider.key || clause.negated !== wider.negated) return false
  if (wider.key === "text" && !wider.negated) {
    const words = clause.values.map((word) => word.toLowerCase())
    return wider.values.every((word) => words.some((other) => other.includes(word.toLowerCase())))
  }
  // More values of another field narrow, more values of the same field widen.
  if (filterKeys[wider.key].hasField === true) return chip(clause) === chip(wider)
  const [fewer, more] = wider.negated ? [wider.values, clause.values] : [clause.values, wider.values]
  return fewer.every((value) => more.includes(value))
}

/**
 * Whether every event that passes `filter` also passes `wider`, as far as it can be told from the two: a filter that is
 * being typed only has to be tested on what passed before the last character.
 */
export const narrows = (filter: Filter, wider: Filter): boolean =>
  wider.clauses.every((clause) => filter.clauses.some((other) => implies(other, clause)))

/** Whether both filters ask the service for the same events, so that changing one to the other only hides rows. */
export const sameRequest = (a: Filter, b: Filter): boolean => requestPart(a) === requestPart(b)

/** The clauses that change what the service is asked for, in written form. */
const requestPart = (filter: Filter): string =>
  filter.clauses
    .filter(({ key, negated }) => !negated && !isComputed(key))
    .map(chip)
    .toSorted()
    .join(" ")
