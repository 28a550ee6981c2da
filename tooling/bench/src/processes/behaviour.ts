import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { eventPage } from "../Input.ts"
import type { ProbedClient } from "../ProbedClient.ts"
import { probedClients, secrets } from "../ProbedClient.ts"
import type { Observation } from "../Row.ts"

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const withServer = async <A>(answer: Answer, use: (baseUrl: string) => Promise<A>): Promise<A> => {
  const server: Server = createServer((request, response) => {
    request.resume().once("end", () => answer(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A server that listens on a port, not on a pipe, has an address object.
  const { port } = server.address() as AddressInfo
  try {
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const sendJson = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

const pending = Symbol("pending")
const within = <A>(milliseconds: number, promise: Promise<A>): Promise<A | typeof pending> =>
  Promise.race([promise, new Promise<typeof pending>((resolve) => setTimeout(resolve, milliseconds, pending))])

const nameOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error)
  const reason = "reason" in error && typeof error.reason === "object" ? error.reason : undefined
  if (reason !== null && reason !== undefined && "_tag" in reason) return String(reason._tag)
  return error.constructor.name === "Error" && "name" in error ? String(error.name) : error.constructor.name
}

const outcomeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "a value",
    (error: unknown) => nameOf(error)
  )

const tens = (milliseconds: number): number => Math.round(milliseconds / 10) * 10

const withUnknownProvider = (vendor: string) => {
  const page = structuredClone(eventPage({ events: 2, vendor }))
  const job = page.data[0]?.jobs[0]
  if (job !== undefined) job.providerId = "carrier-pigeon"
  return page
}

interface Probe {
  readonly name: string
  readonly observe: (client: ProbedClient) => Promise<string>
}

const probes: ReadonlyArray<Probe> = [
  {
    name: "a provider id nobody has heard of, in one record of a page",
    observe: ({ make, readsOurPage, vendor }) =>
      !readsOurPage
        ? Promise.resolve("–")
        : withServer(
            (_, response) => sendJson(response, 200, withUnknownProvider(vendor)),
            (baseUrl) => outcomeOf(make({ baseUrl }).list())
          )
  },
  {
    name: "503 to every attempt of a write",
    observe: ({ make }) => {
      const times: Array<number> = []
      const watchMs = 8_000
      return withServer(
        (_, response) => {
          times.push(performance.now())
          sendJson(response, 503, { message: "unavailable" })
        },
        async (baseUrl) => {
          const start = performance.now()
          const outcome = await within(watchMs, outcomeOf(make({ baseUrl }).write()))
          const seconds = ((performance.now() - start) / 1000).toFixed(1)
          return outcome === pending
            ? `${times.length} requests in ${watchMs / 1000} s, still going`
            : `${times.length} requests in ${seconds} s, then ${outcome}`
        }
      )
    }
  },
  {
    name: "idempotency key of a write over its attempts",
    observe: ({ make }) => {
      const keys: Array<string | undefined> = []
      return withServer(
        (request, response) => {
          const key = request.headers["idempotency-key"]?.toString()
          keys.push(key)
          // The echo tells a careful client that the service honours keys; without it, appending twice is a risk.
          sendJson(response, 503, { message: "unavailable" }, key === undefined ? {} : { "idempotency-key": key })
        },
        async (baseUrl) => {
          await within(3_000, outcomeOf(make({ baseUrl }).write()))
          const [first] = keys
          if (first === undefined) return "no key sent"
          if (keys.length < 2) return "a key; one attempt"
          return keys.every((key) => key === first) ? "the same key" : "another key each time"
        }
      )
    }
  },
  {
    name: "abort 300 ms in, while told to wait for 30 s",
    observe: ({ make, takesSignal }) =>
      takesSignal
        ? withServer(
            (_, response) => sendJson(response, 429, { message: "slow down" }, { "retry-after": "30" }),
            async (baseUrl) => {
              const start = performance.now()
              const outcome = await within(4_000, outcomeOf(make({ baseUrl }).list(AbortSignal.timeout(300))))
              return outcome === pending
                ? "still pending after 4 s"
                : `${outcome} after ${tens(performance.now() - start)} ms`
            }
          )
        : Promise.resolve("takes no signal")
  },
  {
    name: "headers, then silence; timeout of 500 ms",
    observe: ({ make }) =>
      withServer(
        (_, response) => {
          response.writeHead(200, { "content-type": "application/json" })
          response.write("{")
        },
        async (baseUrl) => {
          const start = performance.now()
          const outcome = await within(4_000, outcomeOf(make({ baseUrl, attemptTimeoutMs: 500 }).list()))
          return outcome === pending ? "hangs" : `${outcome} after ${tens(performance.now() - start)} ms`
        }
      )
  },
  {
    name: "400 that says JSON and is an HTML page",
    observe: ({ make }) =>
      withServer(
        (_, response) => sendJson(response, 400, "<html><body>Bad Request</body></html>"),
        (baseUrl) => outcomeOf(make({ baseUrl }).write())
      )
  },
  {
    name: "503 without an error object in its JSON, attempts used up",
    observe: ({ make }) =>
      withServer(
        (_, response) => sendJson(response, 503, {}),
        (baseUrl) => outcomeOf(make({ baseUrl, attemptTimeoutMs: 2_000 }).write())
      )
  },
  {
    name: "debug log shows the API key / the device token",
    observe: ({ logs, make }) => {
      if (!logs) return Promise.resolve("has no debug log")
      const lines: Array<string> = []
      return withServer(
        (_, response) => sendJson(response, 400, { message: "no" }),
        async (baseUrl) => {
          await outcomeOf(make({ baseUrl, log: (line) => lines.push(line) }).write())
          const shows = (secret: string) => (lines.some((line) => line.includes(secret)) ? "yes" : "no")
          return lines.length === 0 ? "no lines" : `${shows(secrets.apiKey)} / ${shows(secrets.token)}`
        }
      )
    }
  }
]

const observations: Array<Observation> = []
for (const probe of probes) {
  const outcomes = await Promise.all(
    probedClients.map(async (client) => ({ client: client.name, outcome: await probe.observe(client) }))
  )
  for (const { client, outcome } of outcomes) observations.push({ probe: probe.name, client, outcome })
}
process.send?.(observations)
