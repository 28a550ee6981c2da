/**
 * The client whose claims are judged.
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

/** Makes a client, over the HTTP client that is provided or over the given `fetch`. */
export type ClientUnderTest = (
  options: Connection.ConnectionOptions,
  fetch: typeof globalThis.fetch
) => Layer.Layer<Credentials | Messages | Events, Connection.ConnectionError, HttpClient.HttpClient>

/** The client as it ships for programs of Effect. */
export const shipped: ClientUnderTest = (options) => Client.layer(options)

/** The client as it ships for everybody else. */
export const shippedOverFetch: ClientUnderTest = (options, fetch) =>
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(Layer.succeed(Transport, watchedSending(FetchTransport.make(fetch)))),
    Layer.provide(Connection.layer(options))
  )
