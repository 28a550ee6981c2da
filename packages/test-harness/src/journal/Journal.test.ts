import { assert, describe, it } from "@effect/vitest"
import type { FakeRequest } from "../request/FakeRequest.ts"
import { makeJournal } from "./Journal.ts"
import type { Told } from "./JournalEntry.ts"

const answer = (status: number): Told => ({ _tag: "Answer", status })
const lost: Told = { _tag: "Nothing", ending: "reset" }

const scene = (capacity = 10) => {
  const journal = makeJournal(capacity)
  const ask = (body: string, told: Told, idempotencyKey?: string) => {
    const request: FakeRequest = {
      surface: "fetch",
      method: "POST",
      path: "/v1/things",
      query: "",
      header: () => undefined,
      headers: () => [["authorization", "ApiKey very-secret"]],
      body
    }
    const entry = journal.open({ request, at: 0, operation: undefined, subscriberId: undefined, idempotencyKey })
    journal.tell(entry, told, 1)
    return entry
  }
  const places = () =>
    journal.entries().map(({ attempt, logical, number, repeats }) => ({ number, logical, attempt, repeats }))
  return { journal, ask, places }
}

describe("Journal", () => {
  it("requests with one key are attempts at one operation, whatever they were told", () => {
    const { ask, places } = scene()
    for (const told of [lost, answer(500), answer(200), answer(200)]) ask("a", told, "k1")
    ask("a", answer(200), "k2")
    assert.deepStrictEqual(places(), [
      { number: 1, logical: 1, attempt: 1, repeats: undefined },
      { number: 2, logical: 1, attempt: 2, repeats: 1 },
      { number: 3, logical: 1, attempt: 3, repeats: 2 },
      { number: 4, logical: 1, attempt: 4, repeats: undefined },
      { number: 5, logical: 2, attempt: 1, repeats: undefined }
    ])
  })

  it("without keys an equal request is another attempt until one had success", () => {
    const { ask, places } = scene()
    for (const told of [lost, answer(200), answer(200)]) ask("a", told)
    ask("b", lost)
    assert.deepStrictEqual(
      places().map(({ attempt, logical }) => [logical, attempt]),
      [
        [1, 1],
        [1, 2],
        [2, 1],
        [3, 1]
      ]
    )
  })

  it("a repeat with another key is known as a repeat; a request beside one that is under way is none", () => {
    const { ask, places } = scene()
    ask("a", lost, "k1")
    ask("a", { _tag: "Pending" }, "k2")
    ask("a", answer(200), "k3")
    assert.deepStrictEqual(
      places().map(({ logical, repeats }) => [logical, repeats]),
      [
        [1, undefined],
        [2, 1],
        [3, undefined]
      ]
    )
  })

  it("forgets the oldest, counts them, and knows no more what they asked for", () => {
    const { ask, journal, places } = scene(2)
    ask("a", lost, "k1")
    ask("b", lost, "k2")
    ask("a", lost, "k1")
    assert.deepStrictEqual(
      places().map(({ attempt, number }) => [number, attempt]),
      [
        [2, 1],
        [3, 2]
      ]
    )
    ask("c", lost, "k3")
    ask("d", lost, "k4")
    ask("b", lost, "k2")
    ask("a", lost, "k1")
    assert.deepStrictEqual(places(), [
      { number: 6, logical: 5, attempt: 1, repeats: undefined },
      { number: 7, logical: 6, attempt: 1, repeats: undefined }
    ])
    assert.strictEqual(journal.evicted(), 5)
  })

  it("calls back after every change, until it is told to stop", () => {
    const { ask, journal } = scene()
    const seen: Array<string> = []
    const stop = journal.subscribe(({ number, told }) => seen.push(`${number} ${told._tag}`))
    const entry = ask("a", { _tag: "Pending" })
    journal.tell(entry, answer(200), 1)
    journal.pass(entry, "answered", 1)
    stop()
    ask("b", lost)
    assert.deepStrictEqual(seen, ["1 Pending", "1 Pending", "1 Answer", "1 Answer"])
  })

  it("knows when an exchange was over for its client", () => {
    const { ask, journal } = scene()
    const ends = (told: Told) => {
      const entry = ask("a", told)
      const atOnce = entry.endedAt
      journal.end(entry, 5)
      return [atOnce, entry.endedAt]
    }
    assert.deepStrictEqual(ends(lost), [1, 1])
    assert.deepStrictEqual(ends({ _tag: "ClientLeft" }), [1, 1])
    assert.deepStrictEqual(ends({ _tag: "CutAnswer", status: 200, ending: "close" }), [1, 1])
    assert.deepStrictEqual(ends({ _tag: "Nothing", ending: "hang" }), [undefined, 5])
    assert.deepStrictEqual(ends({ _tag: "CutAnswer", status: 200, ending: "hang" }), [undefined, 5])
    assert.deepStrictEqual(ends(answer(200)), [undefined, 5])
  })

  it("is empty again when cleared", () => {
    const { ask, journal, places } = scene(1)
    ask("a", lost, "k1")
    ask("a", lost, "k1")
    journal.clear()
    assert.deepStrictEqual([journal.entries(), journal.evicted()], [[], 0])
    ask("a", answer(200), "k1")
    assert.deepStrictEqual(places(), [{ number: 1, logical: 1, attempt: 1, repeats: undefined }])
  })

  it("tells no key", () => {
    const { ask, journal } = scene()
    ask("a", answer(200))
    assert.notInclude(JSON.stringify(journal.entries()), "very-secret")
  })
})
