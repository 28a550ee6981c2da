/**
 * The clients that the simulation runs.
 */
import * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import type { Credentials } from "@signalbox/core/Credentials"
import type { Events } from "@signalbox/core/Events"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import type { Messages } from "@signalbox/core/Messages"
import { Transport } from "@signalbox/core/Transport"
import { watchedSending } from "./Watch.ts"

/** Makes a client over the provided `HttpClient`, or over `fetch`. */
export type ClientUnderTest = (
  options: Connection.ConnectionOptions,
  fetch: typeof globalThis.fetch
) => Layer.Layer<Credentials | Messages | Events, Connection.ConnectionError, HttpClient.HttpClient>

/** The client that ships for Effect programs. */
export const shipped: ClientUnderTest = (options) => Client.layer(options)

/** The same client over `fetch`, as the Promise client uses it. */
export const shippedOverFetch: ClientUnderTest = (options, fetch) =>
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(Layer.succeed(Transport, watchedSending(FetchTransport.make(fetch)))),
    Layer.provide(Connection.layer(options))
  )
