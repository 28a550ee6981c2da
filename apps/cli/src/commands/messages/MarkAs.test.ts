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
  it.effect("marks and prints the messages", () =>
    Effect.gen(function* () {
      const ran = yield* markAs(["read", "m1", "m2", "m1", "--yes", "--fields", "id,read"])
      assert.deepStrictEqual([ran.exitCode, ran.stderr], [0, "Marked 2 messages as read\n"])
      assert.deepStrictEqual(ran.stdout.trimEnd().split("\n").sort(), [
        '{"id":"m1","read":true}',
        '{"id":"m2","read":true}'
      ])
    })
  )

  it.effect("reads ids from stdin", () =>
    Effect.gen(function* () {
      const ran = yield* markAs(["seen", "-", "--yes", "--csv", "--fields", "id,seen"], { stdin: "m1\n m2\n" })
      assert.strictEqual(ran.stdout, "id,seen\r\nm1,true\r\nm2,true\r\n")
    })
  )

  it.effect("sends a large list in batches, each message once", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 950 }, (_, at) => `n${at}`)
      for (const id of ids) served.fake.addMessage({ subscriberId: "u_1", id })
      const ran = yield* markAs(["read", "-", "--yes"], { stdin: ids.join("\n") })
      assert.deepStrictEqual([ran.exitCode, ran.stdout.trimEnd().split("\n").length, requests()], [0, 950, 10])
    })
  )

  it.effect("requires a yes on a terminal, and sends nothing without it", () =>
    Effect.gen(function* () {
      const no = yield* markAs(["read", "m1"], { columns: 80, answers: ["n"] })
      assert.deepStrictEqual([no.exitCode, no.stderr], [10, "signalbox: you answered no; nothing was done\n"])
      assert.match(
        no.questions[0] ?? "",
        /^mark 1 message of u_1 as read on "127\.0\.0\.1:\d+" \(http:[^)]+\)\? \[y\/N\] $/u
      )
      assert.strictEqual(requests(), 0)
      const yes = yield* markAs(["read", "m1"], { columns: 80, answers: ["Y"] })
      assert.deepStrictEqual([yes.exitCode, requests()], [0, 1])
    })
  )

  it.effect.each([
    { args: ["read", "m1"], line: "needs --yes, or a terminal to confirm on" },
    {
      args: ["raed", "m1"],
      line: '<state> is "raed"; did you mean read? Expected one of: read, seen, unread, unseen'
    },
    { args: ["read", "m1", "-"], line: "<id>: give ids or - for stdin, not both" },
    { args: ["read", "-", "--yes"], line: "<id>: stdin has no ids" }
  ])("refuses $args and sends nothing", ({ args, line }) =>
    Effect.gen(function* () {
      const ran = yield* markAs(args)
      assert.strictEqual(ran.exitCode, 2)
      assert.include(ran.stderr, line)
      assert.strictEqual(requests(), 0)
    })
  )

  it.effect("exits with 8 where some messages are not in the response, and with 4 where none is", () =>
    Effect.gen(function* () {
      const some = yield* markAs(["read", "m1", "nope", "--yes"])
      assert.deepStrictEqual(some.exitCode, 8)
      assert.include(some.stderr, "1 of 2 messages are not in the response; they may not exist: nope")
      const none = yield* markAs(["read", "nope", "--yes"])
      assert.deepStrictEqual(
        [none.exitCode, none.stderr],
        [4, "signalbox: message nope is not in the response; it may not exist\n"]
      )
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
})
