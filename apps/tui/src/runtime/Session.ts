import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import type { Credentials } from "@signalbox/core/Credentials"
import type { Events } from "@signalbox/core/Events"
import type { Messages } from "@signalbox/core/Messages"
import type { ActivityNotification } from "@signalbox/core/Records"
import * as HttpClientTransport from "@signalbox/core/HttpClientTransport"
import type { Transport } from "@signalbox/core/Transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { KnownCauses } from "@signalbox/operator/connections/KnownCauses"
import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import * as OwnKeys from "@signalbox/operator/connections/OwnKeys"
import type { SavedView } from "@signalbox/operator/node"
import { makeRecorder, type Recorder } from "../recording/Recorder.ts"
import { openDemo } from "./Demo.ts"
import type { ConnectionInfo } from "../state/Connection.ts"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"

/** The services that commands are carried out with. */
export type Services = Credentials | Messages | Events

/** The result of triggering a workflow again; only the demo can do it. */
export interface Retriggered {
  readonly transactionId: string
}

/** An open connection: its services, and what the screens need to know of it. */
export interface Session {
  readonly info: ConnectionInfo
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, unknown>
  /** The key of its calls, for runs of files; a replay has none. */
  readonly apiKey?: Redacted.Redacted<string>
  /** The demo's own name, which no other demo has: it forgets what was sent to it. Absent where the base URL names the service. */
  readonly service?: string
  /** The theme that the connection asks for. */
  readonly theme?: ThemeName
  readonly retrigger?: (event: ActivityNotification) => Effect.Effect<Retriggered>
  /** Records what is sent and received; a replay has none. */
  readonly recorder?: Recorder
}

/** How a session is named among the others. */
export interface SessionNames {
  readonly choices: ReadonlyArray<string>
  readonly views?: ReadonlyArray<SavedView>
}

/** One runtime for a session. It logs nowhere: a line on the terminal would tear the screen, and the screens say it all. */
export const makeRuntime = (
  options: Connection.ConnectionOptions,
  transport: Layer.Layer<Transport>,
  clock: Layer.Layer<never> = Layer.empty
): Session["runtime"] => {
  const client = Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(transport),
    Layer.provide(Connection.layer(options))
  )
  return ManagedRuntime.make(Layer.mergeAll(client, clock, Logger.layer([])))
}

/** Sends with an HTTP client, through a recorder; no response contains the API key. */
const recorded = ({ layer }: Recorder, client: Layer.Layer<HttpClient.HttpClient>): Layer.Layer<Transport> =>
  layer.pipe(Layer.provide(OwnKeys.layer), Layer.provide(HttpClientTransport.layer), Layer.provide(client))

/** The embedded demo, in this process. It responds as the API does and offers nothing more. */
export const demoSession = (
  { choices, views = [] }: SessionNames,
  options: { readonly events?: number } = {}
): Session => {
  const { fake, flow } = openDemo(options)
  const flowing = HttpClient.mapRequestEffect((request: HttpClientRequest) => Effect.as(Effect.sync(flow), request))
  const client = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, flowing))
  const recorder = makeRecorder()
  return {
    info: { name: "demo", kind: "demo", baseUrl: fake.baseUrl, readOnly: false, choices, views },
    runtime: makeRuntime(
      { apiKey: fake.apiKey, baseUrl: fake.baseUrl },
      recorded(recorder, Layer.provide(client, fakeLayer(fake)))
    ),
    apiKey: Redacted.make(fake.apiKey),
    service: `the demo of ${new Date().toISOString()}`,
    recorder,
    retrigger: (event) =>
      Effect.sync(() => {
        flow()
        const { transactionId } = fake.trigger({
          workflow: event.template?.triggers[0]?.identifier ?? event.template?.name ?? "",
          to: event.subscriber?.subscriberId ?? "",
          payload: { ...event.payload }
        })
        return { transactionId }
      })
  }
}

/** The options of a live session; the key is never stored or shown. */
export interface LiveOptions extends SessionNames {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  readonly vendor?: string
  readonly readOnly: boolean
  readonly theme?: ThemeName
  readonly dashboardUrl?: string
  readonly known?: KnownCauses
}

/** A connection over HTTP. */
export const liveSession = (options: LiveOptions): Session => {
  const { name, baseUrl, apiKey, dashboardUrl, known, vendor, readOnly, choices, theme, views = [] } = options
  OwnKeys.protectKey(apiKey)
  const recorder = makeRecorder()
  return {
    info: {
      name,
      kind: "live",
      baseUrl,
      readOnly,
      choices,
      views,
      ...(vendor === undefined ? {} : { vendor }),
      ...(dashboardUrl === undefined ? {} : { dashboardUrl }),
      ...(known === undefined ? {} : { known })
    },
    ...(theme === undefined ? {} : { theme }),
    runtime: makeRuntime({ apiKey, baseUrl, vendor }, recorded(recorder, FetchHttpClient.layer)),
    apiKey,
    recorder
  }
}
