/**
 * Jobs that change something in the service.
 */
import { anyProvider, Credentials } from "@signalbox/core/Credentials"
import { Messages } from "@signalbox/core/Messages"
import { ofIntegration } from "@signalbox/operator/diagnosis/Rule"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import type { CommandOf } from "../../state/Command.ts"
import type { Msg } from "../../state/Msg.ts"
import { markReportFrom } from "../MarkReport.ts"
import { type Job, type JobContext, toMessage } from "./Job.ts"

/** Changes credentials of a subscriber. */
export const upsertCredentials = (
  { input, screenId, subscriberId }: CommandOf<"UpsertCredentials">,
  context: JobContext
): Job => ({
  writes: true,
  label: `changing the ${input.providerId} credentials of ${subscriberId}${ofIntegration(input.integrationIdentifier)}`,
  effect: toMessage(
    context,
    Credentials.use((credentials) =>
      credentials.upsert(subscriberId, anyProvider(input.providerId, input.credentials, input.integrationIdentifier))
    ),
    (subscriber, call) => ({ _tag: "CredentialsSaved", screenId, subscriber, call }),
    (problem) => ({ _tag: "CredentialsRefused", screenId, problem })
  )
})

/** Marks messages of a subscriber. */
export const markMessages = ({ mark, screenId }: CommandOf<"MarkMessages">, context: JobContext): Job => {
  const { ids, markAs, subscriberId } = mark
  return {
    writes: true,
    label: `marking ${counted(ids.length, "message")} as ${markAs}`,
    effect: toMessage(
      context,
      Messages.use((messages) => messages.markManyAs(subscriberId, ids, markAs)),
      ({ messages, notReturned }, call) => ({ _tag: "MessagesMarked", screenId, mark, messages, notReturned, call }),
      (problem, cause) => ({ _tag: "MarkFailed", screenId, mark, report: markReportFrom(cause, ids), problem })
    )
  }
}

/** Triggers the workflow of an event again, which only the demo can do. */
export const triggerAgain = ({ event }: CommandOf<"TriggerAgain">, { session }: JobContext): Job | undefined =>
  session.retrigger && {
    label: "[DEMO] triggering again",
    effect: Effect.map(session.retrigger(event), ({ transactionId }): Msg => ({ _tag: "Triggered", transactionId }))
  }
