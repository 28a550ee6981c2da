import { assert, describe, it } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { clientOn, emptyPage, json, rejection } from "../test/AnsweredClient.ts"
import { ClientClosed, ListEventsError } from "./index.ts"

describe("a page", () => {
  it("is not listed without filters where the filters are null", async () => {
    const { client, sent } = clientOn(() => json(emptyPage))
    const error = await rejection(client.events.list(null as never))
    assert.instanceOf(error, ListEventsError)
    assert.include(error.message, "events.list failed: Expected an object with the fields channels, ")
    assert.lengthOf(sent, 0)
  })

  it("names the filter that was meant, and what a time may be", async () => {
    const { client, sent } = clientOn(() => json(emptyPage))
    const messageOf = async (filters: object) => String(await rejection(client.events.list(filters)))
    assert.include(
      await messageOf({ subscriberID: "user-7" }),
      "subscriberID: Unknown field; did you mean subscriberIds? Expected one of: channels, "
    )
    assert.include(
      await messageOf({ after: 1_767_225_600_000 }),
      "after: Expected a Date or an ISO 8601 string, such as 2026-01-31T09:00:00Z"
    )
    assert.lengthOf(sent, 0)
  })
})

describe("a listing", () => {
  it("is a promise of one page that is fetched once, whichever of its methods is used", async () => {
    const { client, sent } = clientOn((_request, count) =>
      count === 1 ? json(emptyPage) : new Response(null, { status: 403 })
    )
    const listing = client.events.list()
    let ended = 0
    const page = await listing.finally(() => void ended++)
    assert.strictEqual(await listing.catch(() => "caught"), page)
    assert.strictEqual(await listing.then((value) => value), page)
    assert.strictEqual(ended, 1)
    assert.lengthOf(sent, 1)
    const failing = client.events.list()
    const error = await failing.catch((reason: unknown) => reason)
    assert.instanceOf(error, ListEventsError)
    assert.strictEqual(await rejection(failing.finally(() => void ended++)), error)
    assert.strictEqual(
      await failing.then(
        () => "a page",
        () => "handled"
      ),
      "handled"
    )
    assert.strictEqual(ended, 2)
    assert.lengthOf(sent, 2)
    assert.strictEqual(Object.prototype.toString.call(failing), "[object EventList]")
  })
})

describe("a walk", () => {
  const pageOf = (request: Request) => Number(new URL(request.url).searchParams.get("page") ?? 0)
  const record = (at: number) => ({
    _id: `e${at}`,
    _environmentId: "e",
    _organizationId: "o",
    _subscriberId: "s",
    transactionId: `t${at}`
  })
  const pageAnswer = (request: Request) => {
    const page = pageOf(request)
    const data = [record(page * 2), record(page * 2 + 1)]
    return json({ data, hasMore: page < 2, page, pageSize: 2 })
  }

  it("answers several requests for the next event in their order", async () => {
    const { client } = clientOn(pageAnswer)
    const events = client.events.list()[Symbol.asyncIterator]()
    const asked = await Promise.all(Array.from({ length: 7 }, () => events.next()))
    assert.deepStrictEqual(
      asked.map((result) => (result.done === true ? "end" : result.value._id)),
      ["e0", "e1", "e2", "e3", "e4", "e5", "end"]
    )
  })

  it("has iterators that are iterable and disposable: disposing of one sends nothing more", async () => {
    const { client, sent } = clientOn(pageAnswer)
    const seen: Array<string | undefined> = []
    {
      await using events = client.events.list()[Symbol.asyncIterator]()
      await events.next()
      for await (const { _id } of events) {
        seen.push(_id)
        break
      }
      const rest = await events.next()
      assert.isTrue(rest.done)
    }
    assert.deepStrictEqual(seen, ["e1"])
    const requests = sent.length
    await using pages = client.events.list().pages({ prefetch: false })[Symbol.asyncIterator]()
    await pages.next()
    await pages[Symbol.asyncDispose]()
    const afterwards = await pages.next()
    assert.isTrue(afterwards.done)
    assert.strictEqual(sent.length, requests + 1)
  })

  it("aborts the request for the next page when its signal aborts between two pulls", async () => {
    let prefetched: (request: Request) => void = () => {}
    const prefetch = new Promise<Request>((resolve) => (prefetched = resolve))
    const { client } = clientOn((request) => {
      if (pageOf(request) === 0) return pageAnswer(request)
      prefetched(request)
      return new Promise(() => {})
    })
    const controller = new AbortController()
    const pages = client.events.list({}, { signal: controller.signal }).pages()[Symbol.asyncIterator]()
    await pages.next()
    const { signal } = await prefetch
    assert.isFalse(signal.aborted)
    controller.abort("enough")
    assert.isTrue(signal.aborted)
    assert.strictEqual(await rejection(pages.next()), "enough")
    assert.lengthOf(getEventListeners(controller.signal, "abort"), 0)
  })

  it("fails with the error of the page that fails, after the events before it", async () => {
    const { client } = clientOn(
      (request) => (pageOf(request) === 1 ? new Response(null, { status: 403 }) : pageAnswer(request)),
      { retry: false }
    )
    const seen: Array<string | undefined> = []
    const walk = (async () => {
      for await (const { _id } of client.events.list()) seen.push(_id)
    })()
    const error = await rejection(walk)
    assert.instanceOf(error, ListEventsError)
    assert.strictEqual(error.reason._tag, "Forbidden")
    assert.deepStrictEqual(seen, ["e0", "e1"])
  })

  it("ends with ClientClosed when the client closes under it", async () => {
    const { client } = clientOn(pageAnswer)
    const events = client.events.list()[Symbol.asyncIterator]()
    await events.next()
    await client.close()
    const error = await rejection(events.next())
    assert.instanceOf(error, ClientClosed)
    assert.deepInclude(error, { operation: "events.list", sent: true, mayHaveBeenApplied: false, attempts: [] })
    assert.deepStrictEqual(await events.next(), { done: true, value: undefined })
    assert.instanceOf(await rejection(client.events.list()[Symbol.asyncIterator]().next()), ClientClosed)
  })

  describe("whose next page never comes", () => {
    const hanging = () => new Promise<Response>(() => {})

    it("ends at once when it is left", async () => {
      const { client } = clientOn(hanging, { timeouts: { attemptMs: Infinity, callMs: Infinity } })
      const events = client.events.list()[Symbol.asyncIterator]()
      const next = events.next()
      assert.deepStrictEqual(await events.return?.(), { done: true, value: undefined })
      assert.deepStrictEqual(await next, { done: true, value: undefined })
    })

    it("ends at once with the reason of its signal", async () => {
      const controller = new AbortController()
      const { client } = clientOn(hanging, { timeouts: { attemptMs: Infinity, callMs: Infinity } })
      const events = client.events.list({}, { signal: controller.signal })[Symbol.asyncIterator]()
      const next = rejection(events.next())
      controller.abort("enough")
      assert.strictEqual(await next, "enough")
      assert.deepStrictEqual(await events.next(), { done: true, value: undefined })
      assert.lengthOf(getEventListeners(controller.signal, "abort"), 0)
    })
  })

  it("returns no further event of a page after its signal was aborted", async () => {
    const controller = new AbortController()
    const { client } = clientOn(pageAnswer)
    const events = client.events.list({}, { signal: controller.signal })[Symbol.asyncIterator]()
    await events.next()
    controller.abort("enough")
    assert.strictEqual(await rejection(events.next()), "enough")
    assert.deepStrictEqual(await events.next(), { done: true, value: undefined })
  })

  it("that was never begun can be left", async () => {
    const { client, sent } = clientOn(pageAnswer)
    const events = client.events.list()[Symbol.asyncIterator]()
    assert.deepStrictEqual(await events.return?.(), { done: true, value: undefined })
    assert.deepStrictEqual(await events.next(), { done: true, value: undefined })
    assert.lengthOf(sent, 0)
  })

  it("leaves no listener on its signal, however it ends", async () => {
    const { client } = clientOn(pageAnswer)
    const { signal } = new AbortController()
    for await (const _event of client.events.list({}, { signal })) break
    for await (const _page of client.events.list({}, { signal }).pages()) continue
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
  })
})
