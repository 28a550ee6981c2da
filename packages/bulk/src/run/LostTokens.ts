/**
 * Appends device tokens again that a later response of the run lacks.
 */
import {
  type Credentials,
  type CredentialsInput,
  maxRepairs,
  type StoredTokens,
  storedTokensIn,
  tokensIn,
  withTokens
} from "@signalbox/core/Credentials"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import type { Subscriber } from "@signalbox/core/Records"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { RunCalls } from "./RunCalls.ts"

/** An upsert that the service accepted. */
interface Accepted {
  readonly subscriberId: string
  readonly input: CredentialsInput
  /** The idempotency key of the upsert. */
  readonly key: string
  readonly subscriber: Subscriber
}

/**
 * Compares a response with what earlier ones showed, and appends the tokens that it lacks again. Returns how many are
 * still missing: another process interferes.
 */
export const appendLostTokens = Effect.fnUntraced(function* (
  calls: RunCalls,
  credentials: Credentials["Service"],
  stored: StoredTokens,
  { input, key, subscriber, subscriberId }: Accepted
): Effect.fn.Return<number> {
  const { providerId } = input
  const entry = `${providerId}\n${subscriberId}`
  const tokens = tokensIn(input)
  if (tokens.length === 0) {
    // It may have removed the tokens.
    stored.forget(entry)
    return 0
  }
  let missing = stored.missingAfter(entry, storedTokensIn(subscriber, providerId), tokens)
  for (let repair = 1; missing.length > 0 && repair <= maxRepairs; repair++) {
    const result = yield* credentials
      .upsert(subscriberId, withTokens(input, missing))
      .pipe(
        Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, IdempotencyPolicy.fixed(`${key}-${repair}`)),
        calls.make,
        Effect.result
      )
    if (Result.isFailure(result)) break
    missing = stored.missingAfter(entry, storedTokensIn(result.success, providerId), missing)
  }
  return missing.length
})
