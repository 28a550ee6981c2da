import { assert, describe, it } from "@effect/vitest"
import { createFake, manualClock } from "../../src/index.ts"
import { listen } from "../../src/server.ts"
import { absent, type Answer, exchange, type Row } from "./Exchange.ts"
import { differences, requests } from "./Requests.ts"

const start = "2026-11-22T20:00:00.000Z"

/** A service with two subscribers, their integrations, and 14 events of one workflow. */
const scene = async () => {
  const clock = manualClock(start)
  const fake = createFake({ data: "empty", preset: "observed", clock, organization: "acme" })
  for (const subscriberId of ["ana", "bob"]) fake.addSubscriber({ subscriberId, email: `${subscriberId}@example.com` })
  for (const providerId of ["fcm", "slack"] as const) fake.addIntegration({ providerId })
  fake.addWorkflow({ identifier: "welcome", steps: [{ type: "in_app" }] })
  for (let number = 0; number < 14; number += 1) {
    clock.advance(250)
    const isOther = number === 3
    fake.trigger({
      workflow: "welcome",
      to: isOther ? "bob" : "ana",
      ...(isOther ? { transactionId: "tx-custom" } : {})
    })
  }
  const server = await listen(fake)
  return { clock, fake, server, [Symbol.asyncDispose]: () => server.close() }
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  422: "Unprocessable Entity"
}

const contextOf = ({ context, status }: Row): Readonly<Record<string, unknown>> => {
  if (context === "none") return {}
  if (context === "title") return { error: titles[status], statusCode: status }
  return context === "status" || context === undefined ? { statusCode: status } : context
}

const problemsOf = ({ filter, messages = [] }: Row) => {
  const [message = ""] = messages
  return filter === undefined
    ? { message: "Validation Error", errors: { general: { messages, value: "No Value Recorded" } } }
    : {
        message: `Validation failed for GetActivityFeedCommand: ${filter.name}: ${message}`,
        errors: { [filter.name]: { messages, value: filter.value } }
      }
}

/** The complete body of an error, but for what changes with each request. */
const errorOf = (row: Row, time: string) => {
  const common = { statusCode: row.status, timestamp: time, path: row.send.split(" ")[1] }
  if (row.messages !== undefined) return { ...common, ...problemsOf(row), ctx: {} }
  const ctx = contextOf(row)
  return { ...ctx, ...common, message: row.message, ...(row.context === "none" ? {} : { ctx }) }
}

const dataOf = (body: unknown): unknown => {
  const { data } = Object(body)
  return data === undefined || Array.isArray(data) ? body : data
}

const storedIn = (body: unknown, row: Row): unknown => {
  const provider = JSON.stringify(row.body).includes("slack") ? "slack" : "fcm"
  const channels: ReadonlyArray<{ readonly providerId: string; readonly credentials: unknown }> =
    Object(dataOf(body)).channels ?? []
  return channels.find(({ providerId }) => providerId === provider)?.credentials
}

const assertHeaders = (row: Row, { headers }: Answer): void => {
  // On every response, whatever it is.
  assert.strictEqual(headers["x-content-type-options"], "nosniff")
  assert.strictEqual(headers["access-control-allow-origin"], "*")
  for (const [name, value] of Object.entries(row.responseHeaders ?? {})) {
    assert.strictEqual(headers[name] ?? absent, value, name)
  }
}

const assertBody = (row: Row, { body }: Answer, time: string): void => {
  if (row.message !== undefined || row.messages !== undefined) {
    const { errorId: _, ...error } = Object(body)
    assert.deepStrictEqual(error, errorOf(row, time))
  }
  if (row.records !== undefined) assert.lengthOf(Object(body).data, row.records)
  if (row.fields !== undefined) assert.deepInclude(Object(dataOf(body)), row.fields)
  if (row.stored !== undefined) assert.deepStrictEqual(storedIn(body, row), row.stored)
}

describe("the preset observed answers as the service of version 3.15.0 does", () => {
  for (const [about, rows] of Object.entries(requests)) {
    it(`returns the recorded status, headers and body: ${about}`, async () => {
      await using scenery = await scene()
      const { clock, fake, server } = scenery
      for (const row of rows) {
        clock.advance(1_000)
        const answer = await exchange(server.port, fake.apiKey, row)
        const request = `${row.send.slice(0, 120)} ${JSON.stringify(row.body ?? "").slice(0, 120)}`
        assert.strictEqual(answer.status, row.status, `${request}: ${JSON.stringify(answer.body).slice(0, 300)}`)
        try {
          assertHeaders(row, answer)
          assertBody(row, answer, new Date(clock.now()).toISOString())
        } catch (error) {
          throw new Error(request, { cause: error })
        }
      }
    })
  }

  it("keeps updatedAt only if a request equals what is stored", async () => {
    await using scenery = await scene()
    const { clock, fake, server } = scenery
    const write = async (given: object): Promise<boolean> => {
      clock.advance(1_000)
      const body = { providerId: "slack", credentials: given }
      const send = "PATCH /v1/subscribers/ana/credentials"
      const answer = await exchange(server.port, fake.apiKey, { send, body })
      return Object(dataOf(answer.body)).updatedAt === new Date(clock.now()).toISOString()
    }
    assert.deepStrictEqual(
      [
        await write({ channel: "c" }),
        await write({ channel: "c" }),
        await write({ channel: "d" }),
        await write({ channel: "d" }),
        await write({ channel: "d", deviceTokens: [] })
      ],
      [true, false, true, true, false]
    )
  })

  it("replays the first answer to a key in another environment of the organization, and in no other", async () => {
    await using scenery = await scene()
    const { fake, server } = scenery
    const replayed = async (organization: string): Promise<string> => {
      const options = { data: "empty", preset: "observed", clock: scenery.clock, organization } as const
      const { apiKey } = fake.environment(options)
      const { headers, status } = await exchange(server.port, apiKey, row)
      return `${status} ${String(headers["idempotency-replay"])}`
    }
    const row = {
      send: "POST /v1/subscribers/ana/messages/mark-as",
      headers: { "idempotency-key": "e" },
      body: { messageId: "0".repeat(24), markAs: "read" }
    }
    await exchange(server.port, fake.apiKey, row)
    assert.deepStrictEqual([await replayed("acme"), await replayed("other")], ["201 true", "404 undefined"])
  })

  it("refills the rate limit in whole tokens, and sends its headers with every request that reaches it", async () => {
    await using scenery = await scene()
    const { clock, fake, server } = scenery
    // 20 writes a second, in a window of 5 s and a tenth more: one token every 50 ms.
    const write = async (body: unknown = {}) => {
      const send = "PATCH /v1/subscribers/ana/credentials"
      const { headers, status } = await exchange(server.port, fake.apiKey, { send, body })
      return [status, ...["remaining", "reset"].map((name) => headers[`ratelimit-${name}`]), headers["retry-after"]]
    }
    assert.deepStrictEqual(await write(), [422, "109", "1", undefined])
    clock.advance(40)
    assert.deepStrictEqual(await write("{"), [400, undefined, undefined, undefined])
    for (let number = 2; number < 110; number += 1) await write()
    assert.deepStrictEqual(await write(), [422, "0", "1", undefined])
    assert.deepStrictEqual(await write(), [429, "0", "1", "1"])
    clock.advance(120)
    assert.deepStrictEqual(await write(), [422, "2", "1", undefined])
    clock.advance(50)
    assert.deepStrictEqual(await write(), [422, "1", "0", undefined])
  })

  it.each(differences)("rejects $what as an unknown route: $reason", async ({ send }) => {
    await using scenery = await scene()
    const answer = await exchange(scenery.server.port, scenery.fake.apiKey, { send })
    assert.strictEqual(answer.status, 404)
    assert.include(answer.headers["x-fake-expected"], "PATCH /v1/subscribers/:subscriberId/credentials")
  })
})
