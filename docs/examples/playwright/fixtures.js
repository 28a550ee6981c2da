import { test as base } from "@playwright/test"
import { createFake, expectFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { once } from "node:events"
import { makeApp } from "./app.js"

export { expect } from "@playwright/test"

/** Tests with the service, which each worker starts once, and an environment and application for each test. */
export const test = base.extend({
  service: [
    // Playwright reads the names of the fixtures that it needs from this pattern: none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const fake = createFake({ data: "empty" })
      await using server = await listen(fake)
      await use({ fake, url: server.url })
    },
    { scope: "worker" }
  ],
  fake: async ({ service }, use, { titlePath }) => {
    const environment = service.fake.environment({ data: "empty" })
    environment.addWorkflow({ identifier: "welcome", steps: [{ type: "in_app", content: titlePath.join(" ") }] })
    await use(environment)
    expectFake(environment).noUnfiredFaults().noUnmatchedRequests()
  },
  baseURL: async ({ fake, service }, use) => {
    const app = makeApp({ apiKey: fake.apiKey, serviceUrl: service.url }).listen(0, "127.0.0.1")
    await once(app, "listening")
    await use(`http://127.0.0.1:${app.address().port}`)
    app.close()
  }
})
