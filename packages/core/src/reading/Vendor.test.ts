import { positions } from "../contract/Operations.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Vendor from "./Vendor.ts"

const page = (vendor: string) => ({
  hasMore: false,
  page: 0,
  pageSize: 10,
  data: [
    {
      template: { name: `${vendor}-email`, origin: `${vendor}-cloud-v1`, triggers: [{ identifier: vendor }] },
      payload: { providerId: vendor },
      tags: [vendor],
      jobs: [
        {
          providerId: `${vendor}-email`,
          payload: { providerId: `${vendor}-email` },
          executionDetails: [{ providerId: vendor, detail: vendor }, { providerId: "slack" }, null],
          status: vendor
        },
        { executionDetails: "none" }
      ]
    },
    null
  ]
})

const pageWithOnlyPositions = () => {
  const expected = page("acme")
  const [event] = expected.data
  assert.isOk(event)
  event.template.origin = "service-cloud-v1"
  const [job] = event.jobs
  assert.isOk(job)
  job.providerId = "service-email"
  job.executionDetails = [{ providerId: "service", detail: "acme" }, { providerId: "slack" }, null]
  return expected
}

describe("identifiers", () => {
  it.each([
    ["service", "acme"],
    ["service-email", "acme-email"],
    ["service-sms", "acme-sms"],
    ["service-slack", "acme-slack"],
    ["service-cloud", "acme-cloud"],
    ["service-cloud-v1", "acme-cloud-v1"],
    ["slack", "slack"],
    ["serviceable", "serviceable"],
    ["my-service", "my-service"],
    ["", ""]
  ])("%s is %s on the wire", (neutral, wire) => {
    assert.strictEqual(Vendor.identifierToWire("acme", neutral), wire)
    assert.strictEqual(Vendor.identifierFromWire("acme", wire), neutral)
  })
})

describe("a response", () => {
  it("is translated at provider and origin positions only", () => {
    assert.deepStrictEqual(
      Vendor.responseFromWire(positions["events.list"], "acme", page("acme")),
      pageWithOnlyPositions()
    )
    assert.deepStrictEqual(
      Vendor.responseFromWire(positions["messages.markAs"], "acme", [
        {
          providerId: "acme-sms",
          content: "acme",
          subscriber: { channels: [{ providerId: "acme-slack" }], locale: "acme" }
        }
      ]),
      [
        {
          providerId: "service-sms",
          content: "acme",
          subscriber: { channels: [{ providerId: "service-slack" }], locale: "acme" }
        }
      ]
    )
    assert.deepStrictEqual(
      Vendor.responseFromWire(positions["credentials.upsert"], "acme", {
        subscriberId: "acme",
        channels: [{ providerId: "acme-slack", credentials: { channel: "acme" } }]
      }),
      { subscriberId: "acme", channels: [{ providerId: "service-slack", credentials: { channel: "acme" } }] }
    )
  })

  it("comes back from the wire as it went there", () => {
    const body = pageWithOnlyPositions()
    const wire = Vendor.responseToWire(positions["events.list"], "acme", body)
    assert.deepStrictEqual(wire, page("acme"))
    assert.deepStrictEqual(Vendor.responseFromWire(positions["events.list"], "acme", wire), body)
  })

  it("is not changed in place, and parts without identifiers are the same ones", () => {
    const body = page("acme")
    const before = structuredClone(body)
    const read = Vendor.responseFromWire(positions["events.list"], "acme", body) as typeof body
    assert.deepStrictEqual(body, before)
    assert.strictEqual(read.data[0]?.payload, body.data[0]?.payload)
  })

  it("is the same object when the vendor is the neutral word or there is nothing to translate", () => {
    const body = page("acme")
    assert.strictEqual(Vendor.responseFromWire(positions["events.list"], Vendor.neutral, body), body)
    assert.strictEqual(Vendor.responseToWire(positions["events.list"], Vendor.neutral, body), body)
    assert.strictEqual(Vendor.responseFromWire(positions["events.list"], "other", body), body)
  })

  it("of an unexpected shape passes unchanged", () => {
    for (const body of [null, undefined, "acme", 1, [], {}, { data: "acme" }, { data: [{ jobs: {} }] }]) {
      assert.strictEqual(Vendor.responseFromWire(positions["events.list"], "acme", body), body)
    }
  })
})

describe("a request", () => {
  it("is translated at the provider only", () => {
    const payload = {
      providerId: "service-slack",
      integrationIdentifier: "service",
      credentials: { channel: "service" }
    }
    const wire = { ...payload, providerId: "acme-slack" }
    assert.deepStrictEqual(Vendor.requestToWire(positions["credentials.upsert"], "acme", payload), wire)
    assert.deepStrictEqual(Vendor.requestFromWire(positions["credentials.upsert"], "acme", wire), payload)
  })

  it("without a provider is the same object", () => {
    const payload = { messageId: "service", markAs: "read" }
    assert.strictEqual(Vendor.requestToWire(positions["messages.markAs"], "acme", payload), payload)
  })
})
