/**
 * Credentials of subscribers.
 *
 * **When to use**: to store how a provider reaches a subscriber: device tokens for push, a webhook URL for chat.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CallState } from "../call/CallState.ts"
import type { Connection } from "../transport/Connection.ts"
import { type CredentialsInput, isAnyProvider, unusualFields } from "./CredentialsInput.ts"
import { makeCall } from "../call/Call.ts"
import { writing } from "../call/Classify.ts"
import { makeInputCheck } from "../call/Input.ts"
import { capturePolicies } from "../call/CallRecord.ts"
import { anyProviderShape, credentialsUpsertWire } from "../reading/Shapes.ts"
import type { Subscriber } from "../models/Subscriber.ts"
import { UpsertCredentialsError } from "../errors/SignalboxError.ts"
import type { Transport } from "../transport/Transport.ts"
import { Warnings } from "../policies/Warnings.ts"

/** What can be done with credentials. */
export interface CredentialsShape {
  /**
   * Creates or updates the credentials of one provider for one subscriber and returns the whole subscriber (API
   * document: Endpoints, Upsert provider credentials).
   *
   * **Gotchas**: device tokens are appended. If the outcome is unknown, a call with device tokens is retried only where
   * the service honours idempotency keys.
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

const make = Effect.gen(function* () {
  const call = yield* makeCall({
    operation: credentialsUpsertWire,
    ...writing,
    makeError: (facts) => new UpsertCredentialsError({ ...facts, operation: "credentials.upsert" })
  })
  const policiesOf = yield* capturePolicies
  const checkPayload = makeInputCheck(anyProviderShape)
  return Credentials.of({
    upsert: (subscriberId, input) =>
      Effect.suspend(() => {
        const upsert = call(
          isAnyProvider(input)
            ? { params: { subscriberId }, payload: input, checkPayload }
            : { params: { subscriberId }, payload: input }
        )
        const unusual = unusualFields(input)
        if (unusual.length === 0) return upsert
        const line = `credentials.upsert: ${unusual.join(" and ")} of provider ${input.providerId} is unusual; sent unchanged`
        return Effect.andThen(
          Effect.contextWith((atCall: Context.Context<never>) => Context.get(policiesOf(atCall), Warnings)(line)),
          upsert
        )
      })
  })
})

/**
 * Credentials of subscribers.
 */
export class Credentials extends Context.Service<Credentials, CredentialsShape>()("signalbox/core/Credentials") {
  /** Makes the service; its policies are those of the surroundings, as with {@link layer}. */
  static readonly make: Effect.Effect<CredentialsShape, never, Transport | Connection | CallState> = Effect.suspend(
    () => make
  )

  /** The service over a transport. */
  static readonly layer: Layer.Layer<Credentials, never, Transport | Connection | CallState> = Layer.effect(
    Credentials,
    Credentials.make
  )
}
