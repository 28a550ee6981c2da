import type { JournalEntry } from "../../journal/JournalEntry.ts"
import { isRejected, outcomeName, succeeded } from "../../verdicts/Conclusion.ts"
import { isMarkedAs } from "../../state/Records.ts"
import { times } from "../../verdicts/Times.ts"
import {
  type AnyCall,
  isHarmfulTwice,
  isWrite,
  operationOf,
  secretsOf,
  subscriberOf,
  tokensOf
} from "../CheckedCall.ts"
import { type CheckRun, type MadeCall, wasAborted } from "../CheckRun.ts"
import { ofAllCalls, ofCalls, rulesOf } from "./Rule.ts"

const credentialsOf = ({ records }: CheckRun, call: AnyCall) =>
  call.operation === "credentials.upsert"
    ? records.subscribers
        .filter(({ subscriberId }) => subscriberId === call.subscriberId)
        .flatMap(({ channels }) => channels.filter(({ providerId }) => providerId === call.providerId))
        .map(({ credentials }) => credentials)
    : []

/** Whether the service stores what a call asked for. */
const isStored = (run: CheckRun, call: AnyCall): boolean => {
  switch (call.operation) {
    case "credentials.upsert": {
      const stored = credentialsOf(run, call)
      return secretsOf(call).every((secret) =>
        stored.some((one) => one.webhookUrl === secret || one.deviceTokens?.includes(secret) === true)
      )
    }
    case "messages.markAs":
      return run.records.messages
        .filter(({ id, subscriberId }) => subscriberId === call.subscriberId && call.messageId.includes(id))
        .every((message) => isMarkedAs(call.markAs, message))
    // Whether a declared operation was applied is all that a check knows of its effect.
    case "declared":
    case "events.list":
      return true
  }
}

/** Other calls that change the same: what is stored then says nothing about one of them. */
const othersOf = ({ calls }: CheckRun, { call }: MadeCall): ReadonlyArray<AnyCall> =>
  calls
    .map((made) => made.call)
    .filter(
      (other) =>
        other !== call && operationOf(other) === operationOf(call) && subscriberOf(other) === subscriberOf(call)
    )

/** Whether another call has changed the same in another way. */
const isOverwritten = (run: CheckRun, made: MadeCall): boolean => {
  const content = (call: AnyCall) => JSON.stringify({ ...call, abortAfterMs: 0 })
  return othersOf(run, made).some((other) => content(other) !== content(made.call))
}

/** Whether the service carried a request out, even if it found nothing to change. */
const isCarriedOut = ({ points }: JournalEntry): boolean => points.some(({ point }) => point === "committed")

const isApplied = ({ requests }: MadeCall): boolean => requests.some(isCarriedOut)

/** Whether a call was applied, or the response to it replays that of an applied request with its key. */
const isDone = (run: CheckRun, made: MadeCall): boolean =>
  isApplied(made) ||
  made.requests.some(
    ({ idempotencyKey, replayed }) =>
      replayed &&
      run.calls.some(({ requests }) =>
        requests.some((request) => isCarriedOut(request) && request.idempotencyKey === idempotencyKey)
      )
  )

/** Whether the client claims that a call changed nothing. */
const claimsNotApplied = ({ result }: MadeCall): boolean =>
  result?.outcome === "failed" || result?.mayHaveBeenApplied === false || result?.delivery === "not-sent"

/** Not the client's mistake alone: it trusted something that the document does not promise. */
const reliesOnKey =
  "; the client relied on its idempotency key, whose effect the document leaves open (switch idempotency.sameBody)"

export const effectRules = rulesOf({
  "effect-twice": {
    summary: "One call appends its device tokens at most once, and is applied once unless it is declared idempotent",
    check: ofCalls((made, run) => {
      const { call } = made
      if (!isHarmfulTwice(call)) return undefined
      const { requests } = made
      const applied = requests.filter((request) => request.applied).length
      const stored =
        othersOf(run, made).length > 0 ? [] : credentialsOf(run, call).flatMap(({ deviceTokens = [] }) => deviceTokens)
      const counts = tokensOf(call).map((token) => stored.filter((one) => one === token).length)
      const most = Math.max(applied, ...counts)
      if (most < 2) return undefined
      const keys = new Set(requests.map(({ idempotencyKey }) => idempotencyKey))
      const [key] = keys
      const reliance = keys.size === 1 && key !== undefined ? reliesOnKey : ""
      return `${applied > 1 ? "it was applied" : "its device token is stored"} ${times(most)}${reliance}`
    })
  },
  "lost-after-ack": {
    summary: "A call that the client reports as ok is stored",
    check: ofCalls((made, run) => {
      if (made.result?.outcome !== "ok" || !isWrite(made.call)) return undefined
      if (isDone(run, made) && (isOverwritten(run, made) || isStored(run, made.call))) return undefined
      return "the client reported ok, but the service does not have the change"
    })
  },
  "lost-update": {
    summary: "Upserts of one subscriber and provider at the same time all keep their device tokens",
    check: ofAllCalls((made, run) => {
      if (!run.isConcurrent || made.result?.outcome !== "ok") return undefined
      if (!isStored(run, made.call))
        return "the client reported ok, but another upsert at the same time removed its device tokens"
      const entries = credentialsOf(run, made.call).length
      return entries < 2
        ? undefined
        : `upserts at the same time left ${entries} entries of one integration, of which later ones change only the first`
    })
  },
  "false-success": {
    summary: "A call that the client reports as ok got a complete response 2xx",
    check: ofCalls(({ requests, result }) =>
      result?.outcome === "ok" && !requests.some(succeeded)
        ? "the client reported ok, but it got no complete response"
        : undefined
    )
  },
  "false-failure": {
    summary: "A call that the client reports as failed, not as unknown, was not applied",
    check: ofCalls((made) =>
      isWrite(made.call) && claimsNotApplied(made) && isApplied(made)
        ? "the client reported that nothing was applied, but the service applied the change"
        : undefined
    )
  },
  "false-rejection": {
    summary: "A change that the client reports as not accepted got no response 2xx",
    check: ofCalls(({ call, requests, result }) =>
      result?.accepted === false && isWrite(call) && requests.some(succeeded)
        ? "the client reported that the change was not accepted, but it got a complete response 2xx"
        : undefined
    )
  },
  "failed-without-fault": {
    summary: "A valid call succeeds when no fault stops it",
    check: ofCalls((made, run) => {
      if (made.result === undefined || made.result.outcome === "ok") return undefined
      if (wasAborted(made) || !run.keepsContract) return undefined
      const { requests } = made
      const last = requests.at(-1)
      if (requests.some(({ faults }) => faults.length > 0) || (last !== undefined && isRejected(last))) return undefined
      const seen = last === undefined ? "the service received no request" : `the last request got ${outcomeName(last)}`
      return `the client reported ${made.result.outcome}, and no fault happened; ${seen}`
    })
  }
})
