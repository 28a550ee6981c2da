import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as FetchTransport from "../../src/transport/FetchTransport.ts"
import * as HttpClientTransport from "../../src/transport/HttpClientTransport.ts"
import * as UndiciTransport from "../../src/transport/UndiciTransport.ts"
import { Agent } from "undici"
import type { Dispatcher } from "../../src/transport/Dispatcher.ts"
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

interface AgentOptions {
  readonly connections?: number
}

const agents = new Map<string, (options: AgentOptions) => Dispatcher>([["undici 7", (options) => new Agent(options)]])
// undici 8 does not run on Node 20.
if (Number.parseInt(process.versions.node, 10) >= 22) {
  const { Agent } = await import("undici-8")
  agents.set("undici 8", (options) => new Agent(options))
}

/** The transports over the versions of undici that run here, with these options of an agent. */
export const transportsOverUndici = (options: AgentOptions = {}): Readonly<Record<string, Layer.Layer<Transport>>> =>
  Object.fromEntries([...agents].map(([name, makeAgent]) => [name, UndiciTransport.layer(makeAgent(options))]))

/** All ways to the network over HTTP/1.1. */
export const transports = { ...transportsOn(), ...transportsOverUndici() }

/** Those over HTTP/2: undici 8 hangs when calls are aborted, so its agents are set to HTTP/1.1. */
export const transportsOverHttp2: Readonly<Record<string, Layer.Layer<Transport>>> = {
  "undici 7, HTTP/2": UndiciTransport.layer(new Agent({ allowH2: true }))
}
