import { assert, describe, it } from "@effect/vitest"
import { endWait, learn, makeGate, type RateGate, waitOf } from "./RateGate.ts"

/** Enters the gate. */
const send = (gate: RateGate) => {
  gate.room--
  gate.inProgress++
}

/** The response to a request that was sent at a time and took 10 ms. */
const respond = (
  gate: RateGate,
  sentAt: number,
  { hint, ...reported }: { hint?: number; remaining?: number; resetMs?: number; rate?: number } = {}
) => {
  const report = {
    snapshot: { observedAt: 0 },
    category: "",
    rate: undefined,
    remaining: undefined,
    resetMs: undefined,
    ...reported
  }
  learn(gate, report, sentAt, sentAt + 10, hint, Math.max(hint ?? 0, 100), hint !== undefined)
  gate.inProgress--
}

/** Sends as many requests at once as the gate allows. */
const burst = (gate: RateGate, now: number, most = 1000, isBackground = false): number => {
  let sent = 0
  while (sent < most && waitOf(gate, isBackground, now) === 0) {
    send(gate)
    sent++
  }
  return sent
}

describe("a gate without a known limit", () => {
  it("sends any number of requests at once", () => {
    assert.strictEqual(burst(makeGate(), 0), 1000)
  })
  it("starts background work with 32 requests and sends more as responses arrive", () => {
    const gate = makeGate()
    assert.strictEqual(burst(gate, 0, 1000, true), 32)
    assert.strictEqual(waitOf(gate, true, 0), Infinity)
    for (let count = 0; count < 32; count++) respond(gate, 0)
    assert.strictEqual(burst(gate, 10, 1000, true), 34)
  })
})

describe("a gate that is closed for longer than an hour", () => {
  it.each([
    ["by Retry-After", { hint: 1e9 }],
    ["by Retry-After, with a known rate", { hint: 1e9, rate: 1 }],
    ["by a window without requests", { remaining: 0, resetMs: 1e9 }]
  ])("sends one request after an hour, because the announced time may be wrong: %s", (_, response) => {
    const gate = makeGate()
    send(gate)
    respond(gate, 0, response)
    assert.strictEqual(burst(gate, 3_600_009), 0)
    assert.strictEqual(burst(gate, 3_600_010), 1)
  })
})

describe("a gate with a stated limit", () => {
  it("counts the requests that the service may not have counted yet", () => {
    const gate = makeGate()
    for (let count = 0; count < 5; count++) send(gate)
    respond(gate, 0, { remaining: 10, resetMs: 5000 })
    assert.strictEqual(burst(gate, 10), 6)
    assert.strictEqual(waitOf(gate, false, 10), Infinity)
  })
  it("does not count a response twice that another one overtook", () => {
    const gate = makeGate()
    for (let count = 0; count < 3; count++) send(gate)
    respond(gate, 0, { remaining: 3, resetMs: 5000 })
    assert.strictEqual(burst(gate, 10), 1)
    // Sent with the first one, and counted before it.
    respond(gate, 0, { remaining: 4, resetMs: 5000 })
    assert.strictEqual(burst(gate, 10), 0)
  })
  it("sends nothing until the reset, and then learns from one request at a time", () => {
    const gate = makeGate()
    send(gate)
    respond(gate, 0, { remaining: 0, resetMs: 5000 })
    assert.strictEqual(waitOf(gate, false, 10), 5000)
    assert.strictEqual(waitOf(gate, false, 5009), 1)
    assert.strictEqual(burst(gate, 5010), 1)
    respond(gate, 5010, { remaining: 99, resetMs: 5000 })
    assert.strictEqual(burst(gate, 5020), 99)
  })
  it("reopens with what the announced rate allowed during the wait", () => {
    const gate = makeGate()
    send(gate)
    respond(gate, 0, { remaining: 0, resetMs: 5000, rate: 0.02 })
    assert.strictEqual(burst(gate, 5010), 95)
    assert.isAtMost(burst(gate, 5110), 2)
  })
  it("stays closed when an earlier response arrives later", () => {
    const gate = makeGate()
    for (let count = 0; count < 2; count++) send(gate)
    respond(gate, 0, { remaining: 0, resetMs: 5000 })
    respond(gate, 0, { remaining: 1, resetMs: 9000 })
    assert.strictEqual(waitOf(gate, false, 10), 5000)
  })
  it("always has one request in progress before the reset, because its response reports how many are left", () => {
    const gate = makeGate()
    for (let count = 0; count < 3; count++) send(gate)
    respond(gate, 0, { remaining: 2, resetMs: 5000, rate: 0.001 })
    assert.strictEqual(burst(gate, 10), 0)
    // Failed without a response.
    gate.inProgress -= 2
    assert.strictEqual(burst(gate, 10), 1)
  })
  it("ignores remaining requests without an end of the window", () => {
    const gate = makeGate()
    send(gate)
    respond(gate, 0, { remaining: 0 })
    assert.strictEqual(burst(gate, 10), 1000)
  })
  it("saves up no more than a second's requests while it is idle", () => {
    const gate = makeGate()
    send(gate)
    respond(gate, 0, { remaining: 0, resetMs: 1000, rate: 0.02 })
    assert.isAtMost(burst(gate, 9000), 21)
  })
})

describe("a gate that a rejection closed", () => {
  it("opens after the announced time, for one request at a time", () => {
    const gate = makeGate()
    send(gate)
    send(gate)
    respond(gate, 0, { hint: 1000 })
    assert.strictEqual(waitOf(gate, false, 10), 1000)
    // The rejection of a request that was sent before.
    respond(gate, 0, { hint: 1500 })
    assert.strictEqual(waitOf(gate, false, 10), 1500)
    assert.strictEqual(burst(gate, 1510), 1)
    respond(gate, 1510)
    assert.strictEqual(burst(gate, 1520), 1)
  })
  it("opens after the client's own delay where the service announced none", () => {
    const gate = makeGate()
    send(gate)
    respond(gate, 0, { hint: 0 })
    assert.strictEqual(waitOf(gate, false, 10), 100)
  })
  /** Closes the gate, lets the service accept 20 requests within two seconds, and closes it again. */
  const learned = () => {
    const gate = makeGate()
    send(gate)
    respond(gate, 0, { hint: 1000 })
    for (let at = 1010; at < 2010; at += 50) {
      send(gate)
      respond(gate, at)
    }
    send(gate)
    respond(gate, 2000, { hint: 1000 })
    return gate
  }
  it("learns the rate from what the service accepted between two rejections", () => {
    assert.strictEqual(learned().rate, 0.01)
  })
  it("sends at the learned rate, first a little below and after some time above it", () => {
    const gate = learned()
    burst(gate, 3010)
    const sentWithin = (from: number) => {
      let sent = 0
      for (let now = from; now < from + 5000; now += 10) sent += burst(gate, now)
      return sent
    }
    assert.deepStrictEqual([sentWithin(3020), sentWithin(10_000), sentWithin(60_000)], [49, 60, 438])
  })
  it("does not take the learned rate for less than half of the earlier one", () => {
    const gate = learned()
    send(gate)
    respond(gate, 3010, { hint: 1000 })
    assert.strictEqual(gate.rate, 0.005)
  })
  it("opens when its timer fires on another clock", () => {
    const gate = learned()
    endWait(gate, 2010)
    assert.strictEqual(waitOf(gate, false, 2010), 0)
    burst(gate, 2010)
    endWait(gate, 2010)
    assert.strictEqual(burst(gate, 2010), 1)
  })
})
