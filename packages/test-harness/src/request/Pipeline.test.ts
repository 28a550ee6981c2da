import { assert, describe, it } from "@effect/vitest"
import { manualClock } from "../clock/ManualClock.ts"
import { makeEnvironment } from "../environment/Environment.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { makeUnmatchedRequests } from "../journal/UnmatchedRequests.ts"
import type { Switches } from "../switches/Switches.ts"
import type { Delivery } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { Injection } from "../faults/FaultInjector.ts"
import { receive } from "./Pipeline.ts"
import type { Step } from "./Step.ts"

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const upsertPath = "/v1/subscribers/ana/credentials"

const upsert = (body: unknown, key?: string): Asked => ({
  method: "PATCH",
  path: upsertPath,
  headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

const tokens = (...deviceTokens: ReadonlyArray<string>) => ({ providerId: "fcm", credentials: { deviceTokens } })

const fakeRequest = ({ body = "", headers = {}, method = "GET", path = "/v1/notifications", query = "" }: Asked) =>
  ({
    surface: "fetch",
    method,
    path,
    query,
    header: (name) => headers[name],
    headers: () => Object.entries(headers),
    body
  }) satisfies FakeRequest

/** An environment with one subscriber and one integration, and a surface that the test steps manually. */
const scene = (options: EnvironmentOptions = {}) => {
  const clock = manualClock()
  const made = makeEnvironment(
    { data: "empty", clock, ...options },
    {
      number: 1,
      keyOf: () => "key",
      namesakes: () => 0,
      switchesOfKeysSet: () => {},
      neighbours: () => [],
      unmatchedRequests: makeUnmatchedRequests(),
      sharedRoutes: new Map(),
      servers: new Set()
    }
  )
  made.shown.addSubscriber({ subscriberId: "ana" })
  made.shown.addIntegration({ providerId: "fcm", identifier: "fcm-main" })
  const planned: Array<Injection & { readonly at: string }> = []
  const core = {
    ...made.core,
    faultInjector: {
      next: (point: string) => {
        const found = planned.findIndex(({ at }) => at === point)
        return found < 0 ? undefined : planned.splice(found, 1)[0]
      }
    }
  }
  const ask = (asked: Asked) => {
    const { answered, first } = receive(core, fakeRequest(asked))
    if (first._tag === "Deliver") answered()
    return first
  }
  return { clock, shown: made.shown, planned, ask }
}

const delivered = (step: Step): Delivery => {
  if (step._tag === "Deliver") return step.delivery
  throw new Error(`still on its way: ${step._tag}`)
}

const answerOf = (step: Step) => {
  const delivery = delivered(step)
  if (delivery._tag !== "NoResponse") return { ...delivery.response, body: delivery.response.body?.text() }
  throw new Error(`no response: ${delivery.failure}`)
}

const honoured: Partial<Switches> = { "idempotency.sameBody": "replay" }

const held = { _tag: "Delay", delayMs: 1_000, at: "validated" } as const

describe("Pipeline", () => {
  it("a request passes all points in order, dated by the environment's clock", () => {
    const { ask, clock, shown } = scene()
    clock.advance(1_500)
    const { headers, status } = answerOf(ask(upsert(tokens("a"))))
    assert.strictEqual(status, 200)
    assert.strictEqual(headers["date"], "Thu, 01 Jan 2026 00:00:01 GMT")
    const [entry] = shown.journal.entries()
    assert.deepStrictEqual(
      entry?.points.map(({ point }) => point),
      ["received", "validated", "committed", "answering", "answered"]
    )
    assert.deepInclude(entry, { number: 1, attempt: 1, applied: true, outcome: { _tag: "Response", status: 200 } })
  })

  it("a rejected request stops before validation and changes nothing", () => {
    const { ask, shown } = scene()
    const before = shown.state()
    assert.strictEqual(answerOf(ask(upsert({ providerId: "telepathy", credentials: {} }))).status, 400)
    assert.deepStrictEqual(shown.state(), before)
    const [entry] = shown.journal.entries()
    assert.isFalse(entry?.applied)
    assert.deepStrictEqual(
      entry?.points.map(({ point }) => point),
      ["received", "answering", "answered"]
    )
  })

  it("a request lost before the commit changes nothing; one lost after it is applied", () => {
    for (const [at, count] of [
      ["received", 0],
      ["validated", 0],
      ["committed", 1],
      ["answering", 1]
    ] as const) {
      const { ask, planned, shown } = scene()
      planned.push({ _tag: "NoResponse", failure: "reset", at })
      assert.deepStrictEqual(delivered(ask(upsert(tokens("a")))), { _tag: "NoResponse", failure: "reset" })
      const [subscriber] = shown.state().subscribers
      assert.lengthOf(subscriber?.channels ?? [], count, at)
      assert.deepInclude(shown.journal.entries()[0], {
        applied: count === 1,
        outcome: { _tag: "NoResponse", failure: "reset" }
      })
    }
  })

  it("a delayed request is checked again before it changes anything", () => {
    const { ask, clock, planned, shown } = scene({ switches: { "credentials.unknownSubscriber": "404" } })
    planned.push(held)
    const first = ask(upsert(tokens("a")))
    assert.strictEqual(first._tag, "Wait")
    shown.addSubscriber({ subscriberId: "ana", deleted: true })
    clock.advance(1_000)
    assert.strictEqual(first._tag === "Wait" ? answerOf(first.next()).status : 0, 404)
  })

  it("a key replays the first response, with headers that say so, and applies once", () => {
    const { ask, shown } = scene({ switches: honoured })
    const first = answerOf(ask(upsert(tokens("a"), "k1")))
    const again = answerOf(ask(upsert(tokens("a"), "k1")))
    assert.strictEqual(again.body, first.body)
    assert.strictEqual(first.headers["idempotency-key"], "k1")
    assert.notProperty(first.headers, "idempotency-replay")
    assert.strictEqual(again.headers["idempotency-replay"], "true")
    assert.deepStrictEqual(
      shown.journal.entries().map(({ applied, attempt, call, replayed }) => ({ applied, attempt, call, replayed })),
      [
        { applied: true, attempt: 1, call: 1, replayed: false },
        { applied: false, attempt: 2, call: 1, replayed: true }
      ]
    )
  })

  it("keys that are not honoured have no effect and are not echoed", () => {
    const { ask } = scene()
    ask(upsert(tokens("a"), "k1"))
    const { headers } = answerOf(ask(upsert(tokens("a"), "k1")))
    assert.notProperty(headers, "idempotency-key")
  })

  it("a key is in flight until its request has a response of any kind", () => {
    const { ask, clock, planned } = scene({ switches: honoured })
    planned.push(held)
    const first = ask(upsert(tokens("a"), "k1"))
    const second = answerOf(ask(upsert(tokens("a"), "k1")))
    assert.strictEqual(second.status, 409)
    assert.strictEqual(second.headers["retry-after"], "1")
    clock.advance(1_000)
    if (first._tag === "Wait") first.next()
    assert.strictEqual(answerOf(ask(upsert(tokens("a"), "k1"))).headers["idempotency-replay"], "true")
  })

  it("errors about a key link to its documentation, if the switch says so", () => {
    for (const [value, link] of [
      ["present", "https://docs.acme.example/additional-resources/idempotency"],
      ["absent", undefined]
    ] as const) {
      const { ask, planned } = scene({ vendor: "acme", switches: { ...honoured, "idempotency.link": value } })
      planned.push(held)
      ask(upsert(tokens("a"), "k1"))
      const inFlight = answerOf(ask(upsert(tokens("a"), "k1")))
      ask(upsert(tokens("a"), "k2"))
      const otherBody = answerOf(ask(upsert(tokens("b"), "k2")))
      assert.deepStrictEqual([inFlight.status, otherBody.status], [409, 422])
      assert.deepStrictEqual([inFlight.headers["link"], otherBody.headers["link"]], [link, link])
    }
  })

  it("a key whose request never finishes is released after five minutes", () => {
    const { ask, clock, planned } = scene({ switches: honoured })
    planned.push({ _tag: "NoResponse", failure: "hang", at: "validated" })
    ask(upsert(tokens("a"), "k1"))
    clock.advance(299_999)
    assert.strictEqual(answerOf(ask(upsert(tokens("a"), "k1"))).status, 409)
    clock.advance(1)
    assert.strictEqual(answerOf(ask(upsert(tokens("a"), "k1"))).status, 200)
  })

  it("a request that waits for a key gets the response of the first request", () => {
    const { ask, planned } = scene({ switches: { ...honoured, "idempotency.inFlight": "wait" } })
    planned.push(held)
    const first = ask(upsert(tokens("a"), "k1"))
    const second = ask(upsert(tokens("a"), "k1"))
    if (second._tag !== "Wait" || first._tag !== "Wait") throw new Error(`${first._tag}, ${second._tag}`)
    const woken: Array<Step> = []
    second.subscribe(() => woken.push(second.next()))
    first.next()
    assert.strictEqual(woken[0] && answerOf(woken[0]).headers["idempotency-replay"], "true")
  })

  it("a response is stored for the retention time", () => {
    const { ask, clock } = scene({ switches: { ...honoured, "idempotency.retention": "1h" } })
    ask(upsert(tokens("a"), "k1"))
    clock.advance(3_599_999)
    assert.property(answerOf(ask(upsert(tokens("a"), "k1"))).headers, "idempotency-replay")
    clock.advance(1)
    assert.notProperty(answerOf(ask(upsert(tokens("a"), "k1"))).headers, "idempotency-replay")
  })

  it("a bucket drains, rejects with a sufficient Retry-After, and refills", () => {
    const { ask, clock } = scene({ switches: { "rateLimit.plan": "free" } })
    const burst = Array.from({ length: 111 }, (_, at) => answerOf(ask(upsert(tokens(`t${at}`)))))
    assert.deepStrictEqual(
      burst.slice(0, 110).map(({ status }) => status),
      Array.from({ length: 110 }, () => 200)
    )
    assert.strictEqual(burst[0]?.headers["ratelimit-remaining"], "109")
    assert.strictEqual(burst[109]?.headers["ratelimit-remaining"], "0")
    assert.deepInclude(burst[110], { status: 429 })
    const wait = Number(burst[110]?.headers["retry-after"])
    assert.strictEqual(wait, 1)
    assert.strictEqual(answerOf(ask({ query: "limit=1" })).status, 200, "event lists have a separate bucket")
    clock.advance(wait * 1_000)
    assert.strictEqual(answerOf(ask(upsert(tokens("z")))).status, 200)
  })

  it("uses its vendor in wire identifiers, and stores those of the document", () => {
    for (const envelope of ["bare", "data"] as const) {
      const { ask, shown } = scene({ vendor: "acme", switches: { envelope } })
      shown.addIntegration({ providerId: "service-slack" })
      const { body, status } = answerOf(ask(upsert({ providerId: "acme-slack", credentials: { channel: "c" } })))
      assert.strictEqual(status, 200)
      assert.include(body, '"providerId":"acme-slack"')
      const [ana] = shown.state().subscribers
      assert.strictEqual(ana?.channels[0]?.providerId, "service-slack")
    }
    const { ask, shown } = scene({ vendor: "acme" })
    shown.addMessage({ subscriberId: "ana", id: "a".repeat(24) })
    const marked = { messageId: "a".repeat(24), markAs: "read" }
    const { body } = answerOf(ask({ ...upsert(marked), method: "POST", path: "/v1/subscribers/ana/messages/mark-as" }))
    assert.include(body, '"providerId":"acme"')
    assert.throws(() => scene({ vendor: "no words" }), /vendor: must be one word/u)
  })

  it("responds to a defect of the fake, at once and after a delay, and journals it", () => {
    const { ask, planned, shown } = scene()
    const defect = {
      _tag: "Change",
      at: "answering",
      change: () => {
        throw new Error("nobody foresaw this")
      }
    } as const
    planned.push(defect)
    const expected = { status: 500, body: '{"message":"The fake failed: nobody foresaw this"}' }
    assert.deepInclude(answerOf(ask({})), expected)
    planned.push(held, defect)
    const step = ask({})
    if (step._tag !== "Wait") throw new Error(step._tag)
    assert.deepInclude(answerOf(step.next()), expected)
    assert.deepStrictEqual(
      shown.journal.entries().map(({ outcome }) => outcome),
      [1, 2].map(() => ({ _tag: "Response", status: 500 }) as const)
    )
  })

  it("a wrong method names the right one", () => {
    const { ask } = scene()
    const { headers, status } = answerOf(ask({ method: "POST", path: upsertPath }))
    assert.strictEqual(status, 405)
    assert.strictEqual(headers["allow"], "PATCH")
    assert.strictEqual(answerOf(ask({ path: "/v1/subscribers/%E0%A4%A/credentials", method: "PATCH" })).status, 404)
  })
})
