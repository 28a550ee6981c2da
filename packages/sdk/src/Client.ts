import * as CoreClient from "@signalbox/core/Client"
import { Credentials } from "@signalbox/core/Credentials"
import type { CredentialsInput } from "@signalbox/core/CredentialsInput"
import * as Connection from "@signalbox/core/Connection"
import { type EventFilters, Events } from "@signalbox/core/Events"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import type { ListEventsError } from "@signalbox/core/ListEventsError"
import type { Message } from "@signalbox/core/Message"
import { type MarkAsInput, Messages } from "@signalbox/core/Messages"
import type { Subscriber } from "@signalbox/core/Subscriber"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { ClientClosed } from "./ClientClosed.ts"
import type { CallOptions, ClientOptions } from "./ClientOptions.ts"
import { type EventListing, makeEventListing } from "./EventListing.ts"

/** A client of the service. Errors that promises reject with are described at each operation. */
export interface Client extends AsyncDisposable {
  /** Credentials of subscribers. */
  readonly credentials: {
    /**
     * Creates or appends the credentials of one provider for one subscriber (API document: Endpoints, Upsert provider
     * credentials). Rejects with an `UpsertCredentialsError`.
     */
    readonly upsert: (subscriberId: string, input: CredentialsInput, options?: CallOptions) => Promise<Subscriber>
  }
  /** Messages of subscribers. */
  readonly messages: {
    /**
     * Marks messages of one subscriber and resolves to the affected ones (API document: Endpoints, Update notifications
     * state). Rejects with a `MarkMessagesAsError`.
     */
    readonly markAs: (
      subscriberId: string,
      input: MarkAsInput,
      options?: CallOptions
    ) => Promise<ReadonlyArray<Message>>
  }
  /** Triggered events. */
  readonly events: {
    /**
     * Lists events of the environment, newest first (API document: Endpoints, List all events): `await` gives one page,
     * `for await` walks over all events. Rejects with a `ListEventsError`.
     */
    readonly list: (filters?: EventFilters, options?: CallOptions) => EventListing
  }
  /** Ends all calls and releases what the client holds; later calls reject with `ClientClosed`. */
  readonly close: () => Promise<void>
}

const withKey = <A, E, R>(effect: Effect.Effect<A, E, R>, options: CallOptions | undefined): Effect.Effect<A, E, R> =>
  options?.idempotencyKey === undefined
    ? effect
    : Effect.provideService(
        effect,
        IdempotencyPolicy.IdempotencyPolicy,
        IdempotencyPolicy.fixed(options.idempotencyKey)
      )

const layerOf = ({ apiKey, baseUrl, fetch, vendor }: ClientOptions) => {
  const transport =
    fetch === undefined
      ? FetchHttpClient.layer
      : FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)))
  return CoreClient.layer({ apiKey, baseUrl, vendor }).pipe(Layer.provide(transport))
}

/**
 * Makes a client.
 *
 * A wrong option throws at once an error that names it.
 *
 * @example
 * ```ts
 * import { createClient } from "@signalbox/sdk"
 * import { createFake } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * await using client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
 * const page = await client.events.list({ limit: 5 })
 * page.data.length // => 5
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  Effect.runSync(Connection.make(options))
  const runtime = ManagedRuntime.make(layerOf(options))
  let isClosed = false

  const run = async <A, E>(
    effect: Effect.Effect<A, E, CoreClient.Client>,
    callOptions: CallOptions | undefined
  ): Promise<A> => {
    if (isClosed) throw new ClientClosed()
    const signal = callOptions?.signal
    signal?.throwIfAborted()
    const exit = await runtime.runPromiseExit(withKey(effect, callOptions), signal && { signal })
    if (Exit.isSuccess(exit)) return exit.value
    if (Cause.hasInterruptsOnly(exit.cause)) throw signal?.aborted ? signal.reason : new ClientClosed()
    throw Cause.squash(exit.cause)
  }

  const open = async <A>(
    walk: (events: Events["Service"]) => Stream.Stream<A, ListEventsError>,
    callOptions: CallOptions | undefined
  ): Promise<AsyncIterable<A>> => {
    const [stream, context] = await run(
      Effect.all([Effect.map(Events, walk), Effect.context<CoreClient.Client>()]),
      callOptions
    )
    return Stream.toAsyncIterableWith(stream, context)
  }

  const close = async () => {
    isClosed = true
    await runtime.dispose()
  }
  return {
    credentials: {
      upsert: (subscriberId, input, callOptions) =>
        run(
          Credentials.use((credentials) => credentials.upsert(subscriberId, input)),
          callOptions
        )
    },
    messages: {
      markAs: (subscriberId, input, callOptions) =>
        run(
          Messages.use((messages) => messages.markAs(subscriberId, input)),
          callOptions
        )
    },
    events: {
      list: (filters, callOptions) =>
        makeEventListing({
          signal: callOptions?.signal,
          page: () =>
            run(
              Events.use((events) => events.list(filters)),
              callOptions
            ),
          pages: () => open((events) => events.pages(filters), callOptions),
          events: () => open((events) => events.stream(filters), callOptions)
        })
    },
    close,
    [Symbol.asyncDispose]: close
  }
}
