/**
 * The keys of the filter language: their values, and whether the API filters by them or they are computed among loaded
 * events.
 */
import { jobTypes } from "@signalbox/core/Channel"
import { causeNames } from "../diagnosis/Diagnosis.ts"
import { resultKinds } from "../status/Status.ts"

/** A key of the filter language. */
export type FilterKey =
  | "after"
  | "before"
  | "cause"
  | "channel"
  | "context"
  | "email"
  | "limit"
  | "page"
  | "search"
  | "severity"
  | "status"
  | "subscriber"
  | "subscription"
  | "template"
  | "text"
  | "topic"
  | "transaction"
  | "workflow"

/** The values and the meaning of a key. */
export interface KeyRule {
  readonly description: string
  /** Form of a value. */
  readonly form: "text" | "time" | "number" | "name"
  /** Whether several values may be given; an event passes with any of them. */
  readonly several: boolean
  /** Whether `-key:value` may be written. */
  readonly negatable: boolean
  /** The known values, for `name`. */
  readonly names?: ReadonlyArray<string>
  /** Whether a value may continue after its name: `webhook-url-missing/chat/slack`. */
  readonly isPath?: true
  /** Other spellings of known values. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Bounds, for `number`. */
  readonly bounds?: { readonly minimum: number; readonly maximum?: number }
}

/** Kinds of result, and the finer words that the list shows. */
const statusNames: ReadonlyArray<string> = [
  ...resultKinds,
  "delayed",
  "digesting",
  "throttled",
  "retrying",
  "pending",
  "running",
  "merged",
  "canceled"
]

/** The keys with their rules, in the order in which they are offered. */
export const filterKeys: Readonly<Record<FilterKey, KeyRule>> = {
  status: {
    description: "result of the event; the API has no such filter: computed among the loaded events",
    form: "name",
    several: true,
    negatable: true,
    names: statusNames,
    aliases: { fail: "failed", failure: "failed", error: "failed", success: "ok", warn: "warning" }
  },
  cause: {
    description: "cause of a failure: a rule, or rule/step/provider; computed among the loaded events",
    form: "name",
    several: true,
    negatable: true,
    names: causeNames,
    isPath: true
  },
  after: { description: "only events after this time", form: "time", several: false, negatable: false },
  before: { description: "only events before this time", form: "time", several: false, negatable: false },
  channel: {
    description: "kinds of step that the event has",
    form: "name",
    several: true,
    negatable: true,
    names: jobTypes,
    aliases: { "in-app": "in_app", inapp: "in_app", inbox: "in_app", mail: "email" }
  },
  subscriber: { description: "external id of the subscriber", form: "text", several: true, negatable: true },
  workflow: {
    description: "name or trigger identifier of the workflow; computed among the loaded events",
    form: "text",
    several: true,
    negatable: true
  },
  severity: {
    description: "level of severity",
    form: "name",
    several: true,
    negatable: true,
    names: ["high", "medium", "low", "none"],
    aliases: { med: "medium" }
  },
  email: { description: "email address of the subscriber", form: "text", several: true, negatable: true },
  transaction: { description: "transaction id", form: "text", several: false, negatable: true },
  topic: { description: "key of a topic that the event was sent to", form: "text", several: false, negatable: true },
  subscription: {
    description: "id of a topic subscription; newer than the API document, which some services ignore",
    form: "text",
    several: false,
    negatable: false
  },
  context: { description: "context key, as type:id", form: "text", several: true, negatable: true },
  template: { description: "internal id of the workflow", form: "text", several: true, negatable: true },
  text: {
    description: "words in names, ids and reasons, the same as words without a key; computed among the loaded events",
    form: "text",
    several: true,
    negatable: true
  },
  search: {
    description: "search term of the API, which marks it as deprecated",
    form: "text",
    several: false,
    negatable: false
  },
  limit: {
    description: "events of a page, 1 to 50",
    form: "number",
    several: false,
    negatable: false,
    bounds: { minimum: 1, maximum: 50 }
  },
  page: {
    description: "number of the page, from 0",
    form: "number",
    several: false,
    negatable: false,
    bounds: { minimum: 0 }
  }
}

/** The names of the keys, in the order in which they are offered. */
export const filterKeyNames: ReadonlyArray<string> = Object.keys(filterKeys)

/** The part of a value that must be one of the names of its key. */
export const nameIn = (value: string, { isPath }: KeyRule): string => (isPath ? (value.split("/")[0] ?? "") : value)

/** Whether a word is a key. */
export const isFilterKey = (word: string): word is FilterKey => Object.hasOwn(filterKeys, word)
