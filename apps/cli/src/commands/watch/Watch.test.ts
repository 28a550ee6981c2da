import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { changed, knownCausesJson, noKnownCauses } from "@signalbox/operator/connections/KnownCauses"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { runCommandLine } from "../../CommandLine.ts"
import { makeTestProcess, now, type RunOptions } from "../../../test/CommandLineTest.ts"

const start = Date.parse(now)

const pollMs = 5000

const failed = (id: number, detail: string, secondsLater: number) => ({
  _id: `event-${id}`,
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: `txn_${id}`,
  createdAt: isoOf(start + secondsLater * 1000),
  subscriber: { _id: "internal", subscriberId: "grace" },
  jobs: [
    {
      _id: `job-${id}`,
      type: "sms",
      status: "failed",
      step: { _id: "step", active: true, _templateId: "template", filters: [] },
      executionDetails: [
        { _id: `detail-${id}`, status: "Failed", detail, isRetry: false, isTest: false, source: "Internal" }
      ]
    }
  ]
})

/** An event whose step waits. */
const waiting = (id: number, secondsLater: number) => {
  const { jobs, ...event } = failed(id, "", secondsLater)
  return { ...event, jobs: jobs.map((job) => Object.assign(job, { status: "delayed", executionDetails: [] })) }
}

type Listed = ReturnType<typeof failed | typeof waiting>

const isoOf = (at: number): string => new Date(at).toISOString()

const until = (isTrue: () => boolean) =>
  Effect.promise(async () => {
    while (!isTrue()) await setImmediate()
  })

/** Watches a service, of which the last hour has one cause; later events are added to the list. */
const watching = (...args: ReadonlyArray<string>) => watchingIn({}, ...args)

type WatchingOptions = RunOptions & {
  /** The status of the responses until the test changes it. */
  readonly status?: number
  /** Events of the last hour besides the one with a cause. */
  readonly past?: ReadonlyArray<Listed>
}

const watchingIn = (
  { environment: variables, past = [], status, ...options }: WatchingOptions,
  ...args: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const events: Array<Listed> = [...past, failed(1, "Subscriber does not have a phone number", -400)]
    let requests = 0
    let url = ""
    const broken: { status?: number } = status === undefined ? {} : { status }
    const server = createServer((request, response) => {
      requests += 1
      url = request.url ?? ""
      response.writeHead(broken.status ?? 200, { "content-type": "application/json" })
      const query = new URL(url, "http://h").searchParams
      const page = Number(query.get("page") ?? 0)
      const [after, before] = [query.get("after") ?? "", query.get("before") ?? "9"]
      const listed = events
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .filter(({ createdAt }) => createdAt > after && createdAt < before)
      const data = listed.slice(page * 50, page * 50 + 50)
      response.end(JSON.stringify({ page, pageSize: 50, hasMore: listed.length > page * 50 + 50, data }))
    })
    const port = yield* Effect.promise(() => listenOnLoopback(server))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
    )
    const environment = {
      ...variables,
      SIGNALBOX_BASE_URL: `http://127.0.0.1:${port}`,
      SIGNALBOX_API_KEY: "key-of-a-test"
    }
    const { printed, process } = makeTestProcess({ ...options, environment })
    const clock = yield* Clock.Clock
    let polls = 0
    const countingPolls: Clock.Clock = {
      ...clock,
      sleep: (duration) => {
        if (Duration.toMillis(duration) <= pollMs) polls += 1
        return clock.sleep(duration)
      }
    }
    const fiber = yield* Effect.forkChild(
      Effect.provideService(runCommandLine(["watch", ...args], process), Clock.Clock, countingPolls)
    )
    yield* until(() => polls > 0 || (status !== undefined && requests > 0))
    // The next poll is due only when the watch has printed the news of this one.
    const polled = Effect.gen(function* () {
      const before = polls
      yield* TestClock.adjust(pollMs)
      yield* until(() => polls > before || fiber.pollUnsafe() !== undefined)
    })
    const polledUntilEnd = Effect.gen(function* () {
      while (fiber.pollUnsafe() === undefined) yield* polled
      return yield* Fiber.join(fiber)
    })
    // The client waits between its retries, too.
    const advanced = (isTrue: () => boolean) =>
      Effect.gen(function* () {
        while (!isTrue()) {
          yield* TestClock.adjust("1 second")
          yield* Effect.promise(() => setImmediate())
        }
      })
    const failedPolls = (count: number) => {
      const before = requests
      return advanced(() => requests >= before + 3 * count)
    }
    const exitCode = Effect.andThen(
      advanced(() => fiber.pollUnsafe() !== undefined),
      Fiber.join(fiber)
    )
    return { broken, events, exitCode, failedPolls, fiber, polled, polledUntilEnd, port, printed, url: () => url }
  })

describe("watch", () => {
  it.effect("stops after its time without a word where nothing is new", () =>
    Effect.gen(function* () {
      const { fiber, polled, printed } = yield* watching("--for", "12s", "--exit-on", "any")
      yield* polled
      yield* polled
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), 0)
      assert.strictEqual(printed().stdout, "")
    })
  )

  it.effect("alerts for a step that fails long after its event, among many that wait, and once for each cause", () =>
    Effect.gen(function* () {
      const { events, polled, printed } = yield* watchingIn({
        past: [
          waiting(3, -3500),
          ...Array.from({ length: 50 }, (_, at) => failed(1000 + at, "It failed before the watch", -3700 - at)),
          ...Array.from({ length: 600 }, (_, at) => waiting(100 + at, (at - 600) * 5))
        ]
      })
      for (let polls = 0; polls < 30; polls += 1) yield* polled
      const settle = (id: number, detail: string) => {
        const at = events.findIndex(({ _id }) => _id === `event-${id}`)
        const { createdAt } = events[at] ?? failed(0, "", 0)
        events[at] = { ...failed(id, detail, 0), createdAt }
      }
      settle(3, "The moon is late")
      settle(100, "The moon is late")
      settle(699, "The sun is late")
      yield* polled
      yield* polled
      yield* polled
      const alerts = printed()
        .stdout.trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map(({ alert, count, title }) => `${alert} ${title} ${count}`)
      assert.deepStrictEqual(alerts.toSorted(), ["new The moon is late 2", "new The sun is late 1"])
    })
  )

  it.effect("alerts for the oldest event that it has read", () =>
    Effect.gen(function* () {
      const { events, polled, printed } = yield* watchingIn({ past: [waiting(2, -410)] }, "--exit-on", "new")
      yield* polled
      events[0] = failed(2, "The moon is late", -410)
      yield* polled
      assert.strictEqual(JSON.parse(printed().stdout).title, "The moon is late")
    })
  )

  it.effect.each([
    { filter: "status:ok", reason: "watch alerts about failed events only; remove status from the filter" },
    { filter: "-status:failed", reason: "watch alerts about failed events only" },
    { filter: "before:1h", reason: "watch reads the events that arrive; remove before from the filter" }
  ])("refuses $filter, with which it would never alert", ({ filter, reason }) =>
    Effect.gen(function* () {
      const { printed, process } = makeTestProcess()
      assert.strictEqual(yield* runCommandLine(["watch", "--for", "1m", filter], process), 2)
      assert.include(printed().stderr, reason)
    })
  )

  it.effect("reports a filter that no event of the last hour passes", () =>
    Effect.gen(function* () {
      const { printed } = yield* watching("workflow:typo")
      assert.include(printed().stderr, "Watching; the last hour had no event for workflow:typo")
    })
  )

  it.effect("keeps watching during an outage, reports it once, and reads what it missed", () =>
    Effect.gen(function* () {
      const { broken, events, exitCode, failedPolls, printed, url } = yield* watching("--exit-on", "new")
      broken.status = 503
      yield* failedPolls(3)
      events.push(failed(3, "The moon is late", 8))
      delete broken.status
      assert.strictEqual(yield* exitCode, 1)
      const { stderr, stdout } = printed()
      assert.strictEqual(stderr.split("503").length - 1, 1, stderr)
      assert.include(stderr, "Still watching")
      assert.include(stderr, `Recovered; read everything since ${isoOf(start)}`)
      assert.include(url(), `after=${encodeURIComponent(isoOf(start - 400_000))}`)
      assert.strictEqual(JSON.parse(stdout).title, "The moon is late")
    })
  )

  it.effect("waits for a service that is not up yet, and reads its last hour then", () =>
    Effect.gen(function* () {
      const { broken, events, exitCode, failedPolls, printed } = yield* watchingIn({ status: 503 }, "--exit-on", "new")
      yield* failedPolls(2)
      delete broken.status
      events.push(failed(3, "The moon is late", 30))
      assert.strictEqual(yield* exitCode, 1)
      const { stderr, stdout } = printed()
      assert.strictEqual(stderr.split("503").length - 1, 1, stderr)
      assert.include(stderr, "Watching; the last hour had 1 cause")
      assert.strictEqual(JSON.parse(stdout).title, "The moon is late")
    })
  )

  it.effect.each([
    { status: 401, expected: 3 },
    { status: 503, expected: 7 }
  ])("ends with $expected where the first read and all later ones fail with $status", ({ expected, status }) =>
    Effect.gen(function* () {
      const { exitCode } = yield* watchingIn({ status }, "--for", "20s")
      assert.strictEqual(yield* exitCode, expected)
    })
  )

  it.effect.each([
    { status: 401, expected: 3, isFinal: true },
    { status: 403, expected: 3, isFinal: true },
    { status: 422, expected: 5, isFinal: true },
    { status: 404, expected: 4, isFinal: false },
    { status: 503, expected: 7, isFinal: false }
  ])("ends with $expected for status $status, and at once where that is final", ({ expected, isFinal, status }) =>
    Effect.gen(function* () {
      const { broken, exitCode, printed } = yield* watching("--for", "20s")
      broken.status = status
      assert.strictEqual(yield* exitCode, expected)
      assert.strictEqual(printed().stderr.includes("Still watching"), !isFinal)
    })
  )

  it.effect("prints nothing about a cause that was silenced", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const { events, exitCode, port, printed } = yield* watchingIn(
        { environment: { XDG_STATE_HOME: folder } },
        "--for",
        "12s"
      )
      mkdirSync(join(folder, "signalbox"))
      const silence = { _tag: "Silenced", cause: "phone-missing/sms", until: start + 3_600_000 } as const
      const path = join(folder, "signalbox", `causes-127.0.0.1_${port}.json`)
      writeFileSync(path, JSON.stringify(knownCausesJson(changed(noKnownCauses, silence))))
      for (let index = 2; index < 12; index += 1)
        events.push(failed(index, "Subscriber does not have a phone number", 1))
      events.push(failed(20, "The moon is late", 1))
      assert.strictEqual(yield* exitCode, 0)
      assert.deepStrictEqual(
        printed()
          .stdout.trim()
          .split("\n")
          .map((line) => JSON.parse(line).title),
        ["The moon is late"]
      )
    })
  )

  it.effect.each([
    { name: "json", args: [], options: {} },
    {
      name: "csv",
      args: ["--csv", "--fields", "time,alert,title,count,before,periodSeconds,owner,group"],
      options: {}
    },
    { name: "terminal", args: ["--notify"], options: { columns: 100 } },
    { name: "table", args: ["--quiet", "--table", "--notify", "--exit-on", "ended"], options: {} },
    { name: "doubled", args: ["--exit-on", "doubled"], options: {} }
  ])("prints news until its time: $name", ({ args, name, options }) =>
    Effect.gen(function* () {
      const { events, polled, polledUntilEnd, port, printed } = yield* watchingIn(options, "--for", "32m", ...args)
      events.push(failed(2, "The moon is late", 1))
      yield* polled
      for (let id = 3; id < 63; id += 1) events.push(failed(id, "Subscriber does not have a phone number", 6))
      const code = yield* polledUntilEnd
      const { stderr, stdout } = printed()
      const text = `${stdout}stderr:\n${stderr}exit code ${code}\n`
        .replaceAll(`:${port}`, ":4010")
        .replaceAll("\u001B", "␛")
        .replaceAll("\u0007", "␇")
      yield* Effect.promise(() => expect(text).toMatchFileSnapshot(`../../../test/golden/watch/${name}.txt`))
    })
  )
})
