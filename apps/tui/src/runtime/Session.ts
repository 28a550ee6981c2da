import * as Client from "@signalbox/core/Client"
import type { ConnectionError } from "@signalbox/core/Connection"
import type { Credentials } from "@signalbox/core/Credentials"
import type { Events } from "@signalbox/core/Events"
import type { Messages } from "@signalbox/core/Messages"
import type { ActivityNotification } from "@signalbox/core/Activity"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { createFake } from "@signalbox/test-harness"
import type { ThemeName } from "@signalbox/operator/connections/NamedConnection"
import type { SavedView } from "@signalbox/operator/node"
import type { ConnectionInfo } from "../state/Connection.ts"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"

/** The services that commands are carried out with. */
export type Services = Credentials | Messages | Events

/** What triggering a workflow again gave; the demo alone can do it. */
export interface Retriggered {
  readonly transactionId: string
}

/** An open connection: its services, and what the screens need to know of it. */
export interface Session {
  readonly info: ConnectionInfo
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, unknown>
  /** The theme that the connection asks for. */
  readonly theme?: ThemeName
  readonly retrigger?: (event: ActivityNotification) => Effect.Effect<Retriggered>
}

/** How a session is named among the others. */
export interface SessionNames {
  readonly choices: ReadonlyArray<string>
  readonly views?: ReadonlyArray<SavedView>
}

/** One runtime for a session. It logs nowhere: a line on the terminal would tear the screen, and the screens say it all. */
const makeRuntime = (client: Layer.Layer<Client.Client, ConnectionError>): Session["runtime"] =>
  ManagedRuntime.make(Layer.merge(client, Logger.layer([])))

/** The embedded demo: the fake with demo data, in this process. It answers what the API answers and nothing more. */
export const demoSession = (
  { choices, views = [] }: SessionNames,
  options: { readonly events?: number } = {}
): Session => {
  const fake = createFake({ data: "demo", seed: 1, ...options })
  const client = Client.layer({ apiKey: fake.apiKey, baseUrl: fake.baseUrl })
  return {
    info: { name: "demo", kind: "demo", baseUrl: fake.baseUrl, readOnly: false, choices, views },
    runtime: makeRuntime(client.pipe(Layer.provide(fakeLayer(fake)))),
    retrigger: (event) =>
      Effect.sync(() => {
        const { transactionId } = fake.trigger({
          workflow: event.template?.triggers[0]?.identifier ?? event.template?.name ?? "",
          to: event.subscriber?.subscriberId ?? "",
          payload: { ...event.payload }
        })
        return { transactionId }
      })
  }
}

/** What a live session needs; the key is never stored or shown. */
export interface LiveOptions extends SessionNames {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  readonly vendor?: string
  readonly readOnly: boolean
  readonly theme?: ThemeName
}

/** A connection over HTTP. */
export const liveSession = (options: LiveOptions): Session => {
  const { name, baseUrl, apiKey, vendor, readOnly, choices, theme, views = [] } = options
  const client = Client.layer({ apiKey, baseUrl, ...(vendor === undefined ? {} : { vendor }) })
  return {
    info: { name, kind: "live", baseUrl, readOnly, choices, views, ...(vendor === undefined ? {} : { vendor }) },
    ...(theme === undefined ? {} : { theme }),
    runtime: makeRuntime(client.pipe(Layer.provide(FetchHttpClient.layer)))
  }
}
