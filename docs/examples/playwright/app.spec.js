import { Fault } from "@signalbox/test-harness"
import { expect, test } from "./fixtures.js"

// `request` needs no browser; with one, `page.goto("/")` uses the same fixtures.
test("shows the number of events", async ({ fake, request }) => {
  fake.trigger({ workflow: "welcome", to: "ana" })
  fake.trigger({ workflow: "welcome", to: "ben" })
  const response = await request.get("/")
  expect(await response.text()).toContain("Events: 2")
})

test("says that the service is not available", async ({ fake, request }) => {
  fake.faults.add(Fault.status(503))
  const response = await request.get("/")
  expect(response.status()).toBe(502)
})
