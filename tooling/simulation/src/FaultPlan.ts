/**
 * The faults of a scenario: flat records, so that each part shrinks on its own.
 */
import * as Arbitrary from "effect/Arbitrary"
import type { OperationName } from "@signalbox/core/Operations"
import { type Fake, Fault } from "@signalbox/test-harness"
import { between, betweenOrAbsent, oneOf } from "./Choice.ts"

/** The points of a request: before the service reads it, before it does the work, after that, and while it responds. */
const points = ["received", "validated", "committed", "answering"] as const

/** Faults that say nothing about whether the service did the work; they fire at any point. */
const anywhere = [
  "reset",
  "close",
  "hang",
  "garbage",
  "latency",
  "unavailable",
  "bad gateway",
  "server error",
  "gateway timeout"
] as const

/** Faults by which a service refuses the work; they fire before it does any. */
const before = [
  "refuse",
  "in flight",
  "rate limit",
  "rate limit date",
  "exhausted rate limit",
  "stored failure",
  "redirect",
  "busy"
] as const

/** Faults of a response. */
const ofResponse = [
  "cut by reset",
  "cut by close",
  "cut by silence",
  "slow body",
  "bad json",
  "wrong type",
  "drift"
] as const

/** A kind of fault. */
const faultKinds = [...anywhere, ...before, ...ofResponse] as const

/** A fault of a scenario. */
export interface FaultPlan {
  readonly kind: (typeof faultKinds)[number]
  /** Where it fires, where its kind allows several points. */
  readonly point: (typeof points)[number]
  readonly operation: OperationName | undefined
  /** The attempt that it fires on. */
  readonly attempt: number | undefined
  readonly times: number | "always"
  /** Milliseconds, seconds or bytes, depending on the kind. */
  readonly amount: number
}

/** Generates a fault. */
export const faultPlan: Arbitrary.Arbitrary<FaultPlan> = Arbitrary.all({
  kind: oneOf(faultKinds),
  point: oneOf(points),
  operation: oneOf([undefined, undefined, "messages.markAs", "credentials.upsert", "events.list"]),
  attempt: betweenOrAbsent(6, 1, 3),
  times: oneOf([1, 1, 2, 3, "always"]),
  amount: between(0, 30)
})

/** The point where a fault fires; some kinds have a fixed one. */
const pointOf = ({ kind, point }: FaultPlan): FaultPlan["point"] => {
  if (before.some((known) => known === kind)) return "received"
  return ofResponse.some((known) => known === kind) ? "answering" : point
}

/** The name of a fault: its kind and its point. */
const nameOf = (plan: FaultPlan): string => `${plan.kind} at ${pointOf(plan)}`

/** The names of all faults. */
export const faultNames: ReadonlySet<string> = new Set(
  faultKinds.flatMap((kind) =>
    points.map((point) => nameOf({ kind, point, operation: undefined, attempt: undefined, times: 1, amount: 0 }))
  )
)

/** Converts a plan to a fault of the fake. */
export const faultOf = (plan: FaultPlan): Fault.Fault => {
  const { amount, attempt, kind, operation, times } = plan
  const requests = {
    times,
    ...(operation === undefined ? {} : { operation }),
    ...(attempt === undefined ? {} : { attempt })
  }
  const target = { ...requests, at: pointOf(plan) }
  switch (kind) {
    case "reset":
      return Fault.reset(target)
    case "close":
      return Fault.close(target)
    case "hang":
      return Fault.hang(target)
    case "garbage":
      return Fault.garbage(target)
    case "latency":
      return Fault.latency(amount * 500, target)
    case "unavailable": {
      const headers = amount > 20 ? { "retry-after": String(amount - 20) } : {}
      return Fault.status(503, { ...target, headers })
    }
    case "bad gateway":
      return Fault.html(502, target)
    case "server error":
      return Fault.status(500, target)
    case "gateway timeout":
      return Fault.status(504, target)
    case "refuse":
      return Fault.refuse(requests)
    case "in flight":
      return Fault.status(409, { ...target, headers: { "retry-after": String(amount % 5) } })
    case "rate limit": {
      // A call in the background accepts a hundred waits; if all were so long, it would take days.
      const isLong = amount === 30 && times !== "always"
      const retryAfterMs = isLong ? 3_000_000 : amount > 20 ? "absent" : amount * 1_000
      return Fault.rateLimited({ ...target, retryAfterMs })
    }
    case "rate limit date":
      return Fault.rateLimited({ ...target, retryAfterMs: amount * 1_000, as: "http-date" })
    case "exhausted rate limit": {
      const headers = { "ratelimit-limit": "5", "ratelimit-remaining": "0", "ratelimit-reset": String(amount) }
      return Fault.status(429, { ...target, headers })
    }
    case "stored failure":
      return Fault.status(503, { ...target, headers: { "idempotency-replay": "true" } })
    case "redirect":
      return Fault.status(302, { ...target, headers: { location: "http://elsewhere.test/" } })
    case "busy":
      return Fault.status(408, target)
    case "cut by reset":
      return Fault.cutBody({ ...requests, afterBytes: amount, failure: "reset" })
    case "cut by close":
      return Fault.cutBody({ ...requests, afterBytes: amount, failure: "close" })
    case "cut by silence":
      return Fault.cutBody({ ...requests, afterBytes: amount, failure: "hang" })
    case "slow body":
      return Fault.slowBody({ ...requests, bytes: 64, everyMs: amount * 20 + 1 })
    case "bad json":
      return Fault.malformedJson(requests)
    case "wrong type":
      return Fault.contentType("text/html", requests)
    case "drift": {
      const kinds = ["unknown-enum-value", "unknown-field", "missing-field", "null"] as const
      return Fault.drift({ ...requests, kind: kinds[amount % kinds.length] ?? "null" })
    }
  }
}

/** Arms faults; returns a function that names those that have fired. */
export const arm = (fake: Fake, plans: ReadonlyArray<FaultPlan>): (() => ReadonlyArray<string>) => {
  const armed = plans.map((plan) => ({ plan, fault: fake.faults.add(faultOf(plan)) }))
  return () => armed.flatMap(({ fault, plan }) => (fault.fired() > 0 ? [nameOf(plan)] : []))
}
