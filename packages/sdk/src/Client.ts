import type { RateLimitSnapshot } from "@signalbox/core/CallFacts"
import type { CredentialsInput } from "@signalbox/core/CredentialsInput"
import type { EventFilters } from "@signalbox/core/EventFilters"
import type { EventPage } from "@signalbox/core/EventPage"
import type { ListEventsError } from "@signalbox/core/ListEventsError"
import type { MarkManyMessagesAsError } from "@signalbox/core/MarkManyMessagesAsError"
import type { MarkMessagesAsError } from "@signalbox/core/MarkMessagesAsError"
import type { Message } from "@signalbox/core/Message"
import type { MarkAsInput, MessageMark } from "@signalbox/core/MarkAsInput"
import type { Subscriber } from "@signalbox/core/Subscriber"
import type { UpsertCredentialsError } from "@signalbox/core/UpsertCredentialsError"
import type { CallAborted } from "./CallAborted.ts"
import type { CallResult } from "./CallResult.ts"
import type { ClientClosed } from "./ClientClosed.ts"
import type { CallOptions } from "./ClientOptions.ts"
import type { EventList } from "./EventList.ts"

/** Upserts credentials of one provider for one subscriber; see {@link Client.credentials}. */
export interface UpsertCredentials {
  /**
   * Creates the credentials of one provider for one subscriber, or appends device tokens to them (API document:
   * Endpoints, Upsert provider credentials). Rejects with an `UpsertCredentialsError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * await using client = createClientFromEnv()
   * await client.credentials.upsert("u_16170", { providerId: "fcm", credentials: { deviceTokens: ["token"] } })
   * ```
   */
  (subscriberId: string, input: CredentialsInput, options?: CallOptions): Promise<Subscriber>
  /** The same, with the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: (
    subscriberId: string,
    input: CredentialsInput,
    options?: CallOptions
  ) => Promise<CallResult<Subscriber, UpsertCredentialsError>>
}

/** Marks messages of one subscriber; see {@link Client.messages}. */
export interface MarkMessagesAs {
  /**
   * Marks messages of one subscriber and resolves to the affected ones, in one request (API document: Endpoints, Update
   * notifications state). Rejects with a `MarkMessagesAsError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * await using client = createClientFromEnv()
   * await client.messages.markAs("u_16170", { messageId: ["m1", "m2"], markAs: "read" })
   * ```
   */
  (subscriberId: string, input: MarkAsInput, options?: CallOptions): Promise<ReadonlyArray<Message>>
  /** The same, with the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: (
    subscriberId: string,
    input: MarkAsInput,
    options?: CallOptions
  ) => Promise<CallResult<ReadonlyArray<Message>, MarkMessagesAsError>>
}

/** Lists triggered events; see {@link Client.events}. */
export interface ListEvents {
  /**
   * Asks for the events of the environment, newest first (API document: Endpoints, List all events): `await` gives one
   * page, `for await` all events. Rejects with a `ListEventsError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * await using client = createClientFromEnv()
   * const page = await client.events.list({ channels: ["email"], limit: 50 })
   * for await (const event of client.events.list({ subscriberIds: "user-7" })) console.log(event.transactionId)
   * ```
   */
  (filters?: EventFilters, options?: CallOptions): EventList
  /** One page, or the error, as a value; rejects only with a `ClientOptionError`. */
  readonly result: (filters?: EventFilters, options?: CallOptions) => Promise<CallResult<EventPage, ListEventsError>>
}

/** One input of {@link Client.credentials.upsertMany}. */
export type UpsertInput = CredentialsInput & {
  /** Subscriber that the credentials belong to. */
  readonly subscriberId: string
}

/** What became of one input. */
export type UpsertOutcome = CallResult<Subscriber, UpsertCredentialsError> & {
  /** Place of the input, counted from 0. */
  readonly index: number
  /** The input itself. */
  readonly input: UpsertInput
}

/** How many calls are made at a time. */
export interface BulkOptions extends Omit<CallOptions, "idempotencyKey"> {
  /** Calls at the same time, 1 to 100; 4 when absent. */
  readonly concurrency?: number | undefined
  /** Order of the outcomes: of the inputs, or as calls end; of the inputs when absent. */
  readonly order?: "input" | "completion" | undefined
}

/** What became of many messages. */
export interface MarkedMessages {
  /** The affected messages, in no particular order. */
  readonly messages: ReadonlyArray<Message>
  /** The identifiers that no answer had a message for. */
  readonly notReturned: ReadonlyArray<string>
}

/** What became of every message, however the work ended. */
export interface MarkReport {
  /** Identifiers whose call succeeded. */
  readonly done: ReadonlyArray<string>
  /** Identifiers whose call failed, or was aborted under way. */
  readonly failed: ReadonlyArray<string>
  /** Identifiers whose call was not begun. */
  readonly notTried: ReadonlyArray<string>
}

/** What marking many messages came to, as a value. */
export type MarkManyResult =
  | { readonly ok: true; readonly value: MarkedMessages; readonly report: MarkReport }
  | {
      readonly ok: false
      readonly error: MarkManyMessagesAsError | CallAborted | ClientClosed
      readonly report: MarkReport
    }

/** Marks any number of messages; see {@link Client.messages}. */
export interface MarkManyMessagesAs {
  /**
   * Marks any number of messages of one subscriber: one call for each 100 of them, four at a time unless `concurrency`
   * says otherwise. Rejects with a `MarkManyMessagesAsError`, which says what became of every message.
   */
  (
    subscriberId: string,
    messageIds: ReadonlyArray<string>,
    markAs: MessageMark,
    options?: Omit<BulkOptions, "order">
  ): Promise<MarkedMessages>
  /** The same, with what became of every message, also after an abort; rejects only with a `ClientOptionError`. */
  readonly result: (
    subscriberId: string,
    messageIds: ReadonlyArray<string>,
    markAs: MessageMark,
    options?: Omit<BulkOptions, "order">
  ) => Promise<MarkManyResult>
}

/** What every client has. */
interface ClientBase extends AsyncDisposable {
  /** What the service last said about its rate limit; `undefined` before the first answer that says something. */
  readonly rateLimit: RateLimitSnapshot | undefined
  /** Ends all calls and releases what the client holds; they and later ones reject with `ClientClosed`. */
  readonly close: () => Promise<void>
}

/** A client that upserts credentials, made by `createCredentialsClient`. */
export interface CredentialsClient extends ClientBase {
  /** Credentials of subscribers. */
  readonly credentials: {
    readonly upsert: UpsertCredentials
    /**
     * Upserts any number of credentials, one outcome for each input; a failed call is an outcome and ends nothing.
     *
     * Takes inputs as fast as outcomes are consumed. After an abort nothing more is taken, every input that was taken
     * still has its outcome, and then the loop throws the reason of the signal.
     */
    readonly upsertMany: (
      inputs: AsyncIterable<UpsertInput> | Iterable<UpsertInput>,
      options?: BulkOptions
    ) => AsyncIterable<UpsertOutcome>
  }
}

/** A client that marks messages, made by `createMessagesClient`. */
export interface MessagesClient extends ClientBase {
  /** Messages of subscribers. */
  readonly messages: {
    readonly markAs: MarkMessagesAs
    readonly markManyAs: MarkManyMessagesAs
  }
}

/** A client that lists events, made by `createEventsClient`. */
export interface EventsClient extends ClientBase {
  /** Triggered events. */
  readonly events: {
    readonly list: ListEvents
  }
}

/** A client of the service, made by `createClient`. */
export interface Client extends CredentialsClient, MessagesClient, EventsClient {}
