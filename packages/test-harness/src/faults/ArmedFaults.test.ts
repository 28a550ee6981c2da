import { assert, describe, it } from "@effect/vitest"
import { createFake, Fault } from "../index.ts"

const scene = () => {
  const fake = createFake({ data: "empty" })
  const list = () =>
    fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } }).then(
      ({ status }): unknown => status,
      (error: { readonly cause: { readonly code: string } }) => error.cause.code
    )
  const met = () => fake.journal.entries().map(({ faults }) => faults)
  return { fake, list, met }
}

describe("mutually exclusive faults", () => {
  it("do not fire for one request at two points; the second stays armed for the next one", async () => {
    const { fake, list, met } = scene()
    fake.faults.add(Fault.status(503, { at: "received" }))
    fake.faults.add(Fault.status(500, { at: "answering" }))
    assert.deepStrictEqual([await list(), await list(), await list()], [503, 500, 200])
    assert.deepStrictEqual(met(), [["status 503 at received"], ["status 500 at answering"], []])
  })
  it("are only those of one slot: a fault's response can still be lost", async () => {
    const { fake, list, met } = scene()
    fake.faults.add(Fault.status(503, { at: "received" }))
    fake.faults.add(Fault.latency(0, { at: "received", times: 2 }))
    fake.faults.add(Fault.reset({ at: "answering" }))
    fake.faults.add(Fault.cutBody({ afterBytes: 1 }))
    assert.strictEqual(await list(), "ECONNRESET")
    assert.deepStrictEqual(met(), [["latency of 0 ms at received", "status 503 at received", "reset at answering"]])
  })
})

describe("disarmed faults", () => {
  it("no longer fire, one by one or all at once", async () => {
    const { fake, list } = scene()
    const always = fake.faults.add(Fault.status(503, { times: "always" }))
    const other = fake.faults.add(Fault.status(500, { times: "always" }))
    assert.strictEqual(await list(), 503)
    always.remove()
    assert.deepStrictEqual(fake.faults.armed(), [other])
    assert.strictEqual(await list(), 500)
    fake.faults.clear()
    assert.deepStrictEqual(fake.faults.armed(), [])
    assert.strictEqual(await list(), 200)
  })
})

describe("a refused connection", () => {
  it("ends one request and no other", async () => {
    const { fake, list, met } = scene()
    fake.faults.add(Fault.refuse())
    assert.deepStrictEqual([await list(), await list()], ["ECONNREFUSED", 200])
    assert.lengthOf(met()[0] ?? [], 1)
    assert.deepStrictEqual(
      fake.journal.entries().map(({ outcome }) => outcome._tag),
      ["NoResponse", "Response"]
    )
  })
})
