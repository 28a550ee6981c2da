import { createFake, expectFake, Fault } from "@signalbox/test-harness"
import { expect, test } from "bun:test"
import { storeToken } from "./devices.ts"

const scene = () => {
  const fake = createFake({ data: "empty" })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "expo" })
  return fake
}

test("stores a token", async () => {
  const fake = scene()
  await storeToken(fake, "ana", "token-1")
  expectFake(fake).appliedOnce("credentials.upsert")
})

test("throws when the connection breaks, although the token is stored", async () => {
  const fake = scene()
  const lost = fake.faults.add(Fault.reset({ at: "committed" }))
  expect(storeToken(fake, "ana", "token-1")).rejects.toThrow()
  expect(lost.fired()).toBe(1)
  expectFake(fake).appliedOnce("credentials.upsert")
})
