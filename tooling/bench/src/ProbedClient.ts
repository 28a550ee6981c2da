import Knock from "@knocklabs/node"
import { Novu } from "@novu/api"
import { createClient, isSignalboxError, SignalboxError } from "@signalbox/sdk"
import { Stripe } from "stripe"

/** The options of a client under probe; everything else is the client's own default. */
interface ProbeOptions {
  readonly baseUrl: string
  readonly attemptTimeoutMs?: number
  readonly log?: (line: string) => void
}

/** A client as the probes use it: one read, one write that carries a secret in its body. */
interface ProbedCalls {
  readonly list: (signal?: AbortSignal) => Promise<unknown>
  /** The same list, with headers for this call only. */
  readonly listWith: (headers: Readonly<Record<string, string>>) => Promise<unknown>
  readonly write: (signal?: AbortSignal) => Promise<unknown>
}

/** A client under probe. */
export interface ProbedClient {
  readonly name: string
  /** Whether its list is the event listing of this service; the others list something of their own. */
  readonly readsOurPage: boolean
  /** The word in its wire identifiers, for answers it must be able to read. */
  readonly vendor: string
  readonly takesSignal: boolean
  readonly logs: boolean
  /** The body of an error as its own service sends it. */
  readonly errorBody: (status: number, message: string) => unknown
  readonly make: (options: ProbeOptions) => ProbedCalls
  /** Converts an error to data and back, where the client has its own way. */
  readonly throughData?: (error: unknown) => unknown
}

/** The secrets that the probes look for in log lines. */
export const secrets = { apiKey: "sk_probe_4f1c9d", token: "token_probe_8e21" }

const textOf = (values: ReadonlyArray<unknown>): string =>
  values.map((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)))).join(" ")

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
    takesSignal: true,
    logs: true,
    errorBody: errorOfService,
    make: ({ attemptTimeoutMs, baseUrl, log }) => {
      const client = createClient({
        apiKey: secrets.apiKey,
        baseUrl,
        ...(attemptTimeoutMs === undefined ? {} : { timeouts: { attemptMs: attemptTimeoutMs }, retry: false }),
        ...(log === undefined ? {} : { debug: log })
      })
      const input = { providerId: "fcm", credentials: { deviceTokens: [secrets.token] } } as const
      return {
        list: async (signal) => client.events.list({}, { signal }),
        listWith: async (headers) => client.events.list({}, { headers }),
        write: (signal) => client.credentials.upsert("u_1", input, { signal })
      }
    },
    throughData: (error) =>
      isSignalboxError(error) ? SignalboxError.from(structuredClone(SignalboxError.encode(error))) : error
  },
  {
    name: "@novu/api",
    readsOurPage: true,
    vendor: "novu",
    takesSignal: true,
    logs: true,
    errorBody: errorOfService,
    make: ({ attemptTimeoutMs, baseUrl, log }) => {
      const line = (...values: ReadonlyArray<unknown>) => log?.(textOf(values))
      const client = new Novu({
        secretKey: secrets.apiKey,
        serverURL: baseUrl,
        ...(attemptTimeoutMs === undefined ? {} : { timeoutMs: attemptTimeoutMs, retryConfig: { strategy: "none" } }),
        ...(log === undefined ? {} : { debugLogger: { group: line, groupEnd: () => undefined, log: line } })
      })
      const options = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { fetchOptions: { signal } })
      return {
        list: (signal) => client.notifications.list({}, options(signal)),
        listWith: (headers) => client.notifications.list({}, { headers }),
        write: (signal) =>
          client.subscribers.credentials.append(
            { providerId: "fcm", credentials: { deviceTokens: [secrets.token] } },
            "u_1",
            undefined,
            options(signal)
          )
      }
    }
  },
  {
    name: "@knocklabs/node",
    readsOurPage: false,
    vendor: "service",
    takesSignal: true,
    logs: true,
    errorBody: (status, message) => ({ code: "error", message, status, type: "api_error" }),
    make: ({ attemptTimeoutMs, baseUrl, log }) => {
      const line = (...values: ReadonlyArray<unknown>) => log?.(textOf(values))
      const client = new Knock({
        apiKey: secrets.apiKey,
        baseURL: baseUrl,
        ...(attemptTimeoutMs === undefined ? {} : { timeout: attemptTimeoutMs, maxRetries: 0 }),
        ...(log === undefined
          ? {}
          : { logLevel: "debug" as const, logger: { debug: line, info: line, warn: line, error: line } })
      })
      return {
        list: (signal) => client.messages.list({}, { signal }).then((page) => page),
        listWith: (headers) => client.messages.list({}, { headers }).then((page) => page),
        write: (signal) =>
          client.users.setChannelData("u_1", "channel", { data: { tokens: [secrets.token] } }, { signal })
      }
    }
  },
  {
    name: "stripe",
    readsOurPage: false,
    vendor: "service",
    takesSignal: false,
    logs: false,
    errorBody: (_, message) => ({ error: { message, type: "api_error" } }),
    make: ({ attemptTimeoutMs, baseUrl }) => {
      const { hostname, port } = new URL(baseUrl)
      const client = new Stripe(secrets.apiKey, {
        host: hostname,
        port,
        protocol: "http",
        telemetry: false,
        ...(attemptTimeoutMs === undefined ? {} : { timeout: attemptTimeoutMs, maxNetworkRetries: 0 })
      })
      return {
        list: () => client.events.list({ limit: 10 }),
        // Its options of a call have no headers.
        listWith: () => client.events.list({ limit: 10 }),
        write: () => client.customers.create({ description: secrets.token })
      }
    }
  }
]
