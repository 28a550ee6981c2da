import { createFake, Fault } from "@signalbox/test-harness"
import assert from "node:assert/strict"
import { test } from "node:test"
import { pino } from "pino"
import { makeClient } from "./client.ts"

const scene = () => {
  const fake = createFake({ data: "empty" })
  fake.addIntegration({ providerId: "fcm" })
  fake.addSubscriber({ subscriberId: "ana" })
  const lines: Array<Record<string, unknown>> = []
  const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const retry = { baseDelayMs: 0 }
  const client = makeClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch, retry }, logger)
  return { client, fake, lines, logger }
}

test("logs a retry as a warning, with its reason", async () => {
  const { client, fake, lines } = scene()
  fake.faults.add(Fault.status(503))
  await client.events.list()
  assert.deepEqual(
    lines.map(({ attempt, level }) => [level, (attempt as { readonly outcome: string }).outcome]),
    [
      [40, "ServerFailure"],
      [20, "success"]
    ]
  )
})

test("logs a response that differs from the API document", async () => {
  const { client, fake, lines } = scene()
  fake.addEvent({ subscriberId: "ana" })
  fake.faults.add(Fault.drift({ kind: "unknown-field" }))
  await client.events.list()
  const line = lines.find(({ drift }) => drift !== undefined)
  assert.match(JSON.stringify(line?.["drift"]), /"kind":"unknown-field"/)
})

test("logs an error with its facts and without the token", async () => {
  const { client, fake, lines, logger } = scene()
  fake.faults.add(Fault.reset({ at: "committed" }))
  const credentials = { deviceTokens: ["token-of-a-phone"] }
  await client.credentials.upsert("ana", { providerId: "fcm", credentials }).catch((error: unknown) => {
    logger.error({ error }, "the token was not stored")
  })
  const last = JSON.stringify(lines.at(-1))
  assert.match(last, /"mayHaveBeenApplied":true/)
  assert.doesNotMatch(last, /token-of-a-phone/)
  assert.doesNotMatch(last, new RegExp(fake.apiKey))
})
