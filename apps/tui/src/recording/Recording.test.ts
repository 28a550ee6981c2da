import { assert, describe, it } from "@effect/vitest"
import { damagesOf } from "@signalbox/testing/Damage"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Exchange, formatExchange, formatStart, type Recording, readRecording } from "./Recording.ts"

const start: Recording["start"] = {
  startedAt: Date.parse("2026-11-21T12:41:07.123Z"),
  connection: "acme-prod",
  baseUrl: "https://api.example.com",
  vendor: "acme",
  filter: "after:24h status:failed",
  events: 200,
  masked: false
}

const exchange: Exchange = {
  at: 12,
  ms: 143,
  request: { method: "GET", target: "/v1/notifications?page=0" },
  outcome: { _tag: "Response", status: 200, headers: { "x-request-id": "req-1" }, text: '{"data":[]}' }
}

const failure: Exchange = {
  at: 200,
  ms: 3,
  request: { method: "PATCH", target: "/v1/subscribers/ana/credentials", body: { providerId: "fcm" } },
  outcome: { _tag: "Failure", code: "ECONNREFUSED", syscall: "connect", delivery: "not-sent" }
}

const html: Exchange = {
  ...exchange,
  outcome: { _tag: "Response", status: 502, headers: {}, text: "<h1>bad\ngateway</h1>" }
}

const read = (text: string): Recording => {
  const result = readRecording(text)
  if (result._tag === "Refused") throw new Error(result.message)
  return result.recording
}

const refusal = (text: string): string => {
  const result = readRecording(text)
  assert(result._tag === "Refused")
  assert.notInclude(result.message, "\n")
  return result.message
}

const whole = formatStart(start) + [exchange, failure, html].map(formatExchange).join("")

describe("a recording", () => {
  it("is one JSON line for the session and one for each exchange, and reads back", () => {
    assert.deepStrictEqual(read(whole), { start, exchanges: [exchange, failure, html], isCutOff: false })
    for (const line of whole.trimEnd().split("\n")) assert.isObject(JSON.parse(line))
    assert.strictEqual(JSON.parse(whole.split("\n")[1] ?? "").body.data.length, 0)
  })
  it("reads back whatever a response contains", () => {
    for (const text of ["", "null", "0", '"text"', "[]", '{"a":"line\\nbreak \u2028"}', "not json\r\n", "\u0000"]) {
      const one: Exchange = { ...exchange, outcome: { _tag: "Response", status: 200, headers: {}, text } }
      assert.deepStrictEqual(read(formatStart(start) + formatExchange(one)).exchanges, [one])
    }
  })
  it.effect.prop("reads back any JSON body", [Schema.Json], ([body]) =>
    Effect.sync(() => {
      const text = JSON.stringify(body)
      const one: Exchange = { ...exchange, outcome: { _tag: "Response", status: 200, headers: {}, text } }
      assert.deepStrictEqual(read(formatStart(start) + formatExchange(one)).exchanges, [one])
    })
  )
  it("that breaks off at any byte loses nothing but the line it breaks off in", () => {
    const head = formatStart(start).length
    const ends = [head]
    for (const one of [exchange, failure, html]) ends.push((ends.at(-1) ?? 0) + formatExchange(one).length)
    for (let at = head; at <= whole.length; at += 1) {
      // A line is complete without its line break, too.
      const complete = ends.filter((end) => end - 1 <= at).length - 1
      const { exchanges, isCutOff } = read(whole.slice(0, at))
      assert.strictEqual(exchanges.length, complete)
      assert.strictEqual(isCutOff, !ends.includes(at) && !ends.includes(at + 1))
    }
  })
  it("rejects another version, and other files, in one line", () => {
    assert.strictEqual(
      refusal('{"recording":"signalbox","version":2}\n'),
      "a recording of version 2; this program reads version 1"
    )
    for (const text of ["", "\n", "hello", "[]", '{"_id":"1"}\n', formatStart(start).slice(0, 40)]) {
      assert.match(refusal(text), /^not a recording: /u)
    }
    assert.match(refusal('{"recording":"signalbox","version":1}\n'), /^not a recording: .* lacks/u)
  })
  const without = (line: string, damage: (value: Record<string, unknown>) => void): string => {
    const value = JSON.parse(line)
    damage(value)
    return `${JSON.stringify(value)}\n`
  }
  it("that lacks a fact of the session, or has another type there, is refused", () => {
    for (const key of ["startedAt", "connection", "baseUrl", "filter", "events", "masked"]) {
      const lacking = without(formatStart(start), (value) => delete value[key])
      assert.match(refusal(lacking), /lacks/u)
      assert.match(refusal(without(formatStart(start), (value) => (value[key] = []))), /lacks/u)
    }
    assert.match(refusal(without(formatStart(start), (value) => (value["startedAt"] = "today"))), /lacks/u)
    assert.match(refusal(without(formatStart(start), (value) => (value["vendor"] = 1))), /lacks/u)
    const { vendor: _, ...neutral } = start
    assert.deepStrictEqual(read(formatStart(neutral)).start, neutral)
  })
  it("with an exchange that lacks a part, or has another type there, is refused", () => {
    const damaged = (one: Exchange, damage: (value: Record<string, unknown>) => void) =>
      refusal(formatStart(start) + without(formatExchange(one), damage) + formatExchange(exchange))
    for (const key of ["at", "ms", "request", "status", "headers", "body"]) {
      assert.match(
        damaged(exchange, (value) => delete value[key]),
        /^line 2 /u
      )
    }
    for (const key of ["at", "ms", "request", "status", "headers"]) {
      assert.match(
        damaged(exchange, (value) => (value[key] = [])),
        /^line 2 /u
      )
    }
    const parts: ReadonlyArray<readonly [Exchange, Record<string, unknown>]> = [
      [exchange, { request: { method: 1, target: "/" } }],
      [exchange, { request: { method: "GET" } }],
      [exchange, { headers: { "x-request-id": 1 } }],
      [html, { text: 1 }],
      [failure, { failure: [] }],
      [failure, { failure: { code: 1 } }],
      [failure, { failure: { syscall: 1 } }],
      [failure, { failure: { message: 1 } }],
      [failure, { failure: { delivery: "sent" } }]
    ]
    for (const [one, part] of parts) {
      assert.match(
        damaged(one, (value) => Object.assign(value, part)),
        /^line 2 /u
      )
    }
    const bare: Exchange = { ...failure, outcome: { _tag: "Failure", message: "closed", delivery: "unknown" } }
    assert.deepStrictEqual(read(formatStart(start) + formatExchange(bare)).exchanges, [bare])
  })
  it("is refused in one line, or loses nothing but its last line, whatever was done to its bytes and lines", () => {
    for (const { bytes, damage } of damagesOf(whole)) {
      const text = bytes.toString()
      const result = readRecording(text)
      if (result._tag === "Refused") {
        assert.match(
          result.message,
          /^(?:not a recording: .+|a recording of version .+; this program reads version 1|line \d+ is not an exchange of a recording)$/u,
          damage
        )
        continue
      }
      const { exchanges, isCutOff } = result.recording
      assert.strictEqual(exchanges.length, text.trimEnd().split("\n").length - 1 - Number(isCutOff), damage)
    }
  })
  it("with a damaged line is refused, with the number of the line", () => {
    const [head, first, ...rest] = whole.split("\n")
    for (const damaged of [
      "{",
      '{"at":1}',
      "",
      '{"at":1,"ms":2,"request":{"method":"GET","target":"/"},"status":"x"}'
    ]) {
      assert.strictEqual(
        refusal([head, first, damaged, ...rest].join("\n")),
        "line 3 is not an exchange of a recording"
      )
    }
  })
})
