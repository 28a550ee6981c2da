/**
 * The keys of the filter language. Names and descriptions of those that the API filters by come from its contract;
 * the others are computed among loaded events.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import type { EventsListQuery } from "@signalbox/core/Events"
import { operations, type Parameter, phraseOf } from "@signalbox/core/Operations"
import { causeNames } from "../diagnosis/Diagnosis.ts"
import { hasCause } from "../diagnosis/FailureGroup.ts"
import { eventResult, resultKinds } from "../status/Status.ts"
import { hasPayloadValue, splitPayloadValue } from "./PayloadValue.ts"
import { searchedText } from "./SearchedText.ts"

/** Whether an event passes; its place in a list is needed where words are found by {@link FindWord}. */
export type Test = (event: ActivityNotification, place?: number) => boolean

/**
 * Finds a word, in lower case, in the {@link searchedText} of all events of a list, and tells which places have it. To
 * test thousands of events, search their strings as one: reading each from its own memory is several times as slow.
 */
export type FindWord = (word: string) => (place: number) => boolean

/** Makes the test of one value. Everything that depends on the value alone is computed once, since lists are long. */
type ValueTest = (value: string, findWord?: FindWord) => Test

/** The values and the meaning of a key. */
export interface KeyRule {
  readonly description: string
  /** The filter of the API; absent for a key that is computed among loaded events. */
  readonly parameter?: keyof EventsListQuery
  /** Form of a value. */
  readonly form: "text" | "time" | "name"
  /** Whether several values may be given; an event passes with any of them. */
  readonly several: boolean
  /** The known values, for `name`. */
  readonly names?: ReadonlyArray<string>
  /** Whether a value may continue after its name: `webhook-url-missing/chat/slack`. */
  readonly isPath?: true
  /** Whether a field follows the key: `payload.orderId:A-4226`. */
  readonly hasField?: true
  /** Other spellings of known values. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The test of a value among loaded events; without one, `-key:value` cannot be written. */
  readonly test?: ValueTest
}

const query = operations["events.list"].parameters.query

/** The facts about a filter that the contract of the API does not have. */
type Offer = Pick<KeyRule, "aliases" | "test">

const lowerFirst = (phrase: string): string => phrase.charAt(0).toLowerCase() + phrase.slice(1)

const remarkOf = ({ deprecated, newer }: Parameter): string => {
  if (deprecated === true) return "; the API marks it as deprecated"
  return newer === true ? "; newer than the API document, some services ignore it" : ""
}

const valuesOf = (parameter: Parameter): Pick<KeyRule, "form" | "names" | "several"> => {
  switch (parameter.kind) {
    case "strings":
    case "one-or-several":
      return parameter.known === undefined
        ? { form: "text", several: true }
        : { form: "name", several: true, names: parameter.known }
    case "string":
      return { form: parameter.isTime === true ? "time" : "text", several: false }
    case "integer":
    case "object":
      throw new Error("A filter is neither a number nor an object")
  }
}

/** A key that the API filters by. */
const filterOf = <Name extends keyof typeof query>(name: Name, offer: Offer = {}): KeyRule & { parameter: Name } => {
  const parameter: Parameter = query[name]
  return {
    ...offer,
    ...valuesOf(parameter),
    parameter: name,
    description: lowerFirst(phraseOf(parameter)) + remarkOf(parameter)
  }
}

const kinds: ReadonlySet<string> = new Set(resultKinds)

/** The keys with their rules, in the order in which they are offered. */
const keys = {
  status: {
    description: "result of the event; the API has no such filter: computed among the loaded events",
    form: "name",
    several: true,
    names: [
      ...resultKinds,
      "delayed",
      "digesting",
      "throttled",
      "retrying",
      "pending",
      "running",
      "merged",
      "canceled"
    ],
    aliases: { fail: "failed", failure: "failed", error: "failed", success: "ok", warn: "warning" },
    test: (value) =>
      kinds.has(value)
        ? (event) => eventResult(event).kind === value
        : (event) => eventResult(event).word.toLowerCase() === value
  },
  cause: {
    description: "cause of a failure: a rule, or rule/step/provider; computed among the loaded events",
    form: "name",
    several: true,
    names: causeNames,
    isPath: true,
    test: (value) => (event) => hasCause(event, value)
  },
  after: filterOf("after"),
  before: filterOf("before"),
  channel: filterOf("channels", {
    aliases: { "in-app": "in_app", inapp: "in_app", inbox: "in_app", mail: "email" },
    test:
      (value) =>
      ({ channels = [], jobs = [] }) =>
        channels.includes(value) || jobs.some(({ type }) => type === value)
  }),
  subscriber: filterOf("subscriberIds", {
    test:
      (value) =>
      ({ subscriber }) =>
        subscriber?.subscriberId === value
  }),
  workflow: {
    description: "name or trigger identifier of the workflow; computed among the loaded events",
    form: "text",
    several: true,
    test: (value) => {
      const wanted = value.toLowerCase()
      return ({ template }) =>
        template?.name.toLowerCase() === wanted ||
        (template?.triggers ?? []).some(({ identifier }) => identifier.toLowerCase() === wanted)
    }
  },
  severity: filterOf("severity", {
    aliases: { med: "medium" },
    test:
      (value) =>
      ({ severity = "none" }) =>
        severity === value
  }),
  email: filterOf("emails", {
    test: (value) => {
      const wanted = value.toLowerCase()
      return ({ subscriber }) => subscriber?.email?.toLowerCase() === wanted
    }
  }),
  transaction: filterOf("transactionId", {
    test:
      (value) =>
      ({ transactionId }) =>
        transactionId === value
  }),
  topic: filterOf("topicKey", {
    test:
      (value) =>
      ({ topics = [] }) =>
        topics.some(({ topicKey }) => topicKey === value)
  }),
  // Events do not name their subscription.
  subscription: filterOf("subscriptionId"),
  context: filterOf("contextKeys", {
    test:
      (value) =>
      ({ contextKeys = [] }) =>
        contextKeys.includes(value)
  }),
  template: filterOf("templates", {
    test:
      (value) =>
      ({ _templateId, template }) =>
        _templateId === value || template?._id === value
  }),
  text: {
    description:
      "words in names, ids, payload values and reasons, the same as words without a key; computed among the loaded events",
    form: "text",
    several: true,
    test: (value, findWord) => {
      const wanted = value.toLowerCase()
      const isAt = findWord?.(wanted)
      return isAt === undefined
        ? (event) => searchedText(event).includes(wanted)
        : (_, place) => place !== undefined && isAt(place)
    }
  },
  payload: {
    description: "value of a field of the payload: payload.orderId:A-4226; computed among the loaded events",
    form: "text",
    several: true,
    hasField: true,
    test: (value) => {
      const [path, wanted] = splitPayloadValue(value)
      return (event) => hasPayloadValue(event, path, wanted)
    }
  },
  search: filterOf("search")
} satisfies Readonly<Record<string, KeyRule>>

type Offered = Extract<(typeof keys)[keyof typeof keys], { readonly parameter: keyof typeof query }>["parameter"]

/** The parameters of the API without a key, each with the reason. A new one that is in neither table does not compile. */
export const notOffered: Readonly<Record<Exclude<keyof typeof query, Offered>, string>> = {
  limit: "a filter chooses events, not how many of them are read",
  page: "a filter chooses events, not where a listing continues"
}

/** A key of the filter language. */
export type FilterKey = keyof typeof keys

/** The keys with their rules, in the order in which they are offered. */
export const filterKeys: Readonly<Record<FilterKey, KeyRule>> = keys

/** The names of the keys, in the order in which they are offered. */
export const filterKeyNames: ReadonlyArray<string> = Object.keys(filterKeys)

/** The part of a value that must be one of the names of its key. */
export const nameIn = (value: string, { isPath }: KeyRule): string => (isPath ? (value.split("/")[0] ?? "") : value)

/** Whether a word is a key. */
export const isFilterKey = (word: string): word is FilterKey => Object.hasOwn(filterKeys, word)
