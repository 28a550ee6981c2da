/**
 * Makes a planned call with a client, under the policies of the plan.
 */
import { createHash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type AnyCredentials, anyProvider, Credentials } from "@signalbox/core/Credentials"
import { Calls } from "@signalbox/core/Calls"
import { Events } from "@signalbox/core/Events"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import { Messages } from "@signalbox/core/Messages"
import { ResponsePolicy, Throttling } from "@signalbox/core/Policies"
import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import type { SignalboxError } from "@signalbox/core/Errors"
import * as Timeouts from "@signalbox/core/Timeouts"
import { addMember } from "./AddMember.ts"
import type { PlannedCall } from "./Scenario.ts"
import { messageIdsOf } from "./World.ts"

/** The services of a client. */
export type Services = Credentials | Messages | Events | Calls

/** The device tokens of a call; `undefined` when it has none. */
const tokensOf = ({ batch, credentials, subscriberId }: PlannedCall): ReadonlyArray<string> | undefined => {
  switch (credentials) {
    case "tokens":
    case "both":
      return [`${subscriberId}-${batch}-phone`, `${subscriberId}-${batch}-watch`]
    case "no tokens":
      return []
    case "webhook":
    case "nothing":
      return undefined
  }
}

/** The webhook URL of a call; `undefined` when it has none. */
const webhookOf = ({ batch, credentials, subscriberId }: PlannedCall): string | undefined =>
  credentials === "webhook" || credentials === "both"
    ? `https://chat.test/${encodeURIComponent(subscriberId)}/${batch}`
    : undefined

/** The credentials of an upsert. */
export const credentialsOf = (plan: PlannedCall): AnyCredentials => {
  const deviceTokens = tokensOf(plan)
  const webhookUrl = webhookOf(plan)
  return {
    ...(deviceTokens === undefined ? {} : { deviceTokens }),
    ...(webhookUrl === undefined ? {} : { webhookUrl })
  }
}

/** The messages that a call marks. */
export const markedMessages = ({ messages, subscriberId }: PlannedCall): ReadonlyArray<string> =>
  messageIdsOf(subscriberId).slice(0, messages)

/** The member that a call adds to the topic of its subscriber. */
export const memberOf = ({ batch }: PlannedCall): string => `member-${batch}`

/** Whether a call appends, so that applying it twice does harm. */
export const isAppending = (plan: PlannedCall): boolean =>
  plan.operation === "topics.addMember" ||
  (plan.operation === "credentials.upsert" && (tokensOf(plan)?.length ?? 0) > 0)

/** The work of a call as a string: equal for calls that request the same. */
export const workOf = (plan: PlannedCall): string => {
  switch (plan.operation) {
    case "credentials.upsert":
      return `upsert ${plan.subscriberId} ${plan.providerId} ${JSON.stringify(credentialsOf(plan))}`
    case "messages.markAs":
      return `mark ${plan.subscriberId} ${markedMessages(plan).length} messages ${plan.mark}`
    case "events.list":
      return `list ${plan.subscriberId}`
    case "topics.addMember":
      return `add ${memberOf(plan)} to ${plan.subscriberId}`
  }
}

/** The retry policy of a call. */
export const retryPolicyOf = ({ retry }: PlannedCall): RetryPolicy.RetryPolicy => {
  switch (retry) {
    case "default":
      return RetryPolicy.default
    case "none":
      return RetryPolicy.none
    case "eager":
      return RetryPolicy.make({ maxRetries: 5, baseDelay: 10 })
    case "no hints":
      return RetryPolicy.make({ honourRetryAfter: false })
    case "small quota":
      return RetryPolicy.make({ quota: { capacity: 20 } })
  }
}

/** The timeouts of a call. */
export const timeoutsOf = ({ timeouts }: PlannedCall): Timeouts.Timeouts => {
  switch (timeouts) {
    case "default":
      return Timeouts.default
    case "short":
      return Timeouts.make({ attempt: 1_000, call: 4_000 })
    case "none":
      return Timeouts.none
  }
}

const keyPolicyOf = (plan: PlannedCall): IdempotencyPolicy.IdempotencyPolicy => {
  switch (plan.key) {
    case "random":
      return IdempotencyPolicy.random
    case "derived":
      return IdempotencyPolicy.derived("job")
    case "fixed":
      // A hash: the work has device tokens, and a key is not a secret.
      return IdempotencyPolicy.fixed(createHash("sha256").update(workOf(plan)).digest("hex"))
    case "reused":
      return IdempotencyPolicy.fixed("one key for everything")
    case "off":
      return IdempotencyPolicy.off
  }
}

const policiesOf = (plan: PlannedCall, areKeysHonoured: boolean): Context.Context<never> => {
  const keys = keyPolicyOf(plan)
  return Context.empty().pipe(
    Context.add(
      IdempotencyPolicy.IdempotencyPolicy,
      plan.serviceHonoursKeys && areKeysHonoured ? IdempotencyPolicy.serviceHonoursKeys(keys) : keys
    ),
    Context.add(RetryPolicy.RetryPolicy, retryPolicyOf(plan)),
    Context.add(Timeouts.Timeouts, timeoutsOf(plan)),
    Context.add(Throttling, plan.throttling),
    Context.add(ResponsePolicy, plan.reading)
  )
}

const operate = (plan: PlannedCall): Effect.Effect<unknown, SignalboxError, Services> => {
  switch (plan.operation) {
    case "credentials.upsert":
      return Credentials.use((service) =>
        service.upsert(plan.subscriberId, anyProvider(plan.providerId, credentialsOf(plan)))
      )
    case "messages.markAs":
      return Messages.use((service) =>
        service.markAs(plan.subscriberId, { messageId: markedMessages(plan), markAs: plan.mark })
      )
    case "events.list":
      return Events.use((service) => service.list({ subscriberIds: [plan.subscriberId] }))
    case "topics.addMember":
      return Calls.use((calls) =>
        calls.call(addMember, { path: { topicKey: plan.subscriberId }, body: { member: memberOf(plan) } })
      )
  }
}

/** Makes a planned call. */
export const makeCall = (
  plan: PlannedCall,
  areKeysHonoured: boolean
): Effect.Effect<unknown, SignalboxError, Services> =>
  Effect.provideContext(operate(plan), policiesOf(plan, areKeysHonoured))
