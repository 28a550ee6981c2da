/**
 * Requests that were for no environment, because of their API key. They are in no journal, and a test whose client has the
 * wrong key would look for them in vain.
 */
import type { OperationName } from "@signalbox/core/Operation"
import type { Surface } from "../request/FakeRequest.ts"

/** Why a request was for no environment; the key itself is not kept. */
export type StrangersKey =
  /** There was no `Authorization` header. */
  | "missing"
  /** The header does not have the form `ApiKey <key>`. */
  | "malformed"
  /** No environment of the fake has the key. */
  | "unknown"

/** A request that was for no environment. */
export interface Stranger {
  /** 1 for the first one of the fake. */
  readonly number: number
  readonly surface: Surface
  /** Time of the fake's first environment, in milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** `undefined` when no operation has this method and path. */
  readonly operation: OperationName | undefined
  readonly key: StrangersKey
  /** What the client was told. */
  readonly status: number
}

/** What readers see of the requests that were for no environment. */
export interface Strangers {
  /** Those that are kept, at most 100, oldest first. */
  readonly entries: () => ReadonlyArray<Stranger>
  /** How many came, those included that were forgotten. */
  readonly count: () => number
}

/** The record that a fake writes to. */
export interface RecordingStrangers {
  readonly note: (stranger: Omit<Stranger, "number">) => void
  /** What comes from now on. */
  readonly fromNow: () => Strangers
}

const capacity = 100

/** Makes a record of nobody. */
export const makeStrangers = (): RecordingStrangers => {
  let latest: ReadonlyArray<Stranger> = []
  let noted = 0
  return {
    note: (stranger) => {
      noted += 1
      latest = [...latest.slice(1 - capacity), { number: noted, ...stranger }]
    },
    fromNow: () => {
      const before = noted
      return {
        entries: () => latest.filter(({ number }) => number > before),
        count: () => noted - before
      }
    }
  }
}

const keyWords: Readonly<Record<StrangersKey, string>> = {
  missing: "without an API key",
  malformed: "without the header Authorization: ApiKey <key>",
  unknown: "with an API key that no environment has"
}

const most = 3

const requestWords = ({ method, operation, path, status }: Stranger): string =>
  `${operation ?? `${method} ${path}`}, told ${status}`

const line = (key: StrangersKey, strangers: ReadonlyArray<Stranger>): string => {
  const distinct = [...new Set(strangers.map(requestWords))]
  const named = distinct.slice(-most).join("; ")
  const requests = strangers.length === 1 ? "1 request" : `${strangers.length} requests`
  return `${requests} came ${keyWords[key]}: ${named}${distinct.length > most ? "; and others" : ""}`
}

/** Strangers in words, in one line for each thing that was wrong with their keys; empty when nobody came. */
export const strangerLines = (strangers: Strangers): ReadonlyArray<string> => {
  const entries = strangers.entries()
  const lines = (["unknown", "missing", "malformed"] as const).flatMap((key) => {
    const found = entries.filter((entry) => entry.key === key)
    return found.length === 0 ? [] : [line(key, found)]
  })
  const forgotten = strangers.count() - entries.length
  return forgotten === 0 ? lines : [...lines, `${forgotten} more came for no environment before these`]
}
