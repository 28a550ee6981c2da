/**
 * Generates scenarios: the service, the calls of the programs, and the faults.
 */
import * as Arbitrary from "effect/Arbitrary"
import type { OperationName } from "@signalbox/core/Operations"
import { between, betweenOrAbsent, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"
import type { ClockStep } from "../VirtualTime.ts"

/** Subscribers of the calls: one whose id is encoded in a path, and at last one that does not exist. */
export const subscriberIds = ["ann", "bën/7 ?+%2F", "unknown"] as const

/** Providers of the calls; the last one has no integration. */
export const providerIds = ["fcm", "service-slack", "expo"] as const

/** Retry policies: `no hints` ignores `Retry-After`, `small quota` allows one retry. */
export const retries = ["default", "none", "eager", "no hints", "small quota"] as const

/** Operations of the calls; the one that is named twice is called twice as often. */
const plannedOperations = [
  "messages.markAs",
  "credentials.upsert",
  "credentials.upsert",
  "events.list"
] as const satisfies ReadonlyArray<OperationName>

/** One call of the program: a flat record, so that each part shrinks on its own. Unneeded fields have no effect. */
export interface PlannedCall {
  /** When it starts, in milliseconds after the scenario. */
  readonly at: number
  readonly operation: (typeof plannedOperations)[number] | "topics.addMember"
  /** Which client makes it; like processes, clients share only the service. */
  readonly client: number
  readonly subscriberId: (typeof subscriberIds)[number]
  readonly providerId: (typeof providerIds)[number]
  readonly credentials: "tokens" | "webhook" | "both" | "no tokens" | "nothing"
  /** Calls of one batch have the same device tokens. */
  readonly batch: number
  /** How many messages are marked. */
  readonly messages: number
  readonly mark: "read" | "unread" | "seen" | "unseen"
  /** `reused` is one key for different requests: a mistake of the caller. */
  readonly key: "random" | "derived" | "fixed" | "off" | "reused"
  /** Whether the caller declares that the service honours keys; applied only where that is true. */
  readonly serviceHonoursKeys: boolean
  readonly retry: (typeof retries)[number]
  readonly timeouts: "default" | "short" | "none"
  readonly throttling: "wait" | "off"
  readonly reading: "tolerant" | "strict"
  /** When the caller aborts, in milliseconds after the call starts. */
  readonly abortsAfter: number | undefined
}

/** A program and the service that it calls. */
export interface Scenario {
  /** Seed of the service and of the clients' retry delays. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  /** The vendor in wire identifiers, which clients translate. */
  readonly vendor: "service" | "acme"
  /** Whether the service honours keys, regardless of its preset. */
  readonly keys: "preset" | "honoured" | "ignored"
  /** How far the service's clock is ahead of the clients' clocks, in milliseconds. */
  readonly ahead: number
  /** The rate limit of the service, regardless of its preset. */
  readonly rateLimit: "preset" | "free"
  /** Whether the network delivers the first request of every call twice. */
  readonly duplicates: boolean
  /** When the service crashes for a second and keeps its state, in milliseconds after the start. */
  readonly crashesAt: number | undefined
  /** A step of the clients' wall clock; times in milliseconds after the start. */
  readonly clockStep: ClockStep | undefined
  readonly calls: ReadonlyArray<PlannedCall>
  readonly faults: ReadonlyArray<FaultPlan>
}

const plannedCall: Arbitrary.Arbitrary<PlannedCall> = Arbitrary.all({
  at: between(0, 4_000),
  operation: oneOf(plannedOperations),
  client: oneOf([0, 0, 0, 1]),
  subscriberId: oneOf([0, 0, 0, 1, 1, 2].map((index) => subscriberIds[index] ?? "ann")),
  providerId: oneOf(["fcm", "fcm", "fcm", "service-slack", "service-slack", "expo"]),
  credentials: oneOf(["tokens", "tokens", "webhook", "both", "no tokens", "nothing"]),
  batch: between(0, 2),
  messages: between(1, 3),
  mark: oneOf(["read", "unread", "seen", "unseen"]),
  key: oneOf(["random", "random", "derived", "fixed", "reused", "off"]),
  serviceHonoursKeys: oneOf([false, false, true]),
  retry: oneOf(["default", "default", "none", "no hints", "small quota", "eager"]),
  timeouts: oneOf(["default", "default", "short", "none"]),
  throttling: oneOf(["wait", "wait", "off"]),
  reading: oneOf(["tolerant", "tolerant", "strict"]),
  abortsAfter: betweenOrAbsent(8, 0, 20_000)
})

/** Generates scenarios. */
export const scenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  vendor: oneOf(["service", "acme"]),
  keys: oneOf(["ignored", "honoured", "preset"]),
  ahead: oneOf([0, 0, 0, 3_600_000, -3_600_000]),
  rateLimit: oneOf(["preset"]),
  duplicates: oneOf([false]),
  crashesAt: oneOf([undefined]),
  clockStep: oneOf([undefined]),
  calls: Arbitrary.array(plannedCall, { minLength: 1, maxLength: 6 }),
  faults: Arbitrary.array(faultPlan, { maxLength: 8 })
})

/** Generates scenarios in which the upserts are calls of an append that the program declares. */
export const declaredScenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.map(scenario, (base) => ({
  ...base,
  calls: base.calls.map((call) =>
    call.operation === "credentials.upsert" ? { ...call, operation: "topics.addMember" as const } : call
  )
}))

/** Generates scenarios in which the network duplicates requests: only keys that the service honours undo that. */
export const duplicatedScenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.map(scenario, (base) => ({
  ...base,
  keys: "honoured",
  duplicates: true,
  calls: base.calls.map((call) => (call.key === "off" ? { ...call, key: "random" } : call)),
  faults: []
}))

/** Generates upserts of few entries by one client within a short time, each of which must be stored. */
export const appendScenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.map(
  Arbitrary.all([scenario, Arbitrary.array(plannedCall, { minLength: 2, maxLength: 8 })]),
  ([base, calls]) => ({
    ...base,
    preset: "document",
    calls: calls.map((call) => ({
      ...call,
      at: call.at % 10,
      client: 0,
      operation: "credentials.upsert",
      credentials: "tokens",
      abortsAfter: undefined
    })),
    faults: []
  })
)

/** Generates scenarios in which the service crashes while it works on requests. */
export const crashScenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.map(
  Arbitrary.all([scenario, between(0, 4_000)]),
  ([base, crashesAt]) => ({ ...base, crashesAt })
)

/** Generates calls of one client with a small retry quota: most succeed, until the service crashes. */
export const outageScenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.map(
  Arbitrary.all([scenario, Arbitrary.array(plannedCall, { minLength: 60, maxLength: 80 })]),
  ([base, calls]) => ({
    ...base,
    crashesAt: 2_000,
    calls: calls.map((call) => ({
      ...call,
      client: 0,
      at: call.at % 3_000,
      operation: "messages.markAs",
      retry: "small quota",
      abortsAfter: undefined
    })),
    faults: []
  })
)

/** Generates clients that share two rate limits, one for reads and one for writes, and exhaust the latter. */
export const crowdScenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.map(
  Arbitrary.all([
    scenario,
    Arbitrary.array(Arbitrary.all([plannedCall, between(0, 9)]), { minLength: 180, maxLength: 220 })
  ]),
  ([base, crowd]) => ({
    ...base,
    rateLimit: "free",
    calls: crowd.map(([call, client]) => ({
      ...call,
      client,
      at: Math.floor(call.at / 4),
      // A quarter of the calls.
      operation: call.operation === "events.list" ? "events.list" : "messages.markAs"
    })),
    faults: []
  })
)

/** Generates scenarios in which the clients' wall clock is set forward or back during a call. */
export const clockStepScenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.map(
  Arbitrary.all([scenario, between(0, 4_000), oneOf([120_000, -3_600_000, 86_400_000, -500])]),
  ([base, at, by]) => ({ ...base, clockStep: { at, by } })
)
