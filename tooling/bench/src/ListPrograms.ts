import type { Program } from "./Bundle.ts"

/** The packages whose list call is bundled and started. */
export type ListProgram =
  | "core"
  | "sdk"
  | "sdk guard"
  | "sdk whole"
  | "@novu/api function"
  | "@knocklabs/node"
  | "stripe"

const sdk = (create: string) => `import { ${create} } from "@signalbox/sdk"
const client = ${create}({ apiKey: "key", baseUrl: "http://127.0.0.1:1" })
export const list = () => client.events.list({ limit: 10 })`

const stripe = `import Stripe from "stripe"
const client = new Stripe("key", { host: "127.0.0.1", port: 1, protocol: "http" })
export const list = () => client.events.list({ limit: 10 })`

/** The smallest program that lists one page, for us and for each peer; the same programs are measured for size and for start. */
export const listPrograms: Readonly<Record<ListProgram, Program>> = {
  core: {
    text: `import * as CallState from "@signalbox/core/CallState"
import * as Connection from "@signalbox/core/Connection"
import * as Events from "@signalbox/core/Events"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
const layer = Events.Events.layer.pipe(
  Layer.provide(CallState.layer),
  Layer.provide(Connection.layer({ apiKey: "key", baseUrl: "http://127.0.0.1:1" })),
  Layer.provide(FetchTransport.layer())
)
export const list = () =>
  Effect.runPromise(Events.Events.use((events) => events.list({ limit: 10 })).pipe(Effect.provide(layer)))`
  },
  sdk: { text: sdk("createEventsClient") },
  "sdk guard": {
    text: `import { isSignalboxError } from "@signalbox/sdk"
export const check = (error) => isSignalboxError(error)`
  },
  "sdk whole": { text: sdk("createClient") },
  "@novu/api function": {
    text: `import { NovuCore } from "@novu/api/core.js"
import { notificationsList } from "@novu/api/funcs/notificationsList.js"
const client = new NovuCore({ secretKey: "key", serverURL: "http://127.0.0.1:1" })
export const list = () => notificationsList(client, { limit: 10 })`
  },
  "@knocklabs/node": {
    text: `import Knock from "@knocklabs/node"
const client = new Knock({ apiKey: "key", baseURL: "http://127.0.0.1:1" })
export const list = () => client.messages.list({ page_size: 10 })`
  },
  stripe: { text: stripe, platform: "node" }
}
