import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import { run, type RunOptions, serveFake, type ServedFake } from "../../../test/CommandLineTest.ts"

let served: ServedFake

beforeEach(async () => {
  served = await serveFake({ data: "empty" })
  served.fake.addSubscriber({ subscriberId: "u_1" })
  for (const id of ["m1", "m2"]) served.fake.addMessage({ subscriberId: "u_1", id })
})

afterEach(() => served.close())

const markAs = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
  run(["messages", "mark-as", ...args, "--subscriber", "u_1"], {
    ...options,
    environment: { ...served.environment, ...options.environment }
  })

const requests = () => served.fake.journal.entries().length

describe("messages mark-as", () => {
  it.effect("sends a large list in batches, each message once", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 950 }, (_, at) => `n${at}`)
      for (const id of ids) served.fake.addMessage({ subscriberId: "u_1", id })
      const ran = yield* markAs(["read", "-", "--yes"], { stdin: ids.join("\n") })
      assert.deepStrictEqual([ran.exitCode, ran.stdout.trimEnd().split("\n").length, requests()], [0, 950, 10])
    })
  )

  it.effect("exits with 8 where a later batch fails, and reports how far it went", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 500 }, (_, at) => `n${at}`)
      for (const id of ids) served.fake.addMessage({ subscriberId: "u_1", id })
      /** Rejects one call of the second batch. */
      const failLater = () => {
        const start = requests()
        const stop = served.fake.journal.subscribe(() => {
          if (requests() < start + 4) return
          stop()
          served.fake.faults.add(Fault.status(400))
        })
      }
      const input = { stdin: ids.join("\n") }
      failLater()
      const ran = yield* markAs(["read", "-", "--yes"], input)
      failLater()
      const json = yield* markAs(["read", "-", "--yes", "--json"], input)
      assert.strictEqual(ran.exitCode, 8)
      const marked = ran.stdout.trimEnd().split("\n").length
      assert.isAbove(marked, 0)
      const line = `${marked} of 500 messages were marked. messages.markAs failed: `
      assert.include(ran.stderr, `signalbox: ${line}`)
      assert.lengthOf(ran.stderr.match(/were marked/gu) ?? [], 1)
      const { error } = JSON.parse(json.stderr)
      assert.deepInclude(error, { reason: "Rejected", status: 400, exitCode: 8, operation: "messages.markAs" })
    })
  )

  it.effect("counts all messages, not those of a batch, where the first batch fails", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 500 }, (_, at) => `n${at}`)
      served.fake.faults.add(Fault.status(400, { times: "always" }))
      const ran = yield* markAs(["read", "-", "--yes"], { stdin: ids.join("\n") })
      assert.strictEqual(ran.exitCode, 5)
      assert.include(ran.stderr, "signalbox: No message was marked. messages.markAs failed: ")
    })
  )

  it.live.each([
    { count: 2, afterRequests: 0, line: /^signalbox: 2 of 2 messages may have been marked\. messages\.markAs /u },
    {
      count: 500,
      afterRequests: 4,
      line: /^signalbox: [34]00 of 500 messages were marked, and 100 more may have been\. /u
    }
  ])("names messages of $count that may have been marked", ({ afterRequests, count, line }) =>
    Effect.gen(function* () {
      const ids = Array.from({ length: count }, (_, at) => `n${at}`)
      for (const id of ids) served.fake.addMessage({ subscriberId: "u_1", id })
      const fail = () => served.fake.faults.add(Fault.status(503, { times: "always", at: "committed" }))
      if (afterRequests === 0) fail()
      else served.fake.journal.subscribe(() => void (requests() === afterRequests && fail()))
      const ran = yield* markAs(["read", "-", "--yes"], { stdin: ids.join(" ") })
      assert.strictEqual(ran.exitCode, afterRequests === 0 ? 7 : 8)
      assert.match(ran.stderr, line)
    })
  )
})
