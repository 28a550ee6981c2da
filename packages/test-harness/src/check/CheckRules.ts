/**
 * The rules of a check. A rule blames a client only for what the API document, HTTP, or the client's own report
 * contradicts; never for how it reads an open question.
 */
import { isRead } from "@signalbox/core/Operations"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { allowedAt } from "../verdicts/RetryChecks.ts"
import { times } from "../verdicts/Times.ts"
import { type CheckedCall, describeCall, secretsOf, subscriberOf, tokensOf } from "./CheckedCall.ts"
import { type CheckRun, type MadeCall, requestsOf } from "./CheckRun.ts"

/** One way in which a run broke a rule. */
interface Breach {
  readonly message: string
  /** Number of the call, from 1. */
  readonly call?: number
}

interface Rule {
  /** What the rule demands, in one sentence. */
  readonly summary: string
  readonly check: (run: CheckRun) => ReadonlyArray<Breach> | Promise<ReadonlyArray<Breach>>
}

const ofCalls =
  (check: (made: MadeCall, run: CheckRun) => string | undefined) =>
  (run: CheckRun): ReadonlyArray<Breach> =>
    run.calls.flatMap((made, index) => {
      const message = check(made, run)
      return message === undefined
        ? []
        : [{ message: `call ${index + 1}, ${describeCall(made.call)}: ${message}`, call: index + 1 }]
    })

/** The first pair of consecutive requests of a call that breaks a rule. */
const ofRetries = (check: (before: JournalEntry, after: JournalEntry, run: CheckRun) => string | undefined) =>
  ofCalls((made, run) => {
    const requests = requestsOf(run, made)
    for (const [index, after] of requests.slice(1).entries()) {
      const before = requests[index]
      const message = before === undefined ? undefined : check(before, after, run)
      if (message !== undefined) return message
    }
    return undefined
  })

const credentialsOf = ({ records }: CheckRun, call: CheckedCall) =>
  call.operation === "credentials.upsert"
    ? records.subscribers
        .filter(({ subscriberId }) => subscriberId === call.subscriberId)
        .flatMap(({ channels }) => channels.filter(({ providerId }) => providerId === call.providerId))
        .map(({ credentials }) => credentials)
    : []

const flags = {
  read: ["read", true],
  unread: ["read", false],
  seen: ["seen", true],
  unseen: ["seen", false]
} as const

/** Whether the service stores what a call asked for. */
const isStored = (run: CheckRun, call: CheckedCall): boolean => {
  switch (call.operation) {
    case "credentials.upsert": {
      const stored = credentialsOf(run, call)
      return secretsOf(call).every((secret) =>
        stored.some((one) => one.webhookUrl === secret || one.deviceTokens?.includes(secret) === true)
      )
    }
    case "messages.markAs": {
      const [flag, value] = flags[call.markAs]
      const marked = run.records.messages.filter((message) => message[flag] === value)
      return call.messageId.every((id) => marked.some((message) => message.id === id))
    }
    case "events.list":
      return true
  }
}

const isWrite = ({ call }: MadeCall): boolean => !isRead(call.operation)

const isApplied = (run: CheckRun, made: MadeCall): boolean => requestsOf(run, made).some(({ applied }) => applied)

const isWhole = ({ points }: JournalEntry): boolean => points.at(-1)?.point === "answered"

const succeeded = (entry: JournalEntry): boolean =>
  entry.outcome._tag === "Response" && entry.outcome.status < 300 && isWhole(entry)

/** Whether the response to a request leaves open whether it was applied. */
const isUnknown = (entry: JournalEntry): boolean => {
  const { outcome } = entry
  switch (outcome._tag) {
    case "Pending":
    case "CutResponse":
    case "ClientDisconnected":
      return true
    case "NoResponse":
      return outcome.failure !== "refuse"
    case "Response":
      return !isWhole(entry) || outcome.status === 408 || (outcome.status >= 500 && !entry.replayed)
  }
}

const outcomeName = ({ outcome }: JournalEntry): string =>
  "status" in outcome ? `the response ${outcome.status}` : "no response"

const asks = (call: CheckedCall, { operation, query, subscriberId }: JournalEntry): boolean =>
  operation === call.operation &&
  subscriberId === subscriberOf(call) &&
  (call.operation !== "events.list" || query.includes(call.transactionId ?? ""))

/** Not the client's mistake alone: it trusted something that the document does not promise. */
const reliesOnKey =
  "; the client relied on its idempotency key, whose effect the document leaves open (switch idempotency.sameBody)"

/** The rules by their stable names. */
export const checkRules = {
  "effect-twice": {
    summary: "One call appends its device tokens at most once",
    check: ofCalls((made, run) => {
      const { call } = made
      if (call.operation !== "credentials.upsert") return undefined
      const stored = credentialsOf(run, call).flatMap(({ deviceTokens = [] }) => deviceTokens)
      const counts = tokensOf(call).map((token) => stored.filter((one) => one === token).length)
      const most = Math.max(0, ...counts)
      if (most < 2) return undefined
      const keys = new Set(requestsOf(run, made).map(({ idempotencyKey }) => idempotencyKey))
      const [key] = keys
      const reliance = keys.size === 1 && key !== undefined ? reliesOnKey : ""
      return `its device token is stored ${times(most)}${reliance}`
    })
  },
  "lost-after-ack": {
    summary: "A call that the client reports as ok is stored",
    check: ofCalls((made, run) => {
      if (made.result?.outcome !== "ok" || !isWrite(made)) return undefined
      if (isApplied(run, made) && isStored(run, made.call)) return undefined
      return "the client reported ok, but the service does not have the change"
    })
  },
  "false-success": {
    summary: "A listing that the client reports as ok got a complete response 2xx",
    check: ofCalls((made, run) =>
      made.result?.outcome === "ok" && !isWrite(made) && !requestsOf(run, made).some(succeeded)
        ? "the client reported ok, but it got no complete response"
        : undefined
    )
  },
  "false-failure": {
    summary: "A call that the client reports as failed, not as unknown, was not applied",
    check: ofCalls((made, run) =>
      made.result?.outcome === "failed" && isWrite(made) && isApplied(run, made)
        ? "the client reported failed, but the service applied the change"
        : undefined
    )
  },
  "failed-without-fault": {
    summary: "A valid call succeeds when no fault stops it",
    check: ofCalls((made, run) => {
      if (made.result === undefined || made.result.outcome === "ok" || !run.keepsContract) return undefined
      const requests = requestsOf(run, made)
      if (requests.some(({ faults }) => faults.length > 0)) return undefined
      const last = requests.at(-1)
      const seen = last === undefined ? "the service received no request" : `the last request got ${outcomeName(last)}`
      return `the client reported ${made.result.outcome}, and no fault happened; ${seen}`
    })
  },
  "silent-loss": {
    summary: "A listing that the client reports as ok returns every record of the page",
    check: async (run) => {
      const breaches: Array<Breach> = []
      for (const [index, { call, result }] of run.calls.entries()) {
        if (result?.outcome !== "ok" || result.ids === undefined || call.operation !== "events.list") continue
        const expected = await run.listed(call)
        const missing = [...expected].filter((id) => result.ids?.includes(id) !== true)
        if (missing.length === 0) continue
        const message = `call ${index + 1}, ${describeCall(call)}: ${missing.length} of ${expected.size} records are missing`
        breaches.push({ message, call: index + 1 })
      }
      return breaches
    }
  },
  "retried-non-idempotent": {
    summary: "A request that appends is retried after an unknown outcome only with the same idempotency key",
    check: ofRetries((before, after) => {
      if (!isAppending(before) || !isUnknown(before)) return undefined
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
    summary: "Two calls never share an idempotency key",
    check: (run) => {
      const owners = new Map<string, number>()
      return run.calls.flatMap((made, index) =>
        requestsOf(run, made).flatMap(({ idempotencyKey: key, method }) => {
          if (key === undefined || method === "GET") return []
          const owner = owners.get(key) ?? index
          owners.set(key, owner)
          return owner === index
            ? []
            : [{ message: `call ${index + 1} has the idempotency key of call ${owner + 1}`, call: index + 1 }]
        })
      )
    }
  },
  "ignored-retry-after": {
    summary: "After 429 or 503 with Retry-After, the next request waits as long as the header says",
    check: ofRetries((before, after, { toleranceMs }) => {
      const { outcome } = before
      if (outcome._tag !== "Response" || (outcome.status !== 429 && outcome.status !== 503)) return undefined
      const earlyMs = (allowedAt(before) ?? 0) - after.at
      if (earlyMs <= toleranceMs) return undefined
      return `request ${after.number} came ${Math.round(earlyMs)} ms earlier than Retry-After of request ${before.number} allows`
    })
  },
  "called-after-deadline": {
    summary: "No request starts later than the deadline after the first request of its call",
    check: ofCalls((made, run) => {
      const [first, ...retries] = requestsOf(run, made)
      if (first === undefined) return undefined
      const late = retries.find(({ at }) => at - first.at > run.deadlineMs + run.toleranceMs)
      return late === undefined
        ? undefined
        : `request ${late.number} came ${late.at - first.at} ms after the first one, the deadline is ${run.deadlineMs} ms`
    })
  },
  "request-after-outcome": {
    summary: "No request follows the outcome that the client reported",
    check: ofCalls((made, run) => {
      const { endedAt } = made
      if (endedAt === undefined) return undefined
      const late = requestsOf(run, made).find(({ at }) => at > endedAt + run.toleranceMs)
      return late === undefined ? undefined : `request ${late.number} came ${late.at - endedAt} ms after the outcome`
    })
  },
  hang: {
    summary: "Every call ends by its deadline",
    check: ofCalls(({ endedAt }, { deadlineMs }) =>
      endedAt === undefined ? `the client reported no outcome, long after its deadline of ${deadlineMs} ms` : undefined
    )
  },
  "retry-storm": {
    summary: "A call sends fewer than 100 requests",
    check: ofCalls((made, run) => {
      const { length } = requestsOf(run, made)
      return length < 100 ? undefined : `it sent ${length} requests`
    })
  },
  "wrong-request": {
    summary: "Every request belongs to a call, with its subscriber, its filters and the API key",
    check: (run) => {
      if (run.unmatchedRequests > 0)
        return [{ message: `requests without the API key of the service: ${run.unmatchedRequests}` }]
      return run.requests
        .filter((entry) => !run.calls.some(({ call }) => asks(call, entry)))
        .map(({ method, number, path, query }) => ({
          message: `request ${number}, ${method} ${path}${query === "" ? "" : `?${query}`}, belongs to no call`
        }))
    }
  },
  "leaked-secret": {
    summary: "Nothing that the client throws or prints shows the API key, a device token or a webhook URL",
    check: ({ apiKey, calls, output }) => {
      const shows = (secret: string) => output.includes(secret) || output.includes(encodeURIComponent(secret))
      const breaches: ReadonlyArray<Breach> = calls.flatMap(({ call }, index) =>
        secretsOf(call).some(shows)
          ? [{ message: `call ${index + 1}, ${describeCall(call)}: the output shows its credentials`, call: index + 1 }]
          : []
      )
      return shows(apiKey) ? [{ message: "the output shows the API key", call: 1 }, ...breaches] : breaches
    }
  }
} as const satisfies Readonly<Record<string, Rule>>

/** Whether a request would append, applied or not. */
const isAppending = ({ body, operation }: JournalEntry): boolean =>
  operation === "credentials.upsert" && JSON.stringify(body ?? "").includes('"deviceTokens"')

/** The stable name of a rule. */
export type CheckRuleName = keyof typeof checkRules

/** The names of all rules. */
export const checkRuleNames = Object.keys(checkRules) as ReadonlyArray<CheckRuleName> // keys of a literal

/** A rule that a run broke. */
export interface BrokenRule extends Breach {
  readonly rule: CheckRuleName
}

/** Every rule that a run broke, in the order of the rules. */
export const brokenRules = async (run: CheckRun): Promise<ReadonlyArray<BrokenRule>> => {
  const broken: Array<BrokenRule> = []
  for (const rule of checkRuleNames) {
    const { check }: Rule = checkRules[rule]
    for (const breach of await check(run)) broken.push({ rule, ...breach })
  }
  return broken
}
