/**
 * The world of a scenario: a fake with subscribers, integrations, messages and events.
 */
import { createFake, type Fake, type FakeClock, type Switches } from "@signalbox/test-harness"
import { start } from "../VirtualTime.ts"
import type { Scenario } from "./Scenario.ts"

const residents = ["ann", "ben"] as const

/** Ids of the messages that a call can mark; those of somebody who does not exist are ann's. */
export const messageIdsOf = (subscriberId: string): ReadonlyArray<string> =>
  [1, 2, 3].map((number) => `${subscriberId === "ben" ? "b" : "a"}${String(number).padStart(23, "0")}`)

const keySwitches = ({ keys }: Scenario): Partial<Switches> => {
  switch (keys) {
    case "preset":
      return {}
    case "honoured":
      return { "idempotency.sameBody": "replay" }
    case "ignored":
      return { "idempotency.sameBody": "apply" }
  }
}

/** Makes the world of a scenario. */
export const makeWorld = (scenario: Scenario, clock: FakeClock): Fake => {
  const createdAt = start + scenario.ahead - 60_000
  const fake = createFake({
    seed: scenario.seed,
    data: "empty",
    vendor: scenario.vendor,
    clock,
    preset: scenario.preset === "seeded" ? `seeded(${scenario.seed})` : scenario.preset,
    switches: keySwitches(scenario)
  })
  for (const providerId of ["fcm", "service-slack"] as const) fake.addIntegration({ providerId, createdAt })
  fake.addWorkflow({ identifier: "greeting", createdAt, steps: [{ type: "in_app" }] })
  for (const subscriberId of residents) {
    fake.addSubscriber({ subscriberId, createdAt, updatedAt: createdAt })
    for (const id of messageIdsOf(subscriberId)) {
      fake.addMessage({ id, subscriberId, createdAt, deliveredAt: [createdAt] })
    }
    fake.addEvent({ subscriberId, workflow: "greeting", createdAt })
  }
  return fake
}
