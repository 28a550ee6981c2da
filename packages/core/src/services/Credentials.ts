/**
 * Credentials of subscribers.
 *
 * **When to use**: to store how a provider reaches a subscriber: device tokens for push, a webhook URL for chat.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallServices } from "../call/Call.ts"
import { capturePolicies } from "../call/CallRecord.ts"
import { CallState } from "../call/CallState.ts"
import { writing } from "../call/Classify.ts"
import { inOrder } from "../call/InOrder.ts"
import { makeInputCheck } from "../call/Input.ts"
import { wiredCall } from "../call/WiredOperation.ts"
import { UpsertCredentialsError } from "../errors/Errors.ts"
import type { Subscriber } from "../models/Records.ts"
import { Warnings } from "../policies/Policies.ts"
import { anyProviderShape, credentialsUpsertWire } from "../reading/Shapes.ts"
import { CallService } from "./CallService.ts"
import { type CredentialsInput, isAnyProvider, unknownSecretsIn, unusualFields } from "./CredentialsInput.ts"
import { missingTokensIn, repeatedEntriesAdvice, repeatedEntriesIn } from "./StoredTokens.ts"

export * from "./CredentialsInput.ts"
export { checkUpsert, type RequestCheck } from "./RequestCheck.ts"
export * from "./StoredTokens.ts"

/** Operations on credentials. */
export interface CredentialsShape {
  /**
   * Creates or updates the credentials of one provider for one subscriber and returns the whole subscriber (API
   * document: Endpoints, Upsert provider credentials).
   *
   * **Gotchas**: device tokens are appended. A blank one, which services store although it reaches no phone, is rejected
   * before anything is sent. If the outcome is unknown, a call with device tokens is retried only where
   * the service honours idempotency keys.
   *
   * **Details**: services read, change and write an entry without a lock. So the calls of one client for the same
   * subscriber and provider run one after another, in the order in which they were made; the wait counts towards the
   * deadline of a call. Other processes can still interfere.
   *
   * @example
   * ```ts
   * import { Credentials } from "@signalbox/core/Credentials"
   *
   * const program = Credentials.use((credentials) =>
   *   credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: ["token"] } })
   * )
   * ```
   */
  readonly upsert: (subscriberId: string, input: CredentialsInput) => Effect.Effect<Subscriber, UpsertCredentialsError>
}

/**
 * Identifies calls that must not run at the same time. The integration is not part of it: a request without one changes
 * the entry of an integration that only the service can name.
 */
const entryOf = (subscriberId: string, input: CredentialsInput | undefined): string =>
  // Callers without types can pass anything; values other than strings are rejected before their turn.
  [subscriberId, input?.providerId].filter((part) => typeof part === "string").join("\n")

/** Evidence in a response of other writes to the same entry. */
const traceOfOthers = (input: CredentialsInput, subscriber: Subscriber): string | undefined => {
  const { providerId } = input
  if (repeatedEntriesIn(subscriber).some((entry) => entry.providerId === providerId))
    return repeatedEntriesAdvice(providerId)
  return missingTokensIn(input, subscriber).length === 0 ? undefined : "the response lacks device tokens"
}

/** Makes the operation without the service, for programs that must be small. @internal */
export const makeUpsert: Effect.Effect<CredentialsShape["upsert"], never, CallServices> =
  /* @__PURE__ */ Effect.suspend(
    Effect.fnUntraced(function* () {
      const call = yield* wiredCall(credentialsUpsertWire, UpsertCredentialsError, writing)
      const state = yield* CallState
      const policiesOf = yield* capturePolicies
      const checkPayload = makeInputCheck(anyProviderShape, "credentials")
      const warn = (line: string) =>
        Effect.contextWith((atCall: Context.Context<never>) =>
          Context.get(policiesOf(atCall), Warnings)(`credentials.upsert: ${line}`)
        )
      return (subscriberId, input) =>
        Effect.suspend(() => {
          const params = { subscriberId }
          const upsert = inOrder(state, entryOf(subscriberId, input), (turn) =>
            call(
              {
                params,
                payload: input,
                ...(isAnyProvider(input) && { checkPayload, secrets: unknownSecretsIn(input) })
              },
              turn
            )
          )
          const checked = Effect.flatMap(upsert, (subscriber) => {
            const trace = traceOfOthers(input, subscriber)
            return trace === undefined ? Effect.succeed(subscriber) : Effect.as(warn(trace), subscriber)
          })
          const unusual = unusualFields(input)
          return unusual.length === 0
            ? checked
            : Effect.flatMap(
                warn(`${unusual.join(" and ")} of provider ${input.providerId} is unusual; sent unchanged`),
                () => checked
              )
        })
    })
  )

/**
 * Credentials of subscribers.
 */
export class Credentials
  extends /* @__PURE__ */ CallService<Credentials, CredentialsShape>()(
    "signalbox/core/Credentials",
    /* @__PURE__ */ Effect.map(makeUpsert, (upsert) => ({ upsert }))
  ) {}
