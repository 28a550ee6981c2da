import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { CallObserver } from "../call/CallInfo.ts"
import * as CallMetrics from "../call/CallMetrics.ts"
import { CallState } from "../call/CallState.ts"
import { RateLimit } from "../call/RateLimit.ts"
import type { DriftEntry } from "../reading/DriftEntry.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"
import { Messages } from "../services/Messages.ts"
import { Connection, RequestHeaders } from "../transport/Connection.ts"
import { Transport } from "../transport/Transport.ts"
import * as Drift from "./Drift.ts"
import * as IdempotencyPolicy from "./IdempotencyPolicy.ts"
import { MaxConcurrency, MaxResponseBytes, ResponsePolicy, Throttling, TraceHeaders, Warnings } from "./Policies.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import * as Timeouts from "./Timeouts.ts"

const defaultOf = <A>(reference: Context.Reference<A>): A => Context.get(Context.empty(), reference)

const providedBy = <A>(reference: Context.Reference<A>, layer: Layer.Layer<never>): A =>
  Effect.runSync(Effect.provide(reference, layer))

describe("policies", () => {
  it("have one key in every copy of this package: copies in one program share what is provided", () => {
    const keys = {
      CallMetrics: CallMetrics.CallMetrics.key,
      CallObserver: CallObserver.key,
      CallState: CallState.key,
      Connection: Connection.key,
      Credentials: Credentials.key,
      Drift: Drift.Drift.key,
      Events: Events.key,
      IdempotencyPolicy: IdempotencyPolicy.IdempotencyPolicy.key,
      MaxConcurrency: MaxConcurrency.key,
      MaxResponseBytes: MaxResponseBytes.key,
      Messages: Messages.key,
      RateLimit: RateLimit.key,
      RequestHeaders: RequestHeaders.key,
      ResponsePolicy: ResponsePolicy.key,
      RetryPolicy: RetryPolicy.RetryPolicy.key,
      Throttling: Throttling.key,
      Timeouts: Timeouts.Timeouts.key,
      TraceHeaders: TraceHeaders.key,
      Transport: Transport.key,
      Warnings: Warnings.key
    }
    for (const [name, key] of Object.entries(keys)) assert.strictEqual<string>(key, `signalbox/core/${name}`)
  })

  it("have the documented defaults", () => {
    assert.deepStrictEqual(defaultOf(IdempotencyPolicy.IdempotencyPolicy), {
      source: { _tag: "random" },
      serviceHonoursKeys: false
    })
    assert.strictEqual(defaultOf(MaxConcurrency), 256)
    assert.strictEqual(defaultOf(MaxResponseBytes), 67_108_864)
    assert.strictEqual(defaultOf(ResponsePolicy), "tolerant")
    assert.strictEqual(defaultOf(Throttling), "wait")
    assert.deepStrictEqual(defaultOf(Timeouts.Timeouts), { attemptMs: 15_000, callMs: 60_000 })
    assert.deepStrictEqual(defaultOf(RetryPolicy.RetryPolicy), {
      maxRetries: 2,
      baseDelayMs: 200,
      maxDelayMs: 8000,
      honourRetryAfter: true,
      quota: { capacity: 500, cost: 14, rateLimitedCost: 5, refund: 1 }
    })
    assert.isUndefined(defaultOf(TraceHeaders))
    assert.isUndefined(defaultOf(CallMetrics.CallMetrics))
    assert.isUndefined(defaultOf(CallObserver))
    assert.strictEqual(defaultOf(Drift.Drift), Drift.standard)
  })

  it("are made of what differs from the defaults", () => {
    assert.deepStrictEqual(RetryPolicy.make({}), defaultOf(RetryPolicy.RetryPolicy))
    assert.deepStrictEqual(RetryPolicy.none, { ...defaultOf(RetryPolicy.RetryPolicy), maxRetries: 0 })
    assert.deepStrictEqual(
      RetryPolicy.make({
        maxRetries: 5,
        baseDelay: "1 second",
        maxDelay: 4000,
        honourRetryAfter: false,
        quota: { capacity: 1, cost: 2, rateLimitedCost: 3, refund: undefined }
      }),
      {
        maxRetries: 5,
        baseDelayMs: 1000,
        maxDelayMs: 4000,
        honourRetryAfter: false,
        quota: { capacity: 1, cost: 2, rateLimitedCost: 3, refund: 1 }
      }
    )
    const free = { capacity: 0, cost: 0, rateLimitedCost: 0, refund: 0 }
    assert.deepStrictEqual(RetryPolicy.make({ quota: free, maxRetries: 0 }).quota, free)
    assert.deepStrictEqual(Timeouts.make({}), defaultOf(Timeouts.Timeouts))
    assert.deepStrictEqual(Timeouts.make({ attempt: 1, call: "2 seconds" }), { attemptMs: 1, callMs: 2000 })
    assert.deepStrictEqual(Timeouts.none, { attemptMs: Infinity, callMs: Infinity })
    assert.deepStrictEqual(IdempotencyPolicy.off, { source: { _tag: "off" }, serviceHonoursKeys: false })
    assert.deepStrictEqual(IdempotencyPolicy.fixed("k"), {
      source: { _tag: "fixed", key: "k" },
      serviceHonoursKeys: false
    })
    assert.deepStrictEqual(IdempotencyPolicy.derived("job", 2), {
      source: { _tag: "derived", scope: "job", generation: 2 },
      serviceHonoursKeys: false
    })
    assert.deepStrictEqual(IdempotencyPolicy.serviceHonoursKeys(IdempotencyPolicy.derived("job")), {
      source: { _tag: "derived", scope: "job", generation: 0 },
      serviceHonoursKeys: true
    })
  })

  it("are set by their layers", () => {
    assert.strictEqual(providedBy(Timeouts.Timeouts, Timeouts.layer(Timeouts.none)), Timeouts.none)
  })
})

describe("a report of drift", () => {
  const linesOf = (drift: Drift.Drift, entries: ReadonlyArray<DriftEntry>) => {
    const lines: Array<string> = []
    const report = drift.report({ operation: "messages.markAs", entries, count: entries.length, unreadable: [] })
    Effect.runSync(Effect.provideService(report, Warnings, (line) => Effect.sync(() => void lines.push(line))))
    return lines
  }
  const entries: ReadonlyArray<DriftEntry> = [
    { kind: "unknown-enum-value", path: "[0].aisle", value: "fax" },
    { kind: "unknown-enum-value", path: "[17].aisle", value: "telex" },
    { kind: "unknown-field", path: "[0].gates[1].novel" },
    { kind: "missing-field", path: "[0].platform" },
    { kind: "unreadable", path: "", rule: "Expected array" }
  ]

  it("is one line for each kind and place, once in a process", () => {
    // Names of this test alone: every other test of the process shares what was reported.
    assert.deepStrictEqual(linesOf(Drift.standard, entries), [
      "messages.markAs: [].aisle has a value that the API document does not list",
      "messages.markAs: [].gates[].novel is a field that the API document does not describe; it was left out",
      "messages.markAs: [].platform is missing although the API document requires it",
      "messages.markAs: the body could not be read and was left out"
    ])
    assert.deepStrictEqual(linesOf(Drift.standard, entries), [])
    assert.deepStrictEqual(linesOf(Drift.standard, [{ kind: "unknown-field", path: "[0].aisle" }]), [
      "messages.markAs: [].aisle is a field that the API document does not describe; it was left out"
    ])
  })

  it("can be discarded", () => {
    assert.deepStrictEqual(linesOf(Drift.silent, [{ kind: "unknown-field", path: "discarded" }]), [])
  })
})
