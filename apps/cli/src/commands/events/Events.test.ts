import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { Fault, manualClock } from "@signalbox/test-harness"
import { folderOfTest } from "@signalbox/testing/Folder"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { runCommandLine } from "../../CommandLine.ts"
import {
  makeTestProcess,
  now,
  run,
  type RunOptions,
  serveFake,
  type ServedFake
} from "../../../test/CommandLineTest.ts"

let served: ServedFake

beforeAll(async () => {
  served = await serveFake()
})

afterAll(() => served.close())

const signalbox = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
  Effect.andThen(TestClock.setTime(Date.parse(now)), () =>
    run(args, { ...options, environment: { ...served.environment, ...options.environment } })
  )

const ids = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line)._id)

const cursorIn = (text: string): string => /--cursor (?<cursor>\S+)/u.exec(text)?.groups?.["cursor"] ?? ""

describe("events list", () => {
  it.effect("does not report more events at the end of the last page", () =>
    Effect.gen(function* () {
      const all = ids((yield* signalbox(["events", "list", "after:3h", "--all"])).stdout)
      const limited = (limit: number) => signalbox(["events", "list", "after:3h", "--limit", String(limit)])
      assert.strictEqual((yield* limited(all.length)).stderr, "")
      assert.include(
        (yield* limited(all.length - 1)).stderr,
        "There are more events (--all prints them); continue with --cursor"
      )
    })
  )

  it.effect("continues with its cursor to the event, with and without a filter that is computed here", () =>
    Effect.gen(function* () {
      for (const filter of [[], ["-status:ok"]]) {
        const whole = ids((yield* signalbox(["events", "list", "--all", ...filter])).stdout)
        const parts: Array<string> = []
        let cursor: ReadonlyArray<string> = []
        for (;;) {
          const { stderr, stdout } = yield* signalbox(["events", "list", "--limit", "7", ...filter, ...cursor])
          parts.push(...ids(stdout))
          const next = cursorIn(stderr)
          if (next === "") break
          cursor = ["--cursor", next]
        }
        assert.deepStrictEqual(parts, whole)
      }
    })
  )

  it.effect("refuses the cursor of another filter", () =>
    Effect.gen(function* () {
      const { stderr } = yield* signalbox(["events", "list", "--limit", "1", "channel:email"])
      const other = yield* signalbox(["events", "list", "channel:push", "--cursor", cursorIn(stderr)])
      assert.strictEqual(other.exitCode, 2)
      assert.include(other.stderr, "--cursor belongs to another filter")
    })
  )

  it.effect("stops without a word when its reader is gone", () =>
    Effect.gen(function* () {
      const ran = yield* signalbox(["events", "list", "--all"], { closesAfter: 1 })
      assert.deepInclude(ran, { exitCode: 0, stderr: "" })
    })
  )

  it.effect("prints no secrets", () =>
    Effect.gen(function* () {
      const { stdout } = yield* signalbox(["events", "list", "--all"])
      assert.notMatch(stdout, /hooks\.|"deviceTokens":\["(?!<redacted)/u)
    })
  )

  it.effect("follows: new events as they arrive, changed ones again", () =>
    Effect.gen(function* () {
      const other = yield* Effect.promise(() => serveFake())
      yield* Effect.addFinalizer(() => Effect.promise(() => other.close()))
      const { printed, process } = makeTestProcess({ environment: other.environment })
      const until = (isTrue: () => boolean) =>
        Effect.promise(async () => {
          while (!isTrue()) await setImmediate()
        })
      const fiber = yield* Effect.forkChild(
        runCommandLine(["events", "list", "--follow", "--limit", "1", "--fields", "transaction"], process)
      )
      yield* until(() => printed().stderr.includes("Following"))
      const triggered = [other.fake.trigger({ workflow: "order-shipped", to: "u_1" }).transactionId]
      yield* TestClock.adjust("5 seconds")
      yield* until(() => printed().stdout.includes(triggered[0] ?? ""))
      triggered.push(other.fake.trigger({ workflow: "order-shipped", to: "u_2" }).transactionId)
      yield* TestClock.adjust("5 seconds")
      yield* until(() => printed().stdout.includes(triggered[1] ?? ""))
      yield* Fiber.interrupt(fiber)
      const lines = printed().stdout.trimEnd().split("\n")
      assert.deepStrictEqual([...new Set(lines.map((line) => JSON.parse(line).transaction))].slice(1), triggered)
    })
  )
})

it.effect("follows a delayed event among many newer ones, through an outage", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse(now))
    const clock = manualClock(now)
    const other = yield* Effect.promise(() => serveFake({ data: "empty", clock }))
    yield* Effect.addFinalizer(() => Effect.promise(() => other.close()))
    const { fake } = other
    fake.addWorkflow({
      identifier: "later",
      steps: [{ type: "delay", wait: { amount: 7, unit: "minutes" } }, { type: "in_app" }]
    })
    fake.addWorkflow({ identifier: "inbox", steps: [{ type: "in_app" }] })
    const { transactionId } = fake.trigger({ workflow: "later", to: "ana" })
    const { printed, process } = makeTestProcess({ environment: other.environment })
    yield* Effect.forkChild(runCommandLine(["events", "list", "--follow", "--fields", "transaction,result"], process))
    const pollUntil = (isTrue: () => boolean) =>
      Effect.gen(function* () {
        for (let waited = 0; !isTrue(); waited += 1) {
          // Requests take real time: the clock must not reach their deadline.
          if (waited % 50 === 0) yield* TestClock.adjust("1 second")
          yield* Effect.promise(() => setImmediate())
        }
      })
    yield* pollUntil(() => printed().stderr.includes("Following"))
    clock.advance(4 * 60_000)
    for (let index = 0; index < 60; index += 1) fake.trigger({ workflow: "inbox", to: `u_${index}` })
    yield* pollUntil(() => printed().stdout.split("\n").length > 61)
    const outage = fake.faults.add(Fault.status(503, { times: "always" }))
    yield* pollUntil(() => printed().stderr.includes("Still watching"))
    outage.remove()
    clock.advance(4 * 60_000)
    yield* pollUntil(() => printed().stderr.includes("Recovered"))
    yield* pollUntil(() => printed().stdout.split(transactionId).length === 3)
    assert.match(printed().stdout, new RegExp(`"${transactionId}","result":"ok"`, "u"))
  })
)

describe("events show", () => {
  it.effect("shows the events of a transaction on a terminal", () =>
    Effect.gen(function* () {
      const { stdout: found } = yield* signalbox(["events", "list", "status:failed", "--limit", "1"])
      const { _id, transactionId } = JSON.parse(found)
      const ran = yield* signalbox(["events", "show", transactionId], { columns: 80 })
      assert.strictEqual(ran.exitCode, 0)
      const golden = ran.stdout.replace(served.url, "https://api.example.com")
      yield* Effect.promise(() => expect(golden).toMatchFileSnapshot("../../../test/golden/events-show.txt"))
      assert.deepStrictEqual(ids((yield* signalbox(["events", "show", _id])).stdout), [_id])
    })
  )

  it.effect.each([
    { from: "a named connection", args: ["-c", "stg"] },
    { from: "the environment", args: [] }
  ])("prints a fix for the service of $from, whichever service the shell is set to", ({ args }) =>
    Effect.gen(function* () {
      const [read, other] = yield* Effect.promise(() => Promise.all([serveFake({ data: "demo" }), serveFake()]))
      yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([read.close(), other.close()])))
      const folder = folderOfTest()
      mkdirSync(join(folder, "signalbox"))
      writeFileSync(
        join(folder, "signalbox", "config.toml"),
        `[connections.stg]\nbaseUrl = "${read.url}"\napiKeyEnv = "STG_API_KEY"\n`
      )
      const named = { XDG_CONFIG_HOME: folder, STG_API_KEY: read.fake.apiKey }
      const shown = args.length === 0 ? read.environment : { ...other.environment, ...named }
      const listed = yield* signalbox(["events", "list", "status:failed", "channel:chat", ...args], {
        environment: shown
      })
      const { transactionId } = JSON.parse(listed.stdout.split("\n")[0] ?? "")
      const { stdout } = yield* signalbox(["events", "show", transactionId, ...args], {
        environment: shown,
        columns: 80
      })
      const pasted = /^fix +(?<command>.+)$/mu.exec(stdout)?.groups?.["command"] ?? ""
      const words = pasted.replaceAll("'", "").split(" ")
      const set = words.slice(0, words.indexOf("signalbox")).map((word) => word.split("="))
      const ran = yield* signalbox([...words.slice(words.indexOf("signalbox") + 1), "--yes"], {
        environment: {
          ...other.environment,
          ...named,
          SIGNALBOX_API_KEY: read.fake.apiKey,
          ...Object.fromEntries(set)
        },
        stdin: "https://hooks.example.test/T0"
      })
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      const upserts = (fake: ServedFake["fake"]) =>
        fake.journal.entries().filter(({ operation }) => operation === "credentials.upsert").length
      assert.deepStrictEqual([upserts(read.fake), upserts(other.fake)], [1, 0])
    })
  )
})

describe("events diagnose", () => {
  it.effect("reads all events after a time, and says where a limit left some out", () =>
    Effect.gen(function* () {
      const clock = manualClock("2026-11-21T11:50:00.000Z")
      const other = yield* Effect.promise(() => serveFake({ data: "empty", clock }))
      yield* Effect.addFinalizer(() => Effect.promise(() => other.close()))
      const { fake } = other
      fake.addWorkflow({ identifier: "code", steps: [{ type: "sms" }] })
      fake.addIntegration({ providerId: "twilio" })
      fake.trigger({ workflow: "code", to: "nobody" })
      fake.addWorkflow({ identifier: "inbox", steps: [{ type: "in_app" }] })
      for (let index = 0; index < 1000; index += 1) fake.trigger({ workflow: "inbox", to: `u_${index}` })
      clock.advance(60_000)
      const diagnose = (...args: ReadonlyArray<string>) =>
        signalbox(["events", "diagnose", "--fail-on-failures", ...args], { environment: other.environment })
      const counts = /^1 failed event in 1 group among 1001 events/mu
      const whole = yield* diagnose("after:1h")
      assert.strictEqual(whole.exitCode, 1)
      assert.match(whole.stderr, counts)
      const newest = yield* diagnose("--quiet")
      assert.deepInclude(newest, { exitCode: 0, stderr: "Older events were not read (--all reads them)\n" })
      const limited = yield* diagnose("after:1h", "--limit", "1000", "--quiet")
      assert.deepInclude(limited, { exitCode: 1, stdout: "", stderr: newest.stderr })
      const exact = yield* diagnose("after:1h", "--limit", "1001")
      assert.match(exact.stderr, counts)
      assert.notInclude(exact.stderr, "Older events")
      const listed = yield* signalbox(["events", "list", "--quiet"], { environment: other.environment })
      assert.match(listed.stderr, /^There are more events/u)
    })
  )

  it.effect("reads all events since a time, the same as all pages one after another", () =>
    Effect.gen(function* () {
      const since = yield* signalbox(["events", "diagnose", "--since", "12h"])
      const after = yield* signalbox(["events", "diagnose", "after:12h", "--all"])
      assert.strictEqual(since.exitCode, 0)
      const counts = (text: string) =>
        text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
          .map(({ count, fixable, group, subscribers }) => `${group} ${count} ${subscribers} ${fixable}`)
      assert.deepStrictEqual(counts(since.stdout), counts(after.stdout))
      assert.match(since.stderr, /^\d+ failed events in \d+ groups among \d+ events, covering/mu)
      assert.strictEqual(since.stderr, after.stderr)
      const refused = yield* signalbox(["events", "diagnose", "--since", "12h", "--all"])
      assert.deepInclude(refused, { exitCode: 2 })
      assert.include(refused.stderr, "--all and --since cannot be used together")
      const wrong = yield* signalbox(["events", "diagnose", "--since", "soon"])
      assert.include(wrong.stderr, "30m, 24h, 7d")
    })
  )
})

it.effect("shows each cause of an event with several, and lists the one that the filter requires", () =>
  Effect.gen(function* () {
    const demo = (command: string, ...args: ReadonlyArray<string>) =>
      signalbox(["events", command, "-c", "demo", ...args], { columns: 120 })
    const { stdout } = yield* demo("list", "cause:phone-missing", "--fields", "cause,transaction")
    const [, several = ""] = /^phone number missing \+1 +(?<transaction>\S+)$/mu.exec(stdout) ?? []
    const shown = yield* demo("show", several)
    assert.deepStrictEqual(
      Array.from(
        shown.stdout.matchAll(/^cause +The subscriber has no (?<lacks>\S+ \S+)/gmu),
        ([, lacks]) => lacks
      ).sort(),
      ["phone number.", "webhook URL"]
    )
  })
)
