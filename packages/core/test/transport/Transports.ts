import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as FetchTransport from "../../src/transport/FetchTransport.ts"
import * as HttpClientTransport from "../../src/transport/HttpClientTransport.ts"
import * as UndiciTransport from "../../src/transport/UndiciTransport.ts"
import { Agent } from "undici"
import type { Transport } from "../../src/transport/Transport.ts"

/** All transports over the platform's `fetch`, or over a given one. */
export const transportsOn = (fetch?: typeof globalThis.fetch) =>
  ({
    FetchTransport: FetchTransport.layer(fetch),
    HttpClientTransport: HttpClientTransport.layer.pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(fetch === undefined ? Layer.empty : Layer.succeed(FetchHttpClient.Fetch, fetch))
    )
  }) satisfies Readonly<Record<string, Layer.Layer<Transport>>>

/** All ways to the network. */
export const transports = { ...transportsOn(), UndiciTransport: UndiciTransport.layer(new Agent()) }
