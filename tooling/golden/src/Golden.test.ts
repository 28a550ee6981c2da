import { describe, it } from "@effect/vitest"
import * as EventCursor from "@signalbox/core/internal/services/EventCursor"
import { operations, type Parameter } from "@signalbox/core/Operations"
import { type Client, type ClientOptions, createClient, type EventFilters, isSignalboxError } from "@signalbox/sdk"
import { createFake, manualClock, type Preset } from "@signalbox/test-harness"
import { expect } from "vitest"
import { type Answer, apiKey, makeRecording, withoutRuntime } from "./Recording.ts"

/** Compares a value with its file; `vitest run -u` writes the file after an intended change. */
const same = (text: string, file: string) => expect(text).toMatchFileSnapshot(`../golden/${file}`)

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const success: Answer = { status: 200, body: { hasMore: false, data: [], page: 0, pageSize: 10 } }

const clientOf = (fetch: typeof globalThis.fetch, options: Partial<ClientOptions> = {}): Client =>
  createClient({
    apiKey,
    baseUrl: "https://api.example.test",
    fetch,
    retry: false,
    // Random keys would differ on every run.
    idempotency: { derived: { scope: "golden" } },
    ...options
  })

const valueOf = (name: string, parameter: Parameter): unknown => {
  if (parameter.kind === "integer") return parameter.maximum ?? 2
  return parameter.kind === "string" ? `${name}-1` : [`${name}-1`, `${name}-2`]
}

/** Values whose encoding matters, or that must be valid. */
const chosen: EventFilters = {
  channels: ["email", "in_app"],
  templates: ["welcome"],
  emails: ["ada@example.test", "bob+1@example.test"],
  search: "a b&c",
  subscriberIds: ["user-7", "user 8"],
  severity: ["high", "none"],
  page: 2,
  limit: 50,
  transactionId: "txn-1",
  topicKey: "orders",
  contextKeys: ["tenant:north"],
  after: "2026-01-01T00:00:00.000Z",
  before: "2026-02-01T00:00:00.000Z",
  subscriptionId: "subscription-1"
}

const everyFilter: EventFilters = {
  ...Object.fromEntries(
    Object.entries<Parameter>(operations["events.list"].parameters.query).map(([name, parameter]) => [
      name,
      valueOf(name, parameter)
    ])
  ),
  ...chosen
}

type Use = (client: Client) => Promise<unknown>

const calls: Readonly<Record<string, Use>> = {
  "upsert device tokens": ({ credentials }) =>
    credentials.upsert("user 7/a", { providerId: "fcm", credentials: { deviceTokens: ["token-1", "token-2"] } }),
  "upsert a webhook for an integration": ({ credentials }) =>
    credentials.upsert("user-7", {
      providerId: "slack",
      integrationIdentifier: "slack-main",
      credentials: { webhookUrl: "https://hooks.example.test/T0" }
    }),
  "mark as read": ({ messages }) => messages.markAs("user-7", { messageId: ["m1", "m2"], markAs: "read" }),
  "mark one as unseen": ({ messages }) => messages.markAs("user-7", { messageId: "m1", markAs: "unseen" }),
  "list without filters": ({ events }) => events.list(),
  "list with every filter": ({ events }) => events.list(everyFilter),
  "list with several values": ({ events }) => events.list({ emails: chosen.emails, contextKeys: [], page: 2 }),
  "mark with a fixed key": ({ messages }) =>
    messages.markAs("user-7", { messageId: ["m1"], markAs: "seen" }, { idempotencyKey: "fixed-key" })
}

const options: Readonly<Record<string, Partial<ClientOptions>>> = {
  "base URL with a path": { baseUrl: "https://gateway.example.test/notify/v1/" },
  vendor: { vendor: "acme" },
  headers: { headers: { "x-tenant": "north" } },
  "arrays in brackets": { arrayEncoding: "brackets" },
  "arrays with indices": { arrayEncoding: "indices" },
  "arrays with commas": { arrayEncoding: "comma" },
  "no keys": { idempotency: "off" },
  "next generation of keys": { idempotency: { derived: { scope: "golden", generation: 1 } } },
  "another scope of keys": { idempotency: { derived: { scope: "another" } } }
}

const requestsOf = async (use: Use, clientOptions: Partial<ClientOptions> = {}): Promise<string> => {
  const { fetch, requests } = makeRecording(success)
  await use(clientOf(fetch, clientOptions)).catch((error: unknown) => {
    // The response fits only the listing; what counts is the request.
    if (!isSignalboxError(error)) throw error
  })
  expect(requests.length).toBe(1)
  return requests.join("\n")
}

/** Times differ on every run. */
const withoutTimes = (text: string): string => text.replaceAll(/"(startedAt|durationMs|delayMs)": [\d.]+/gu, '"$1": 0')

const failures: Readonly<Record<string, Answer>> = {
  unauthorized: { status: 401, body: { message: "Invalid key" } },
  "payment required": { status: 402, body: { message: "Upgrade" } },
  forbidden: { status: 403, body: { message: "No" } },
  "not found": { status: 404, body: { message: "No such subscriber" }, headers: { "x-request-id": "req-1" } },
  conflict: { status: 409, body: {} },
  "request in flight": { status: 409, body: {}, headers: { "retry-after": "3" } },
  "too large": { status: 413, body: "" },
  rejected: { status: 422, body: { message: ["deviceTokens must be an array"], statusCode: 422 } },
  "key reused": { status: 422, body: { message: "Idempotency key was used with another body" } },
  "rate limited": { status: 429, body: {}, headers: { "retry-after": "7", "ratelimit-remaining": "0" } },
  "server failure": { status: 503, body: "<html>" },
  "replayed server failure": { status: 503, body: {}, headers: { "idempotency-replay": "true" } },
  redirect: { status: 302, body: "", headers: { location: "https://elsewhere.example.test" } },
  malformed: { status: 201, body: "not JSON" }
}

describe("golden values", () => {
  it.each(Object.entries(calls))("request: %s", async (name, use) => {
    await same(await requestsOf(use), `requests/${name}.http`)
  })

  it.each(Object.entries(options))("request with option: %s", async (name, clientOptions) => {
    const requests = await Promise.all(
      [calls["upsert device tokens"], calls["list with several values"]].map((use) =>
        use === undefined ? "" : requestsOf(use, clientOptions)
      )
    )
    await same(requests.join("\n"), `requests/option ${name}.http`)
  })

  it.each(Object.entries(failures))("error: %s", async (name, answer) => {
    const { fetch } = makeRecording(answer)
    const client = clientOf(fetch)
    const result = await client.credentials.upsert.result("user-7", {
      providerId: "fcm",
      credentials: { deviceTokens: ["secret-token"] }
    })
    expect(result.ok).toBe(false)
    await same(withoutTimes(json(result.ok ? undefined : result.error)), `errors/${name}.json`)
  })

  it("cursors", async () => {
    const cursors = [
      { page: 0, filters: {} },
      { page: 3, before: "2026-01-01T00:00:00.000Z", filters: { channels: ["email"], limit: 50 } },
      { page: 4, isDone: true, filters: { subscriberIds: "user-7" } }
    ] as const
    const formatted = cursors.map((cursor) => EventCursor.format(cursor))
    expect(formatted.map(EventCursor.parse)).toEqual(cursors)
    await same(`${formatted.join("\n")}\n`, "cursors.txt")
  })

  it("journal", async () => {
    const fake = createFake({ seed: 1, data: "empty", clock: manualClock("2026-01-01T00:00:00Z") })
    fake.addSubscriber({ subscriberId: "user-7" })
    fake.addIntegration({ providerId: "fcm" })
    const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch, retry: false })
    const input = { providerId: "fcm", credentials: { deviceTokens: ["secret-token"] } } as const
    await client.credentials.upsert.result("user-7", input, { idempotencyKey: "key-1" })
    await client.credentials.upsert.result("user-7", input, { idempotencyKey: "key-1" })
    await client.messages.markAs.result("user-7", { messageId: "m1", markAs: "read" }, { idempotencyKey: "key-2" })
    await client.events.list.result({ limit: 5 }, { idempotencyKey: "key-3" })
    await same(withoutRuntime(json(fake.journal.entries())), "journal.json")
  })

  it.each(["document", "observed", "adversarial", "seeded(1)"] as const)("preset %s", async (preset: Preset) => {
    await same(json(createFake({ preset }).switches), `presets/${preset}.json`)
  })
})
