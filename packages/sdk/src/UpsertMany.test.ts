import { assert, describe, it } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { clientOn, json, rejection, upsertion } from "../test/AnsweredClient.ts"
import { ClientOptionError, type UpsertInput } from "./index.ts"

describe("upsertMany", () => {
  const subscriber = (subscriberId: string) => ({
    subscriberId,
    _organizationId: "o",
    _environmentId: "e",
    deleted: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z"
  })
  const idOf = (request: Request) => new URL(request.url).pathname.split("/")[3] ?? ""
  const inputOf = (at: number): UpsertInput => ({ subscriberId: `u${at}`, ...upsertion })

  it("keeps the order of the inputs, never takes more than it may, and hands over failures", async () => {
    let taken = 0
    let consumed = 0
    let most = 0
    function* inputs() {
      for (let at = 0; at < 200; at++) {
        taken++
        most = Math.max(most, taken - consumed)
        yield inputOf(at)
      }
    }
    const { client, sent } = clientOn(
      (request) => (idOf(request) === "u3" ? new Response(null, { status: 404 }) : json(subscriber(idOf(request)))),
      { retry: false }
    )
    const seen: Array<string> = []
    for await (const outcome of client.credentials.upsertMany(inputs(), { concurrency: 3 })) {
      consumed++
      seen.push(`${outcome.index} ${outcome.input.subscriberId} ${outcome.ok ? outcome.value.subscriberId : "failed"}`)
    }
    assert.deepStrictEqual(
      seen,
      Array.from({ length: 200 }, (_, at) => `${at} u${at} ${at === 3 ? "failed" : `u${at}`}`)
    )
    assert.lengthOf(sent, 200)
    assert.isAtMost(most, 4)
  })

  it("hands over outcomes as calls end", async () => {
    let release = () => {}
    const first = new Promise<void>((resolve) => {
      release = resolve
    })
    const { client } = clientOn(async (request) => {
      if (idOf(request) === "u0") await first
      return json(subscriber(idOf(request)))
    })
    const seen: Array<number> = []
    const inputs = Array.from({ length: 6 }, (_, at) => inputOf(at))
    for await (const { index } of client.credentials.upsertMany(inputs, { concurrency: 2, order: "completion" })) {
      seen.push(index)
      if (seen.length === 5) release()
    }
    assert.deepStrictEqual(seen, [1, 2, 3, 4, 5, 0])
  })

  it("is iterable and disposable: disposing of it closes the source", async () => {
    let isClosed = false
    function* inputs() {
      try {
        for (let at = 0; ; at++) yield inputOf(at)
      } finally {
        isClosed = true
      }
    }
    const { client } = clientOn((request) => json(subscriber(idOf(request))))
    {
      await using outcomes = client.credentials.upsertMany(inputs())
      assert.strictEqual(outcomes[Symbol.asyncIterator](), outcomes)
      const first = await outcomes.next()
      assert.strictEqual(first.value?.index, 0)
    }
    assert.isTrue(isClosed)
  })

  it("has an outcome for every input that was taken, also when aborted", async () => {
    const controller = new AbortController()
    let taken = 0
    function* inputs() {
      while (true) yield inputOf(taken++)
    }
    const { client } = clientOn((request) => {
      if (idOf(request) !== "u5") return json(subscriber(idOf(request)))
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason))
        controller.abort("enough")
      })
    })
    const outcomes: Array<string> = []
    const walk = (async () => {
      const { signal } = controller
      for await (const outcome of client.credentials.upsertMany(inputs(), { concurrency: 2, signal })) {
        outcomes.push(outcome.ok ? "done" : outcome.error._tag)
      }
    })()
    assert.strictEqual(await rejection(walk), "enough")
    assert.lengthOf(outcomes, taken)
    assert.deepStrictEqual([...new Set(outcomes)], ["done", "CallAborted"])
    assert.lengthOf(getEventListeners(controller.signal, "abort"), 0)
  })

  it("has an outcome for an input that was taken in the same moment as the abort", async () => {
    const controller = new AbortController()
    let taken = 0
    const inputs = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          taken++
          // The abort comes after the source has the input, and before the client does.
          if (taken === 2) controller.abort("enough")
          return { done: false as const, value: inputOf(taken) }
        }
      })
    }
    const { client, sent } = clientOn(() => new Promise(() => {}))
    const outcomes: Array<number> = []
    const walk = (async () => {
      const { signal } = controller
      for await (const { index } of client.credentials.upsertMany(inputs, { signal })) outcomes.push(index)
    })()
    assert.strictEqual(await rejection(walk), "enough")
    assert.deepStrictEqual([outcomes, taken, sent.length], [[0, 1], 2, 1])
  })

  it("has an outcome for every input of a synchronous source when aborted before the first request", async () => {
    const controller = new AbortController()
    let taken = 0
    function* inputs() {
      while (true) {
        yield inputOf(taken++)
        if (taken === 2) queueMicrotask(() => controller.abort("enough"))
      }
    }
    const { client } = clientOn(() => new Promise(() => {}))
    const outcomes: Array<number> = []
    const walk = (async () => {
      const { signal } = controller
      for await (const { index } of client.credentials.upsertMany(inputs(), { concurrency: 9, signal }))
        outcomes.push(index)
    })()
    assert.strictEqual(await rejection(walk), "enough")
    assert.lengthOf(outcomes, taken)
  })

  it("reads nothing when its signal was aborted before", async () => {
    const { client, sent } = clientOn(() => json({}))
    const signal = AbortSignal.abort("enough")
    let isClosed = false
    const inputs = {
      [Symbol.iterator]: () => ({
        next: () => assert.fail("taken"),
        return: () => {
          isClosed = true
          return { done: true as const, value: undefined }
        }
      })
    }
    assert.strictEqual(await rejection(client.credentials.upsertMany(inputs, { signal }).next()), "enough")
    assert.isTrue(isClosed)
    assert.lengthOf(sent, 0)
  })

  for (const order of ["input", "completion"] as const) {
    it(`ends with what an input or its source throws, after the outcomes before it, in order of ${order}`, async () => {
      const { client, sent } = clientOn((request) => json(subscriber(idOf(request))))
      const own = new Error("of the source")
      const broken = Object.defineProperty(inputOf(1), "credentials", {
        enumerable: true,
        get: () => {
          throw own
        }
      })
      function* throwing() {
        yield inputOf(0)
        throw own
      }
      for (const inputs of [[inputOf(0), broken, inputOf(2)], throwing()]) {
        const seen: Array<number> = []
        const walk = (async () => {
          for await (const { index } of client.credentials.upsertMany(inputs, { concurrency: 1, order })) {
            seen.push(index)
          }
        })()
        assert.strictEqual(await rejection(walk), own)
        assert.deepStrictEqual(seen, [0])
      }
      assert.lengthOf(sent, 2)
    })
  }

  it("sends no input that a slow source gives after another one has failed", async () => {
    const { client, sent } = clientOn((request) => json(subscriber(idOf(request))))
    const own = new Error("of the input")
    const broken = Object.defineProperty(inputOf(0), "credentials", {
      enumerable: true,
      get: () => {
        throw own
      }
    })
    async function* inputs() {
      yield broken
      await new Promise((resolve) => setImmediate(resolve))
      yield inputOf(1)
    }
    assert.strictEqual(await rejection(client.credentials.upsertMany(inputs()).next()), own)
    await new Promise((resolve) => setImmediate(resolve))
    assert.lengthOf(sent, 0)
  })

  it("does not fail when its source fails to close", async () => {
    const { client } = clientOn((request) => json(subscriber(idOf(request))))
    const unhandled: Array<unknown> = []
    const onUnhandled = (reason: unknown) => void unhandled.push(reason)
    process.on("unhandledRejection", onUnhandled)
    const inputs = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: inputOf(0) }),
        return: () => Promise.reject(new Error("of the source"))
      })
    }
    for await (const { ok } of client.credentials.upsertMany(inputs, { concurrency: 1 })) {
      assert.isTrue(ok)
      break
    }
    // Node reports unhandled rejections after the microtasks have run.
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", onUnhandled)
    assert.deepStrictEqual(unhandled, [])
  })

  for (const wrong of [undefined, null, 7, "u1", {}]) {
    it(`names inputs that are ${JSON.stringify(wrong)} at once`, async () => {
      const { client } = clientOn(() => json({}))
      assert.throws(() => client.credentials.upsertMany(wrong as never), ClientOptionError, "inputs: must be iterable")
    })
  }

  it("resolves to all outcomes where it is awaited", async () => {
    const { client, sent } = clientOn((request) =>
      idOf(request) === "u1" ? new Response(null, { status: 404 }) : json(subscriber(idOf(request)))
    )
    const outcomes = client.credentials.upsertMany(Array.from({ length: 9 }, (_, at) => inputOf(at)))
    assert.lengthOf(sent, 0)
    const all = await outcomes
    assert.deepStrictEqual(
      all.map(({ index, ok }) => [index, ok]),
      Array.from({ length: 9 }, (_, at) => [at, at !== 1])
    )
    assert.strictEqual(await outcomes, all)
    assert.lengthOf(sent, 9)
  })

  it("rejects where it is awaited and no call can succeed", async () => {
    const { client } = clientOn(() => new Response(null, { status: 401 }))
    const error = await client.credentials.upsertMany([inputOf(0)]).catch((failure: unknown) => failure)
    assert.include(String(error), "401 Unauthorized")
  })

  it("has an outcome also for invalid inputs", async () => {
    const { client, sent } = clientOn((request) => json(subscriber(idOf(request))))
    const inputs: ReadonlyArray<unknown> = [null, undefined, 7, "u1", [], inputOf(1)]
    const tags: Array<string> = []
    for await (const outcome of client.credentials.upsertMany(inputs as ReadonlyArray<UpsertInput>)) {
      tags.push(!outcome.ok && "reason" in outcome.error ? outcome.error.message.slice(0, 54) : "done")
    }
    const refused = "credentials.upsert failed: subscriberId: Expected stri"
    assert.deepStrictEqual(tags, [refused, refused, refused, refused, refused, "done"])
    assert.lengthOf(sent, 1)
  })

  it("names a wrong concurrency before it takes anything", async () => {
    const { client } = clientOn(() => json({}))
    assert.throws(() => client.credentials.upsertMany([], { concurrency: 0 }), "concurrency: ")
  })
})
