import * as Client from "@signalbox/core/Client"
import { Events } from "@signalbox/core/Events"
import { withInfo } from "@signalbox/core/CallInfo"
import * as Connection from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { coverageOf, failedOf, unknownFailures } from "../diagnosis/Coverage.ts"
import { failuresOf } from "../diagnosis/FailureGroup.ts"
import { eventResult } from "../status/Status.ts"
import { restored, restoring } from "./Restored.ts"
import { addReasons, noReasons, partsOf, reasonLines, reasonsText } from "./UnreadableReasons.ts"

type Fields = Readonly<Record<string, unknown>>

const step = { _id: "step", active: true, filters: [], _templateId: "template", name: "Chat" }
const { _templateId: _, ...stepWithoutTemplate } = step

const failure = {
  _id: "detail",
  status: "Failed",
  detail: "Webhook URL for the chat channel is missing",
  isRetry: false,
  isTest: false,
  source: "Credentials"
}

const job = { _id: "job", type: "chat", status: "failed", providerId: "slack", executionDetails: [failure], step }

const event = (index: number, jobs: unknown): Fields => ({
  _id: `event-${index}`,
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: `txn-${index}`,
  createdAt: "2026-11-21T12:00:00.000Z",
  jobs
})

/** Reads a response through the client, as the tools do. */
const read = (data: ReadonlyArray<unknown>) => {
  const fetch: typeof globalThis.fetch = () =>
    Promise.resolve(Response.json({ data, hasMore: false, page: 0, pageSize: 50 }))
  const client = Client.layerNoDeps.pipe(
    Layer.provide(FetchTransport.layer(fetch)),
    Layer.provide(Connection.layer({ apiKey: "key", baseUrl: "http://service.test" }))
  )
  return Effect.gen(function* () {
    const { call, value } = yield* withInfo(restoring(yield* Events).list())
    return { events: value.data, parts: call.unreadable }
  }).pipe(Effect.provide(client))
}

const words = (events: Parameters<typeof coverageOf>[0]) => events.map((one) => eventResult(one).word)

describe("a job of which type, status and details can be read", () => {
  it.effect("is diagnosed although its step cannot be read", () =>
    Effect.gen(function* () {
      const { events } = yield* read([event(0, [{ ...job, step: stepWithoutTemplate }]), event(1, [job])])
      assert.deepStrictEqual(words(events), ["FAILED", "FAILED"])
      for (const one of events) {
        assert.deepStrictEqual(
          failuresOf(one).map(({ cause }) => cause),
          ["webhook-url-missing/chat/slack"]
        )
      }
      assert.strictEqual(events[0]?.jobs?.[0]?.step.name, "Chat")
    })
  )

  it.effect("is diagnosed in a record that has other unreadable fields", () =>
    Effect.gen(function* () {
      const { _environmentId: __, ...rest } = event(0, [job])
      const { events } = yield* read([event(1, [job]), rest, event(2, [])])
      assert.deepStrictEqual(
        events.map(({ transactionId }) => transactionId),
        ["txn-1", "txn-0", "txn-2"]
      )
      assert.deepStrictEqual(words(events), ["FAILED", "FAILED", "no jobs"])
    })
  )

  it.effect("keeps its place among jobs and details that can be read", () =>
    Effect.gen(function* () {
      const ok = { ...job, _id: "ok", status: "completed", executionDetails: [{ ...failure, status: "Success" }] }
      const { source: __, ...withoutSource } = failure
      const mixed = { ...job, executionDetails: [{ ...failure, status: "Queued" }, withoutSource] }
      const { events } = yield* read([event(0, [ok, { ...job, _id: "other", step: {} }, mixed])])
      const jobs = events[0]?.jobs ?? []
      assert.deepStrictEqual(
        jobs.map(({ _id }) => _id),
        ["ok", "other", "job"]
      )
      assert.deepStrictEqual(
        jobs[2]?.executionDetails.map(({ source, status }) => [status, source]),
        [
          ["Queued", "Credentials"],
          ["Failed", "unreadable"]
        ]
      )
    })
  )
})

describe("a part without which the result is unknown", () => {
  it.effect.each<readonly [string, unknown]>([
    ["a job without a status", [{ ...job, status: undefined, executionDetails: [{ ...failure, status: "Success" }] }]],
    ["a job without details", [{ ...job, executionDetails: null }]],
    ["a detail without its words", [{ ...job, executionDetails: [{ ...failure, detail: 7 }] }]],
    ["jobs that are no list", "none"],
    ["a job that is no object", [7]]
  ])("reports the event as unreadable, not as one without failures: %s", ([, jobs]) =>
    Effect.gen(function* () {
      const { events } = yield* read([event(0, jobs)])
      assert.deepStrictEqual(words(events), ["unreadable"])
      assert.strictEqual(
        unknownFailures(coverageOf(events)),
        "1 of 1 event could not be read: whether it failed is unknown"
      )
    })
  )

  it.effect("is counted next to what can be read", () =>
    Effect.gen(function* () {
      const { events } = yield* read([event(0, [7]), event(1, [job]), event(2, [7, job]), 7])
      assert.deepStrictEqual(words(events), ["unreadable", "FAILED", "FAILED", "unreadable"])
      assert.strictEqual(failedOf(coverageOf(events)), "2 failed of 2 readable, 2 unreadable")
    })
  )
})

describe("restored", () => {
  it.effect("returns the events of the page where nothing was left out of them", () =>
    Effect.gen(function* () {
      const { events } = yield* read([event(0, [job])])
      assert.strictEqual(restored(events, []), events)
      assert.strictEqual(restored(events, [{ path: "data[0].payload", rule: "", raw: 7 }])[0], events[0])
    })
  )
})

describe("the reasons of unreadable parts", () => {
  it.effect("are one for the same field of many parts, with the first as a sample and without secrets", () =>
    Effect.gen(function* () {
      const raw = 'token: "https://hooks.slack.test/services/T0/B0/abcdef"'
      const unread = { ...job, step: stepWithoutTemplate, executionDetails: [{ ...failure, raw }] }
      const { parts } = yield* read(Array.from({ length: 40 }, (_, index) => event(index, [unread, unread, unread])))
      const reasons = addReasons(addReasons(noReasons, parts), parts.slice(0, 1))
      assert.strictEqual(partsOf(reasons), 121)
      assert.deepStrictEqual(reasonLines(reasons), ["121 × jobs[]: step._templateId: Missing key"])
      assert.include(reasonsText(reasons), "121 parts: jobs[]: step._templateId: Missing key\nfirst at data[0].jobs[0]")
      assert.notInclude(reasonsText(reasons), "abcdef")
      const two = addReasons(reasons, [{ path: "data[3].jobs[0]", rule: "executionDetails: Missing key", raw: {} }])
      const [first, second, third] = reasonsText(two).split("\n")
      assert.deepStrictEqual([first, second, third], [...reasonLines(two), ""])
    })
  )
})
