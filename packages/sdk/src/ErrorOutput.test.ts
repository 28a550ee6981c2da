import { assert, describe, it } from "@effect/vitest"
import type { Reason } from "@signalbox/core/Errors"
import { createFake, Fault, type Fake } from "@signalbox/test-harness"
import { inspect } from "node:util"
import { rejection } from "../test/AnsweredClient.ts"
import { type Client, type ClientOptions, createClient, isSignalboxError, type SignalboxError } from "./index.ts"

/** How a call fails for each reason: a fault of the fake, options of the client, or the input. */
interface Failing {
  readonly fault?: (fake: Fake) => unknown
  readonly options?: Partial<ClientOptions>
  readonly call?: (client: Client) => PromiseLike<unknown>
}

const status =
  (code: number, fault: Parameters<typeof Fault.status>[1] = {}) =>
  (fake: Fake) =>
    fake.faults.add(Fault.status(code, { ...fault, times: "always" }))

// Longer than the deadline of a call.
const inFlight = { headers: { "retry-after": "300" } }

const failing: Readonly<Record<Reason["_tag"], Failing>> = {
  InvalidRequest: { call: ({ messages }) => messages.markAs("user-7", { messageId: "", markAs: "opened" as never }) },
  TransportFailure: { fault: (fake) => fake.faults.add(Fault.reset({ times: "always" })) },
  Timeout: {
    fault: (fake) => fake.faults.add(Fault.hang({ times: "always" })),
    options: { timeouts: { attemptMs: 5, callMs: 20 } }
  },
  Unauthorized: { fault: status(401) },
  PaymentRequired: { fault: status(402) },
  Forbidden: { fault: status(403) },
  NotFound: { fault: status(404) },
  PayloadTooLarge: { fault: status(413) },
  RequestInFlight: { fault: status(409, inFlight) },
  IdempotencyKeyReused: { fault: status(422, { body: { message: "The idempotency key was used before" } }) },
  Conflict: { fault: status(409) },
  Rejected: { fault: status(422, { body: { message: "no", errors: { channel: ["is unknown"] } } }) },
  RateLimited: { fault: (fake) => fake.faults.add(Fault.rateLimited({ retryAfterMs: 300_000 })) },
  ServerFailure: { fault: (fake) => fake.faults.add(Fault.html(502, { times: "always" })) },
  UnexpectedStatus: { fault: status(302) },
  MalformedResponse: {
    fault: (fake) => fake.faults.add(Fault.malformedJson({ times: "always" })),
    call: ({ events }) => events.list()
  }
}

/** The error of a write that fails for a reason. */
const errorOf = async ({ call, fault, options }: Failing): Promise<SignalboxError> => {
  const fake = createFake({ switches: { "idempotency.sameBody": "apply" } })
  fault?.(fake)
  await using client = createClient({
    apiKey: fake.apiKey,
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    retry: { baseDelayMs: 0 },
    ...options
  })
  const tokens = { providerId: "fcm", credentials: { deviceTokens: ["the-greatest-token"] } } as const
  const error = await rejection(call === undefined ? client.credentials.upsert("user-7", tokens) : call(client))
  if (!isSignalboxError(error)) throw new Error("is not an error of an operation", { cause: error })
  return error
}

const keysOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const keys: Array<string> = []
  for (const name in value) keys.push(name)
  return [...keys, ...Object.values(value).flatMap(keysOf)]
}

/** The output of pino's serializer of errors: type, message, stack and every enumerable property. */
const pinoLine = (error: Error): string =>
  JSON.stringify({
    level: 50,
    err: { type: error.constructor.name, stack: error.stack, ...error, message: error.message }
  })

const secondAdvice =
  /then repeat|retry[^.]*\. (?:.*\b)?check before|check before[^.]*\. (?:.*\b)?retry (?:later|after)/i

describe.each(Object.entries(failing))("an error with the reason %s", (tag, how) => {
  it("starts with its class, its message and the caller, then shows its facts", async () => {
    const error = await errorOf(how)
    assert.strictEqual(error.reason._tag, tag)
    const name = error.constructor.name
    const [first, second] = inspect(error).split("\n")
    assert.strictEqual(first, `${name}: ${error.message}`)
    assert.match(second ?? "", /ErrorOutput\.test\.ts/)
    assert.include(inspect(new Error("import failed", { cause: error })), `[cause]: ${name}: ${error.message}`)
  })
  it("returns one piece of advice", async () => {
    const { advice, message } = await errorOf(how)
    assert.isTrue(message.endsWith(advice))
    assert.strictEqual(message.split(advice).length, 2)
    assert.notMatch(message, secondAdvice)
  })
  it("is a line of at most 2 KB, without secrets and without keys of Effect", async () => {
    const error = await errorOf(how)
    // The program's other frames are as many and as long as its own files.
    error.stack = (error.stack ?? "").split("\n").slice(0, 2).join("\n")
    for (const line of [inspect(error), JSON.stringify(error), pinoLine(error)]) {
      assert.isAtMost(line.length, 2048)
      assert.notInclude(line, "the-greatest-token")
    }
    assert.deepStrictEqual(
      keysOf(error).filter((name) => name.startsWith("~") || name === "pipe"),
      []
    )
  })
})
