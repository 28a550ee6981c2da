/**
 * The clients that the simulation runs.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import type { Calls } from "@signalbox/core/Calls"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import type { Credentials } from "@signalbox/core/Credentials"
import type { Events } from "@signalbox/core/Events"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import * as HttpClientTransport from "@signalbox/core/HttpClientTransport"
import type { Messages } from "@signalbox/core/Messages"
import { Transport } from "@signalbox/core/Transport"
import { undiciTransportOver } from "./UndiciOverFetch.ts"
import { watchedTransport } from "./Watch.ts"

/** Makes a client over the provided `HttpClient`, or over `fetch`. */
export type ClientUnderTest = (
  options: Connection.ConnectionOptions,
  fetch: typeof globalThis.fetch
) => Layer.Layer<Credentials | Messages | Events | Calls, Connection.ConnectionError, HttpClient.HttpClient>

const clientOver = <R>(options: Connection.ConnectionOptions, transport: Layer.Layer<Transport, never, R>) =>
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(Layer.effect(Transport, Effect.map(Transport, watchedTransport))),
    Layer.provide(transport),
    Layer.provide(Connection.layer(options))
  )

/** The client that ships for Effect programs. */
export const shipped: ClientUnderTest = (options) => clientOver(options, HttpClientTransport.layer)

/** The same client over `fetch`, as the Promise client uses it. */
export const shippedOverFetch: ClientUnderTest = (options, fetch) =>
  clientOver(options, Layer.succeed(Transport, FetchTransport.make(fetch)))

/** The same client over a dispatcher, as `@signalbox/sdk/node` uses it. */
export const shippedOverUndici: ClientUnderTest = (options, fetch) =>
  clientOver(options, Layer.succeed(Transport, undiciTransportOver(fetch)))
