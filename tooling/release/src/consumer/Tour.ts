// Everything that the Promise client does, over the runtime's own `fetch` and a server of the same runtime.
import {
  anyProvider,
  ClientClosed,
  ClientOptionError,
  createClient,
  createClientFromEnv,
  createCredentialsClient,
  createEventsClient,
  createMessagesClient,
  isSignalboxError,
  redact,
  type UpsertInput
} from "@signalbox/sdk"
import { createFake, Fault } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"

const token = "token-that-nobody-may-see"
const why = (error: unknown): unknown => (isSignalboxError(error) ? error.reason._tag : error)

const fake = createFake({ seed: 7, events: 25 })
await using server = await listen(fake)
const lines: Array<string> = []
const attempts: Array<string> = []
await using client = createClient({
  apiKey: () => Promise.resolve(fake.apiKey),
  baseUrl: server.url,
  debug: (line) => lines.push(line),
  onAttempt: ({ operation, outcome }) => attempts.push(`${operation} ${outcome}`)
})

const page = await client.events.list({ limit: 10 })
const subscriberId = page.data[0]?.subscriber?.subscriberId ?? ""
let all = 0
for await (const event of client.events.list({ limit: 10 })) if (event._id !== "") all += 1
const sizes: Array<number> = []
for await (const { data } of client.events.list({ limit: 10 }).pages()) sizes.push(data.length)
let left = 0
for await (const { _id } of client.events.list()) if (_id !== "" && (left += 1) === 3) break

const subscriber = await client.credentials.upsert(subscriberId, {
  providerId: "fcm",
  credentials: { deviceTokens: [token] }
})
async function* inputs(): AsyncGenerator<UpsertInput> {
  for (const providerId of ["apns", "expo"] as const) {
    yield { subscriberId, providerId, credentials: { deviceTokens: [token] } }
  }
  yield { subscriberId, ...anyProvider("carrier-pigeon", { webhookUrl: "https://example.com/hook" }) }
}
const bulk: Array<unknown> = []
for await (const outcome of client.credentials.upsertMany(inputs(), { concurrency: 2 })) {
  bulk.push(outcome.ok || why(outcome.error))
}

const many = Array.from({ length: 250 }, (_, at) => at.toString(16).padStart(24, "0"))
const marked = await client.messages.markAs(subscriberId, { messageId: many.slice(0, 3), markAs: "seen" })
const markedMany = await client.messages.markManyAs(subscriberId, many, "read")
const aborted = await client.messages.markManyAs.result(subscriberId, many, "read", {
  signal: AbortSignal.abort("enough")
})

const refused = await client.events.list({ limit: 51 }).catch(why)
const unknownSubscriber = await client.messages.markAs.result("nobody", { messageId: "m", markAs: "read" })
const stopped = await client.events.list({}, { signal: AbortSignal.abort("stop") }).catch((reason: unknown) => reason)
const keyed = await client.messages.markAs.result(
  subscriberId,
  { messageId: "0".repeat(24), markAs: "read" },
  { idempotency: { derived: { scope: "tour" } } }
)

fake.faults.add(Fault.html(502, { times: 2 }))
const recovered = await client.events.list.result({ limit: 1 }, { retry: { baseDelayMs: 0 } })
fake.faults.add(Fault.reset({ at: "committed", operation: "credentials.upsert" }))
const inTheDark = await client.credentials.upsert.result(subscriberId, {
  providerId: "fcm",
  credentials: { deviceTokens: [token] }
})

let calls = 0
await using unlucky = createClient({
  apiKey: "key",
  baseUrl: "http://service.test",
  retry: { baseDelayMs: 0 },
  fetch: () => Promise.resolve(new Response("<html>Bad gateway</html>", { status: (calls += 1) < 3 ? 502 : 404 }))
})
const repeated = await unlucky.events.list.result()

let authorization: string | null = null
await using fromEnv = createClientFromEnv({
  fetch: (input, init) => {
    authorization = new Request(input, init).headers.get("authorization")
    return fake.fetch(input, init)
  }
})
const asAStranger = await fromEnv.events.list().catch(why)

const part = { apiKey: fake.apiKey, baseUrl: server.url }
await using reader = createEventsClient(part)
await using upserter = createCredentialsClient(part)
await using marker = createMessagesClient(part)
const parts = [
  (await reader.events.list({ limit: 2 })).data.length,
  (await upserter.credentials.upsert(subscriberId, { providerId: "fcm", credentials: {} })).subscriberId ===
    subscriberId,
  (await marker.messages.markAs(subscriberId, { messageId: "0".repeat(24), markAs: "unseen" })).length
]

const closing = createClient({ apiKey: "key", baseUrl: server.url })
await closing.close()
const closed = await closing.events.list().catch((error: unknown) => error instanceof ClientClosed)
const wrongOption = (() => {
  try {
    createClient({ apiKey: "key", baseUrl: server.url, timeouts: { attemptMs: -1 } })
    return "accepted"
  } catch (error) {
    return error instanceof ClientOptionError ? error.message : error
  }
})()

console.log(
  JSON.stringify({
    page: page.data.length,
    all,
    sizes,
    left,
    upserted: subscriber.channels?.some(({ providerId }) => providerId === "fcm"),
    bulk,
    marked: marked.length,
    notReturned: markedMany.notReturned.length,
    notTried: aborted.report.notTried.length,
    refused,
    unknownSubscriber: unknownSubscriber.ok || why(unknownSubscriber.error),
    stopped,
    derivedKey: keyed.call.idempotencyKey?.length,
    recovered: [recovered.ok, recovered.call.attempts.length],
    inTheDark: [inTheDark.ok || why(inTheDark.error), inTheDark.call.attempts.length],
    repeated: [repeated.ok || why(repeated.error), repeated.call.attempts.length],
    asAStranger: [asAStranger, authorization],
    parts,
    closed,
    wrongOption,
    attempts: [...new Set(attempts)],
    debug: lines.length > 0,
    secretsInLines: lines.some((line) => line.includes(token) || line.includes(fake.apiKey)),
    redacted: redact({ deviceTokens: [token] })
  })
)
