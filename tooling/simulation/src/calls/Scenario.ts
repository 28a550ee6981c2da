/**
 * What is generated: the world, the calls that programs make in it, and what goes wrong.
 */
import * as Arbitrary from "effect/Arbitrary"
import type { OperationName } from "@signalbox/core/Operation"
import { between, betweenOrNothing, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** Subscribers that calls name; the last one does not exist. */
export const subscriberIds = ["ann", "ben", "nobody"] as const

/** Providers that calls give credentials for; the last one has no integration. */
export const providerIds = ["fcm", "service-slack", "expo"] as const

/** How often and how fast a call is repeated: `deaf` to hints, `poor` in quota. */
export const retries = ["default", "none", "eager", "deaf", "poor"] as const

/** One call of the program, as one flat record: what its operation does not need has no effect. */
export interface PlannedCall {
  /** When it begins, in milliseconds after the start. */
  readonly at: number
  readonly operation: OperationName
  /** Which of two clients makes it; they share the service and nothing else, like two processes. */
  readonly client: 0 | 1
  readonly subscriberId: (typeof subscriberIds)[number]
  readonly providerId: (typeof providerIds)[number]
  readonly credentials: "tokens" | "webhook" | "both" | "no tokens" | "nothing"
  /** Calls of one batch give the same device tokens. */
  readonly batch: number
  /** How many messages are marked. */
  readonly messages: number
  readonly mark: "read" | "unread" | "seen" | "unseen"
  /** `reused` is one key for whatever is asked, which no caller should do. */
  readonly key: "random" | "derived" | "fixed" | "off" | "reused"
  /** Whether the caller says that the service honours keys; it is only said where it is true. */
  readonly saysHonoured: boolean
  readonly retry: (typeof retries)[number]
  readonly timeouts: "default" | "short" | "none"
  readonly throttling: "wait" | "off"
  readonly reading: "tolerant" | "strict"
  /** When the caller gives up, in milliseconds after the call began. */
  readonly givesUpAfter: number | undefined
}

/** A program, and the world that it runs in. */
export interface Scenario {
  /** Seed of the world, and of the delays that clients draw. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  /** The maker's word on the wire, which clients translate. */
  readonly vendor: "service" | "acme"
  /** What the service does with keys, whatever its preset says. */
  readonly keys: "preset" | "honoured" | "ignored"
  /** How far the clock of the service is ahead of the clients', in milliseconds. */
  readonly ahead: number
  readonly calls: ReadonlyArray<PlannedCall>
  readonly faults: ReadonlyArray<FaultPlan>
}

const plannedCall: Arbitrary.Arbitrary<PlannedCall> = Arbitrary.all({
  at: between(0, 4_000),
  operation: oneOf(["messages.markAs", "credentials.upsert", "credentials.upsert", "events.list"]),
  client: oneOf([0, 0, 0, 1]),
  subscriberId: oneOf(["ann", "ann", "ann", "ben", "ben", "nobody"]),
  providerId: oneOf(["fcm", "fcm", "fcm", "service-slack", "service-slack", "expo"]),
  credentials: oneOf(["tokens", "tokens", "webhook", "both", "no tokens", "nothing"]),
  batch: between(0, 2),
  messages: between(1, 3),
  mark: oneOf(["read", "unread", "seen", "unseen"]),
  key: oneOf(["random", "random", "derived", "fixed", "reused", "off"]),
  saysHonoured: oneOf([false, false, true]),
  retry: oneOf(["default", "default", "none", "deaf", "poor", "eager"]),
  timeouts: oneOf(["default", "default", "short", "none"]),
  throttling: oneOf(["wait", "wait", "off"]),
  reading: oneOf(["tolerant", "tolerant", "strict"]),
  givesUpAfter: betweenOrNothing(8, 0, 20_000)
})

/** Generates scenarios. */
export const scenario: Arbitrary.Arbitrary<Scenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  vendor: oneOf(["service", "acme"]),
  keys: oneOf(["ignored", "honoured", "preset"]),
  ahead: oneOf([0, 0, 0, 3_600_000, -3_600_000]),
  calls: Arbitrary.array(plannedCall, { minLength: 1, maxLength: 6 }),
  faults: Arbitrary.array(faultPlan, { maxLength: 8 })
})
