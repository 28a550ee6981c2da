import { assert, describe, it } from "@effect/vitest"
import * as HashMap from "effect/HashMap"
import { document, type Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { KeptKeys } from "../state/KeptKeys.ts"
import { echo, isTooLong, meet, reserve, settleKey, type Ticket, ticketOf } from "./Idempotency.ts"
import { bodyOf } from "../wire/WireBody.ts"

const now = 1_000_000
const minute = 60_000
const switches = (values: Partial<Switches> = {}): Switches => ({
  ...document,
  "idempotency.sameBody": "replay",
  ...values
})

const request = (path: string, key: string | undefined): FakeRequest => ({
  surface: "fetch",
  method: "PATCH",
  path,
  query: "",
  header: (name) => (name === "idempotency-key" ? key : undefined),
  headers: () => [],
  body: ""
})

const ticket = (body: unknown, values: Partial<Switches> = {}, path = "/a", key = "k1"): Ticket => {
  const made = ticketOf(switches(values), false, request(path, key), body)
  if (made === undefined) throw new Error("the key does not count")
  return made
}

const none: KeptKeys = HashMap.empty()
const response = (status: number) => ({ status, headers: {}, body: bodyOf("{}") })

describe("a key", () => {
  it("applies only if it is present and keys are honoured", () => {
    const made = (key: string | undefined, values: Partial<Switches> = {}) =>
      ticketOf(switches(values), false, request("/a", key), {}) !== undefined
    assert.isTrue(made("k1"))
    assert.isFalse(made(""))
    assert.isFalse(made(undefined))
    assert.isFalse(made("k1", { "idempotency.sameBody": "apply" }))
  })
  it("applies to reads according to the switch", () => {
    const made = (reads: Switches["idempotency.reads"]) =>
      ticketOf(switches({ "idempotency.reads": reads }), true, request("/a", "k1"), "") !== undefined
    assert.isFalse(made("ignored"))
    assert.isTrue(made("honoured"))
  })
  it("is unique in the environment, or per operation", () => {
    const scoped = (scope: Switches["idempotency.scope"], path: string) =>
      ticket({}, { "idempotency.scope": scope }, path).scoped
    assert.strictEqual(scoped("environment", "/a"), scoped("environment", "/b"))
    assert.notStrictEqual(scoped("operation", "/a"), scoped("operation", "/b"))
  })
  it("can be as long as its limit", () => {
    const limited = switches({ "idempotency.keyLimit": "255" })
    assert.isFalse(isTooLong(limited, "x".repeat(255)))
    assert.isTrue(isTooLong(limited, "x".repeat(256)))
    assert.isFalse(isTooLong(switches({ "idempotency.keyLimit": "none" }), "x".repeat(9999)))
  })
  it("compares bodies by content, or byte by byte", () => {
    const one = { a: [{ c: 1, b: null }], d: "x" }
    const other = { d: "x", a: [{ b: null, c: 1 }] }
    const body = (value: unknown, form: Switches["idempotency.body"]) =>
      ticket(value, { "idempotency.body": form }).body
    assert.strictEqual(body(one, "canonical"), body(other, "canonical"))
    assert.notStrictEqual(body(one, "as-sent"), body(other, "as-sent"))
    assert.notStrictEqual(body({ a: [1, 2] }, "canonical"), body({ a: [2, 1] }, "canonical"))
  })
})

describe("the effect of a key", () => {
  const settled = (status: number, values: Partial<Switches> = {}) =>
    settleKey(switches(values), none, ticket({ a: 1 }), response(status), now)
  const met = (keys: KeptKeys, body: unknown, values: Partial<Switches> = {}, at = now) =>
    meet(switches(values), [keys], ticket(body, values), at)._tag
  it("is a replay for the same body, and depends on the switch for another", () => {
    assert.strictEqual(met(settled(200), { a: 1 }), "Replay")
    assert.strictEqual(met(settled(200), { a: 2 }, { "idempotency.otherBody": "422" }), "OtherBody")
    assert.strictEqual(met(settled(200), { a: 2 }, { "idempotency.otherBody": "apply" }), "Proceed")
    assert.strictEqual(met(none, { a: 1 }), "Proceed")
  })
  it("forgets a key after the retention time", () => {
    const values = { "idempotency.retention": "1h" } as const
    assert.strictEqual(met(settled(200), { a: 1 }, values, now + 60 * minute - 1), "Replay")
    assert.strictEqual(met(settled(200), { a: 1 }, values, now + 60 * minute), "Proceed")
  })
  it("is the request in flight, for five minutes", () => {
    const reserved = reserve(none, ticket({ a: 1 }), now)
    const values = { "idempotency.inFlight": "409" } as const
    assert.deepStrictEqual(meet(switches(values), [reserved], ticket({ a: 1 }), now + minute), {
      _tag: "InFlight",
      millis: 4 * minute
    })
    assert.strictEqual(met(reserved, { a: 1 }, values, now + 5 * minute), "Proceed")
    assert.strictEqual(met(reserved, { a: 1 }, { "idempotency.inFlight": "apply" }), "Proceed")
  })
  it("is a failure only if failures are stored", () => {
    const dropped = { "idempotency.errors": "not-cached" } as const
    assert.strictEqual(met(settled(400, dropped), { a: 1 }), "Proceed")
    assert.strictEqual(met(settled(399, dropped), { a: 1 }), "Replay")
    assert.strictEqual(met(settled(400, { "idempotency.errors": "cached" }), { a: 1 }), "Replay")
  })
})

describe("the response to a request whose key applies", () => {
  it("has the key and whether it is a replay, or neither", () => {
    const present = switches({ "idempotency.echo": "echoed" })
    assert.deepStrictEqual(echo(present, ticket({}), false), { "idempotency-key": "k1" })
    assert.deepStrictEqual(echo(present, ticket({}), true), { "idempotency-key": "k1", "idempotency-replay": "true" })
    assert.deepStrictEqual(echo(switches({ "idempotency.echo": "absent" }), ticket({}), true), {})
  })
})
