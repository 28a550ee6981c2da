/**
 * The operation `credentials.upsert` without its service.
 *
 * **When to use**: programs that must be small, such as a client that is not for Effect users. All others use the service
 * `Credentials`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { CallState } from "../call/CallState.ts"
import { type CredentialsInput, isAnyProvider, unknownSecretsIn, unusualFields } from "./CredentialsInput.ts"
import type { CallServices } from "../call/Call.ts"
import { wiredCall } from "../call/WiredOperation.ts"
import { writing } from "../call/Classify.ts"
import { inOrder } from "../call/InOrder.ts"
import { makeInputCheck } from "../call/Input.ts"
import { capturePolicies } from "../call/CallRecord.ts"
import { anyProviderShape, credentialsUpsertWire } from "../reading/Shapes.ts"
import type { Subscriber } from "../models/Records.ts"
import { UpsertCredentialsError } from "../errors/Errors.ts"
import { repeatedEntriesAdvice, repeatedEntriesIn, storedTokensIn, tokensIn } from "./StoredTokens.ts"
import { Warnings } from "../policies/Policies.ts"

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
  const stored = storedTokensIn(subscriber, providerId)
  return stored === undefined || tokensIn(input).every((token) => stored.has(token))
    ? undefined
    : "the response lacks device tokens"
}

/** Upserts credentials; see `Credentials.upsert`. */
export type UpsertCredentials = (
  subscriberId: string,
  input: CredentialsInput
) => Effect.Effect<Subscriber, UpsertCredentialsError>

/**
 * Makes the operation; its policies are those of the surroundings.
 */
export const make: Effect.Effect<UpsertCredentials, never, CallServices> = Effect.suspend(
  Effect.fnUntraced(function* () {
    const call = yield* wiredCall(credentialsUpsertWire, UpsertCredentialsError, writing)
    const state = yield* CallState
    const policiesOf = yield* capturePolicies
    const checkPayload = makeInputCheck(anyProviderShape, "credentials")
    const warn = (line: string) =>
      Effect.contextWith((atCall: Context.Context<never>) =>
        Context.get(policiesOf(atCall), Warnings)(`credentials.upsert: ${line}`)
      )
    return (subscriberId: string, input: CredentialsInput) =>
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
