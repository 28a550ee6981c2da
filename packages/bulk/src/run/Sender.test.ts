import { assert, describe, it } from "@effect/vitest"
import { canaryError, otherSecretsFrom } from "@signalbox/testing/Canary"
import * as CallState from "@signalbox/core/CallState"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as HttpClientTransport from "@signalbox/core/HttpClientTransport"
import { createFake, type EnvironmentOptions, type Fake, type FakeClock, Fault } from "@signalbox/test-harness"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Struct from "effect/Struct"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { expect } from "vitest"
import { clientLayer, openSwitches, tempFolder, tokenLines, write } from "../../test/TestService.ts"
import { startImport, status } from "../index.ts"
import type { Delivery, PendingLine } from "./LineCall.ts"
import { MaxRate } from "./MaxRate.ts"
import { makeSender, type Sender } from "./Sender.ts"

const minutes = (count: number) => count * 60_000

/** Changes a value, so that it may be sent again. */
const pending = (line: number): PendingLine => ({
  line,
  request: {
    kind: "import",
    subscriberId: `user-${line}`,
    input: { providerId: "slack", credentials: { webhookUrl: `https://hook.test/${line}` } }
  },
  generation: 0,
  exposures: 0
})

const makeFake = ({ switches, ...options }: EnvironmentOptions = {}): Fake =>
  createFake({ data: "empty", ...options, switches: { ...openSwitches, ...switches } })

/** The clock of the test as the clock of a fake. */
const virtualClock = Effect.map(Clock.Clock, (clock): FakeClock => ({
  now: () => clock.currentTimeMillisUnsafe(),
  schedule: (millis, callback) => {
    const fiber = Effect.runFork(Effect.andThen(clock.sleep(Duration.millis(millis)), Effect.sync(callback)))
    return () => fiber.interruptUnsafe()
  }
}))

const clientOf = (fake: Fake) =>
  Layer.fresh(Client.layerNoDeps).pipe(
    Layer.provide(HttpClientTransport.layer),
    Layer.provide(fakeLayer(fake)),
    Layer.provide(Layer.orDie(Connection.layer({ apiKey: fake.apiKey, baseUrl: fake.baseUrl }))),
    Layer.provide(CallState.layer)
  )

const concurrency = 4

const sixLines = [1, 2, 3, 4, 5, 6]

/** Sends lines, and notes when that was done. */
const sendAll = (sender: Sender, lines: ReadonlyArray<number>) =>
  Effect.forEach(lines, (line) => sender.send(pending(line)), { concurrency }).pipe(
    Effect.zip(Clock.currentTimeMillis),
    Effect.map(([sent, at]) => ({
      at,
      outcomes: sent.map(({ record, stopped }) => record?.outcome ?? stopped?.reason ?? "pending"),
      messages: sent.flatMap(({ stopped }) => stopped?.message ?? [])
    }))
  )

interface Start {
  /** The environment of the run. */
  readonly environment?: string
  /** A fault of the service. */
  readonly fault?: Fault.Fault
  /** Whether a line succeeds before the fault. */
  readonly hasSucceeded?: boolean
  readonly lines?: ReadonlyArray<number>
}

/** Starts to send lines on virtual time. */
const start = Effect.fnUntraced(function* (fake: Fake, { environment, fault, hasSucceeded, lines = sixLines }: Start) {
  const delivery = { runId: "run", atLeastOnce: false, keysHonoured: false, environment }
  const sender = yield* makeSender(delivery, { concurrency }).pipe(Effect.provide(clientOf(fake)))
  if (hasSucceeded === true) yield* sender.send(pending(0))
  if (fault !== undefined) fake.faults.add(fault)
  const fiber = yield* Effect.forkChild(sendAll(sender, lines), { startImmediately: true })
  return { sender, sent: Fiber.join(fiber) }
})

const allSucceeded = Array.from({ length: 6 }, () => "succeeded")

describe("a service that announces waits", () => {
  for (const code of [429, 503]) {
    it.effect(`costs time, and neither rounds nor the limit of an outage: ${code}`, () =>
      Effect.gen(function* () {
        const fake = makeFake()
        const { sent } = yield* start(fake, {
          fault: Fault.status(code, { times: 5, headers: { "retry-after": "900" } })
        })
        yield* TestClock.adjust(minutes(120))
        const { at, outcomes } = yield* sent
        assert.deepStrictEqual(outcomes, allSucceeded)
        assert.isAtLeast(at, minutes(15))
      })
    )
  }

  it.effect("is why the run waits, and its lines stay pending when the run stops", () =>
    Effect.gen(function* () {
      const fake = makeFake()
      const { sender, sent } = yield* start(fake, { fault: Fault.status(429, { headers: { "retry-after": "900" } }) })
      yield* TestClock.adjust(minutes(1))
      const waiting = sender.waiting()
      assert.strictEqual(waiting?.reason, "RateLimited")
      assert.isAtLeast(waiting?.until ?? 0, minutes(15))
      const requests = fake.journal.entries().length
      yield* sender.stop
      const { at, outcomes } = yield* sent
      assert.deepStrictEqual([at, new Set(outcomes)], [minutes(1), new Set(["pending"])])
      assert.lengthOf(fake.journal.entries(), requests)
    })
  )
})

const replayed = { "idempotency-replay": "true" }

/** Failures of a service, by the number of requests that fail. */
const failures: Readonly<Record<string, (times: number | "always") => Fault.Fault>> = {
  ...Object.fromEntries(
    [400, 401, 402, 403, 409, 425, 429, 500, 501, 502, 503, 504].map((code) => [
      `status ${code}`,
      (times) => Fault.status(code, { times })
    ])
  ),
  "status 409 with a wait": (times) => Fault.status(409, { times, headers: { "retry-after": "1" } }),
  "status 503 with a wait": (times) => Fault.status(503, { times, headers: { "retry-after": "1" } }),
  "a replayed status 500": (times) => Fault.status(500, { times, headers: replayed }),
  "a replayed status 503": (times) => Fault.status(503, { times, headers: replayed }),
  "no connection": (times) => Fault.refuse({ times }),
  "a reset before the change": (times) => Fault.reset({ at: "received", times }),
  "a reset after the change": (times) => Fault.reset({ at: "committed", times }),
  "no response": (times) => Fault.hang({ times })
}

const append: PendingLine = {
  ...pending(1),
  request: {
    kind: "import",
    subscriberId: "user-1",
    input: { providerId: "fcm", credentials: { deviceTokens: ["token"] } }
  }
}

/** Lines, and what is known about their delivery. */
const deliveries: Readonly<Record<string, readonly [line: PendingLine, delivery?: Partial<Delivery>]>> = {
  "a value": [pending(1)],
  "a token": [append],
  "a token, where keys are honoured": [append, { keysHonoured: true }],
  "a mark": [
    { ...pending(1), request: { kind: "mark", subscriberId: "user-1", input: { messageId: "m", markAs: "read" } } }
  ],
  "a token in doubt, at least once": [{ ...append, exposures: 1 }, { atLeastOnce: true }]
}

describe("a line", () => {
  it.effect("has an outcome for each failure of the service", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      for (const [what, failure] of Object.entries(failures)) {
        const found = new Map<string, Array<string>>()
        for (const [whose, [line, delivery]] of Object.entries(deliveries)) {
          for (const times of [1, "always"] as const) {
            const fake = makeFake()
            fake.faults.add(failure(times))
            const known = { runId: "run", atLeastOnce: false, keysHonoured: false, environment: undefined }
            const sender = yield* makeSender({ ...known, ...delivery }, { concurrency }).pipe(
              Effect.provide(clientOf(fake))
            )
            const fiber = yield* Effect.forkChild(sender.send(line), { startImmediately: true })
            yield* TestClock.adjust(minutes(4))
            if (fiber.pollUnsafe() === undefined) yield* sender.stop
            const { record, stopped } = yield* Fiber.join(fiber)
            const requests = fake.journal.entries().length
            const result = [
              requests === 1 ? "1 request" : `${requests} requests`,
              ...(record === undefined ? [] : [JSON.stringify(Struct.omit(record, ["line", "requestId"]))]),
              ...(stopped === undefined ? [] : [`${stopped.reason}: ${stopped.message}`])
            ].join("\n    ")
            found.set(result, [...(found.get(result) ?? []), `${whose} (${times === 1 ? "once" : times})`])
          }
        }
        lines.push(`== ${what}`)
        for (const [result, cases] of found) lines.push(...cases.map((each) => `  ${each}`), `    ${result}`)
      }
      yield* Effect.promise(() => expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./outcomes.txt"))
    }).pipe(Random.withSeed("outcomes"))
  )
})

describe("a line that the client refuses", () => {
  it.effect("is invalid, and is not sent", () =>
    Effect.gen(function* () {
      const fake = makeFake()
      const { sender } = yield* start(fake, { lines: [] })
      const { record } = yield* sender.send({ ...append, request: { ...append.request, subscriberId: "" } })
      assert.deepStrictEqual([record?.outcome, record?.reason], ["invalid", "InvalidRequest"])
      assert.lengthOf(fake.journal.entries(), 0)
    })
  )
})

describe("a line that is applied in another environment", () => {
  it.effect.each([
    ["says that an earlier process may have applied it, too", 1, true],
    ["says nothing of the kind when it was sent once", 0, undefined]
  ] as const)("%s", ([, exposures, isTwice]) =>
    Effect.gen(function* () {
      const { sender } = yield* start(makeFake(), { environment: "other", lines: [] })
      const { record } = yield* sender.send({ ...pending(1), exposures })
      assert.deepStrictEqual([record?.outcome, record?.mayHaveBeenAppliedTwice], ["unknown", isTwice])
      assert.match(record?.message ?? "", /the run is for other; applied there$/u)
    })
  )
})

describe("the record of a line", () => {
  it.effect("has no secret that the service repeats, in the journal, the report and the database", () =>
    Effect.gen(function* () {
      const { sender } = yield* start(makeFake(), {
        fault: Fault.status(400, { body: canaryError }),
        lines: []
      })
      const { record } = yield* sender.send(pending(1))
      assert.include(record?.message, "invalid")
      assert.deepStrictEqual(otherSecretsFrom(JSON.stringify(record)), [])
    })
  )
})

describe("the highest rate of a run", () => {
  /** The most requests in any second, wherever it starts. */
  const mostInSecond = (fake: Fake): number => {
    const times = fake.journal.entries().map(({ at }) => at)
    return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 1000).length))
  }

  for (const [what, maxRate, most] of [
    ["a number of requests a second", 2, 2],
    ["a share of the limit that the service states", { share: 0.25 }, 5],
    ["a share where the service states no limit", { share: 0.25 }, 60]
  ] as const) {
    it.effect(`is not exceeded, retries included: ${what}`, () =>
      Effect.gen(function* () {
        const headers = what.endsWith("no limit") ? "absent" : "present"
        const fake = makeFake({
          clock: yield* virtualClock,
          switches: { "rateLimit.plan": "free", "rateLimit.headers": headers }
        })
        fake.faults.add(Fault.status(429, { request: 3, headers: { "retry-after": "1" } }))
        const lines = Array.from({ length: 60 }, (_, at) => at)
        const { sent } = yield* start(fake, { lines }).pipe(Effect.provideService(MaxRate, maxRate))
        yield* TestClock.adjust(minutes(10))
        assert.deepStrictEqual([...new Set((yield* sent).outcomes)], ["succeeded"])
        assert.lengthOf(fake.journal.entries(), 61)
        if (typeof maxRate === "number")
          assert.isAtMost(fake.journal.entries().at(-1)?.at ?? 0, 61_000 / maxRate + 2000)
        assert.isAtMost(mostInSecond(fake), most)
        assert.isAtLeast(mostInSecond(fake), Math.min(most, 10))
      })
    )
  }
})

describe("a service that is not available", () => {
  for (const [hasSucceeded, limit] of [
    [false, 30_000],
    [true, minutes(10)]
  ] as const) {
    it.effect(`stops the run after ${limit / 1000} s${hasSucceeded ? "" : ", if nothing has succeeded yet"}`, () =>
      Effect.gen(function* () {
        const { sender, sent } = yield* start(makeFake(), { fault: Fault.refuse({ times: "always" }), hasSucceeded })
        yield* TestClock.adjust(limit - 1000)
        assert.strictEqual(sender.waiting()?.reason, "TransportFailure")
        yield* TestClock.adjust(minutes(5))
        const { at, messages, outcomes } = yield* sent
        assert.deepStrictEqual([...new Set(outcomes)], ["TransportFailure"])
        assert.match(messages[0] ?? "", /^the service is not available: .+ The run stopped; resume it afterwards$/u)
        assert.isAtLeast(at, limit)
        assert.isAtMost(at, limit + minutes(1))
      })
    )
  }

  it.effect("costs time only when it is back before", () =>
    Effect.gen(function* () {
      const fake = makeFake()
      const { sent } = yield* start(fake, { fault: Fault.refuse({ times: "always" }), hasSucceeded: true })
      yield* TestClock.adjust(minutes(9))
      fake.faults.clear()
      yield* TestClock.adjust(minutes(1))
      assert.deepStrictEqual((yield* sent).outcomes, allSucceeded)
    })
  )
})

describe("a failure to connect that lasts until a person changes something", () => {
  /** A server without TLS. */
  const plainServer = Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer()
      return { server, port: await listenOnLoopback(server) }
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

  const selfSigned: typeof fetch = () =>
    Promise.reject(
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" })
      })
    )

  for (const [what, remedy, given] of [
    ["a certificate", "Trust the certificate's issuer (NODE_EXTRA_CA_CERTS).", selfSigned],
    ["TLS", "Check the base URL: the server does not use TLS.", undefined],
    ["a blocked port", "Use another port: `fetch` blocks this one.", undefined]
  ] as const) {
    it.live(`stops the run at once with the remedy: ${what}`, () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const { port } = yield* plainServer
        const baseUrl = what === "TLS" ? `https://127.0.0.1:${port}` : "http://127.0.0.1:6667"
        let calls = 0
        const counted: typeof fetch = (url, init) => {
          calls++
          return (given ?? fetch)(url, init)
        }
        const input = write(folder, "tokens.ndjson", tokenLines(40))
        const error = yield* Effect.flip(
          startImport({ input, concurrency: 4 }).pipe(Effect.provide(clientLayer("key", counted, baseUrl)))
        )
        assert.strictEqual(error._tag, "RunStopped")
        assert.include(error.message, remedy)
        assert.isAtMost(calls, 4)
        const { counts, inDoubt, state } = yield* status(input)
        assert.deepStrictEqual([state, inDoubt], ["stopped", 0])
        assert.deepStrictEqual(counts, { succeeded: 0, failed: 0, unknown: 0, invalid: 0 })
      }).pipe(Effect.scoped)
    )
  }
})
