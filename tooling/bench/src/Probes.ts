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

const inSeconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
const yesOrNo = (is: boolean): string => (is ? "yes" : "no")

/** Reports whether a string contains the API key, and whether it contains the token of the write. */
const shown = (text: string): string =>
  `${yesOrNo(text.includes(secrets.apiKey))} / ${yesOrNo(text.includes(secrets.token))}`

const unknownProvider: Probe["observe"] = ({ make, readsOurPage, vendor }) => {
  if (!readsOurPage) return Promise.resolve("–")
  const page = structuredClone(eventPage({ events: 2, vendor }))
  Object.assign(page.data[0]?.jobs[0] ?? {}, { providerId: "pigeon" })
  return withServer(
    (_, response) => sendJson(response, 200, page),
    (baseUrl) => outcomeOf(make({ baseUrl }).list())
  )
}

const watchMs = 8_000

const neverSucceeds: Probe["observe"] = ({ errorBody, make }) => {
  let requests = 0
  return withServer(
    (_, response) => {
      requests += 1
      sendJson(response, 503, errorBody(503, "unavailable"))
    },
    async (baseUrl) => {
      const seen = await within(watchMs, timed(outcomeOf(make({ baseUrl }).write())))
      return seen === pending
        ? `${counted(requests, "request")} in ${watchMs / 1000} s, still going`
        : `${counted(requests, "request")} in ${inSeconds(seen.millis)}, then ${seen.outcome}`
    }
  )
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

const htmlPage: Probe["observe"] = ({ make }) =>
  withServer(
    (_, response) => sendJson(response, 400, "<html><body>Bad Request</body></html>"),
    (baseUrl) => outcomeOf(make({ baseUrl }).write())
  )

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
      await outcomeOf(make({ baseUrl }).list(headers))
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

/** Every probe, in the order and the words of the table in `docs/comparison.md`. */
export const probes: ReadonlyArray<Probe> = [
  { name: "version", observe: version },
  { name: "unknown provider in one record of a page", observe: unknownProvider },
  { name: "503 to each attempt of a write", observe: neverSucceeds },
  { name: "idempotency key of its attempts", observe: keyOfAttempts },
  { name: "HTML page with status 400", observe: htmlPage },
  { name: "logged error contains API key / device token", observe: loggedError },
  { name: "headers for one call", observe: headerOfCall },
  { name: "`user-agent` names the client", observe: identity },
  { name: "header that counts retries", observe: retriesOnTheWire },
  { name: "error in another thread keeps class / status", observe: errorAsData }
]
