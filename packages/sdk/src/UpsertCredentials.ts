import type { CredentialsInput } from "@signalbox/core/Credentials"
import type { UpsertCredentialsError } from "@signalbox/core/Errors"
import type { Subscriber } from "@signalbox/core/Records"
import type { CallResult } from "./CallResult.ts"
import type { CallOptions } from "./ClientOptions.ts"
import type { Awaitable, DisposableIterator } from "./EventList.ts"

/** Device tokens that are not stored although the service accepted them. */
export interface MissingTokens {
  /**
   * Device tokens that the service accepted and that its last response lacks: another process interferes. Absent when none
   * is missing.
   */
  readonly missingTokens?: ReadonlyArray<string>
}

/** Upserts credentials of one provider for one subscriber; see {@link Client.credentials}. */
export interface UpsertCredentials {
  /**
   * Creates the credentials of one provider for one subscriber, or appends device tokens to them (API document:
   * Endpoints, Upsert provider credentials). Rejects with an `UpsertCredentialsError`.
   *
   * Calls of one client for the same subscriber and provider run one after another, in the order in which they were
   * made: services lose concurrent changes of one entry. The wait counts towards the deadline of a call.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * await client.credentials.upsert("u_16170", { providerId: "fcm", credentials: { deviceTokens: ["token"] } })
   * ```
   */
  (subscriberId: string, input: CredentialsInput, options?: CallOptions): Promise<Subscriber>
  /**
   * Returns the outcome as a value; rejects only with a `ClientOptionError`. A success names the device tokens that the
   * response lacks, which `upsertMany` appends again.
   */
  readonly result: (
    subscriberId: string,
    input: CredentialsInput,
    options?: CallOptions
  ) => Promise<CallResult<Subscriber, UpsertCredentialsError> & MissingTokens>
}

/** One input of {@link Client.credentials.upsertMany}. */
export type UpsertInput = CredentialsInput & {
  /** Subscriber that the credentials belong to. */
  readonly subscriberId: string
}

/** The outcome of one input. */
export type UpsertOutcome = CallResult<Subscriber, UpsertCredentialsError> & {
  /** Position of the input, counted from 0. */
  readonly index: number
  /** The input itself. */
  readonly input: UpsertInput
  /**
   * Device tokens of the subscriber and provider that an earlier input stored, or this one sent, and that the service
   * still lacks after they were appended again twice: another process interferes. Absent when none is missing.
   */
  readonly missingTokens?: ReadonlyArray<string>
}

/** The outcomes of `upsertMany`: `for await` takes one after the other, `await` resolves to all of them. */
export interface UpsertOutcomes extends DisposableIterator<UpsertOutcome>, Awaitable<ReadonlyArray<UpsertOutcome>> {}
