/**
 * The state of the inspector: one value, changed by messages only.
 */
import type { LiveBatch, LiveEntry, LiveEnvironment } from "../control/LiveView.ts"
import type { ListedEntry } from "../journal/JournalEntry.ts"
import type { UnmatchedRequest } from "../journal/UnmatchedRequests.ts"

/** The tabs next to the requests. */
export const tabs = ["Request", "State", "Faults", "Clock", "Switches", "Unmatched"] as const

/** A tab. */
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
  /** Number of the request that is shown. */
  readonly request: number | undefined
  /** The outcome of the last action. */
  readonly notice: string
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
  notice: ""
}

/** Events and results that change the model. */
export type Msg =
  | { readonly _tag: "Connected" }
  | { readonly _tag: "Disconnected" }
  | { readonly _tag: "Batch"; readonly batch: LiveBatch }
  | { readonly _tag: "Environment"; readonly number: number }
  | { readonly _tag: "Filter"; readonly text: string }
  | { readonly _tag: "Tab"; readonly tab: Tab }
  | { readonly _tag: "Request"; readonly number: number }
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
    environment: isKnown ? model.environment : (environments[0]?.number ?? 1)
  }
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
      return { ...model, environment: msg.number, request: undefined, notice: "" }
    case "Filter":
      return { ...model, filter: msg.text }
    case "Tab":
      return { ...model, tab: msg.tab, notice: "" }
    case "Request":
      return { ...model, request: msg.number, tab: "Request", notice: "" }
    case "Notice":
      return { ...model, notice: msg.text }
  }
}

/** The environment that is shown. */
export const environmentOf = ({ environment, environments }: Model): LiveEnvironment | undefined =>
  environments.find(({ number }) => number === environment)

/** The outcome of a request in a word. */
export const outcomeText = ({ outcome }: ListedEntry): string => {
  switch (outcome._tag) {
    case "Response":
      return String(outcome.status)
    case "CutResponse":
      return `${outcome.status} cut`
    case "NoResponse":
      return outcome.failure
    case "ClientDisconnected":
      return "client left"
    case "Pending":
      return "pending"
  }
}

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
  ]
    .join(" ")
    .toLowerCase()

/** The requests that contain all words of the filter, newest first. */
export const visibleEntries = ({ entries, environment, filter }: Model): ReadonlyArray<ListedEntry> => {
  const words = filter.toLowerCase().split(/\s+/u).filter(Boolean)
  return (entries.get(environment) ?? [])
    .filter((entry) => words.every((word) => textOf(entry).includes(word)))
    .toReversed()
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

const keyProblems = {
  missing: "it had no Authorization header",
  malformed: "its Authorization header is not of the form: ApiKey <key>",
  unknown: "no environment has its API key"
} as const

/** Why a request matched no environment. */
export const unmatchedReason = ({ key, operation }: UnmatchedRequest): string =>
  operation === undefined ? `it matches no operation, and ${keyProblems[key]}` : keyProblems[key]
