/**
 * The targets of the fuzzer: each reads an input and throws when a rule is broken. It returns a word for its behaviour,
 * so that inputs with new behaviour can be kept.
 */
import * as EventCursor from "@signalbox/core/internal/services/EventCursor"
import { redact } from "@signalbox/core/Redaction"
import * as Filter from "@signalbox/operator/filter/Filter"
import { parseConfigFile } from "@signalbox/operator/node"
import { safe, safeLines } from "@signalbox/operator/text/Safe"
import { type CallResult, createClient, isSignalboxError } from "@signalbox/sdk"
import { createFake, Fault } from "@signalbox/test-harness"
import { type FakeServer, listen } from "@signalbox/test-harness/server"
import * as Result from "effect/Result"
import { deepStrictEqual, ok, strictEqual } from "node:assert"
import { once } from "node:events"
import { connect } from "node:net"
import { inspect } from "node:util"

/** Something that reads what strangers wrote. */
export interface Target {
  /** Reads an input; throws when a rule is broken. */
  readonly run: (input: string) => string | Promise<string>
  readonly close?: () => Promise<void>
}

const secret = "fuzz-secret-token"

const clientFor = (respond: () => Response) =>
  createClient({
    apiKey: "fuzz-api-key",
    baseUrl: "https://api.example.test",
    fetch: async () => respond(),
    retry: false,
    throttle: false,
    onDrift: (report) => void JSON.stringify(report)
  })

/** An outcome must be a value or a typed error that shows no secret. */
const outcomeOf = (result: CallResult<unknown, unknown>): string => {
  if (result.ok) {
    JSON.stringify(result.value)
    return `ok ${[...new Set(result.call.drift.map(({ kind }) => kind))].toSorted().join(" ")} ${result.call.unreadable.length > 0}`
  }
  const { error } = result
  ok(isSignalboxError(error) && "reason" in error, `an untyped error: ${inspect(error)}`)
  const shown = `${error.message}\n${inspect(error)}\n${JSON.stringify(error)}`
  ok(!shown.includes(secret), "an error shows a secret")
  ok(!error.message.includes("\n"), "a message has several lines")
  ok(shown.length < 60_000, `an error of ${shown.length} characters`)
  return error.reason._tag
}

const upsert = (respond: () => Response) =>
  clientFor(respond).credentials.upsert.result("user-7", { providerId: "fcm", credentials: { deviceTokens: [secret] } })

const decoder: Target = {
  run: async (input) => {
    const respond = () => new Response(input, { status: 200 })
    const client = clientFor(respond)
    const outcomes = [
      await client.events.list.result({ limit: 5 }),
      await client.messages.markAs.result("user-7", { messageId: "m1", markAs: "read" }),
      await upsert(respond)
    ]
    return outcomes.map(outcomeOf).join(", ")
  }
}

const errorBody: Target = {
  run: async (input) => {
    const outcomes = [400, 409, 422, 503].map((status) => upsert(() => new Response(input, { status })))
    return (await Promise.all(outcomes)).map(outcomeOf).join(", ")
  }
}

const headersOf = (input: string): Headers => {
  const headers = new Headers()
  for (const line of input.split("\n").slice(0, 40)) {
    const [name = "", value = ""] = line.split(": ", 2)
    // Some names and values cannot be sent at all.
    Result.try(() => headers.append(name.trim(), value))
  }
  return headers
}

const headers: Target = {
  run: async (input) => {
    const outcomes = [200, 429, 503].map((status) =>
      upsert(() => new Response("{}", { status, headers: headersOf(input) }))
    )
    return (await Promise.all(outcomes)).map(outcomeOf).join(", ")
  }
}

const parsed = (input: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(input)),
    () => input
  )

const redaction: Target = {
  run: (input) => {
    const value = parsed(input)
    const once = redact(value)
    deepStrictEqual(redact(once), once, "redacting twice changes a value")
    const labelled = redact({ deviceTokens: [secret], note: input, apiKey: secret })
    const text = JSON.stringify(labelled).replaceAll(JSON.stringify(redact(input)), "")
    ok(!text.includes(secret), "a labelled secret is shown")
    return typeof value
  }
}

const cursor: Target = {
  run: (input) => {
    const found = EventCursor.parse(input)
    if (found === undefined) return "refused"
    deepStrictEqual(EventCursor.parse(EventCursor.format(found)), found)
    return "accepted"
  }
}

const filter: Target = {
  run: (input) => {
    const found = Filter.parse(input)
    if (found._tag === "Refused") {
      ok(!found.message.includes("\n"), "a message has several lines")
      return "refused"
    }
    const again = Filter.parse(Filter.format(found.filter))
    ok(again._tag === "Parsed", "a written filter cannot be read")
    deepStrictEqual(again.filter, found.filter)
    return found.filter.clauses.map(({ key }) => key).join(" ")
  }
}

const config: Target = {
  run: (input) => {
    const result = parseConfigFile("config.toml", input)
    if (Result.isSuccess(result)) return "accepted"
    const { message } = result.failure
    ok(!message.includes("\n"), "a message has several lines")
    return message.replaceAll(/".*?"|\d+/gu, "").slice(0, 60)
  }
}

const fault: Target = {
  run: (input) => {
    const result = Result.try(() => Fault.fromJson(parsed(input) as Fault.FaultJson))
    if (Result.isSuccess(result)) return Fault.describe(result.success).replaceAll(/\d+/gu, "")
    const error = result.failure
    ok(error instanceof RangeError, `not a RangeError: ${inspect(error)}`)
    ok(!error.message.includes("\n"), "a message has several lines")
    return "refused"
  }
}

// oxlint-disable-next-line no-control-regex -- these are what a terminal obeys.
const obeyed = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u

const terminalText: Target = {
  run: (input) => {
    const shown = safe(input)
    ok(!obeyed.test(shown), "a terminal obeys the text")
    strictEqual(safe(shown), shown, "safe text changes again")
    ok(
      safeLines(input).every((line) => !obeyed.test(line)),
      "a terminal obeys a line"
    )
    return shown === input ? "unchanged" : "changed"
  }
}

/** On a busy machine, a server can close a connection that was idle in the moment in which `fetch` uses it again. */
const ownConnection = { connection: "close" }

/** A server that is started for the first input. */
const serving = (run: (server: FakeServer, input: string) => Promise<string>): Target => {
  const fake = createFake({ data: "empty" })
  let server: FakeServer | undefined
  return {
    run: async (input) => {
      server ??= await listen(fake)
      const outcome = await run(server, input)
      const alive = await fetch(`${server.url}/v1/notifications`, {
        headers: { authorization: `ApiKey ${fake.apiKey}`, ...ownConnection }
      })
      await alive.arrayBuffer()
      strictEqual(alive.status, 200, "the server no longer works")
      fake.reset()
      return outcome
    },
    close: async () => server?.close()
  }
}

const http = serving(async ({ port }, input) => {
  const socket = connect(port, "127.0.0.1")
  let received = ""
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
  })
  socket.on("error", () => {})
  await once(socket, "connect")
  socket.end(Buffer.from(input, "latin1"))
  await Promise.race([once(socket, "close"), new Promise((resolve) => setTimeout(resolve, 200))])
  socket.destroy()
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gmu)].map(([, status]) => Number(status))
  ok(
    statuses.every((status) => status < 500 || status === 501 || status === 505),
    `answered ${statuses.join(", ")}`
  )
  return statuses.join(" ")
})

const control = serving(async ({ url }, input) => {
  const [line = "", ...rest] = input.split("\n")
  const path = /^\/[\w/-]*$/u.test(line) ? line : "/_fake/faults"
  const response = await fetch(`${url}${path}`, { method: "POST", body: rest.join("\n"), headers: ownConnection })
  const text = await response.text()
  ok(response.status < 500, `answered ${response.status} ${text}`)
  return `${path} ${response.status}`
})

/** The targets by name. */
export const targets: Readonly<Record<string, Target>> = {
  decoder,
  "error-body": errorBody,
  headers,
  redaction,
  cursor,
  filter,
  config,
  fault,
  "terminal-text": terminalText,
  http,
  control
}
