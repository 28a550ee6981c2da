/**
 * One call for one line: its result, and what that means for the line and for the run.
 */
import type { CallObserver } from "@signalbox/core/CallInfo"
import {
  type Credentials,
  repeatedEntriesAdvice,
  repeatedEntriesIn,
  type StoredTokens
} from "@signalbox/core/Credentials"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import type { MarkAsInput, Messages } from "@signalbox/core/Messages"
import { type MarkMessagesAsError, remedyOf, type UpsertCredentialsError } from "@signalbox/core/Errors"
import type { Message, Subscriber } from "@signalbox/core/Records"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { appendsTokens, type LineRequest } from "../input/LineRequest.ts"
import { otherEnvironment, type OutcomeRecord } from "../journal/JournalRecord.ts"
import { appliedElsewhere, otherEnvironmentMessage } from "./Environment.ts"
import type { Gate } from "./Gate.ts"
import { appendLostTokens } from "./LostTokens.ts"
import { unavailable } from "./Outage.ts"
import type { NotSent, RunCalls } from "./RunCalls.ts"

type CallError = UpsertCredentialsError | MarkMessagesAsError

/** The services that lines are sent with. */
export interface LineServices {
  readonly credentials: Credentials["Service"]
  readonly messages: Messages["Service"]
  readonly calls: RunCalls
  /** The tokens that responses of the run showed. */
  readonly stored: StoredTokens
  readonly gate: Gate
}

/** Knowledge about the service that decides whether a line may be sent again. */
export interface Delivery {
  /** Id of the run; with the number of the line, the scope of its idempotency key. */
  readonly runId: string
  readonly atLeastOnce: boolean
  /** Set as soon as the service is seen to honour keys. */
  keysHonoured: boolean
  /** The environment that the run writes to; set by the first response that names it. */
  environment: string | undefined
}

/** A line to be sent. */
export interface PendingLine {
  readonly line: number
  readonly request: LineRequest
  readonly generation: number
  /** Earlier requests for this line that may have been applied. */
  readonly exposures: number
  /** All lines of the request, where it has several; `line` is the first. */
  readonly lines?: ReadonlyArray<number>
  /** Runs before each request, once it may be sent; nothing when absent. */
  readonly beforeRequest?: Effect.Effect<void>
}

/** The consequence of one call for its line. */
export type CallResult =
  | { readonly _tag: "Outcome"; readonly record: OutcomeRecord }
  /** Nothing is wrong with the line: it is to be sent again after a wait. */
  | {
      readonly _tag: "Retry"
      /** The record of the line if it cannot be sent again. */
      readonly record: OutcomeRecord
      readonly reason: string
      /** Wait that the service requested. */
      readonly retryAfterMs: number | undefined
      /** The service announced a wait or cannot be reached: it did not do the work, and will some time. */
      readonly isCertain: boolean
      readonly exposures: number
    }
  /** The run stopped before the request, or before another one. */
  | { readonly _tag: "NotSent"; readonly exposures: number }
  /** Every other line would fail, too. */
  | {
      readonly _tag: "Stop"
      readonly reason: string
      readonly message: string
      /** The outcome of the line, where it was applied nevertheless. */
      readonly record?: OutcomeRecord
    }

/** Whether a line that may have been applied can be sent again without harm, or the caller accepts the harm. */
export const mayResend = (request: LineRequest, { atLeastOnce, keysHonoured }: Delivery): boolean =>
  keysHonoured || atLeastOnce || !appendsTokens(request)

const maxMessage = 300

const recordOf = (
  { generation, line, request }: PendingLine,
  { mayHaveBeenApplied, reason, requestId, status }: CallError,
  isTwice: boolean
): OutcomeRecord => ({
  line,
  outcome: mayHaveBeenApplied ? "unknown" : "failed",
  reason: reason._tag,
  status,
  requestId,
  message: reason.message.slice(0, maxMessage),
  ...(isTwice ? { mayHaveBeenAppliedTwice: true } : {}),
  // The service may have stored a failure for its key. With another key, it would append device tokens again.
  nextGeneration: mayHaveBeenApplied && (!isStored(reason) || appendsTokens(request)) ? generation : generation + 1
})

const isStored = (reason: CallError["reason"]): boolean => reason._tag === "ServerFailure" && reason.replayed

/** The consequence of a failed call, apart from its own outcome. */
const verdictOn = ({ mayHaveBeenApplied, reason }: CallError): "outcome" | "stop" | "certain" | "perhaps" => {
  switch (reason._tag) {
    case "InvalidRequest":
      return reason.fields.some(({ path }) => path === "apiKey") ? "stop" : "outcome"
    case "Unauthorized":
    case "PaymentRequired":
    case "Forbidden":
      return mayHaveBeenApplied ? "outcome" : "stop"
    case "RateLimited":
    case "RequestInFlight":
      return "certain"
    case "TransportFailure":
    case "Timeout":
      if (remedyOf(reason.message) !== undefined) return "stop"
      return reason.delivery === "not-sent" ? "certain" : "perhaps"
    case "ServerFailure":
      if (!unavailable.has(reason.status) || reason.replayed) return "outcome"
      return reason.retryAfterMs === undefined ? "perhaps" : "certain"
    default:
      return "outcome"
  }
}

/**
 * The idempotency key of a line, or of several in one request, the same in every process. Node hashes at once; the platform's crypto, which
 * `IdempotencyPolicy.derived` uses, is asynchronous and costs far more CPU.
 */
const keyOf = (runId: string, { generation, line, lines, request }: PendingLine): string =>
  createHash("sha256")
    .update(JSON.stringify([runId, lines ?? line, generation, request]))
    .digest("hex")

/** The traces of other writes to the entry of an import, in one line. */
const interference = (lost: number, subscriber: Subscriber, providerId: string): Partial<OutcomeRecord> | undefined => {
  const isRepeated = repeatedEntriesIn(subscriber).some((entry) => entry.providerId === providerId)
  const lines = [
    lost > 0 &&
      `device tokens that the service lost although they were appended again: ${lost}; another process may change the entry`,
    isRepeated && repeatedEntriesAdvice(providerId)
  ].filter((line) => line !== false)
  return lines.length === 0 ? undefined : { message: lines.join("; ") }
}

/** The outcome of a mark whose response lacks messages: those that do not exist and, of some services, those that were marked before. */
const notReturned = (
  { messageId }: MarkAsInput,
  marked: ReadonlyArray<Message>,
  generation: number
): Partial<OutcomeRecord> | undefined => {
  const returned = new Set(marked.map(({ _id }) => _id))
  const ids = [messageId].flat()
  const missing = ids.filter((id) => !returned.has(id)).length
  if (missing === 0) return undefined
  const message = `messages that are not in the response: ${missing} of ${ids.length}; they may not exist, or were marked before`
  // With the same key, the service could repeat its response.
  return { outcome: "unknown", reason: "NotReturned", message, nextGeneration: generation + 1 }
}

/**
 * Sends one line: one call, with the retries that the policies of the client allow.
 */
export const callLine = (
  { calls, credentials, gate, messages, stored }: LineServices,
  delivery: Delivery,
  pending: PendingLine
): Effect.Effect<CallResult> =>
  Effect.suspend(() => {
    const { line, request } = pending
    let exposures = pending.exposures
    let inDoubt = false
    const observer: CallObserver = {
      ...(pending.beforeRequest === undefined ? {} : { beforeRequest: pending.beforeRequest }),
      onAttempt: (...facts) => {
        // An attempt whose request was not written exposes the line to nothing.
        if (inDoubt) exposures++
        gate.onAttempt(...facts)
      },
      onMayBeApplied: (mayBeApplied) => {
        inDoubt = mayBeApplied
        if (!inDoubt) exposures = pending.exposures
      },
      onCall: ({ idempotencyKey, replayed }) => {
        if (idempotencyKey !== undefined && replayed) delivery.keysHonoured = true
      }
    }
    const key = keyOf(delivery.runId, pending)
    const own = IdempotencyPolicy.fixed(key)
    const policy = mayResend(request, delivery) ? IdempotencyPolicy.serviceHonoursKeys(own) : own
    const asLine = <A, E>(call: Effect.Effect<A, E>) =>
      calls.make(Effect.provideService(call, IdempotencyPolicy.IdempotencyPolicy, policy), observer)
    /** Facts of a response about the line, and the environment that it names. */
    const call: Effect.Effect<
      readonly [found: Partial<OutcomeRecord> | undefined, environment: string | undefined],
      CallError | NotSent
    > =
      request.kind === "import"
        ? Effect.flatMap(asLine(credentials.upsert(request.subscriberId, request.input)), (subscriber) =>
            Effect.map(appendLostTokens(calls, credentials, stored, { ...request, key, subscriber }), (lost) => [
              interference(lost, subscriber, request.input.providerId),
              subscriber._environmentId
            ])
          )
        : Effect.map(asLine(messages.markAs(request.subscriberId, request.input)), (marked) => [
            notReturned(request.input, marked, pending.generation),
            marked[0]?._environmentId
          ])
    const isTwice = () => exposures > 1 && !delivery.keysHonoured
    return call.pipe(
      Effect.match({
        onSuccess: ([found, environment]): CallResult => {
          const record: OutcomeRecord = {
            line,
            outcome: "succeeded",
            ...found,
            ...(isTwice() ? { mayHaveBeenAppliedTwice: true } : {})
          }
          const own = (delivery.environment ??= environment)
          if (own !== undefined && environment !== undefined && environment !== own) {
            const elsewhere = appliedElsewhere(record, own, environment)
            const advice = `${otherEnvironmentMessage(own, environment)}. Use a key of ${own}.`
            return { _tag: "Stop", reason: otherEnvironment, message: advice, record: elsewhere }
          }
          return { _tag: "Outcome", record }
        },
        onFailure: (error): CallResult => {
          if (error._tag === "NotSent") return { _tag: "NotSent", exposures }
          const { mayHaveBeenApplied, reason } = error
          if (!mayHaveBeenApplied) exposures = pending.exposures
          const isInvalid = reason._tag === "InvalidRequest"
          const failed = recordOf(pending, error, isTwice())
          const record: OutcomeRecord = isInvalid ? { ...failed, outcome: "invalid" } : failed
          const verdict = verdictOn(error)
          if (verdict === "stop") return { _tag: "Stop", reason: reason._tag, message: error.message }
          const isSafe = exposures === 0 || reason._tag === "RequestInFlight" || mayResend(request, delivery)
          if (verdict === "outcome" || !isSafe) return { _tag: "Outcome", record }
          const retryAfterMs = "retryAfterMs" in reason ? reason.retryAfterMs : undefined
          return {
            _tag: "Retry",
            record,
            reason: reason._tag,
            retryAfterMs,
            isCertain: verdict === "certain",
            exposures
          }
        }
      })
    )
  })
