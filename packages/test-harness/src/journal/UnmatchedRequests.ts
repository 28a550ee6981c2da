/**
 * Requests that matched no environment, because of their API key. They are in no journal, so a
 * test whose client has the wrong key would not find them there.
 */
import type { AnyOperationName } from "@signalbox/core/Operations"
import type { Surface } from "../wire/FakeRequest.ts"

/** Why a request matched no environment; the key itself is not kept. */
export type KeyProblem =
  /** There was no `Authorization` header. */
  | "missing"
  /** The header does not have the form `ApiKey <key>`. */
  | "malformed"
  /** No environment of the fake has the key. */
  | "unknown"

/** A request that matched no environment. */
export interface UnmatchedRequest {
  /** 1 for the first one of the fake. */
  readonly number: number
  readonly surface: Surface
  /** Time of the environment whose switches decided the response, in milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** `undefined` when no operation has this method and path. */
  readonly operation: AnyOperationName | undefined
  readonly key: KeyProblem
  /** The status that the client got. */
  readonly status: number
}

/** The requests that matched no environment. */
export interface UnmatchedRequests {
  /** The latest ones, at most 100, oldest first. */
  readonly entries: () => ReadonlyArray<UnmatchedRequest>
  /** How many came in total, including those that were evicted. */
  readonly count: () => number
}

export interface RecordedUnmatchedRequests {
  readonly add: (request: Omit<UnmatchedRequest, "number">) => void
  /** The requests that come from now on. */
  readonly fromNow: () => UnmatchedRequests
}

const capacity = 100

export const makeUnmatchedRequests = (): RecordedUnmatchedRequests => {
  let latest: ReadonlyArray<UnmatchedRequest> = []
  let added = 0
  return {
    add: (request) => {
      added += 1
      latest = [...latest.slice(1 - capacity), { number: added, ...request }]
    },
    fromNow: () => {
      const before = added
      return {
        entries: () => latest.filter(({ number }) => number > before),
        count: () => added - before
      }
    }
  }
}

/** How a request with a problem came, in words. */
export const keyProblems: Readonly<Record<KeyProblem, string>> = {
  missing: "without an API key",
  malformed: "without the header Authorization: ApiKey <key>",
  unknown: "with an API key that no environment has"
}

const maxDistinct = 3

const describe = ({ method, operation, path, status }: UnmatchedRequest): string =>
  `${operation ?? `${method} ${path}`} got ${status}`

const line = (key: KeyProblem, requests: ReadonlyArray<UnmatchedRequest>): string => {
  const distinct = [...new Set(requests.map(describe))]
  const shown = distinct.slice(-maxDistinct).join("; ")
  const count = requests.length === 1 ? "1 request" : `${requests.length} requests`
  return `${count} came ${keyProblems[key]}: ${shown}${distinct.length > maxDistinct ? "; and others" : ""}`
}

/** One line for each problem with the keys of unmatched requests; empty if there are no such requests. */
export const unmatchedRequestLines = (unmatchedRequests: UnmatchedRequests): ReadonlyArray<string> => {
  const entries = unmatchedRequests.entries()
  const lines = (["unknown", "missing", "malformed"] as const).flatMap((key) => {
    const found = entries.filter((entry) => entry.key === key)
    return found.length === 0 ? [] : [line(key, found)]
  })
  const evicted = unmatchedRequests.count() - entries.length
  return evicted === 0 ? lines : [...lines, `${evicted} older unmatched requests were evicted`]
}
