/**
 * How a deployment settles the questions that the API document leaves open.
 */
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import type { Unsuccessful } from "../../../failure/CommandError.ts"
import { askCredentials, askMissing, restoreEntry, withoutEntry } from "./CredentialQuestions.ts"
import type { Deployment } from "./Deployment.ts"
import { evidenceOf, type Findings, type SwitchName, type Unknown, unknown } from "./Finding.ts"
import { askIdempotency, withoutKeys } from "./IdempotencyQuestions.ts"
import { type EventLog, readLog } from "./EventLog.ts"
import { askLists } from "./ListQuestions.ts"
import { askMarkErrors, askMarks, withoutMessages } from "./MarkQuestions.ts"
import { askRecords } from "./RecordQuestions.ts"
import { askRequests } from "./RequestQuestions.ts"
import { findEntry, providersBy, repeatedIn, subscriberIn, type TestEntry } from "./TestEntry.ts"
import { findMessages, restoreMessages, type TestMessage } from "./TestMessages.ts"

/** Switches that the API does not show, with the reason. */
export const unobservable = {
  "list.subscriptionId": "needs the identifier of a topic subscription, which the API does not return",
  "credentials.concurrent":
    "only writes at the same time would show it, and on a service that loses updates they lose stored tokens",
  "credentials.entry": "needs two integrations of one provider, and the API does not list integrations",
  "credentials.severalIntegrations": "needs two integrations of one provider, and the API does not list integrations",
  "credentials.inactiveIntegration": "needs an inactive integration, and the API does not list integrations",
  "credentials.identifierEmpty": "could create an entry that cannot be removed",
  "idempotency.inFlight": "needs a request that is still being processed, which a client cannot arrange",
  "idempotency.retention": "shows only after hours",
  "list.ties": "the API does not show the order in which events were inserted",
  "rateLimit.refill": "shows only after the rate limit is exhausted, which would disturb other clients",
  "rateLimit.retryAfter": "shows only after the rate limit is exhausted, which would disturb other clients",
  "list.nested": "a list that is ignored and one that matches nothing look the same"
} as const satisfies Partial<Record<SwitchName, string>>

type Observable = Exclude<SwitchName, keyof typeof unobservable>

/** The reasons as findings. */
const unobservableFindings: Findings<keyof typeof unobservable> = (() => {
  const reasons: Record<string, Unknown> = {}
  for (const [name, reason] of Object.entries(unobservable)) reasons[name] = unknown(reason)
  // Every name of the table was given its reason above.
  return reasons as Record<keyof typeof unobservable, Unknown>
})()

/** The input of a calibration. */
export interface CalibrationInput {
  readonly subscriberId: string
  readonly messageIds: ReadonlyArray<string>
  /** Time of this machine, in milliseconds since 1970; used where responses have no date. */
  readonly now: number
  /** Makes the idempotency keys of this run new. */
  readonly keyPrefix: string
}

const messageChanges = (messages: ReadonlyArray<TestMessage>, subscriberId: string): ReadonlyArray<string> =>
  messages.length === 0
    ? []
    : [`${counted(messages.length, "message")} of ${subscriberId}, which are marked as seen and have new dates`]

/** Runs all probes that need an entry in the credentials of the subscriber. */
const askEntry = Effect.fnUntraced(function* (
  deployment: Deployment,
  { keyPrefix, subscriberId }: CalibrationInput,
  { events, first }: EventLog,
  messageId: string | undefined,
  changes: Array<string>
) {
  const providers = providersBy(events)
  const { entry, rejected } = yield* findEntry(deployment, subscriberId, providers)
  const requests = (used: TestEntry | undefined) => askRequests(deployment, subscriberId, first, used)
  if (entry === undefined) {
    const [rejection] = rejected
    const reason = `no provider accepts credentials of ${subscriberId}${rejection === undefined ? "" : ` (${evidenceOf(rejection)})`}`
    return {
      subscriber: undefined,
      write: undefined,
      findings: { ...withoutEntry(reason), ...withoutKeys(reason), ...(yield* requests(undefined)) }
    }
  }
  const ask = Effect.gen(function* () {
    const unused = providers.filter((id) => id !== entry.providerId).toReversed()
    const missing = yield* askMissing(deployment, entry, { rejected, unused })
    changes.push(...missing.created)
    return {
      ...missing.findings,
      ...(yield* askCredentials(deployment, entry)),
      ...(yield* requests(entry)),
      ...(yield* askIdempotency(deployment, entry, messageId, keyPrefix))
    }
  })
  const restore = Effect.gen(function* () {
    const different = yield* restoreEntry(entry)
    if (different.length > 0) {
      changes.push(`the ${entry.providerId} credentials of ${subscriberId}: ${different.join(", ")}`)
    }
  })
  return {
    subscriber: subscriberIn(entry.first),
    write: entry.first,
    findings: yield* Effect.onExit(ask, () =>
      restore.pipe(
        Effect.catch(({ message = "" }) =>
          Effect.sync(() => void changes.push(`the ${entry.providerId} credentials of ${subscriberId} (${message})`))
        )
      )
    )
  }
})

/**
 * Runs all probes, and restores what it changed as far as the API allows. Remaining differences are added to the
 * changes, also where the run fails or is interrupted. Returns the findings, and advice about repeated entries in the
 * credentials of the subscriber.
 */
export const calibrate = Effect.fnUntraced(function* (
  deployment: Deployment,
  input: CalibrationInput,
  changes: Array<string>
) {
  const { messageIds, now, subscriberId } = input
  const log = yield* readLog(deployment, now)
  const messages = yield* findMessages(deployment, subscriberId, messageIds)
  const ask = Effect.gen(function* () {
    const noMessage =
      messageIds.length === 0
        ? "needs a message of the subscriber: give one with --message"
        : `${subscriberId} has none of the given messages, as far as the service returns them`
    const [message, ...others] = messages
    const marks =
      message === undefined
        ? withoutMessages(noMessage)
        : yield* askMarks(deployment, subscriberId, [message, ...others])
    const entry = yield* askEntry(deployment, input, log, message?.id, changes)
    // A new switch does not compile until a question covers it, or a reason why none can.
    const observable: Findings<Observable> = {
      ...marks,
      ...entry.findings,
      ...(yield* askMarkErrors(deployment, subscriberId)),
      ...(yield* askLists(deployment, log, { subscriberId, subscriber: entry.subscriber })),
      ...askRecords({
        events: log.events,
        subscriber: entry.subscriber,
        messages: messages.map(({ first }) => first),
        noMessage,
        write: entry.write ?? message?.reply
      })
    }
    const findings: Findings<SwitchName> = { ...observable, ...unobservableFindings }
    return { findings, repeated: entry.write === undefined ? [] : repeatedIn(entry.write) }
  })
  const restore: Effect.Effect<void, Unsuccessful> = restoreMessages(deployment, subscriberId, messages)
  changes.push(...messageChanges(messages, subscriberId))
  return yield* Effect.onExit(ask, () => Effect.ignore(restore))
})
