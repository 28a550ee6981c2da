import Knock from "@knocklabs/node"
import { Novu } from "@novu/api"
import { createClient, isSignalboxError, SignalboxError } from "@signalbox/sdk"
import { Stripe } from "stripe"

/** A client as the probes use it: one read, one write that carries a secret in its body. */
interface ProbedCalls {
  /** A list with headers for this call only. */
  readonly list: (headers?: Readonly<Record<string, string>>) => Promise<unknown>
  readonly write: () => Promise<unknown>
}

/** A client under probe, with its own defaults. */
export interface ProbedClient {
  readonly name: string
  /** Whether its list is the event listing of this service; the others list something of their own. */
  readonly readsOurPage: boolean
  /** The word in its wire identifiers, for responses it must be able to read. */
  readonly vendor: string
  /** The body of an error as its own service sends it. */
  readonly errorBody: (status: number, message: string) => unknown
  readonly make: (options: { readonly baseUrl: string }) => ProbedCalls
  /** Converts an error to data and back, where the client has its own way. */
  readonly throughData?: (error: unknown) => unknown
}

/** The secrets that the probes look for in log lines. */
export const secrets = { apiKey: "sk_probe_4f1c9d", token: "token_probe_8e21" }

const errorOfService: ProbedClient["errorBody"] = (statusCode, message) => ({
  statusCode,
  message,
  path: "/v1/notifications",
  timestamp: "2026-01-01T00:00:00.000Z"
})

/** Every client that is probed: ours first. */
export const probedClients: ReadonlyArray<ProbedClient> = [
  {
    name: "@signalbox/sdk",
    readsOurPage: true,
    vendor: "service",
    errorBody: errorOfService,
    make: ({ baseUrl }) => {
      const client = createClient({ apiKey: secrets.apiKey, baseUrl })
      const input = { providerId: "fcm", credentials: { deviceTokens: [secrets.token] } } as const
      return {
        list: async (headers = {}) => client.events.list({}, { headers }),
        write: () => client.credentials.upsert("u_1", input)
      }
    },
    throughData: (error) =>
      isSignalboxError(error) ? SignalboxError.from(structuredClone(SignalboxError.encode(error))) : error
  },
  {
    name: "@novu/api",
    readsOurPage: true,
    vendor: "novu",
    errorBody: errorOfService,
    make: ({ baseUrl }) => {
      const client = new Novu({ secretKey: secrets.apiKey, serverURL: baseUrl })
      const input = { providerId: "fcm" as const, credentials: { deviceTokens: [secrets.token] } }
      return {
        list: (headers = {}) => client.notifications.list({}, { headers }),
        write: () => client.subscribers.credentials.append(input, "u_1")
      }
    }
  },
  {
    name: "@knocklabs/node",
    readsOurPage: false,
    vendor: "service",
    errorBody: (status, message) => ({ code: "error", message, status, type: "api_error" }),
    make: ({ baseUrl }) => {
      const client = new Knock({ apiKey: secrets.apiKey, baseURL: baseUrl })
      return {
        list: (headers = {}) => client.messages.list({}, { headers }).then((page) => page),
        write: () => client.users.setChannelData("u_1", "channel", { data: { tokens: [secrets.token] } })
      }
    }
  },
  {
    name: "stripe",
    readsOurPage: false,
    vendor: "service",
    errorBody: (_, message) => ({ error: { message, type: "api_error" } }),
    make: ({ baseUrl }) => {
      const { hostname, port } = new URL(baseUrl)
      const client = new Stripe(secrets.apiKey, { host: hostname, port, protocol: "http", telemetry: false })
      return {
        // Its options of a call have no headers.
        list: () => client.events.list({ limit: 10 }),
        write: () => client.customers.create({ description: secrets.token })
      }
    }
  }
]
