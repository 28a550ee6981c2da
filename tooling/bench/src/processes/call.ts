import type * as Sdk from "@signalbox/sdk"
import type * as SdkOnNode from "@signalbox/sdk/node"
import { serveRounds } from "../Rounds.ts"

const [baseUrl = "", sdkModule = "", sdkNodeModule = "", client = "", work = ""] = process.argv.slice(2)

const limit = Number(work)
const isUpsert = work === "upsert"
const upsert = { providerId: "fcm", credentials: { deviceTokens: ["a-device-token-of-an-ordinary-length"] } } as const

/** The call with an Effect service of core. */
const callOfCore = async (): Promise<() => Promise<unknown>> => {
  const ManagedRuntime = await import("effect/ManagedRuntime")
  const Layer = await import("effect/Layer")
  const Client = await import("@signalbox/core/Client")
  const Connection = await import("@signalbox/core/Connection")
  const FetchTransport = await import("@signalbox/core/FetchTransport")
  const { Events } = await import("@signalbox/core/Events")
  const overFetch = Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(FetchTransport.layer()),
    Layer.provide(Connection.layer({ apiKey: "key", baseUrl }))
  )
  const runtime = ManagedRuntime.make(overFetch)
  return () => runtime.runPromise(Events.use((events) => events.list({ limit })))
}

/** The call with a client of the SDK as published: bundling and trimming Effect changes what a call costs. */
const callOfSdk = ({ createClient }: typeof Sdk | typeof SdkOnNode): (() => Promise<unknown>) => {
  const sdk = createClient({ apiKey: "key", baseUrl })
  return isUpsert
    ? () => sdk.credentials.upsert("user-7", upsert)
    : () => sdk.events.list({ limit }).then((page) => page)
}

const callOfNovu = async (): Promise<() => Promise<unknown>> => {
  const { Novu } = await import("@novu/api")
  const novu = new Novu({ secretKey: "novu", serverURL: baseUrl })
  return () => novu.notifications.list({ limit })
}

/** Lists of the other services' clients, which get the same bytes. */
const callOfKnock = async (): Promise<() => Promise<unknown>> => {
  const { default: Knock } = await import("@knocklabs/node")
  const knock = new Knock({ apiKey: "key", baseURL: baseUrl })
  return () => knock.messages.list({}, { query: { limit } }).then((page) => page)
}

const callOfStripe = async (): Promise<() => Promise<unknown>> => {
  const { Stripe } = await import("stripe")
  const { hostname, port } = new URL(baseUrl)
  const stripe = new Stripe("key", { host: hostname, port, protocol: "http", telemetry: false })
  return () => stripe.events.list({ limit })
}

const bareFetch = (): (() => Promise<unknown>) => {
  const headers = { accept: "application/json", authorization: "ApiKey key" }
  const listing = () => fetch(`${baseUrl}/v1/notifications?limit=${limit}`, { headers })
  const upserting = () =>
    fetch(`${baseUrl}/v1/subscribers/user-7/credentials`, {
      method: "PATCH",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(upsert)
    })
  const send = isUpsert ? upserting : listing
  return async () => JSON.parse(await (await send()).text())
}

const callOf = async (): Promise<() => Promise<unknown>> => {
  switch (client) {
    case "fetch":
      return bareFetch()
    case "core":
      return callOfCore()
    case "sdk":
      return callOfSdk((await import(sdkModule)) as typeof Sdk)
    case "undici":
      return callOfSdk((await import(sdkNodeModule)) as typeof SdkOnNode)
    case "novu":
      return callOfNovu()
    case "knock":
      return callOfKnock()
    case "stripe":
      return callOfStripe()
    default:
      throw new Error(`no client "${client}"`)
  }
}

// A call runs hundreds of functions once each: V8 has compiled them all after some ten thousand calls. The garbage of
// `fetch` stays until V8 collects the whole heap, every thousand calls or so: a shorter batch has that cost or not.
await serveRounds([{ name: `${client} ${work}`, run: await callOf() }], { warmUpMs: 5000, batchMs: 400 })
