/**
 * Promise clients that are broken on purpose, each in one way.
 */
import {
  CallAborted,
  type CallOptions,
  type Client,
  ClientClosed,
  type ClientOptions,
  type UpsertOutcome,
  type UpsertOutcomes
} from "@signalbox/sdk"
import { type BrokenClient, caughtBy } from "../Family.ts"
import { type PromiseClientUnderTest, shippedPromises } from "./PromiseRun.ts"

type Broken = BrokenClient<PromiseClientUnderTest>

const changed =
  (change: (client: Client) => Partial<Client>): PromiseClientUnderTest =>
  (options) => {
    const client = shippedPromises(options)
    return { ...client, ...change(client) }
  }

type UpsertMany = Client["credentials"]["upsertMany"]

/** A client with a changed `upsertMany`. */
const withUpsertMany = (change: (upsertMany: UpsertMany) => UpsertMany): PromiseClientUnderTest =>
  changed(({ credentials }) => ({ credentials: { ...credentials, upsertMany: change(credentials.upsertMany) } }))

const mapped = (
  outcomes: AsyncIterable<UpsertOutcome>,
  change: (outcome: UpsertOutcome) => ReadonlyArray<UpsertOutcome>
): UpsertOutcomes => {
  const changing = async function* () {
    for await (const outcome of outcomes) yield* change(outcome)
  }
  // The checks iterate over the outcomes and await no array of them.
  return changing() as Partial<UpsertOutcomes> as UpsertOutcomes
}

/** A client whose failed upserts have a changed error. */
const withUpsertError = (change: (error: Error) => void): PromiseClientUnderTest =>
  changed(({ credentials }) => {
    const result: Client["credentials"]["upsert"]["result"] = async (...input) => {
      const outcome = await credentials.upsert.result(...input)
      if (!outcome.ok) change(outcome.error)
      return outcome
    }
    const upsertMany: UpsertMany = (...input) =>
      mapped(credentials.upsertMany(...input), (outcome) => {
        if (!outcome.ok) change(outcome.error)
        return [outcome]
      })
    return { credentials: { upsert: Object.assign(credentials.upsert.bind(null), { result }), upsertMany } }
  })

const withoutSignal = <Options extends CallOptions>(options: Options | undefined): Options =>
  // Only the signal differs.
  ({ ...options, signal: undefined }) as unknown as Options

/** A client with a changed `fetch`. */
const withFetch =
  (
    change: (fetch: typeof globalThis.fetch, options: ClientOptions) => typeof globalThis.fetch
  ): PromiseClientUnderTest =>
  (options) =>
    shippedPromises({ ...options, fetch: change(options.fetch ?? globalThis.fetch, options) })

const keyOf = async ({ apiKey }: ClientOptions): Promise<string> => (typeof apiKey === "string" ? apiKey : apiKey())

/** Promise clients by their defect. */
export const brokenPromises: Readonly<Record<string, Broken>> = {
  "loses outcomes": caughtBy(
    /returned the outcomes \[0\] for 2 inputs/u,
    withUpsertMany(
      (upsertMany) =>
        (...input) =>
          mapped(upsertMany(...input), (one) => (one.index === 1 ? [] : [one]))
    )
  ),
  "loses the outcomes of aborted calls": caughtBy(
    /returned the outcomes/u,
    withUpsertMany(
      (upsertMany) =>
        (...input) =>
          mapped(upsertMany(...input), (one) => (!one.ok && one.error instanceof CallAborted ? [] : [one]))
    )
  ),
  "returns outcomes in any order": caughtBy(
    /returned the outcomes/u,
    withUpsertMany((upsertMany) => (inputs, options) => upsertMany(inputs, { ...options, order: "completion" }))
  ),
  "takes all inputs at once": caughtBy(
    /took an input while \d+ outcomes were missing/u,
    withUpsertMany((upsertMany) => (inputs, options) => {
      const all = Symbol.iterator in inputs ? [...inputs] : inputs
      return upsertMany(all, options)
    })
  ),
  "ignores the concurrency limit": caughtBy(
    /concurrent calls, the limit is/u,
    withUpsertMany((upsertMany) => (inputs, options) => upsertMany(inputs, { ...options, concurrency: 99 }))
  ),
  "ignores an abort": caughtBy(
    /after its abort/u,
    withUpsertMany((upsertMany) => (inputs, options) => upsertMany(inputs, withoutSignal(options)))
  ),
  "ignores close()": caughtBy(
    /after its close|accepted a call after close/u,
    changed(() => ({ close: async () => {} }))
  ),
  "reports stopped calls as not sent": caughtBy(
    /reported that nothing was sent, but the service received a request/u,
    withUpsertError((error) => {
      if (error instanceof CallAborted || error instanceof ClientClosed)
        Object.defineProperty(error, "sent", { value: false })
    })
  ),
  "reports stopped calls as not applied": caughtBy(
    /false-failure/u,
    withUpsertError((error) => {
      if (error instanceof CallAborted) Object.defineProperty(error, "mayHaveBeenApplied", { value: false })
    })
  ),
  "retries device tokens after an unknown delivery": caughtBy(/effect-twice/u, (options) =>
    shippedPromises({ ...options, idempotency: { serviceHonoursKeys: true } })
  ),
  "sends no keys": caughtBy(/sent a write without a key/u, (options) =>
    shippedPromises({ ...options, idempotency: "off" })
  ),
  "writes secrets to its debug lines": caughtBy(/shows a secret/u, (options) => {
    void keyOf(options).then((key) => options.debug?.(`using the key ${key}`))
    return shippedPromises(options)
  }),
  "leaves a timer running": caughtBy(/left \d+ timers running/u, (options) => {
    setTimeout(() => {}, 60_000)
    return shippedPromises(options)
  }),
  "leaves rejections unhandled": caughtBy(/rejections unhandled/u, (options) => {
    void Promise.reject(new Error("unhandled"))
    return shippedPromises(options)
  })
}

/** Promise clients whose defect shows only when the API key changes. */
export const brokenRotations: Readonly<Record<string, Broken>> = {
  "remembers its first key": caughtBy(/started calls with a key that its caller had replaced/u, (options) => {
    let first: Promise<string> | undefined
    return shippedPromises({ ...options, apiKey: () => (first ??= keyOf(options)) })
  }),
  "changes the key within a call": caughtBy(
    /changed the key within a call/u,
    withFetch((fetch, options) => async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set("authorization", `ApiKey ${await keyOf(options)}`)
      return fetch(input, { ...init, headers })
    })
  ),
  "retries a rejected key": caughtBy(
    /retried a request whose key was rejected/u,
    withFetch((fetch) => async (input, init) => {
      const response = await fetch(input, init)
      return response.status === 401 ? fetch(input, init) : response
    })
  ),
  "reports a rejected key as a missing subscriber": caughtBy(
    /reported something different from the service about its key/u,
    withFetch((fetch) => async (input, init) => {
      const response = await fetch(input, init)
      return response.status === 401 ? new Response(response.body, { status: 404 }) : response
    })
  ),
  "shows the key that it replaces": caughtBy(/shows a secret/u, (options) => {
    let last: string | undefined
    const apiKey = async () => {
      const key = await keyOf(options)
      if (last !== undefined && last !== key) options.debug?.(`the API key ${last} was replaced`)
      last = key
      return key
    }
    return shippedPromises({ ...options, apiKey })
  })
}

type MarkMany = Client["messages"]["markManyAs"]["result"]

/** A client with a changed `markManyAs`. */
const withMarks = (change: (mark: MarkMany) => MarkMany): PromiseClientUnderTest =>
  changed(({ messages: { markManyAs, ...messages } }) => ({
    messages: { ...messages, markManyAs: Object.assign(markManyAs.bind(null), { result: change(markManyAs.result) }) }
  }))

const forgetMissing =
  (mark: MarkMany): MarkMany =>
  async (...input) => {
    const outcome = await mark(...input)
    return outcome.ok ? { ...outcome, value: { ...outcome.value, notReturned: [] } } : outcome
  }

/** Promise clients with a broken `markManyAs`, by their defect. */
export const brokenMarkers: Readonly<Record<string, Broken>> = {
  "loses a message": caughtBy(
    /does not report every message exactly once/u,
    withMarks(
      (mark) =>
        (subscriberId, ids, ...rest) =>
          mark(subscriberId, [...ids].slice(1), ...rest)
    )
  ),
  "reports everything as done": caughtBy(
    /reported messages as done that are not read/u,
    withMarks((mark) => async (subscriberId, ids, ...rest) => ({
      ...(await mark(subscriberId, ids, ...rest)),
      report: { done: [...ids], failed: [], notTried: [] }
    }))
  ),
  "forgets the messages that were not returned": caughtBy(/lost messages/u, withMarks(forgetMissing)),
  "ignores the concurrency limit": caughtBy(
    /concurrent calls/u,
    withMarks(
      (mark) => (subscriberId, ids, markAs, options) => mark(subscriberId, ids, markAs, { ...options, concurrency: 99 })
    )
  )
}

/** A client that sends another query. */
const withQuery = (change: (query: URLSearchParams) => void): PromiseClientUnderTest =>
  withFetch((fetch) => (input, init) => {
    const url = new URL(String(input))
    change(url.searchParams)
    return fetch(url.href, init)
  })

/** A client that reads other records of listings. */
const withRecords = (change: (records: ReadonlyArray<object>) => ReadonlyArray<object>): PromiseClientUnderTest =>
  withFetch((fetch) => async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok) return response
    const { headers, status } = response
    const text = await response.text()
    const changed = text.replace(/^\{.*\}$/u, (page) => {
      const { data, ...rest } = JSON.parse(page)
      return JSON.stringify({ ...rest, data: change(data) })
    })
    return new Response(changed, { status, headers })
  })

/** Promise clients with broken walks over the listing, by their defect. */
export const brokenWalkers: Readonly<Record<string, Broken>> = {
  "skips every second page": caughtBy(
    /completed without record/u,
    withQuery((query) => {
      const page = query.get("page")
      if (page !== null) query.set("page", String(2 * Number(page)))
    })
  ),
  "lets its pages shift": caughtBy(
    /pinned its pages to nothing/u,
    withQuery((query) => query.delete("before"))
  ),
  "drops records": caughtBy(
    /completed without record/u,
    withRecords((records) => records.slice(1))
  ),
  "rewrites values": caughtBy(
    /returned record \w+ unlike the response/u,
    withRecords((records) => records.map((record) => ({ ...record, transactionId: "another" })))
  )
}

/** Promise clients whose defect shows only when the service loses its state. */
export const brokenLosses: Readonly<Record<string, Broken>> = {
  "returns listings from memory": caughtBy(
    /returned a listing that the service did not send/u,
    changed(({ events }) => {
      let first: ReturnType<typeof events.list.result> | undefined
      const remembered = async (...input: Parameters<typeof events.list.result>) => {
        const page = await events.list.result(...input)
        if (page.ok) first ??= Promise.resolve(page)
        return page.ok ? (first ?? page) : page
      }
      // The type of the payload exists only for the compiler.
      const result = remembered as typeof events.list.result
      return { events: { ...events, list: Object.assign(events.list.bind(null), { result }) } }
    })
  ),
  "reports every message as returned": caughtBy(
    /reported messages as returned that the service did not return/u,
    withMarks(forgetMissing)
  ),
  "sends changes twice to a service that honours keys": caughtBy(
    /effect-twice/u,
    withFetch((fetch, { idempotency }) => async (input, init) => {
      const headers = new Headers(init?.headers)
      const key = headers.get("idempotency-key")
      if (key === null || !Reflect.get(Object(idempotency), "serviceHonoursKeys")) return fetch(input, init)
      headers.set("idempotency-key", `second ${key}`)
      await fetch(input, { ...init, headers }).then((response) => response.text())
      return fetch(input, init)
    })
  ),
  "concludes from its last response that nothing was applied": caughtBy(
    /false-failure/u,
    withUpsertError((error) => {
      const isRefused = "status" in error && (error.status === 400 || error.status === 404)
      if (isRefused) Object.defineProperty(error, "mayHaveBeenApplied", { value: false })
    })
  )
}
