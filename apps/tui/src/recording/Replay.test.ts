import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import { Events } from "@signalbox/core/Events"
import * as HttpClientTransport from "@signalbox/core/HttpClientTransport"
import { Transport, type TransportRequest, type TransportShape } from "@signalbox/core/Transport"
import { assert, describe, it } from "@effect/vitest"
import { createFake, Fault } from "@signalbox/test-harness"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { makeRecorder } from "./Recorder.ts"
import type { Exchange, Recording } from "./Recording.ts"
import { makeReplay, NotRecorded } from "./Replay.ts"

const startedAt = Date.parse("2026-11-21T12:41:07Z")

const baseUrl = "https://api.example.com"

const recordingOf = (exchanges: ReadonlyArray<Exchange>): Recording => ({
  start: { startedAt, connection: "acme", baseUrl, filter: "", events: 0, masked: false },
  exchanges,
  isCutOff: false
})

const got = (at: number, target: string, text: string): Exchange => ({
  at,
  ms: 100,
  request: { method: "GET", target },
  outcome: { _tag: "Response", status: 200, headers: {}, text }
})

const list = (target: string): TransportRequest => ({
  method: "GET",
  url: baseUrl + target,
  headers: {},
  body: undefined
})

const sender = (exchanges: ReadonlyArray<Exchange>) => {
  const replay = makeReplay(recordingOf(exchanges))
  return Effect.map(Effect.provide(Transport, replay.transport), ({ send }) => ({ replay, send }))
}

const textOf = (send: TransportShape["send"], target: string) => Effect.map(send(list(target)), ({ text }) => text)

const iso = (at: number) => encodeURIComponent(new Date(at).toISOString())

describe("a replay", () => {
  it.effect("returns the responses to a request one after another, then the last one again", () =>
    Effect.gen(function* () {
      const first = "/v1/a?page=0"
      const { send } = yield* sender([got(0, first, "1"), got(5, "/v1/b", "2"), got(9, first, "3"), got(9, first, "4")])
      const bodies: Array<string> = []
      for (const target of [first, first, "/v1/b", first, first]) bodies.push(yield* textOf(send, target))
      assert.deepStrictEqual(bodies, ["1", "3", "2", "4", "4"])
    })
  )
  it.effect("has the time of the last response, which never goes back", () =>
    Effect.gen(function* () {
      const { replay, send } = yield* sender([got(0, "/v1/a", "1"), got(60_000, "/v1/b", "2")])
      assert.strictEqual(replay.now(), startedAt)
      yield* textOf(send, "/v1/b")
      assert.strictEqual(replay.now(), startedAt + 60_100)
      yield* textOf(send, "/v1/a")
      assert.strictEqual(replay.now(), startedAt + 60_100)
      assert.strictEqual(yield* Effect.provide(Clock.currentTimeMillis, replay.clock), startedAt + 60_100)
    })
  )
  it.effect("finds times that depend on when a request is sent, as in after:24h, and keeps others apart", () =>
    Effect.gen(function* () {
      const day = 86_400_000
      const recorded = (at: number, back: number, text: string) =>
        got(at, `/v1/a?after=${iso(startedAt + at - back)}&page=0`, text)
      const { send } = yield* sender([recorded(40, day, "a day"), recorded(90, 7 * day, "a week")])
      // The replay sends at other times than the recorded session did.
      assert.strictEqual(yield* textOf(send, `/v1/a?after=${iso(startedAt - 7 * day)}&page=0`), "a week")
      assert.strictEqual(yield* textOf(send, `/v1/a?after=${iso(startedAt - day)}&page=0`), "a day")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(send(list(`/v1/a?after=${iso(startedAt - 2 * day)}&page=0`)))))
    })
  )
  it.effect("dies in one line where a request was not recorded", () =>
    Effect.gen(function* () {
      const { send } = yield* sender([got(0, "/v1/a?page=0", "1")])
      const exit = yield* Effect.exit(send(list("/v1/a?page=1")))
      assert(Exit.isFailure(exit))
      const error = Cause.squash(exit.cause)
      assert.instanceOf(error, NotRecorded)
      assert.strictEqual(error.message, "not in the recording: GET /v1/a?page=1")
      assert.strictEqual(error.summary, "not in the recording: GET /v1/a")
    })
  )
  it.live("returns the same pages, retries and errors to a client as the recorded session had", () =>
    Effect.gen(function* () {
      const fake = createFake({ data: "demo", seed: 5 })
      fake.faults.add(Fault.status(503, { request: 2 }))
      fake.faults.add(Fault.reset({ at: "received", request: 4 }))
      fake.faults.add(Fault.status(401, { request: 6 }))
      const recorder = makeRecorder()
      const kept: Array<Exchange> = []
      recorder.start({ startedAt, keep: (one) => Effect.sync(() => void kept.push(one)), hide: (value) => value })
      const clientOver = (transport: Layer.Layer<Transport>) =>
        Layer.fresh(Client.layerNoDeps).pipe(
          Layer.provide(transport),
          Layer.provide(Connection.layer({ apiKey: fake.apiKey, baseUrl: fake.baseUrl }))
        )
      const session = Effect.forEach([0, 1, 2, 3, 0], (page) =>
        Events.use((events) => events.list({ page, limit: 5 })).pipe(
          Effect.map(({ data }) => data.map(({ _id }) => _id).join()),
          Effect.catch((error) => Effect.succeed(`${error.reason._tag}: ${error.message}`))
        )
      )
      const live = recorder.layer.pipe(Layer.provide(HttpClientTransport.layer), Layer.provide(fakeLayer(fake)))
      const first = yield* Effect.provide(session, clientOver(live))
      const replay = makeReplay({ ...recordingOf(kept), start: { ...recordingOf([]).start, baseUrl: fake.baseUrl } })
      const second = yield* Effect.provide(session, Layer.merge(clientOver(replay.transport), replay.clock))
      assert.deepStrictEqual(second, first)
      assert.isTrue(first.some((line) => line.includes("Unauthorized")))
      assert.isAbove(kept.length, first.length)
    })
  )
})
