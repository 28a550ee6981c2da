import type { JournalEntry } from "../../journal/JournalEntry.ts"
import { allowedAt, conclusionOf, isUnknown, isWhole, outcomeName, wasRefused } from "../../verdicts/Conclusion.ts"
import { isHarmfulTwice, isWrite } from "../CheckedCall.ts"
import { type CheckRun, type MadeCall, wasAborted } from "../CheckRun.ts"
import { type Breach, ofCalls, ofRetries, rulesOf } from "./Rule.ts"

/** More requests than any retry policy needs. */
const stormSize = 100

/** Delays that are this short in a row are no backoff; a random one can be that short once. */
const shortestDelayMs = 2

/** Whether a response asked the client to wait. */
const announcedWait = (request: JournalEntry): boolean => {
  const { endedAt = Infinity, outcome, responseHeaders } = request
  const isLimited = "status" in outcome && outcome.status === 429
  return (allowedAt(request) ?? 0) > endedAt || (isLimited && Number(responseHeaders["ratelimit-reset"]) > 0)
}

/** How long the client waited before each retry; `undefined` where the service asked it to wait. */
const delaysOf = ({ requests }: MadeCall): ReadonlyArray<number | undefined> =>
  requests.slice(1).map((after, index) => {
    const before = requests[index]
    return before?.endedAt === undefined || announcedWait(before) || before.outcome._tag === "ClientDisconnected"
      ? undefined
      : after.at - before.endedAt
  })

/** Fewer delays say too little about how a client draws them. */
const enoughDelays = 30

/** The delays before the first retries of calls, without those for which the service asked. */
const firstDelaysOf = (calls: ReadonlyArray<MadeCall>): ReadonlyArray<number> =>
  calls.flatMap((made) => delaysOf(made)[0] ?? [])

const ascending = (one: number, other: number): number => one - other

/** The value below which this share of some sorted values is. */
const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? 0

/** How far apart the middle half of some values is. */
const middleHalf = (sorted: ReadonlyArray<number>): number => quantile(sorted, 0.75) - quantile(sorted, 0.25)

/**
 * Whether delays are equal. In real time, a busy machine makes any of them longer, but leaves many close to the one that the
 * client chose: the closest three tenths. Jitter of a tenth spreads them further.
 */
const areEqual = (sorted: ReadonlyArray<number>, toleranceMs: number): boolean => {
  const { length } = sorted
  if (toleranceMs === 0) return quantile(sorted, 1) - quantile(sorted, 0) < 1
  const count = Math.ceil(length * 0.3)
  const closest = Math.min(...sorted.slice(count - 1).map((last, index) => last - (sorted[index] ?? 0)))
  // Chance brings few values closer together than many.
  return closest < Math.max(2, quantile(sorted, 0.5) * 0.03 * (1 - 10 / length))
}

/** Delays that vary less than this many times as much as the machine say nothing about the client. */
const machineShare = 4

/**
 * Why the delays of a client cannot be compared: there are too few of them, or the machine was so busy that they differ by as
 * much as the times that the client needs from a response to its outcome. Not of a client that never retries.
 */
export const notComparable = (calls: ReadonlyArray<MadeCall>, toleranceMs: number): string | undefined => {
  const delays = firstDelaysOf(calls).toSorted(ascending)
  const { length } = delays
  if (length === 0) return undefined
  if (length < enoughDelays) return `${length} of ${enoughDelays} retries`
  if (toleranceMs === 0 || areEqual(delays, toleranceMs)) return undefined
  const outcomes = calls.flatMap(({ endedAt, requests }) => {
    const responded = requests.at(-1)?.endedAt
    return endedAt === undefined || responded === undefined ? [] : [endedAt - responded]
  })
  return middleHalf(delays) < machineShare * middleHalf(outcomes.toSorted(ascending))
    ? "the machine was too busy"
    : undefined
}

/** Second retries whose longest delay exceeds that of the first ones by less than this do not wait longer. */
const leastGrowth = 1.1

const wrongDelays = ({ calls, toleranceMs }: CheckRun): string | undefined => {
  const delays = calls.map(delaysOf)
  const first = firstDelaysOf(calls).toSorted(ascending)
  const grown = delays.flatMap(([one, two]) => (one === undefined || two === undefined ? [] : [[one, two] as const]))
  if (first.length < enoughDelays) return undefined
  if (quantile(first, toleranceMs === 0 ? 1 : 0.75) < shortestDelayMs)
    return `the first retries of ${first.length} calls followed without a wait`
  if (areEqual(first, toleranceMs))
    return `the first retries of ${first.length} calls all waited ${toleranceMs === 0 ? "" : "about "}${quantile(first, 0.5)} ms, without jitter`
  // In real time, one slow response is longer than the growth of a delay.
  if (toleranceMs > 0) return undefined
  const longestOf = (retry: 0 | 1) => Math.max(...grown.map((delay) => delay[retry]))
  return grown.length < enoughDelays || longestOf(1) > longestOf(0) * leastGrowth
    ? undefined
    : `the second retries of ${grown.length} calls waited at most ${longestOf(1)} ms, the first ones ${longestOf(0)} ms`
}

/**
 * Whether a request failed in a way that another one may not. A client need not try again after bytes that are not HTTP, or
 * after the replay of a failure, which comes again.
 */
const failedForNow = ({ outcome, replayed }: JournalEntry): boolean => {
  switch (outcome._tag) {
    case "ClientDisconnected":
      return true
    case "NoResponse":
      return outcome.failure !== "garbage"
    case "Response":
      return outcome.status === 503 && !replayed
    case "Pending":
    case "CutResponse":
      return false
  }
}

/** Whether a request can be sent again without harm: nothing was applied, or it only reads. */
const mayBeRetried = ({ call }: MadeCall, last: JournalEntry): boolean =>
  wasRefused(last) || (failedForNow(last) && !isWrite(call))

/** Whether the client gave up although half of its time was left, and any wait that the service asked for fits in it. */
const hasTime = ({ deadlineMs, endedAt, startedAt }: MadeCall, last: JournalEntry): boolean => {
  const middle = startedAt + deadlineMs / 2
  return endedAt !== undefined && endedAt < middle && (allowedAt(last) ?? 0) < middle
}

export const retryRules = rulesOf({
  "retried-non-idempotent": {
    summary: "A request that appends is retried after an unknown outcome only with the same idempotency key",
    check: ofRetries((before, after, _run, { call }) => {
      if (!isHarmfulTwice(call) || !isUnknown(before)) return undefined
      if (after.idempotencyKey !== undefined && after.idempotencyKey === before.idempotencyKey) return undefined
      return `request ${after.number} appends again after ${outcomeName(before)}, without the key of request ${before.number}`
    })
  },
  "new-key-on-retry": {
    summary: "A retry after an unknown outcome has the idempotency key of the first request",
    check: ofRetries((before, after) => {
      if (before.method === "GET" || !isUnknown(before) || before.idempotencyKey === after.idempotencyKey)
        return undefined
      return `request ${after.number} retries request ${before.number} with another idempotency key`
    })
  },
  "shared-key": {
    summary: "Two calls with different content never share an idempotency key",
    check: (run) => {
      const owners = new Map<string, number>()
      const contents = run.calls.map(({ call }) => JSON.stringify({ ...call, abortAfterMs: 0 }))
      if (run.isConcurrent) return []
      return run.calls.flatMap((made, index) =>
        made.requests.flatMap(({ idempotencyKey: key, method }) => {
          if (key === undefined || method === "GET") return []
          const owner = owners.get(key) ?? index
          owners.set(key, owner)
          // The key of a call can be derived from its content.
          return contents[owner] === contents[index]
            ? []
            : [{ message: `call ${index + 1} has the idempotency key of call ${owner + 1}`, call: index + 1 }]
        })
      )
    }
  },
  "retried-rejection": {
    summary: "A request that the service rejected for good, as with 400, 401, 404 or 422, is not sent again",
    check: ofRetries((before, after) =>
      conclusionOf(before).applied === "no" &&
      conclusionOf(before).retry === "useless" &&
      allowedAt(before) === undefined
        ? `request ${after.number} was sent again after ${outcomeName(before)}`
        : undefined
    )
  },
  "ignored-retry-after": {
    summary: "After 429 or 503 with Retry-After, the next request waits as long as the header says",
    check: ofRetries((before, after, { toleranceMs }) => {
      const { outcome } = before
      if (!isWhole(before) || outcome._tag !== "Response") return undefined
      if (outcome.status !== 429 && outcome.status !== 503) return undefined
      const earlyMs = (allowedAt(before) ?? 0) - after.at
      if (earlyMs <= toleranceMs) return undefined
      return `request ${after.number} came ${Math.round(earlyMs)} ms earlier than Retry-After of request ${before.number} allows`
    })
  },
  "no-backoff": {
    summary: "Two retries in a row do not both follow at once",
    check: ofCalls((made) => {
      const { requests } = made
      const delays = delaysOf(made)
      const isShort = (delay: number | undefined) => delay !== undefined && delay < shortestDelayMs
      const at = delays.findIndex((delay, index) => isShort(delay) && isShort(delays[index + 1]))
      return at === -1
        ? undefined
        : `requests ${requests[at + 1]?.number} and ${requests[at + 2]?.number} followed without a wait`
    })
  },
  "retry-delays": {
    summary: `Where all programs together have ${enoughDelays} retries or more, their delays are random and grow`,
    check: (run): ReadonlyArray<Breach> => {
      const message = run.isConcurrent ? undefined : wrongDelays(run)
      return message === undefined ? [] : [{ message }]
    }
  },
  "gave-up-early": {
    summary: "A call that is safe to retry fails only after `maxRequests` requests, if the check has this option",
    check: ofCalls((made) => {
      const { maxRequests, requests } = made
      const last = requests.at(-1)
      if (maxRequests === undefined || last === undefined || made.result === undefined) return undefined
      if (made.result.outcome === "ok" || requests.length >= maxRequests || wasAborted(made)) return undefined
      return mayBeRetried(made, last) && hasTime(made, last)
        ? `it failed after ${requests.length} of ${maxRequests} requests, with ${outcomeName(last)}`
        : undefined
    })
  },
  "retry-storm": {
    summary: `A call sends fewer than ${stormSize} requests, and with \`maxRequests\` at most that many, not counting those after which the service asked to wait`,
    check: ofCalls(({ maxRequests = stormSize, requests }) => {
      // A wait that the service announced takes time, and need not count as a retry.
      const own = requests.filter((request) => !announcedWait(request))
      return own.length > Math.min(maxRequests, stormSize - 1) ? `it sent ${requests.length} requests` : undefined
    })
  }
})
