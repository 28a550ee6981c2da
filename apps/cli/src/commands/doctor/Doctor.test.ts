import { createServer } from "node:http"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import { run, serveFake, type ServedFake } from "../../../test/CommandLineTest.ts"
import * as Checks from "./Checks.ts"

let served: ServedFake

beforeEach(async () => {
  served = await serveFake({ events: 120 })
})

afterEach(() => served.close())

const resultsOf = (stdout: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ check, result }) => [check, result])
  )

const doctor = (environment: Readonly<Record<string, string>> = served.environment) => run(["doctor"], { environment })

describe("doctor", () => {
  it.live("finds nothing wrong with the fake, and writes nothing", () =>
    Effect.gen(function* () {
      const { exitCode, stdout } = yield* doctor()
      const { clock, tls, ...others } = resultsOf(stdout)
      // The fake's clock is that of the goldens.
      assert.deepStrictEqual([exitCode, clock, tls], [0, "warning", "skipped"])
      for (const [check, result] of Object.entries(others)) assert.strictEqual(result, "ok", check)
      for (const { method } of served.fake.journal.entries()) assert.strictEqual(method, "GET")
    })
  )

  it.live("finds drift, by place and count, without values", () =>
    Effect.gen(function* () {
      served.fake.faults.add(Fault.drift({ kind: "unknown-enum-value", times: "always" }))
      const { exitCode, stdout } = yield* doctor()
      const difference = stdout.split("\n").find((line) => line.includes('"difference"')) ?? ""
      assert.strictEqual(exitCode, 0)
      assert.deepInclude(resultsOf(stdout), { drift: "warning" })
      assert.include(difference, '"result":"warning"')
      assert.match(difference, /\d+ × unknown-enum-value data\[\]/u)
    })
  )

  it.live("skips what an empty environment cannot show", () =>
    Effect.gen(function* () {
      const empty = yield* Effect.promise(() => serveFake({ data: "empty" }))
      const { exitCode, stdout } = yield* doctor(empty.environment)
      yield* Effect.promise(() => empty.close())
      assert.strictEqual(exitCode, 0)
      assert.deepInclude(resultsOf(stdout), { key: "ok", envelope: "ok", paging: "skipped", drift: "skipped" })
    })
  )

  it.live("exits with the code of the failure, and reports what was not checked", () =>
    Effect.gen(function* () {
      const wrong = yield* doctor({ ...served.environment, SIGNALBOX_API_KEY: "sk-wrong-5f2d" })
      assert.strictEqual(wrong.exitCode, 3)
      assert.deepInclude(resultsOf(wrong.stdout), { key: "failed", drift: "skipped" })
      assert.notInclude(wrong.stdout, "sk-wrong-5f2d")
      const page = createServer((_request, response) => response.end("<html></html>"))
      yield* Effect.promise(() => new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve)))
      const address = page.address()
      assert(typeof address === "object" && address !== null)
      const other = yield* doctor({ ...served.environment, SIGNALBOX_BASE_URL: `http://127.0.0.1:${address.port}` })
      page.close()
      assert.notStrictEqual(other.exitCode, 0)
      assert.include(other.stdout, '"failed"')
    })
  )
})

describe("checks", () => {
  const now = Date.parse("2026-11-21T12:00:00Z")
  const tls = { protocol: "TLSv1.3", authorized: true, problem: "", expiresAt: now + 90 * 86_400_000 }

  it("warn of plain HTTP, but not on this machine", () => {
    assert.strictEqual(Checks.checkAddress("https://api.example.com").result, "ok")
    assert.strictEqual(Checks.checkAddress("http://127.0.0.1:4010").result, "ok")
    assert.strictEqual(Checks.checkAddress("http://api.example.com").result, "warning")
  })

  it("judge certificates", () => {
    assert.strictEqual(Checks.checkTls(tls, now).result, "ok")
    assert.strictEqual(Checks.checkTls({ ...tls, expiresAt: now + 86_400_000 }, now).result, "warning")
    assert.strictEqual(Checks.checkTls({ ...tls, authorized: false, problem: "SELF_SIGNED" }, now).result, "failed")
  })

  it("judge proxies, clocks, envelopes and latency", () => {
    const url = "https://api.example.com"
    assert.strictEqual(Checks.checkProxy({ HTTPS_PROXY: "http://proxy" }, {}, url).result, "warning")
    assert.strictEqual(
      Checks.checkProxy({ HTTPS_PROXY: "http://proxy", NODE_USE_ENV_PROXY: "1" }, {}, url).result,
      "ok"
    )
    assert.strictEqual(Checks.checkClock("Sat, 21 Nov 2026 12:00:00 GMT", now).result, "ok")
    assert.strictEqual(Checks.checkClock("Sat, 21 Nov 2026 12:01:00 GMT", now).result, "warning")
    assert.strictEqual(Checks.checkClock(undefined, now).result, "skipped")
    assert.strictEqual(Checks.checkEnvelope("<html>").result, "failed")
    assert.strictEqual(Checks.checkEnvelope('{"data":[]}').result, "warning")
    assert.strictEqual(
      Checks.checkEnvelope('{"data":[],"hasMore":null,"page":0,"pageSize":"10"}').evidence,
      "hasMore is null, not a boolean, pageSize is a string, not a number"
    )
    assert.strictEqual(Checks.checkLatency([10, 20, 5000]).result, "ok")
    assert.strictEqual(Checks.checkLatency([2000]).result, "warning")
  })

  it("judge paging", () => {
    const event = (id: number) => ({
      _id: String(id),
      _environmentId: "e",
      _organizationId: "o",
      _subscriberId: "s",
      transactionId: "t",
      createdAt: new Date(now - id * 1000).toISOString()
    })
    assert.strictEqual(Checks.checkPaging([event(1), event(2)], [event(3)], 2).result, "ok")
    assert.include(Checks.checkPaging([event(1)], [event(1)], 1).evidence, "the page number may be ignored")
    assert.include(
      Checks.checkPaging([event(1), event(2)], [event(2), event(3)], 2).evidence,
      "new events may have arrived"
    )
    assert.strictEqual(Checks.checkPaging([event(2)], [event(1)], 2).result, "warning")
    assert.strictEqual(Checks.checkPaging([event(1), event(2)], [], 1).result, "warning")
    assert.strictEqual(Checks.checkPaging([event(1)], [], 2).result, "skipped")
  })
})
