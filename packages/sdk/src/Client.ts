import type { RateLimitSnapshot } from "@signalbox/core/CallInfo"
import type { CredentialsInput } from "@signalbox/core/Credentials"
import type { EventFilters } from "@signalbox/core/Events"
import type { EventPage, Message, Subscriber } from "@signalbox/core/Records"
import type { DeclaredOperation, RequestParts } from "@signalbox/core/DeclaredOperation"
import type { Method } from "@signalbox/core/Operations"
import type {
  CallError,
  ListEventsError,
  MarkManyMessagesAsError,
  MarkManyReport as MarkReport,
  MarkMessagesAsError,
  UpsertCredentialsError
} from "@signalbox/core/Errors"
import type { MarkAsInput, MessageMark } from "@signalbox/core/Messages"
import type { CallAborted } from "./CallAborted.ts"
import type { CallResult } from "./CallResult.ts"
import type { ClientClosed } from "./ClientClosed.ts"
import type { BehaviourOptions, CallOptions } from "./ClientOptions.ts"
import type { Awaitable, DisposableIterable, DisposableIterator, EventList, EventOf } from "./EventList.ts"

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

/** Marks messages of one subscriber; see {@link Client.messages}. */
export interface MarkMessagesAs {
  /**
   * Marks messages of one subscriber in one request and resolves to the affected messages (API document: Endpoints, Update
   * notifications state). Rejects with a `MarkMessagesAsError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * await client.messages.markAs("u_16170", { messageId: ["m1", "m2"], markAs: "read" })
   * ```
   */
  (subscriberId: string, input: MarkAsInput, options?: CallOptions): Promise<ReadonlyArray<Message>>
  /** Returns the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: (
    subscriberId: string,
    input: MarkAsInput,
    options?: CallOptions
  ) => Promise<CallResult<ReadonlyArray<Message>, MarkMessagesAsError>>
}

/** Lists triggered events; see {@link Client.events}. */
export interface ListEvents {
  /**
   * Lists the events of the environment, newest first (API document: Endpoints, List all events): `await` returns one
   * page, `for await` iterates over all events. Rejects with a `ListEventsError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * const page = await client.events.list({ channels: ["email"], limit: 50 })
   * for await (const event of client.events.list({ subscriberIds: "user-7" })) console.log(event.transactionId)
   * for await (const { payload } of client.events.list<{ orderId: string }>()) console.log(payload?.orderId)
   * ```
   */
  <Payload = unknown>(filters?: EventFilters, options?: CallOptions): EventList<EventOf<Payload>>
  /** Returns one page or the error as a value; rejects only with a `ClientOptionError`. */
  readonly result: <Payload = unknown>(
    filters?: EventFilters,
    options?: CallOptions
  ) => Promise<CallResult<EventPage<EventOf<Payload>>, ListEventsError>>
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

/** Options of bulk work. */
export interface BulkOptions extends Omit<CallOptions, "idempotencyKey"> {
  /** Concurrent calls, 1 to 100; 4 when absent. */
  readonly concurrency?: number | undefined
  /** Order of the outcomes: that of the inputs, or as calls finish; `"input"` when absent. */
  readonly order?: "input" | "completion" | undefined
}

/** The outcome of marking many messages. */
export interface MarkedMessages {
  /** The affected messages, in no particular order. */
  readonly messages: ReadonlyArray<Message>
  /** The identifiers for which no response had a message. */
  readonly notReturned: ReadonlyArray<string>
}

export type { MarkManyReport as MarkReport } from "@signalbox/core/Errors"

/** The outcome of marking many messages, as a value. */
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
   * Marks any number of messages of one subscriber, with one call per 100 messages and four concurrent calls unless
   * `concurrency` is set. Rejects with a `MarkManyMessagesAsError`, which lists the outcome of every message.
   */
  (
    subscriberId: string,
    messageIds: string | Iterable<string>,
    markAs: MessageMark,
    options?: Omit<BulkOptions, "order">
  ): Promise<MarkedMessages>
  /** Returns the outcome of every message, even after an abort; rejects only with a `ClientOptionError`. */
  readonly result: (
    subscriberId: string,
    messageIds: string | Iterable<string>,
    markAs: MessageMark,
    options?: Omit<BulkOptions, "order">
  ) => Promise<MarkManyResult>
}

/** Members of every client. */
export interface ClientBase extends AsyncDisposable {
  /**
   * A client with other defaults, which shares everything else: connections, rate limit, retry quota and `close()`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * const patient = client.with({ timeouts: { callMs: 300_000 }, headers: { "x-tenant": "blue" } })
   * ```
   */
  readonly with: (defaults: BehaviourOptions) => this
  /** The rate limit as last reported by the service; `undefined` before the first report. */
  readonly rateLimit: RateLimitSnapshot | undefined
  /** Interrupts all calls and releases resources; those calls and later ones reject with `ClientClosed`. */
  readonly close: () => Promise<void>
}

/** A client that upserts credentials, made by `createCredentialsClient`. */
export interface CredentialsClient extends ClientBase {
  /** Credentials of subscribers. */
  readonly credentials: {
    readonly upsert: UpsertCredentials
    /**
     * Upserts any number of credentials: `for await` yields one outcome per input, `await` resolves to all of them. A
     * failed call is an outcome and stops nothing, so check `ok`.
     *
     * Sends nothing until it is iterated or awaited. Reads inputs as fast as outcomes are consumed. Inputs of one subscriber and provider are sent in their order, one
     * request at a time; those that only append device tokens share a request, and then its outcome and call facts.
     * After an abort, `close()`, or an outcome `Unauthorized` it reads no more inputs, still yields the outcome of
     * every input taken, and then throws the signal's reason, `ClientClosed`, or the error of that outcome.
     */
    readonly upsertMany: (
      inputs: AsyncIterable<UpsertInput> | Iterable<UpsertInput>,
      options?: BulkOptions
    ) => UpsertOutcomes
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

/** The arguments after an operation: its input, which may be omitted where all of its parts may, and options. */
export type CallArguments<Input> = {} extends Input
  ? readonly [input?: Input, options?: CallOptions]
  : readonly [input: Input, options?: CallOptions]

/** Calls an operation that the program declares; see {@link Client.call}. */
export interface CallDeclared {
  /**
   * Calls an operation that `defineOperation` made, like every other operation of the client. Rejects with a `CallError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv, defineOperation } from "@signalbox/sdk"
   *
   * const listRaw = defineOperation({ name: "events.raw", method: "GET", path: "/v1/notifications" })
   *
   * const client = createClientFromEnv()
   * await client.call(listRaw, { query: { limit: 10 } })
   * ```
   */
  <Input, Output>(operation: DeclaredOperation<Input, Output>, ...args: CallArguments<Input>): Promise<Output>
  /** Returns the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: <Input, Output>(
    operation: DeclaredOperation<Input, Output>,
    ...args: CallArguments<Input>
  ) => Promise<CallResult<Output, CallError>>
  /** Iterates over the pages of an operation with `paginate`; without it there is one page. */
  readonly pages: <Input, Output>(
    operation: DeclaredOperation<Input, Output>,
    ...args: CallArguments<Input>
  ) => DisposableIterable<Output>
}

/** Sends one-off requests; see {@link Client.request}. */
export interface SendRequest {
  /**
   * Sends one request and resolves to the JSON of its response, unchecked; identifiers in its path must be encoded. Rejects with a `CallError`. A write is
   * retried only where its first request was not applied, or where the service honours idempotency keys.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * await client.request("GET", "/v1/notifications", { query: { limit: 10 } })
   * ```
   */
  <M extends Method>(
    method: M,
    path: `/${string}`,
    input?: RequestParts<"/", M>,
    options?: CallOptions
  ): Promise<unknown>
  /** Returns the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: <M extends Method>(
    method: M,
    path: `/${string}`,
    input?: RequestParts<"/", M>,
    options?: CallOptions
  ) => Promise<CallResult<unknown, CallError>>
}

/** A client of the service, made by `createClient`. */
export interface Client extends CredentialsClient, MessagesClient, EventsClient {
  /** Calls operations that the program declares. */
  readonly call: CallDeclared
  /** Sends one-off requests. */
  readonly request: SendRequest
}
