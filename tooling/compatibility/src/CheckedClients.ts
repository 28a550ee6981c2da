/**
 * The clients of the table in `docs/testing/check.md`, each as a user of it would connect it.
 */
import { Readable } from "node:stream"
import { HTTPClient, Novu } from "@novu/api"
import { createClient, isSignalboxError } from "@signalbox/sdk"
import type { CallResult, CallToMake, CheckTarget, MakeClient } from "@signalbox/test-harness"
import axios, { isAxiosError } from "axios"
import axiosRetry, { exponentialDelay } from "axios-retry"
import ky from "ky"
import { setTimeout as sleep } from "node:timers/promises"
import got, { type Method, type RequestFunction } from "got"
import { createFetch } from "ofetch"
import pRetry from "p-retry"

/** The result of a call, if it is a listing. */
type Listed = { readonly ids?: ReadonlyArray<string> }

/** A client that reports an error as `failed` only where it says so itself. */
const reporting =
  (send: (call: CallToMake) => Promise<Listed>, isDefinite: (error: unknown) => boolean) =>
  async (call: CallToMake): Promise<CallResult> => {
    try {
      return { outcome: "ok", ...(await send(call)) }
    } catch (error) {
      return { outcome: isDefinite(error) ? "failed" : "unknown", error }
    }
  }

const idsOf = (records: ReadonlyArray<{ readonly _id?: string | undefined }>): ReadonlyArray<string> =>
  records.map(({ _id }) => String(_id))

/** `@signalbox/sdk` with its defaults, and the deadline of each call. */
const signalbox: MakeClient = ({ apiKey, baseUrl, fetch, vendor }) => {
  const client = createClient({ apiKey, baseUrl, fetch, vendor })
  const send = async (call: CallToMake): Promise<Listed> => {
    const options = { timeouts: { callMs: call.deadlineMs } }
    switch (call.operation) {
      case "credentials.upsert": {
        const { abortAfterMs: _, deadlineMs: __, operation: ___, subscriberId, ...input } = call
        await client.credentials.upsert(subscriberId, input, options)
        return {}
      }
      case "messages.markAs": {
        const { markAs, messageId, subscriberId } = call
        await client.messages.markAs(subscriberId, { messageId, markAs }, options)
        return {}
      }
      case "events.list": {
        const { abortAfterMs: _, deadlineMs: __, operation: ___, ...filters } = call
        return { ids: idsOf((await client.events.list(filters, options)).data) }
      }
    }
  }
  return reporting(send, (error) => isSignalboxError(error) && !error.mayHaveBeenApplied)
}

type Appended = Parameters<Novu["subscribers"]["credentials"]["append"]>[0]

type Filters = Parameters<Novu["notifications"]["list"]>[0]

/** `@novu/api` with its defaults, and the deadline as its timeout; its errors do not say whether a change was applied. */
const novu: MakeClient = ({ apiKey, baseUrl, fetch }) => {
  const client = new Novu({ secretKey: apiKey, serverURL: baseUrl, httpClient: new HTTPClient({ fetcher: fetch }) })
  const send = async (call: CallToMake): Promise<Listed> => {
    const options = { timeoutMs: call.deadlineMs }
    switch (call.operation) {
      case "credentials.upsert": {
        const { credentials, integrationIdentifier, providerId, subscriberId } = call
        await client.subscribers.credentials.append(
          // Its types have other enumerations than the API document, and lists that can be changed.
          { providerId, credentials, integrationIdentifier } as Appended,
          subscriberId,
          undefined,
          options
        )
        return {}
      }
      case "messages.markAs": {
        const { markAs, messageId, subscriberId } = call
        await client.subscribers.messages.markAllAs(
          { messageId: [...messageId], markAs },
          subscriberId,
          undefined,
          options
        )
        return {}
      }
      case "events.list": {
        const { abortAfterMs: _, deadlineMs: __, operation: ___, subscriberIds, ...filters } = call
        const { result } = await client.notifications.list({ ...filters, subscriberIds } as Filters, options)
        return { ids: result.data.map(({ id }) => String(id)) }
      }
    }
  }
  return reporting(send, () => false)
}

/** `fetch`, once for each call. */
const bareFetch: CheckTarget = { wrapFetch: (fetch) => fetch }

/** The loop that many programs have: four attempts, with a growing wait. */
const fetchLoop: CheckTarget = {
  wrapFetch: (fetch) => async (input, init) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetch(input, init)
        if ((response.status < 500 && response.status !== 429) || attempt === 4) return response
      } catch (error) {
        if (attempt === 4) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt))
    }
  }
}

/** `axios` with `axios-retry`: three retries with its exponential delay. */
const axiosWithRetries: CheckTarget = {
  wrapFetch: (fetch) => {
    const client = axios.create({ adapter: "fetch", env: { fetch }, transformResponse: (text: unknown) => text })
    axiosRetry(client, { retries: 3, retryDelay: exponentialDelay })
    return async (input, init = {}) => {
      const { body, headers, method = "GET", signal } = init
      const url = String(input)
      const request = {
        url,
        method,
        headers: Object.fromEntries(new Headers(headers)),
        data: body,
        validateStatus: (status: number) => status < 400
      }
      const settled = await client
        .request<string>({ ...request, ...(signal ? { signal } : {}) })
        .catch((error: unknown) => {
          if (isAxiosError<string>(error) && error.response !== undefined) return error.response
          throw error
        })
      return new Response(settled.data, { status: settled.status })
    }
  }
}

/** The status of an error for a response, as libraries throw it. */
const statusOf = (error: unknown): number | undefined => {
  const status: unknown = Reflect.get(Object(Reflect.get(Object(error), "response")), "status")
  return typeof status === "number" ? status : undefined
}

/** A library that throws for a status: its callers see the status, without the body. */
const throwing =
  (send: (url: string, init: RequestInit) => Promise<Response>): typeof globalThis.fetch =>
  async (input, init = {}) => {
    try {
      return await send(String(input), init)
    } catch (error) {
      const status = statusOf(error)
      if (status === undefined) throw error
      return new Response("", { status })
    }
  }

/** `ky` with its defaults: two retries of reads; the signal of the call is its time limit. */
const kyWithDefaults: CheckTarget = {
  wrapFetch: (fetch) => {
    const client = ky.create({ fetch, timeout: false })
    return throwing((url, init) => client(url, init))
  }
}

/** `ofetch` with its defaults: one retry of reads. */
const ofetchWithDefaults: CheckTarget = {
  wrapFetch: (fetch) => {
    const client = createFetch({ fetch })
    return throwing(async (url, { body, signal, ...init }) => {
      const options = { ...init, ...(body ? { body } : {}), ...(signal ? { signal } : {}) }
      const { _data, status } = await client.raw<string, "text">(url, { ...options, responseType: "text" })
      return new Response(_data ?? "", { status })
    })
  }
}

/** `got` with its defaults: two retries of reads. The fake responds instead of `http.request`. */
const gotWithDefaults: CheckTarget = {
  wrapFetch: (fetch) => async (input, init) => {
    const request = async () => {
      const { body, headers, status } = await fetch(input, init).catch((error: unknown) => {
        // The errors of `http.request` are the causes of those of `fetch`.
        throw error instanceof Error ? (error.cause ?? error) : error
      })
      return Object.assign(Readable.from(body ?? []), { statusCode: status, headers: Object.fromEntries(headers) })
    }
    const { body, statusCode } = await got(String(input), {
      // It reads no more of a message than there is here.
      request: request as unknown as RequestFunction,
      method: (init?.method ?? "GET") as Method,
      throwHttpErrors: false,
      ...(init?.signal ? { signal: init.signal } : {})
    })
    return new Response(body, { status: statusCode })
  }
}

/** `p-retry` around `fetch`: three retries of responses 429 and 5xx, and of lost connections. */
const fetchWithPRetry: CheckTarget = {
  wrapFetch: (fetch) => (input, init) =>
    pRetry(
      async () => {
        const response = await fetch(input, init)
        if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`)
        return response
      },
      { retries: 3 }
    )
}

/** Reads are retried, writes never: what the API document allows without a key. */
const careful: CheckTarget = {
  wrapFetch: (fetch) => async (input, init) => {
    const attempts = (init?.method ?? "GET") === "GET" ? 3 : 1
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(input, init).catch((error: unknown) => {
        if (attempt === attempts || init?.signal?.aborted === true) throw error
      })
      const isOver = response !== undefined && response.status < 500 && response.status !== 429
      if (response !== undefined && (isOver || attempt === attempts)) return response
      const seconds = Number(response?.headers.get("retry-after") ?? Number.NaN)
      await sleep(Number.isNaN(seconds) ? 2_000 * attempt * (1 + Math.random()) : seconds * 1_000)
    }
  }
}

/** The clients by their names in the table. */
export const checkedClients: Readonly<Record<string, { readonly target: CheckTarget; readonly vendor?: string }>> = {
  "@signalbox/sdk": { target: signalbox },
  "@novu/api": { target: novu, vendor: "novu" },
  "`fetch`, once": { target: bareFetch },
  "`fetch` in a loop": { target: fetchLoop },
  "axios with axios-retry": { target: axiosWithRetries },
  ky: { target: kyWithDefaults },
  got: { target: gotWithDefaults },
  ofetch: { target: ofetchWithDefaults },
  "`fetch` with p-retry": { target: fetchWithPRetry },
  "`fetch`, reads retried": { target: careful }
}
