import { afterEach, beforeEach, expect, test } from "@jest/globals"
import { createFake, expectFake, Fault } from "@signalbox/test-harness"
import { markRead } from "./inbox.js"

let fake

beforeEach(() => {
  fake = createFake({ data: "empty" })
})

// A fault that no request met is a mistake in the test.
afterEach(() => void expectFake(fake).noUnfiredFaults())

test("marks a message as read", async () => {
  const { id } = fake.addMessage({ subscriberId: "ana" })
  expect(await markRead(fake, "ana", [id])).toBe(true)
  expect(fake.state().messages).toMatchObject([{ id, read: true }])
})

test("reports that the service is unavailable", async () => {
  const { id } = fake.addMessage({ subscriberId: "ana" })
  fake.faults.add(Fault.status(503))
  expect(await markRead(fake, "ana", [id])).toBe(false)
  expectFake(fake).applied(0, "messages.markAs")
})
