/**
 * The service of a scenario: a fake with subscribers, integrations, messages and events.
 */
import {
  createFake,
  type Fake,
  type FakeClock,
  type PlainEnvironmentOptions,
  type Switches
} from "@signalbox/test-harness"
import type { RequestParts } from "@signalbox/core/DeclaredOperation"
import { requestIds } from "../SchemaReading.ts"
import { start } from "../VirtualTime.ts"
import { addMember } from "./AddMember.ts"
import { type Scenario, subscriberIds } from "./Scenario.ts"

/** Ids of the messages that a call can mark; a subscriber that does not exist uses those of ann. */
export const messageIdsOf = (subscriberId: string): ReadonlyArray<string> =>
  [1, 2, 3].map((number) => `${subscriberId === subscriberIds[1] ? "b" : "a"}${String(number).padStart(23, "0")}`)

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

/** Whether no upsert can meet another one of the same entry: one client sends them, and none is left behind. */
const isOrderly = ({ calls, crashesAt, duplicates, faults }: Scenario): boolean =>
  !duplicates &&
  crashesAt === undefined &&
  faults.length === 0 &&
  calls.every(({ abortsAfter, client }) => abortsAfter === undefined && client === 0)

const worldOptions = (scenario: Scenario): PlainEnvironmentOptions => ({
  seed: scenario.seed,
  data: "empty",
  vendor: scenario.vendor,
  preset: scenario.preset === "seeded" ? `seeded(${scenario.seed})` : scenario.preset,
  switches: {
    ...requestIds,
    ...keySwitches(scenario),
    ...(scenario.rateLimit === "free" ? { "rateLimit.plan": "free" } : {}),
    "credentials.concurrent": isOrderly(scenario) ? "lost-updates" : "serialised"
  }
})

/** Makes the service of a scenario. */
export const makeWorld = (scenario: Scenario, clock: FakeClock): Fake => {
  const createdAt = start + scenario.ahead - 60_000
  const fake = createFake({ ...worldOptions(scenario), clock })
  for (const providerId of ["fcm", "service-slack"] as const) fake.addIntegration({ providerId, createdAt })
  fake.addWorkflow({ identifier: "greeting", createdAt, steps: [{ type: "in_app" }] })
  for (const subscriberId of subscriberIds.slice(0, 2)) {
    fake.addSubscriber({ subscriberId, createdAt, updatedAt: createdAt })
    for (const id of messageIdsOf(subscriberId)) {
      fake.addMessage({ id, subscriberId, createdAt, deliveredAt: [createdAt] })
    }
    fake.addEvent({ subscriberId, workflow: "greeting", createdAt })
  }
  fake.route<RequestParts<"/v1/topics/:topicKey/members">, unknown, Readonly<Record<string, ReadonlyArray<string>>>>(
    addMember,
    ({ input: { body, path }, state = {} }) => {
      const { member } = body as { readonly member: string } // of the program
      if (path.topicKey === subscriberIds[2]) return { status: 404, error: "no such topic" }
      const members = [...(state[path.topicKey] ?? []), member]
      return { body: { members }, state: { ...state, [path.topicKey]: members } }
    }
  )
  return fake
}
