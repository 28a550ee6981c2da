/**
 * Scenarios as tests of the sweep that users run: a fixed scenario without faults, and its rules as assertions. The sweep
 * adds one fault after another.
 */
import * as Effect from "effect/Effect"
import type { Fake, PlainEnvironmentOptions, SweptTest } from "@signalbox/test-harness"
import { Fault, sweepFaults } from "@signalbox/test-harness"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import { calls, crowds } from "../calls/Calls.ts"
import { type PlannedCall, type Scenario, subscriberIds } from "../calls/Scenario.ts"
import { worldOptions } from "../calls/World.ts"
import type { Family, Observed } from "../Family.ts"
import { shippedPromises } from "../promises/PromiseRun.ts"
import { marks, walks } from "../promises/Promises.ts"
import type { PromiseScenario } from "../promises/PromiseScenario.ts"
import { SweptFake } from "../VirtualTime.ts"

/** A client as the test of a sweep. */
export interface Sweep {
  readonly test: SweptTest
  readonly options: Omit<PlainEnvironmentOptions, "faults">
  /** The faults that a sweep tries. */
  readonly faults: ReadonlyArray<Fault.Fault>
}

/** Makes the sweeps of a scenario. */
const sweepOf =
  <Case, Observation extends Observed, Client>(
    family: Family<Case, Observation, Client>,
    scenario: Case,
    tried: Omit<Sweep, "test">,
    prepare: (fake: Fake) => unknown = () => {}
  ) =>
  (client: Client): Sweep => ({
    ...tried,
    test: async (fake) => {
      prepare(fake)
      const run = Effect.provideService(family.run(scenario, client), SweptFake, fake)
      const [finding] = family.check(await Effect.runPromise(run))
      if (finding !== undefined) throw new Error(finding.message)
    }
  })

const plain: PlannedCall = {
  at: 0,
  operation: "events.list",
  client: 0,
  subscriberId: "ann",
  providerId: "fcm",
  credentials: "tokens",
  batch: 0,
  messages: 2,
  mark: "read",
  key: "random",
  serviceHonoursKeys: false,
  retry: "default",
  timeouts: "default",
  throttling: "wait",
  reading: "tolerant",
  abortsAfter: undefined
}

/** A call of every kind, one after the other, then calls during an outage of a second. */
const callScenario: Scenario = {
  seed: 1,
  preset: "document",
  vendor: "acme",
  keys: "preset",
  ahead: 0,
  rateLimit: "preset",
  duplicates: false,
  crashesAt: 420_000,
  clockStep: undefined,
  calls: [
    { ...plain, at: 0, operation: "credentials.upsert" },
    {
      ...plain,
      at: 60_000,
      operation: "credentials.upsert",
      subscriberId: subscriberIds[1],
      providerId: "service-slack",
      credentials: "webhook"
    },
    { ...plain, at: 120_000, operation: "messages.markAs" },
    { ...plain, at: 180_000, operation: "messages.markAs", subscriberId: subscriberIds[1], mark: "unread" },
    { ...plain, at: 240_000 },
    { ...plain, at: 300_000, subscriberId: subscriberIds[1], reading: "strict" },
    { ...plain, at: 360_000, abortsAfter: 5_000 },
    { ...plain, at: 390_000, retry: "none" },
    { ...plain, at: 420_000 },
    { ...plain, at: 420_001 },
    { ...plain, at: 420_002, client: 1, retry: "small quota" }
  ],
  faults: []
}

/** More calls than the rate limit allows: the last ones must wait. */
const crowdScenario: Scenario = {
  ...callScenario,
  crashesAt: undefined,
  calls: Array.from({ length: 8 }, (_, at) => ({ ...plain, at, operation: "messages.markAs", messages: 1 }))
}

const marking: PromiseScenario = {
  seed: 1,
  preset: "document",
  ahead: 0,
  work: "markManyAs",
  count: 201,
  concurrency: 2,
  order: "input",
  hasTokens: false,
  honoursKeys: false,
  key: "random",
  retry: "default",
  timeouts: "default",
  pause: 0,
  stop: "none",
  stopsOnRequest: 0,
  stopsAtPoint: "received",
  stopsAt: 0,
  apiKey: "string",
  rotation: undefined,
  loss: undefined,
  pages: { ages: [], arriving: [], limit: 2, prefetch: false, resumesAfter: undefined, stopsAfter: undefined },
  faults: []
}

const walking: PromiseScenario = {
  ...marking,
  work: "pages",
  pause: 300,
  pages: { ...marking.pages, ages: [0, 500, 1_000, 1_500, 2_000, 2_500], arriving: [100, 600] }
}

/** After `Retry-After` alone; a rate limit makes the client wait for its headers too. */
const hinted = Fault.status(503, { headers: { "retry-after": "2" } })

const plainOptions = { seed: 1 }

/** Sweeps of each family with broken clients. */
export const sweeps = {
  calls: sweepOf(calls, callScenario, { options: worldOptions(callScenario), faults: [...sweepFaults, hinted] }),
  crowds: sweepOf(
    crowds,
    crowdScenario,
    // Faults of other kinds say nothing more about a rate limit.
    { options: worldOptions(crowdScenario), faults: [hinted] },
    (fake) => fake.setRateLimit({ requests: 5, windowMs: 10_000 })
  ),
  marks: sweepOf(
    marks,
    marking,
    { options: plainOptions, faults: sweepFaults },
    // Calls take time, so that as many overlap as the client allows.
    (fake) => fake.faults.add(Fault.latency(100, { times: "always" }))
  ),
  walks: sweepOf(walks, walking, {
    options: plainOptions,
    // The rules of a walk need every record and its id.
    faults: sweepFaults.filter(({ form }) => form._tag !== "Drift")
  })
}

/** Every sweep of clients that ship. */
export const shippedSweeps = (client: ClientUnderTest): ReadonlyArray<Sweep> => [
  sweeps.calls(client),
  sweeps.crowds(client),
  sweeps.marks(shippedPromises),
  sweeps.walks(shippedPromises)
]
