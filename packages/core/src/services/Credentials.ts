/**
 * Credentials of subscribers.
 *
 * **When to use**: to store how a provider reaches a subscriber: device tokens for push, a webhook URL for chat.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { CallService } from "./CallService.ts"
import * as UpsertCredentials from "./UpsertCredentials.ts"

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
  readonly upsert: UpsertCredentials.UpsertCredentials
}

/**
 * Credentials of subscribers.
 */
export class Credentials extends CallService<Credentials, CredentialsShape>()(
  "signalbox/core/Credentials",
  Effect.map(UpsertCredentials.make, (upsert) => ({ upsert }))
) {}
