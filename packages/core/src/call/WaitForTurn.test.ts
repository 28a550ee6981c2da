import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { fork, clientLayer, makeTransport, page, requirements } from "../../test/transport/Transport.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import { MaxConcurrency, Throttling } from "../policies/Policies.ts"
import * as Timeouts from "../policies/Timeouts.ts"
import { Events } from "../services/Events.ts"
import { Messages } from "../services/Messages.ts"
import { CallObserver, withInfo } from "./CallInfo.ts"
import * as CallState from "./CallState.ts"

/** A service that responds to a request when the test says so. */
const makeService = (first = Response.json(page())) => {
  const responses: Array<() => void> = []
  const transport = makeTransport(
    (_, number) =>
      new Promise<Response>((resolve) => responses.push(() => resolve(number === 1 ? first : Response.json(page()))))
  )
  return { transport, respond: () => responses.shift()?.() }
}

const listed = (name: string) => Events.use((events) => events.list({ search: name }))

const marked = Messages.use((messages) => messages.markAs("user-7", { messageId: "m1", markAs: "read" }))

const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("more calls than a client has in progress", () => {
  it.effect("wait for their turn in the order in which they arrived", function* () {
    const { respond, transport } = makeService()
    const names = Array.from({ length: 300 }, (_, index) => `call ${index}`)
    const fiber = yield* fork(
      Effect.forEach(names, listed, { concurrency: "unbounded" }).pipe(Effect.provide(clientLayer(transport)))
    )
    assert.lengthOf(transport.sent, 256)
    while (transport.sent.length < 300) {
      respond()
      yield* settled
    }
    for (let left = 256; left > 0; left--) respond()
    assert.lengthOf(yield* Fiber.join(fiber), 300)
    assert.deepStrictEqual(
      transport.sent.map(({ url }) => url.searchParams.get("search")),
      names
    )
  })
  it.effect("send nothing when they are interrupted, and leave their turn to others", function* () {
    const { respond, transport } = makeService()
    const client = clientLayer(transport)
    yield* Effect.gen(function* () {
      const calls = yield* Effect.forEach(["a", "b", "c", "d"], (name) =>
        fork(Effect.provideService(listed(name), MaxConcurrency, 1))
      )
      const [, b, c, d] = calls
      if (b === undefined || c === undefined || d === undefined) return
      yield* Fiber.interrupt(b)
      respond()
      while (transport.sent.length < 2) yield* settled
      yield* Fiber.interrupt(c)
      while (transport.sent.length < 3) yield* settled
      respond()
      respond()
      yield* Fiber.join(d)
    }).pipe(Effect.provide(client))
    assert.deepStrictEqual(
      transport.sent.map(({ url }) => url.searchParams.get("search")),
      ["a", "c", "d"]
    )
  })
  it.effect("start no call while more are in progress than that call allows", function* () {
    const { respond, transport } = makeService()
    const fiber = yield* Effect.forkChild(
      Effect.gen(function* () {
        const many = yield* fork(
          Effect.provideService(
            Effect.forEach(["a", "b", "c"], listed, { concurrency: "unbounded" }),
            MaxConcurrency,
            3
          )
        )
        const one = yield* fork(Effect.provideService(listed("alone"), MaxConcurrency, 1))
        for (const left of [2, 1]) {
          respond()
          yield* settled
          assert.lengthOf(transport.sent, 3, `${left} in progress`)
        }
        respond()
        while (transport.sent.length < 4) yield* settled
        respond()
        yield* Fiber.join(many)
        yield* Fiber.join(one)
      }).pipe(Effect.provide(clientLayer(transport)))
    )
    yield* Fiber.join(fiber)
  })
  it.effect("are sent one by one where the limit is no positive number", function* () {
    for (const limit of [0, -1, Number.NaN]) {
      const transport = makeTransport(() => Response.json(page()))
      const calls = Effect.all([listed("a"), listed("b")], { concurrency: 2 })
      yield* calls.pipe(Effect.provideService(MaxConcurrency, limit), Effect.provide(clientLayer(transport)))
      assert.lengthOf(transport.sent, 2)
    }
  })
  it.effect("fail at their deadline and say that nothing was sent", function* () {
    const transport = makeTransport(() => "never")
    const within = (call: number) => Effect.provideService(Timeouts.Timeouts, Timeouts.make({ call }))
    const calls = Effect.all([Effect.flip(listed("a")).pipe(within(400)), Effect.flip(listed("b")).pipe(within(300))], {
      concurrency: 2
    })
    const fiber = yield* fork(
      calls.pipe(Effect.provideService(MaxConcurrency, 1), Effect.provide(clientLayer(transport)))
    )
    yield* TestClock.adjust(400)
    const [, waiting] = yield* Fiber.join(fiber)
    assert.strictEqual(
      waiting?.message,
      "events.list failed: no turn under the limit of 1 concurrent requests within 300 ms. Allow more time. Nothing was sent."
    )
    assert.deepInclude(waiting?.reason, { _tag: "Timeout", scope: "call", limitMs: 300 })
    assert.lengthOf(transport.sent, 1)
  })
})

describe("work of the observer before a request", () => {
  it.effect("runs in the call's turn, and again before each retry", function* () {
    const transport = makeTransport((_, number) =>
      number === 1 ? new Response(null, { status: 429, headers: { "retry-after": "5" } }) : Response.json(page())
    )
    const ready: Array<number> = []
    const observer: CallObserver = {
      beforeRequest: Effect.andThen(
        Effect.sleep("1 second"),
        Effect.sync(() => ready.push(transport.sent.length))
      )
    }
    const fiber = yield* fork(
      Effect.forEach(["a", "b"], (name) => withInfo(listed(name)), { concurrency: "unbounded" }).pipe(
        Effect.provideService(CallObserver, observer),
        Effect.provideService(MaxConcurrency, 1),
        Effect.provideService(Throttling, "background"),
        Effect.provideService(Timeouts.Timeouts, Timeouts.make({ call: 500 })),
        Effect.provide(clientLayer(transport))
      )
    )
    yield* settled
    assert.lengthOf(transport.sent, 0)
    yield* TestClock.adjust("30 seconds")
    const [first] = yield* Fiber.join(fiber)
    assert.deepStrictEqual(ready, [0, 1, 2])
    assert.isAtLeast(first?.call.attempts[1]?.delayMs ?? 0, 6000)
  })
  it.effect("fails the call that it keeps longer than its deadline, and sends nothing", function* () {
    const transport = makeTransport(() => Response.json(page()))
    const fiber = yield* fork(
      Effect.flip(listed("a")).pipe(
        Effect.provideService(CallObserver, { beforeRequest: Effect.never }),
        Effect.provide(clientLayer(transport))
      )
    )
    yield* TestClock.adjust("1 minute")
    const { reason } = yield* Fiber.join(fiber)
    assert.deepInclude(reason, { _tag: "Timeout", scope: "call", delivery: "not-sent" })
    assert.lengthOf(transport.sent, 0)
  })
})

describe("a call whose turn comes while the rate limit is exhausted", () => {
  it.effect("waits for the reset, and sends one request", function* () {
    const transport = makeTransport((_, number) =>
      Response.json(page(), {
        headers: { "ratelimit-remaining": number === 1 ? "0" : "9", "ratelimit-reset": "5" }
      })
    )
    const fiber = yield* fork(
      Effect.forEach(["a", "b"], (name) => withInfo(listed(name)), { concurrency: "unbounded" }).pipe(
        Effect.provideService(MaxConcurrency, 1),
        Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 }),
        Effect.provide(clientLayer(transport))
      )
    )
    yield* TestClock.adjust(4999)
    assert.lengthOf(transport.sent, 1)
    yield* TestClock.adjust(1)
    const calls = yield* Fiber.join(fiber)
    assert.lengthOf(transport.sent, 2)
    assert.deepStrictEqual(
      calls.map(({ call }) => call.attempts.map(({ delayMs, number, startedAt }) => [number, startedAt, delayMs])),
      [[[1, 0, 0]], [[1, 5000, 5000]]]
    )
  })
})

const draw = (value: number) =>
  Effect.provideService(Random.Random, { nextDoubleUnsafe: () => value, nextIntUnsafe: () => 0 })

const names = (count: number) => Array.from({ length: count }, (_, index) => `call ${index}`)

/** Starts calls at the same time, and hands over the fiber with their outcomes. */
const startAll = (transport: ReturnType<typeof makeTransport>, count: number, observer?: CallObserver) =>
  fork(
    Effect.forEach(names(count), (name) => Effect.result(listed(name)), { concurrency: "unbounded" }).pipe(
      draw(0.5),
      Effect.provideService(CallObserver, observer),
      Effect.provide(clientLayer(transport))
    )
  )

const tooMany = (headers: Record<string, string> = {}) => new Response(null, { status: 429, headers })

describe("calls of one client", () => {
  it.effect("send no more requests than the service has left", function* () {
    const started: Array<number> = []
    const transport = makeTransport((_, number) => {
      started.push(number)
      const remaining = Math.max(0, 5 - number)
      return Response.json(page(), {
        headers: { "ratelimit-remaining": String(remaining), "ratelimit-reset": "5" }
      })
    })
    yield* Effect.gen(function* () {
      yield* listed("first")
      yield* fork(Effect.forEach(names(20), listed, { concurrency: "unbounded" }))
      yield* TestClock.adjust(4999)
      assert.lengthOf(started, 5)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect("wait together after one of them was rejected, and are not retried for it", function* () {
    let isOpen = false
    const transport = makeTransport(() => (isOpen ? Response.json(page()) : tooMany({ "retry-after": "7" })))
    const waits: Array<number> = []
    const fiber = yield* startAll(transport, 20, { onWait: (delayMs) => void waits.push(delayMs) })
    while (waits.length < 20) yield* settled
    assert.deepStrictEqual(new Set(waits), new Set([7000]))
    yield* TestClock.adjust(6999)
    // The requests that were in progress when the first of them was rejected.
    assert.lengthOf(transport.sent, 20)
    isOpen = true
    yield* TestClock.adjust(701)
    for (let i = 0; i < 20; i++) yield* settled
    assert.isAbove(transport.sent.length, 20)
    const outcomes = yield* Fiber.join(fiber)
    assert.isTrue(outcomes.every(({ _tag }) => _tag === "Success"))
    assert.lengthOf(transport.sent, 40)
  })
  it.effect("take more rejections than the policy has retries, as long as the service announces waits", function* () {
    const transport = makeTransport((_, number) =>
      number <= 6 ? tooMany({ "retry-after": "3" }) : Response.json(page())
    )
    const fiber = yield* startAll(transport, 1)
    yield* TestClock.adjust("1 minute")
    const [outcome] = yield* Fiber.join(fiber)
    assert.strictEqual(outcome?._tag, "Success")
    assert.lengthOf(transport.sent, 7)
  })
  for (const throttling of ["wait", "background"]) {
    it.effect(`end without a deadline although the service announces waits for ever: ${throttling}`, function* () {
      const transport = makeTransport(() => tooMany({ "retry-after": "1" }))
      const fiber = yield* Effect.forkChild(
        Effect.flip(listed("a")).pipe(
          Effect.provideService(Throttling, throttling),
          Effect.provideService(Timeouts.Timeouts, Timeouts.none),
          draw(0),
          Effect.provide(clientLayer(transport))
        )
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(fiber.pollUnsafe()?._tag, "Success")
      // One hundred waits, and the two retries of the policy.
      assert.lengthOf(transport.sent, 103)
    })
  }
  it.effect("are not held up by those that wait for the rate limit where they ignore it", function* () {
    const transport = makeTransport((_, number) =>
      number === 1 ? tooMany({ "retry-after": "5" }) : Response.json(page())
    )
    yield* Effect.gen(function* () {
      yield* fork(listed("held"))
      yield* settled
      const free = yield* fork(Effect.provideService(listed("free"), Throttling, "off"))
      yield* settled
      assert.strictEqual(free.pollUnsafe()?._tag, "Success")
      assert.lengthOf(transport.sent, 2)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect(
    "are not held up by those that wait for the rate limit where they wait for a turn and ignore it",
    function* () {
      const { respond, transport } = makeService(tooMany({ "retry-after": "5" }))
      const free = (name: string) =>
        listed(name).pipe(Effect.provideService(Throttling, "off"), Effect.provideService(MaxConcurrency, 1), fork)
      yield* Effect.gen(function* () {
        yield* fork(listed("held"))
        respond()
        yield* settled
        yield* free("first")
        const interrupted = yield* free("interrupted")
        const last = yield* free("last")
        yield* Fiber.interrupt(interrupted)
        assert.lengthOf(transport.sent, 2)
        respond()
        yield* settled
        assert.lengthOf(transport.sent, 3)
        respond()
        yield* Fiber.join(last)
      }).pipe(draw(0), Effect.provide(clientLayer(transport)))
    }
  )
  it.effect("are retried as often as the policy allows where nothing is announced and no call succeeds", function* () {
    const transport = makeTransport(() => tooMany())
    const fiber = yield* startAll(transport, 1)
    yield* TestClock.adjust("1 minute")
    const [outcome] = yield* Fiber.join(fiber)
    assert.strictEqual(outcome?._tag, "Failure")
    assert.lengthOf(transport.sent, 3)
  })
  it.effect("wait together after a rejection without an announced wait, also after idle time", function* () {
    const transport = makeTransport((_, number) => (number <= 2 ? tooMany() : Response.json(page())))
    yield* Effect.gen(function* () {
      yield* Effect.flip(Effect.provideService(listed("first"), RetryPolicy.RetryPolicy, RetryPolicy.none))
      yield* TestClock.adjust("1 minute")
      const fibers = [yield* fork(listed("second")), yield* fork(listed("third"))]
      yield* TestClock.adjust(99)
      assert.lengthOf(transport.sent, 2)
      yield* TestClock.adjust(1)
      for (const fiber of fibers) yield* Fiber.join(fiber)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect("are sent at the rate that was accepted, also after calls that gave up while they waited", function* () {
    let respond = () => {}
    const transport = makeTransport((_, number) =>
      number === 1
        ? tooMany({ "retry-after": "300" })
        : number === 12
          ? tooMany({ "retry-after": "1" })
          : number > 12
            ? Response.json(page())
            : new Promise((resolve) => (respond = () => resolve(Response.json(page()))))
    )
    yield* Effect.gen(function* () {
      yield* Effect.flip(listed("first"))
      for (let left = 5; left > 0; left--) {
        yield* TestClock.adjust("50 seconds")
        yield* Effect.flip(listed("gives up")).pipe(
          Effect.provideService(Timeouts.Timeouts, Timeouts.make({ call: 1 }))
        )
      }
      yield* TestClock.adjust("50 seconds")
      for (let left = 10; left > 0; left--) {
        const accepted = yield* fork(listed("accepted"))
        yield* TestClock.adjust("1 second")
        respond()
        yield* Fiber.join(accepted)
      }
      yield* fork(Effect.forEach(names(100), listed, { concurrency: "unbounded" }))
      yield* TestClock.adjust("11 seconds")
      // One a second, as the service accepted before.
      assert.lengthOf(transport.sent, 12 + 10)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  for (const served of [false, true]) {
    it.effect(
      `wait before a retry where the gate opened before they were rejected, ${served ? "and" : "or"} served others`,
      function* () {
        let reject = () => {}
        const transport = makeTransport((_, number) =>
          number === 1
            ? new Promise((resolve) => (reject = () => resolve(tooMany())))
            : number === 2
              ? tooMany()
              : Response.json(page())
        )
        yield* Effect.gen(function* () {
          const slow = yield* fork(listed("slow"))
          yield* Effect.flip(Effect.provideService(listed("rejected"), RetryPolicy.RetryPolicy, RetryPolicy.none))
          yield* TestClock.adjust("1 second")
          if (served) yield* listed("served")
          const sent = transport.sent.length
          reject()
          yield* settled
          assert.lengthOf(transport.sent, sent)
          yield* TestClock.adjust(200)
          yield* Fiber.join(slow)
        }).pipe(draw(0.5), Effect.provide(clientLayer(transport)))
      }
    )
  }
  it.effect("wait for a service that is not available until the time that it announced", function* () {
    const transport = makeTransport((_, number) =>
      number === 1 ? new Response(null, { status: 503, headers: { "retry-after": "5" } }) : Response.json(page())
    )
    yield* Effect.gen(function* () {
      yield* fork(listed("first"))
      yield* settled
      const others = yield* fork(Effect.forEach(names(9), listed, { concurrency: "unbounded" }))
      yield* TestClock.adjust(4999)
      assert.lengthOf(transport.sent, 1)
      yield* TestClock.adjust(1)
      yield* Fiber.join(others)
      assert.lengthOf(transport.sent, 11)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect(
    "fail at once with the wait when it is longer than their deadline, also those that already wait",
    function* () {
      const transport = makeTransport(() => tooMany({ "retry-after": "300" }))
      yield* Effect.gen(function* () {
        const waiting = yield* fork(
          Effect.forEach(["a", "b", "c"], (name) => Effect.flip(listed(name)), { concurrency: "unbounded" }).pipe(
            Effect.provideService(MaxConcurrency, 1)
          )
        )
        const errors = yield* Fiber.join(waiting)
        assert.lengthOf(transport.sent, 1)
        for (const { reason } of [...errors, yield* Effect.flip(listed("later"))]) {
          assert.deepInclude(reason, { _tag: "RateLimited", retryAfterMs: 300_000 })
        }
      }).pipe(draw(0), Effect.provide(clientLayer(transport)))
    }
  )
  it.effect(
    "fail without blaming a rate limit, whatever their operation, where a 503 announced the wait",
    function* () {
      const transport = makeTransport(() => new Response(null, { status: 503, headers: { "retry-after": "300" } }))
      yield* Effect.gen(function* () {
        yield* Effect.flip(listed("first"))
        const { message, reason } = yield* Effect.flip(marked)
        assert.include(
          message,
          "not sent: the service is unavailable and announced when to retry (503). Retry after 300 s."
        )
        assert.deepInclude(reason, { retryAfterMs: 300_000 })
        assert.lengthOf(transport.sent, 1)
      }).pipe(draw(0), Effect.provide(clientLayer(transport)))
    }
  )
  it.effect("wait only for the category of their operation", function* () {
    const limited = (category: string, remaining: number) => ({
      "ratelimit-remaining": String(remaining),
      "ratelimit-reset": "30",
      "ratelimit-policy": `100;w=60;category="${category}"`
    })
    const transport = makeTransport(({ method }) =>
      method === "GET"
        ? Response.json(page(), { headers: limited("reads", 0) })
        : Response.json({ data: [] }, { headers: limited("writes", 9) })
    )
    yield* Effect.gen(function* () {
      yield* listed("first")
      yield* Effect.ignore(marked)
      yield* fork(listed("second"))
      yield* Effect.ignore(marked)
      assert.deepStrictEqual(
        transport.sent.map(({ method }) => method),
        ["GET", "POST", "POST"]
      )
      yield* TestClock.adjust(29_999)
      assert.lengthOf(transport.sent, 3)
      yield* TestClock.adjust(1)
      assert.lengthOf(transport.sent, 4)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect("share one limit where the service names no category", function* () {
    const transport = makeTransport(() =>
      Response.json(page(), { headers: { "ratelimit-remaining": "0", "ratelimit-reset": "5" } })
    )
    yield* Effect.gen(function* () {
      yield* listed("first")
      yield* fork(Effect.ignore(marked))
      yield* TestClock.adjust(4999)
      assert.lengthOf(transport.sent, 1)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect("wait as announced also after the service named the category of another operation", function* () {
    const transport = makeTransport(({ method }, number) =>
      method === "GET"
        ? Response.json(page(), {
            headers: { "ratelimit-remaining": "9", "ratelimit-policy": '9;w=1;category="reads"' }
          })
        : number === 1
          ? tooMany({ "retry-after": "5" })
          : Response.json({ data: [] })
    )
    yield* Effect.gen(function* () {
      yield* fork(Effect.ignore(marked))
      yield* settled
      yield* Effect.provideService(listed("free"), Throttling, "off")
      yield* TestClock.adjust(4999)
      assert.lengthOf(transport.sent, 2)
      yield* TestClock.adjust(1)
      assert.lengthOf(transport.sent, 3)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect("wait as announced also after the service named their own category", function* () {
    const transport = makeTransport(({ method }, number) =>
      number === 2
        ? tooMany({ "retry-after": "5" })
        : Response.json(method === "GET" ? page() : { data: [] }, {
            headers: { "ratelimit-limit": "9", "ratelimit-policy": '9;w=1;category="all"' }
          })
    )
    yield* Effect.gen(function* () {
      yield* Effect.ignore(marked)
      yield* fork(listed("held"))
      yield* settled
      yield* Effect.provideService(listed("free"), Throttling, "off")
      yield* TestClock.adjust(4999)
      assert.lengthOf(transport.sent, 3)
      yield* TestClock.adjust(1)
      assert.lengthOf(transport.sent, 4)
    }).pipe(draw(0), Effect.provide(clientLayer(transport)))
  })
  it.effect("keep no more than ten categories", function* () {
    const transport = makeTransport((_, number) =>
      Response.json(page(), {
        headers: { "ratelimit-remaining": "9", "ratelimit-policy": `100;w=60;category="category-${number}"` }
      })
    )
    const state = CallState.make()
    yield* Effect.forEach(names(100), listed).pipe(
      Effect.provide(
        Layer.fresh(Events.layer).pipe(
          Layer.provide(Layer.merge(requirements(transport), Layer.succeed(CallState.CallState, state)))
        )
      )
    )
    assert.isAtMost(state.gates.size, 12)
  })
})

describe("calls in the background", () => {
  const background = Effect.provideService(Throttling, "background")
  it.effect("wait longer than their deadline for the rate limit, and have all of it afterwards", function* () {
    const transport = makeTransport((_, number) =>
      number === 1 ? tooMany({ "retry-after": "300" }) : number === 2 ? "never" : Response.json(page())
    )
    const fiber = yield* fork(withInfo(listed("a")).pipe(background, draw(0), Effect.provide(clientLayer(transport))))
    yield* TestClock.adjust("300 seconds")
    assert.lengthOf(transport.sent, 2)
    yield* TestClock.adjust(Timeouts.default.attemptMs)
    const { call } = yield* Fiber.join(fiber)
    assert.deepStrictEqual(
      call.attempts.map(({ delayMs, outcome }) => [outcome, delayMs]),
      [
        ["RateLimited", 0],
        ["Timeout", 300_000],
        ["success", 0]
      ]
    )
  })
  it.effect("fail at once where another wait is longer than their deadline", function* () {
    const transport = makeTransport(() => new Response("{}", { status: 500, headers: { "retry-after": "3600" } }))
    const fiber = yield* fork(Effect.flip(listed("a")).pipe(background, Effect.provide(clientLayer(transport))))
    yield* settled
    const error = yield* Fiber.join(fiber)
    assert.deepStrictEqual([error.reason._tag, error.attempts.length], ["ServerFailure", 1])
    assert.match(error.message, /Not retried: the service asked for a 60 min wait/u)
  })
  it.effect("hold up no other calls while no limit is known", function* () {
    const { respond, transport } = makeService()
    yield* Effect.gen(function* () {
      yield* fork(Effect.forEach(names(100), listed, { concurrency: "unbounded" }).pipe(background))
      assert.lengthOf(transport.sent, 32)
      const other = yield* fork(listed("other"))
      yield* settled
      assert.strictEqual(transport.sent.at(-1)?.url.searchParams.get("search"), "other")
      for (let left = 33; left > 0; left--) respond()
      yield* Fiber.join(other)
    }).pipe(Effect.provide(clientLayer(transport)))
  })
  it.effect("start with 32 requests", function* () {
    const { transport } = makeService()
    yield* fork(
      Effect.forEach(names(100), listed, { concurrency: "unbounded" }).pipe(
        background,
        Effect.provide(clientLayer(transport))
      )
    )
    assert.lengthOf(transport.sent, 32)
  })
})
