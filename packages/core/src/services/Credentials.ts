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
import * as Warnings from "../policies/Warnings.ts"
import type { Connection } from "../transport/Connection.ts"
import type { Transport } from "../transport/Transport.ts"
import * as UpsertCredentials from "./UpsertCredentials.ts"

/** Operations on credentials. */
export interface CredentialsShape {
  /**
   * Creates or updates the credentials of one provider for one subscriber and returns the whole subscriber (API
   * document: Endpoints, Upsert provider credentials).
   *
   * **Gotchas**: device tokens are appended. If the outcome is unknown, a call with device tokens is retried only where
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
  readonly upsert: UpsertCredentials.UpsertCredentials
}

const make = Warnings.loggedUnlessProvided(Effect.map(UpsertCredentials.make, (upsert) => Credentials.of({ upsert })))

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
