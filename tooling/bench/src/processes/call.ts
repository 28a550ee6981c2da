import type * as Sdk from "@signalbox/sdk"
import type * as SdkOnNode from "@signalbox/sdk/node"
import type { Contestant } from "../Measure.ts"
import { serveRounds } from "../Rounds.ts"

const [baseUrl = "", sdkModule = "", sdkNodeModule = "", jit = ""] = process.argv.slice(2)
// The compiler only covers decoders made after it: it has to be there before the models are loaded.
if (jit === "--jit") await import("effect/schema/SchemaJITCompiler/enable")

const ManagedRuntime = await import("effect/ManagedRuntime")
const Layer = await import("effect/Layer")
const FetchHttpClient = await import("effect/http/FetchHttpClient")
const Client = await import("@signalbox/core/Client")
const Connection = await import("@signalbox/core/Connection")
const FetchTransport = await import("@signalbox/core/FetchTransport")
const { Events } = await import("@signalbox/core/Events")
// As published: bundling and trimming Effect changes what a call costs.
const sdkAsPublished: Promise<typeof Sdk> = import(sdkModule)
const { createClient } = await sdkAsPublished
const sdkNodeAsPublished: Promise<typeof SdkOnNode> = import(sdkNodeModule)

const headers = { accept: "application/json", authorization: "ApiKey key" }
const overFetch = ManagedRuntime.make(
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(FetchTransport.layer()),
    Layer.provide(Connection.layer({ apiKey: "key", baseUrl }))
  )
)
const overHttpClient = ManagedRuntime.make(
  Client.layer({ apiKey: "key", baseUrl }).pipe(Layer.provide(FetchHttpClient.layer))
)

const sdk = createClient({ apiKey: "key", baseUrl })
const sdkOnNode = (await sdkNodeAsPublished).createClient({ apiKey: "key", baseUrl })

const contestants: Array<Contestant> = [10, 50].flatMap((limit) => [
  {
    name: `fetch ${limit}`,
    run: async () => {
      const response = await fetch(`${baseUrl}/v1/notifications?limit=${limit}`, { headers })
      return JSON.parse(await response.text())
    }
  },
  { name: `core ${limit}`, run: () => overFetch.runPromise(Events.use((events) => events.list({ limit }))) },
  { name: `http ${limit}`, run: () => overHttpClient.runPromise(Events.use((events) => events.list({ limit }))) },
  { name: `sdk ${limit}`, run: () => sdk.events.list({ limit }).then((page) => page) },
  { name: `undici ${limit}`, run: () => sdkOnNode.events.list({ limit }).then((page) => page) }
])

const upsert = { providerId: "fcm", credentials: { deviceTokens: ["a-device-token-of-an-ordinary-length"] } } as const
contestants.push(
  {
    name: "fetch upsert",
    run: async () => {
      const response = await fetch(`${baseUrl}/v1/subscribers/user-7/credentials`, {
        method: "PATCH",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(upsert)
      })
      return JSON.parse(await response.text())
    }
  },
  { name: "sdk upsert", run: () => sdk.credentials.upsert("user-7", upsert) },
  { name: "undici upsert", run: () => sdkOnNode.credentials.upsert("user-7", upsert) }
)

if (jit !== "--jit") {
  const { Novu } = await import("@novu/api")
  const novu = new Novu({ secretKey: "novu", serverURL: baseUrl })
  for (const limit of [10, 50]) {
    contestants.push({ name: `novu ${limit}`, run: () => novu.notifications.list({ limit }) })
  }
}

// The first contestant pays for compiling what the others use, too: all of them need some thousand calls to be warm.
await serveRounds(contestants, 1500)
