/**
 * The state of the inspector: one value, changed by messages only.
 */
import { isRead } from "@signalbox/core/Operations"
import type { LiveBatch, LiveEntry, LiveEnvironment } from "../control/LiveView.ts"
import { type ListedEntry, outcomeText } from "../journal/JournalEntry.ts"
import { keyProblems, type UnmatchedRequest } from "../journal/UnmatchedRequests.ts"
import { callsOf, type Verdict } from "../verdicts/Verdict.ts"

export const tabs = ["Request", "State", "Faults", "Clock", "Switches", "Actions", "Unmatched"] as const

export type Tab = (typeof tabs)[number]

/** How many requests of an environment are shown. */
export const windowSize = 200

/** The state of the page. */
export interface Model {
  readonly isConnected: boolean
  readonly environments: ReadonlyArray<LiveEnvironment>
  /** The last requests by environment and number, oldest first. */
  readonly entries: ReadonlyMap<number, ReadonlyArray<ListedEntry>>
  readonly unmatched: ReadonlyArray<UnmatchedRequest>
  /** Number of the environment that is shown. */
  readonly environment: number
  readonly filter: string
  readonly tab: Tab
  /** Number of the request that was selected; without one, the newest is shown. */
  readonly request: number | undefined
  /** Requests after this number wait until the list continues. */
  readonly pausedAt: number | undefined
  /** The outcome of the last action. */
  readonly notice: string
  /** The snapshot that undoes the last reset. */
  readonly undo: unknown
}

/** Before the first batch. */
export const initial: Model = {
  isConnected: false,
  environments: [],
  entries: new Map(),
  unmatched: [],
  environment: 1,
  filter: "",
  tab: "Request",
  request: undefined,
  pausedAt: undefined,
  notice: "",
  undo: undefined
}

/** A place that a link can lead to. */
export type Place = Partial<Pick<Model, "environment" | "filter" | "tab" | "request">>

/** Events and results that change the model. */
export type Msg =
  | { readonly _tag: "Connected" }
  | { readonly _tag: "Disconnected" }
  | { readonly _tag: "Batch"; readonly batch: LiveBatch }
  | { readonly _tag: "Environment"; readonly number: number }
  | { readonly _tag: "Filter"; readonly text: string }
  | { readonly _tag: "Tab"; readonly tab: Tab }
  | { readonly _tag: "Request"; readonly number: number | undefined }
  | { readonly _tag: "Move"; readonly by: 1 | -1 }
  | { readonly _tag: "Pause" }
  | { readonly _tag: "Open"; readonly place: Place }
  | { readonly _tag: "Undoable"; readonly snapshot: unknown }
  | { readonly _tag: "Notice"; readonly text: string }

/** The entries with those of a batch, as far as the environment still has them. */
const merged = (
  known: ReadonlyArray<ListedEntry>,
  added: ReadonlyArray<ListedEntry>,
  requests: number
): ReadonlyArray<ListedEntry> => {
  const all = new Map([...known, ...added].map((entry) => [entry.number, entry]))
  return [...all.values()]
    .filter(({ number }) => number <= requests)
    .toSorted((one, other) => one.number - other.number)
    .slice(-windowSize)
}

const entriesAfter = (model: Model, added: ReadonlyArray<LiveEntry>, environments: Model["environments"]) =>
  new Map(
    environments.map(({ number, requests }) => {
      const own = added.flatMap(({ entry, environment }) => (environment === number ? [entry] : []))
      return [number, merged(model.entries.get(number) ?? [], own, requests)]
    })
  )

const withBatch = (model: Model, batch: LiveBatch): Model => {
  const environments = batch.environments ?? model.environments
  const isKnown = environments.some(({ number }) => number === model.environment)
  return {
    ...model,
    environments,
    entries: entriesAfter(model, batch.entries, environments),
    unmatched: batch.unmatched?.entries ?? model.unmatched,
    environment: isKnown || environments.length === 0 ? model.environment : (environments[0]?.number ?? 1)
  }
}

/** The request below or above the one that is shown. */
const moved = (model: Model, by: 1 | -1): Model => {
  const entries = visibleCalls(model).flat()
  const at = entries.findIndex(({ number }) => number === shownEntry(model)?.number)
  const next = entries[at + by]
  return next === undefined ? model : { ...model, request: next.number, tab: "Request", notice: "" }
}

/** The state after a message. */
export const update = (model: Model, msg: Msg): Model => {
  switch (msg._tag) {
    case "Connected":
      // The server sends everything again, and may have forgotten what is shown.
      return { ...model, isConnected: true, entries: new Map() }
    case "Disconnected":
      return { ...model, isConnected: false }
    case "Batch":
      return withBatch(model, msg.batch)
    case "Environment":
      return { ...model, environment: msg.number, request: undefined, pausedAt: undefined, notice: "", undo: undefined }
    case "Filter":
      return { ...model, filter: msg.text }
    case "Tab":
      return { ...model, tab: msg.tab, notice: "", undo: undefined }
    case "Request":
      return { ...model, request: msg.number, tab: "Request", notice: "" }
    case "Move":
      return moved(model, msg.by)
    case "Pause":
      return { ...model, pausedAt: model.pausedAt === undefined ? (environmentOf(model)?.requests ?? 0) : undefined }
    case "Open":
      return { ...model, ...msg.place }
    case "Undoable":
      return { ...model, undo: msg.snapshot }
    case "Notice":
      return { ...model, notice: msg.text }
  }
}

export const environmentOf = ({ environment, environments }: Model): LiveEnvironment | undefined =>
  environments.find(({ number }) => number === environment)

const textOf = (entry: ListedEntry): string =>
  [
    `#${entry.number}`,
    entry.method,
    entry.path,
    entry.query,
    entry.operation,
    outcomeText(entry),
    entry.errorMessage,
    entry.idempotencyKey,
    ...entry.faults
  ].join(" ")

/** Makes a test of whether a string contains all words of a filter, in any case. */
export const matcher = (filter: string): ((text: string) => boolean) => {
  const words = filter.toLowerCase().split(/\s+/u).filter(Boolean)
  return (text) => words.every((word) => text.toLowerCase().includes(word))
}

/** The requests that contain all words of the filter by their calls, newest call first, attempts in order. */
export const visibleCalls = ({
  entries,
  environment,
  filter,
  pausedAt = Infinity
}: Model): ReadonlyArray<ReadonlyArray<ListedEntry>> => {
  const matches = matcher(filter)
  const visible = (entries.get(environment) ?? []).filter((entry) => entry.number <= pausedAt && matches(textOf(entry)))
  return callsOf(visible).toReversed()
}

/** The request that was selected, or else the newest one. */
export const shownEntry = (model: Model): ListedEntry | undefined =>
  model.request === undefined
    ? visibleCalls(model)[0]?.at(-1)
    : model.entries.get(model.environment)?.find(({ number }) => number === model.request)

/** All requests of the call of an entry, as far as the page has them. */
export const callOf = ({ entries, environment }: Model, { call }: ListedEntry): ReadonlyArray<ListedEntry> =>
  (entries.get(environment) ?? []).filter((entry) => entry.call === call)

/** When an exchange ended, or the last point that it reached. */
export const endOf = ({ at, endedAt, points }: ListedEntry): number => endedAt ?? points.at(-1)?.at ?? at

/** How long an exchange took; absent while it may still be going on. */
export const durationText = (entry: ListedEntry): string =>
  entry.endedAt === undefined ? "…" : `${entry.endedAt - entry.at} ms`

const seen = {
  success: "the client saw a success",
  failure: "the client saw a failure",
  unknown: "the client cannot know the outcome",
  pending: "the client is waiting"
} as const

/** The verdict on a call in a sentence. */
export const verdictText = ({ applied, operation, outcome }: Verdict<ListedEntry>): string =>
  isRead(operation) ? seen[outcome] : `applied ${applied} ×; ${seen[outcome]}`

/** The part of the URL after `#`, which leads back to what is shown. */
export const hashOf = ({ environment, filter, request, tab }: Model): string =>
  new URLSearchParams({
    environment: String(environment),
    tab,
    ...(request === undefined ? {} : { request: String(request) }),
    ...(filter === "" ? {} : { filter })
  }).toString()

/** The place that the part of a URL after `#` leads to. */
export const placeOf = (hash: string): Place => {
  const fields = new URLSearchParams(hash)
  const whole = (name: string) => (/^\d+$/u.test(fields.get(name) ?? "") ? Number(fields.get(name)) : undefined)
  const environment = whole("environment")
  const tab = tabs.find((one) => one === fields.get("tab"))
  return {
    request: whole("request"),
    filter: fields.get("filter") ?? "",
    ...(environment === undefined ? {} : { environment }),
    ...(tab === undefined ? {} : { tab })
  }
}

/** The message of a key; keys are ignored where text is typed. */
export const msgOfKey = (key: string): Msg | undefined => {
  switch (key) {
    case "j":
    case "ArrowDown":
      return { _tag: "Move", by: 1 }
    case "k":
    case "ArrowUp":
      return { _tag: "Move", by: -1 }
    case "p":
      return { _tag: "Pause" }
    case "Escape":
      return { _tag: "Request", number: undefined }
    default: {
      const tab = /^\d$/u.test(key) ? tabs[Number(key) - 1] : undefined
      return tab === undefined ? undefined : { _tag: "Tab", tab }
    }
  }
}

/** Why a request was rejected or got no response; `undefined` if nothing is wrong with it. */
export const reasonOf = (entry: ListedEntry): string | undefined => {
  const { errorMessage, faults, operation, outcome } = entry
  const met = faults.length === 0 ? "" : `; met the fault ${faults.join(", ")}`
  switch (outcome._tag) {
    case "Pending":
      return undefined
    case "ClientDisconnected":
      return "The client disconnected before the response"
    case "NoResponse":
      return `No response (${outcome.failure})${met}`
    case "CutResponse":
      return `The body was cut (${outcome.failure})${met}`
    case "Response":
      if (outcome.status < 400) return undefined
      if (operation === undefined) return `Matches no operation: ${errorMessage ?? outcome.status}`
      return `${errorMessage ?? `Status ${outcome.status}`}${met}`
  }
}

/** Why a request matched no environment. */
export const unmatchedReason = ({ key, operation }: UnmatchedRequest): string =>
  `it came ${keyProblems[key]}${operation === undefined ? ", and matches no operation" : ""}`

/** The message of an error that an action threw. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
