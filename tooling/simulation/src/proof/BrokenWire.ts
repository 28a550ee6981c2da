/**
 * Clients that are broken in the requests that they build, in the responses that they read, or in which calls they send:
 * the one that ships, behind a `fetch` that changes what passes through it.
 */
import type { CheckedService, CheckRuleName, MakeClient } from "@signalbox/test-harness"
import { shippedOverFetch } from "../ClientUnderTest.ts"
import { checkedClient } from "./CheckedClient.ts"

type Fields = Record<string, unknown>

/** A request before it is sent; its parts can be changed. */
interface Sent {
  method: string
  /** The path, with percent-encoded segments. */
  path: string
  readonly query: URLSearchParams
  body: Fields | undefined
  readonly headers: Headers
}

type Send = (request: Sent) => Promise<Response>

/** A way to break a client, and the rules that should find it. */
export interface BrokenWire {
  readonly rules: ReadonlyArray<CheckRuleName>
  readonly client: MakeClient
}

const shipped = checkedClient(shippedOverFetch)

const bodyOf = async (request: Request): Promise<Fields | undefined> => {
  const text = await request.text()
  // The client sends objects only.
  return text === "" ? undefined : (JSON.parse(text) as Fields)
}

/** A client whose exchanges pass through a function, separate for each client. */
const through =
  (make: () => (request: Sent, send: Send) => Promise<Response>): MakeClient =>
  (service: CheckedService) => {
    const exchange = make()
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      const url = new URL(request.url)
      const { method, signal } = request
      const sent: Sent = {
        method,
        path: url.pathname,
        query: url.searchParams,
        body: await bodyOf(request),
        headers: new Headers(request.headers)
      }
      return exchange(sent, ({ body, headers, method: changed, path, query }) =>
        service.fetch(`${url.origin}${path}${query.size === 0 ? "" : `?${query}`}`, {
          method: changed,
          headers,
          signal,
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
    }
    return shipped({ ...service, fetch })
  }

const sending = (change: (request: Sent) => void): MakeClient =>
  through(() => (request, send) => {
    change(request)
    return send(request)
  })

const inBody = (change: (body: Fields) => void): MakeClient =>
  sending(({ body }) => {
    if (body !== undefined) change(body)
  })

const inCredentials = (change: (credentials: Fields) => void): MakeClient =>
  inBody(({ credentials }) => {
    // An upsert has an object here.
    if (credentials !== undefined) change(credentials as Fields)
  })

const inQuery = (change: (query: URLSearchParams) => void): MakeClient =>
  sending(({ method, query }) => {
    if (method === "GET") change(query)
  })

/** Changes the segment of the subscriber in a path. */
const inSubscriber = (change: (segment: string) => string): MakeClient =>
  sending((request) => {
    const parts = request.path.split("/")
    const at = parts.indexOf("subscribers") + 1
    if (at > 0) request.path = parts.with(at, change(parts[at] ?? "")).join("/")
  })

const responded = (response: Response, text: string, status = response.status): Response =>
  new Response(text, { status, headers: response.headers })

/** Changes the text of responses 2xx. */
const readingText = (change: (text: string) => string): MakeClient =>
  through(() => async (request, send) => {
    const response = await send(request)
    return response.ok ? responded(response, change(await response.text())) : response
  })

const withRecords = (value: unknown, change: (records: ReadonlyArray<Fields>) => ReadonlyArray<Fields>): unknown => {
  // Records are objects.
  if (Array.isArray(value)) return change(value as ReadonlyArray<Fields>)
  if (typeof value !== "object" || value === null) return value
  return "data" in value ? { ...value, data: withRecords(value.data, change) } : change([value as Fields])[0]
}

/** Changes the records of responses 2xx. */
const reading = (change: (records: ReadonlyArray<Fields>) => ReadonlyArray<Fields>): MakeClient =>
  readingText((text) => {
    try {
      return JSON.stringify(withRecords(JSON.parse(text), change))
    } catch {
      return text
    }
  })

const readingEach = (change: (record: Fields) => Fields): MakeClient => reading((records) => records.map(change))

const retryingStatus = (status: number): MakeClient =>
  through(() => async (request, send) => {
    const response = await send(request)
    return response.status === status ? send(request) : response
  })

/** Answers a request from an earlier response with the same key. */
const caching = (keyOf: (request: Sent) => string | undefined): MakeClient =>
  through(() => {
    const kept = new Map<string, Response>()
    return async (request, send) => {
      const key = keyOf(request)
      const found = key === undefined ? undefined : kept.get(key)
      if (found !== undefined) return found.clone()
      const response = await send(request)
      if (key !== undefined && response.ok) kept.set(key, response.clone())
      return response
    }
  })

const request = (client: MakeClient): BrokenWire => ({ rules: ["wrong-request"], client })
const secret = (client: MakeClient): BrokenWire => ({ rules: ["lost-after-ack", "effect-twice"], client })
const value = (client: MakeClient): BrokenWire => ({ rules: ["wrong-record"], client })
const loss = (client: MakeClient): BrokenWire => ({ rules: ["silent-loss"], client })
const lie = (client: MakeClient): BrokenWire => ({ rules: ["false-success", "lost-after-ack", "wrong-fact"], client })
const rejection = (client: MakeClient): BrokenWire => ({ rules: ["retried-rejection"], client })

const shortest = 20

/** The broken clients, by what they do wrong. */
export const brokenWires: Readonly<Record<string, BrokenWire>> = {
  "leaves ids unencoded": request(inSubscriber(decodeURIComponent)),
  "encodes ids twice": request(inSubscriber(encodeURIComponent)),
  "lower-cases ids": request(inSubscriber((id) => encodeURIComponent(decodeURIComponent(id).toLowerCase()))),
  "writes a space in an id as a plus": request(inSubscriber((id) => id.replaceAll("%20", "%2B"))),
  "cuts ids at a slash": request(inSubscriber((id) => id.split("%2F")[0] ?? "")),
  "removes accents from ids": request(
    inSubscriber((id) => encodeURIComponent(decodeURIComponent(id).normalize("NFD").replaceAll(/\p{M}/gu, "")))
  ),
  "drops the limit": request(inQuery((query) => query.delete("limit"))),
  "asks for one record less": request(inQuery((query) => query.set("limit", String(Number(query.get("limit")) - 1)))),
  "asks for 50 records at most, and 49 instead": request(
    inQuery((query) => {
      if (query.get("limit") === "50") query.set("limit", "49")
    })
  ),
  "counts pages from 1": request(
    inQuery((query) => {
      if (query.has("page")) query.set("page", String(Number(query.get("page")) + 1))
    })
  ),
  "drops the page": request(inQuery((query) => query.delete("page"))),
  "drops the time": request(inQuery((query) => query.delete("after"))),
  "sends the day only": request(
    inQuery((query) => {
      const after = query.get("after")
      if (after !== null) query.set("after", after.slice(0, 10))
    })
  ),
  "drops all but the first value of a filter": request(
    inQuery((query) => {
      const [first] = query.getAll("subscriberIds")
      if (first !== undefined) query.set("subscriberIds", first)
    })
  ),
  "drops the channels": request(inQuery((query) => query.delete("channels"))),
  "misspells a filter": request(
    inQuery((query) => {
      const transaction = query.get("transactionId")
      if (transaction !== null) query.set("transactionID", transaction)
      query.delete("transactionId")
    })
  ),
  "sends an empty filter": request(inQuery((query) => query.set("search", ""))),
  "drops the integration": request(inBody((body) => void delete body["integrationIdentifier"])),
  "sends the subscriber in the body too": request(inBody((body) => void (body["subscriberId"] = "ann"))),
  "sends another provider": request(
    inBody((body) => {
      if (body["providerId"] === "apns") body["providerId"] = "fcm"
    })
  ),
  "adds an empty title to credentials": request(inCredentials((credentials) => void (credentials["title"] = ""))),
  "drops the channel of credentials": request(inCredentials((credentials) => void delete credentials["channel"])),
  "drops the alert of credentials": request(inCredentials((credentials) => void delete credentials["alertUid"])),
  "marks as seen instead of read": request(
    inBody((body) => {
      if (body["markAs"] === "read") body["markAs"] = "seen"
    })
  ),
  "marks the first message only": request(
    inBody((body) => {
      const { messageId } = body
      if (Array.isArray(messageId)) body["messageId"] = messageId.slice(0, 1)
    })
  ),
  "marks a message twice": request(
    inBody((body) => {
      const { messageId } = body
      if (Array.isArray(messageId)) body["messageId"] = [...messageId, messageId[0]]
    })
  ),
  "cuts webhook URLs at the query": secret(
    inCredentials((credentials) => {
      const { webhookUrl } = credentials
      if (typeof webhookUrl === "string") credentials["webhookUrl"] = webhookUrl.split("?")[0]
    })
  ),
  "removes reserved characters from device tokens": secret(
    inCredentials((credentials) => {
      const { deviceTokens } = credentials
      if (Array.isArray(deviceTokens))
        credentials["deviceTokens"] = deviceTokens.map((token) => String(token).replaceAll(/[+/=]/gu, ""))
    })
  ),
  "sends device tokens twice": secret(
    inCredentials((credentials) => {
      const { deviceTokens } = credentials
      if (Array.isArray(deviceTokens)) credentials["deviceTokens"] = [...deviceTokens, ...deviceTokens]
    })
  ),
  "reads ASCII only": value(readingText((text) => text.replaceAll(/\P{ASCII}/gu, "?"))),
  "swaps two times": value(
    readingEach((record) => ({ ...record, createdAt: record["updatedAt"], updatedAt: record["createdAt"] }))
  ),
  "inverts flags": value(readingEach((record) => ({ ...record, read: record["read"] !== true }))),
  "cuts strings": value(
    readingEach((record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, one]) => [
          name,
          name !== "_id" && typeof one === "string" ? one.slice(0, shortest) : one
        ])
      )
    )
  ),
  "reads the transaction of the next record": value(
    reading((records) =>
      records.map((record, index) => ({
        ...record,
        transactionId: (records[index + 1] ?? record)["transactionId"]
      }))
    )
  ),
  "returns records in reverse": value(reading((records) => records.toReversed())),
  "returns the first record twice": value(reading((records) => [...records.slice(0, 1), ...records])),
  "rounds times to seconds": value(readingText((text) => text.replaceAll(/(T\d\d:\d\d:\d\d)\.\d{3}Z/gu, "$1.000Z"))),
  "swaps two times in long responses": value(
    readingText((text) =>
      text.length > 64_000
        ? text.replaceAll(/"(cre|upd)atedAt"/gu, (_, which) => `"${which === "cre" ? "upd" : "cre"}atedAt"`)
        : text
    )
  ),
  "drops the last record of a page": loss(reading((records) => (records.length > 1 ? records.slice(0, -1) : records))),
  "returns at most 3 records": loss(reading((records) => records.slice(0, 3))),
  "drops records without a digest": loss(
    reading((records) => records.filter((record) => String(record["_id"]).charCodeAt(23) % 2 === 0))
  ),
  "reports a rejection as success": lie(
    through(() => async (sent, send) => {
      const response = await send(sent)
      const { status } = response
      const empty = sent.path.endsWith("mark-as") ? "[]" : '{"_id":"1","subscriberId":"1","data":[]}'
      return status === 404 ? responded(response, empty, 200) : response
    })
  ),
  "keeps listings in a cache": lie(
    caching(({ method, path, query }) => (method === "GET" ? `${path}?${query}` : undefined))
  ),
  "keeps marks in a cache": lie(
    caching(({ body, path }) => (path.endsWith("mark-as") ? JSON.stringify(body) : undefined))
  ),
  "retries 404": rejection(retryingStatus(404)),
  "retries 400": rejection(retryingStatus(400)),
  "retries 422": rejection(retryingStatus(422))
}
