/**
 * How a deployment settles the questions that the API document leaves open.
 */
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { askCredentials, askMissing } from "./CredentialQuestions.ts"
import type { Deployment } from "./Deployment.ts"
import { type Findings, type SomeFindings, type SwitchName, unsettled } from "./Finding.ts"
import { askIdempotency } from "./IdempotencyQuestions.ts"
import { type EventLog, readLog } from "./EventLog.ts"
import { askLists } from "./ListQuestions.ts"
import { askMarkErrors, askMarks } from "./MarkQuestions.ts"
import { askRecords } from "./RecordQuestions.ts"
import { askRequests } from "./RequestQuestions.ts"
import { findEntry, providersBy, repeatedIn, restoreEntry, subscriberIn } from "./TestEntry.ts"
import { findMessages, restoreMessages } from "./TestMessages.ts"

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

/** The input of a calibration. */
export interface CalibrationInput {
  readonly subscriberId: string
  readonly messageIds: ReadonlyArray<string>
  /** Time of this machine, in milliseconds since 1970; used where responses have no date. */
  readonly now: number
  /** Makes the idempotency keys of this run new. */
  readonly keyPrefix: string
}

/** Runs all probes that need an entry in the credentials of the subscriber, or that it helps. */
const askEntry = Effect.fnUntraced(function* (
  deployment: Deployment,
  { keyPrefix, subscriberId }: CalibrationInput,
  { events, first }: EventLog,
  messageId: string | undefined,
  changes: Array<string>
) {
  const providers = providersBy(events)
  const entry = yield* findEntry(deployment, subscriberId, providers, changes)
  if (typeof entry === "string") {
    const findings: SomeFindings = yield* askRequests(deployment, subscriberId, first, undefined)
    return { findings, write: undefined, reason: entry }
  }
  const ask = Effect.gen(function* () {
    const unused = providers.filter((id) => id !== entry.providerId).toReversed()
    const findings: SomeFindings = {
      ...(yield* askMissing(deployment, entry, unused, changes)),
      ...(yield* askCredentials(deployment, entry)),
      ...(yield* askRequests(deployment, subscriberId, first, entry)),
      ...(yield* askIdempotency(deployment, entry, messageId, keyPrefix))
    }
    return findings
  })
  const credentials = `the ${entry.providerId} credentials of ${subscriberId}`
  const restore = restoreEntry(entry).pipe(
    Effect.map((different) => (different.length === 0 ? [] : [`${credentials}: ${different.join(", ")}`])),
    Effect.catch(({ message = "" }) => Effect.succeed([`${credentials} (${message})`])),
    Effect.map((different) => void changes.push(...different))
  )
  return { findings: yield* Effect.onExit(ask, () => restore), write: entry.first, reason: "keys have no effect" }
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
  const { events } = log
  const messages = yield* findMessages(deployment, subscriberId, messageIds)
  const [message, ...others] = messages
  const ask = Effect.gen(function* () {
    const marks: SomeFindings =
      message === undefined ? {} : yield* askMarks(deployment, subscriberId, [message, ...others])
    const { reason, write, findings } = yield* askEntry(deployment, input, log, message?.id, changes)
    const subscriber = write === undefined ? undefined : subscriberIn(write)
    /** Why no question settles a switch, where the questions themselves give no reason. */
    const reasonOf = (name: SwitchName): string => {
      if (name in unobservable) return unobservable[name as keyof typeof unobservable] // a key of the table
      if (/^(?:message|mark)\b/u.test(name)) {
        return messageIds.length === 0
          ? "needs a message of the subscriber: give one with --message"
          : `${subscriberId} has none of the given messages, as far as the service returns them`
      }
      if (name.startsWith("rateLimit")) {
        return "responses have no RateLimit headers: there may be no limit, and finding one would exhaust it"
      }
      if (/^(?:credentials|idempotency|subscriber|request|envelope)\b/u.test(name)) return reason
      return events.length === 0 ? "no event is listed" : "how parameters with several values are written is unknown"
    }
    const all: Findings = {
      ...unsettled(reasonOf),
      ...marks,
      ...findings,
      ...(yield* askMarkErrors(deployment, subscriberId)),
      ...(yield* askLists(deployment, log, { subscriberId, subscriber })),
      ...askRecords({
        events,
        subscriber,
        messages: messages.map(({ first }) => first),
        write: write ?? message?.reply
      })
    }
    return { findings: all, repeated: write === undefined ? [] : repeatedIn(write) }
  })
  if (messages.length > 0) {
    changes.push(
      `${counted(messages.length, "message")} of ${subscriberId}, which are marked as seen and have new dates`
    )
  }
  return yield* Effect.onExit(ask, () => Effect.ignore(restoreMessages(deployment, subscriberId, messages)))
})
