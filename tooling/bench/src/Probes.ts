import { getEventListeners } from "node:events"
import type { IncomingHttpHeaders } from "node:http"
import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { eventPage } from "./Input.ts"
import type { ProbedClient } from "./ProbedClient.ts"
import { secrets } from "./ProbedClient.ts"
import { sendJson, withServer } from "./ProbeServer.ts"

/** One awkward situation, and what a client was seen to do in it. */
export interface Probe {
  readonly name: string
  readonly observe: (client: ProbedClient) => Promise<string>
}

const pending = Symbol("pending")

const within = <A>(milliseconds: number, promise: Promise<A>): Promise<A | typeof pending> =>
  Promise.race([promise, new Promise<typeof pending>((resolve) => setTimeout(resolve, milliseconds, pending))])

const nameOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error)
  const reason = "reason" in error && typeof error.reason === "object" ? error.reason : undefined
  if (reason !== null && reason !== undefined && "_tag" in reason) return String(reason._tag)
  const { name } = error.constructor
  return (name === "Error" || name === "DOMException") && "name" in error ? String(error.name) : name
}

const outcomeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => "a value", nameOf)

const timed = async (promise: Promise<string>): Promise<{ readonly outcome: string; readonly millis: number }> => {
  const start = performance.now()
  const outcome = await promise
  return { outcome, millis: performance.now() - start }
}

const inTens = (millis: number): string => `${Math.round(millis / 10) * 10} ms`
const inSeconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
const yesOrNo = (is: boolean): string => (is ? "yes" : "no")

/** Reports whether a string contains the API key, and whether it contains the token of the write. */
const shown = (text: string): string =>
  `${yesOrNo(text.includes(secrets.apiKey))} / ${yesOrNo(text.includes(secrets.token))}`

/** A page that differs from those of the document in one place. */
const pageWith = (change: (page: ReturnType<typeof eventPage>) => void) => (vendor: string) => {
  const page = structuredClone(eventPage({ events: 2, vendor }))
  change(page)
  return page
}

const unknownProvider = pageWith(({ data: [event] }) => Object.assign(event?.jobs[0] ?? {}, { providerId: "pigeon" }))
const numberForText = pageWith(({ data: [event] }) => Object.assign(event ?? {}, { transactionId: 7 }))

/** A page for the clients that read this service's pages. */
const reads = (pageFor: (vendor: string) => unknown): Probe["observe"] => {
  return ({ make, readsOurPage, vendor }) =>
    readsOurPage
      ? withServer(
          (_, response) => sendJson(response, 200, pageFor(vendor)),
          (baseUrl) => outcomeOf(make({ baseUrl }).list())
        )
      : Promise.resolve("–")
}

/** How often a call is repeated that never succeeds, and what comes of it. */
const neverSucceeds = (call: "list" | "write"): Probe["observe"] => {
  const watchMs = 8_000
  return ({ errorBody, make }) => {
    let requests = 0
    return withServer(
      (_, response) => {
        requests += 1
        sendJson(response, 503, errorBody(503, "unavailable"))
      },
      async (baseUrl) => {
        const seen = await within(watchMs, timed(outcomeOf(make({ baseUrl })[call]())))
        return seen === pending
          ? `${counted(requests, "request")} in ${watchMs / 1000} s, still going`
          : `${counted(requests, "request")} in ${inSeconds(seen.millis)}, then ${seen.outcome}`
      }
    )
  }
}

const keyOfAttempts: Probe["observe"] = ({ errorBody, make }) => {
  const keys: Array<string | undefined> = []
  return withServer(
    (request, response) => {
      const key = request.headers["idempotency-key"]?.toString()
      keys.push(key)
      // The echo tells a careful client that the service honours keys; without it, appending twice is a risk.
      sendJson(response, 503, errorBody(503, "unavailable"), key === undefined ? {} : { "idempotency-key": key })
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

const aborted: Probe["observe"] = ({ errorBody, make, takesSignal }) =>
  takesSignal
    ? withServer(
        (_, response) => sendJson(response, 429, errorBody(429, "slow down"), { "retry-after": "30" }),
        async (baseUrl) => {
          const seen = await within(4_000, timed(outcomeOf(make({ baseUrl }).list(AbortSignal.timeout(300)))))
          return seen === pending ? "still pending after 4 s" : `${seen.outcome} after ${inTens(seen.millis)}`
        }
      )
    : Promise.resolve("takes no signal")

const listenersLeft: Probe["observe"] = ({ errorBody, make, takesSignal }) =>
  takesSignal
    ? withServer(
        (_, response) => sendJson(response, 400, errorBody(400, "no")),
        async (baseUrl) => {
          const { signal } = new AbortController()
          const { list } = make({ baseUrl })
          for (let call = 0; call < 100; call++) await outcomeOf(list(signal))
          return String(getEventListeners(signal, "abort").length)
        }
      )
    : Promise.resolve("takes no signal")

const stalled: Probe["observe"] = ({ make }) =>
  withServer(
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.write("{")
    },
    async (baseUrl) => {
      const seen = await within(4_000, timed(outcomeOf(make({ baseUrl, attemptTimeoutMs: 500 }).list())))
      return seen === pending ? "hangs" : `${seen.outcome} after ${inTens(seen.millis)}`
    }
  )

/** The outcome of one attempt of a write that gets this response. */
const answered =
  (status: number, body: unknown): Probe["observe"] =>
  ({ make }) =>
    withServer(
      (_, response) => sendJson(response, status, body),
      (baseUrl) => outcomeOf(make({ baseUrl, attemptTimeoutMs: 2_000 }).write())
    )

const debugLog: Probe["observe"] = ({ errorBody, logs, make }) => {
  if (!logs) return Promise.resolve("has no debug log")
  const lines: Array<string> = []
  return withServer(
    (_, response) => sendJson(response, 400, errorBody(400, "no")),
    async (baseUrl) => {
      await outcomeOf(make({ baseUrl, log: (line) => lines.push(line) }).write())
      return lines.length === 0 ? "no lines" : shown(lines.join("\n"))
    }
  )
}

/** The secrets that `console.error`, a JSON logger and a stack show. */
const loggedError: Probe["observe"] = ({ errorBody, make }) =>
  withServer(
    // Services like to quote what they refuse.
    (_, response) => sendJson(response, 400, errorBody(400, `"${secrets.token}" is no token`)),
    async (baseUrl) => {
      const error = await make({ baseUrl })
        .write()
        .catch((reason: unknown) => reason)
      return shown(`${inspect(error)} ${JSON.stringify(error)} ${error instanceof Error ? error.stack : ""}`)
    }
  )

const firstRequest = (
  { errorBody, make }: ProbedClient,
  read: (headers: IncomingHttpHeaders) => string,
  headers: Readonly<Record<string, string>> = {}
): Promise<string> => {
  let seen = "no request"
  return withServer(
    (request, response) => {
      seen = read(request.headers)
      sendJson(response, 400, errorBody(400, "no"))
    },
    async (baseUrl) => {
      await outcomeOf(make({ baseUrl }).listWith(headers))
      return seen
    }
  )
}

const headerOfCall: Probe["observe"] = (client) =>
  firstRequest(client, (headers) => yesOrNo(headers["x-tenant"] === "blue"), { "x-tenant": "blue" })

const identity: Probe["observe"] = (client) =>
  firstRequest(client, (headers) => yesOrNo(!/^(node|undici)\b/.test(headers["user-agent"] ?? "node")))

const retriesOnTheWire: Probe["observe"] = ({ errorBody, make }) => {
  const requests: Array<string> = []
  return withServer(
    ({ headers }, response) => {
      requests.push(Object.keys(headers).find((name) => /retry|attempt/.test(name)) ?? "no")
      sendJson(response, 503, errorBody(503, "unavailable"))
    },
    async (baseUrl) => {
      await within(3_000, outcomeOf(make({ baseUrl }).list()))
      return requests[1] ?? "one request"
    }
  )
}

const errorAsData: Probe["observe"] = ({ errorBody, make, throughData = (error) => structuredClone(error) }) =>
  withServer(
    (_, response) => sendJson(response, 404, errorBody(404, "no")),
    async (baseUrl) => {
      const error = await make({ baseUrl })
        .list()
        .catch((reason: unknown) => reason)
      if (!(error instanceof Error)) return "no error"
      const copy = Object(throughData(error))
      const status = ["status", "statusCode"].some((name) => copy[name] === 404)
      return `${yesOrNo(copy instanceof error.constructor)} / ${yesOrNo(status)}`
    }
  )

const version: Probe["observe"] = ({ name }) => {
  const manifest = readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")
  return Promise.resolve(String(JSON.parse(manifest).version))
}

/** Every probe, in the order of the table. */
export const probes: ReadonlyArray<Probe> = [
  { name: "version", observe: version },
  { name: "a provider id nobody has heard of, in one record of a page", observe: reads(unknownProvider) },
  { name: "a number where one record of a page should have text", observe: reads(numberForText) },
  { name: "503 to every attempt of a list", observe: neverSucceeds("list") },
  { name: "503 to every attempt of a write", observe: neverSucceeds("write") },
  { name: "idempotency key of a write over its attempts", observe: keyOfAttempts },
  { name: "abort 300 ms in, while told to wait for 30 s", observe: aborted },
  { name: "listeners left on a signal by 100 calls", observe: listenersLeft },
  { name: "headers, then silence; timeout of 500 ms", observe: stalled },
  {
    name: "400 that says JSON and is an HTML page",
    observe: answered(400, "<html><body>Bad Request</body></html>")
  },
  {
    name: "500 that says JSON and is an HTML page",
    observe: answered(500, "<html><body>Internal Server Error</body></html>")
  },
  { name: "503 with an empty JSON object, as a proxy sends it, attempts used up", observe: answered(503, {}) },
  { name: "debug log shows the API key / the device token", observe: debugLog },
  { name: "logged error shows the API key / the device token, which the response quotes", observe: loggedError },
  { name: "headers for one call", observe: headerOfCall },
  { name: "user-agent names the client", observe: identity },
  { name: "header of a retry that counts it", observe: retriesOnTheWire },
  { name: "an error keeps its class / its status when it crosses to a worker as data", observe: errorAsData }
]
