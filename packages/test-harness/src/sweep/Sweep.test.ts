import { assert, describe, expect, it } from "@effect/vitest"
import { defineOperation } from "@signalbox/core/DeclaredOperation"
import { strictEqual } from "node:assert/strict"
import { createFake, type Fake, Fault, readToken, reproductionToken } from "../index.ts"
import { listen } from "../server.ts"
import { runTest, sweep } from "./Sweep.ts"
import { SweepFailed } from "./SweepReport.ts"

const savedSetTimeout = setTimeout

const prepare = (fake: Fake): void => {
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
}

/** Sends one request, and waits after a lost one; returns whether it succeeded. */
const send = async (fake: Fake, method: string, path: string, body: unknown): Promise<boolean> => {
  try {
    const response = await fake.fetch(fake.baseUrl + path, {
      method,
      headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000)
    })
    await response.json()
    return response.ok
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    return false
  }
}

const upsert = async (fake: Fake, attempts: number): Promise<boolean> => {
  const body = { providerId: "fcm", credentials: { deviceTokens: ["t"] } }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await send(fake, "PATCH", "/v1/subscribers/ana/credentials", body)) return true
  }
  return false
}

const tokensAdded = (fake: Fake): number => fake.journal.entries().filter(({ applied }) => applied).length

const failureOf = async (sweeping: Promise<unknown>): Promise<SweepFailed> => {
  const error: unknown = await sweeping.catch((thrown: unknown) => thrown)
  assert.instanceOf(error, SweepFailed)
  return error as SweepFailed
}

describe("sweep", () => {
  it("finds a careless append of a declared operation, and no fault in a client that makes one request", async () => {
    const addMember = defineOperation({
      name: "topics.addMember",
      method: "POST",
      path: "/v1/topics/:topicKey/members"
    })
    const program = (attempts: number) => async (fake: Fake) => {
      fake.route<unknown, unknown, number>(addMember, ({ state = 0 }) => ({
        body: { members: state + 1 },
        state: state + 1
      }))
      const path = "/v1/topics/news/members"
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        if (await send(fake, "POST", path, { subscriberId: "ana" })) break
      }
      assert.isAtMost(tokensAdded(fake), 1, "the member was added twice")
    }
    const { report } = await failureOf(sweep(program(3)))
    assert.include(report.text, "reset at committed")
    assert.isTrue(report.failures.every(({ fault }) => fault.point === "committed" || fault.point === "answering"))
    const { failures } = await sweep(program(1))
    assert.lengthOf(failures, 0)
  })

  it("finds the faults that a careless client does not survive, and reproduces each from its token", async () => {
    const retriesWrites = async (fake: Fake) => {
      prepare(fake)
      await upsert(fake, 3)
      if (tokensAdded(fake) > 1) throw new Error("device tokens were added twice")
    }
    const { message, report } = await failureOf(sweep(retriesWrites))
    assert.include(message, "first: reset at committed, request 1: device tokens were added twice")
    await expect(`${message}\n`).toMatchFileSnapshot("./failed.txt")
    assert.isTrue(report.failures.every(({ fault }) => fault.point === "committed" || fault.point === "answering"))
    const [first] = report.failures
    const again = await failureOf(sweep(retriesWrites, { reproduce: first?.token ?? "" }))
    assert.lengthOf(again.report.cells, 1)
    assert.strictEqual((again.cause as Error).message, "device tokens were added twice")
    await sweep(async (fake) => {
      prepare(fake)
      await upsert(fake, 1)
      assert.isAtMost(tokensAdded(fake), 1)
    })
  })

  it("faults every request of the test until none is left, on virtual time", async () => {
    const points = ["received", "validated", "committed", "answering"] as const
    const report = await sweep(
      async (fake) => {
        prepare(fake)
        await upsert(fake, 10)
      },
      { faults: points.flatMap((at) => [Fault.status(503, { at }), Fault.hang({ at })]) }
    )
    const names = points.flatMap((point) => [`status 503 at ${point}`, `hang at ${point}`])
    const width = Math.max(...names.map(({ length }) => length))
    assert.strictEqual(
      report.text,
      [`${"".padEnd(width)}  1`, ...names.map((name) => `${name.padEnd(width)}  .`)].join("\n")
    )
  })

  it("repeats intervals until they are cleared", async () => {
    const { run } = await runTest(async () => {
      const start = Date.now()
      const times: Array<number> = []
      await new Promise<void>((resolve) => {
        const interval = setInterval(() => {
          times.push(Date.now() - start)
          if (times.length < 3) return
          clearInterval(interval)
          resolve()
        }, 20_000)
      })
      await new Promise((resolve) => setTimeout(resolve, 60_000))
      return times
    }, {})
    assert.deepInclude(run, { _tag: "Returned", value: [20_000, 40_000, 60_000] })
  })

  it("lets no time pass while the test has turns of the event loop to run", async () => {
    const { run } = await runTest(async () => {
      const before = Date.now()
      setTimeout(() => {}, 60_000)
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      return Date.now() - before
    }, {})
    assert.deepInclude(run, { _tag: "Returned", value: 0 })
  })

  it.each<readonly [string, (fake: Fake) => unknown, object, string]>([
    ["sends no request", () => {}, {}, "sweep: the test sent no request to its fake"],
    ["uses another fake", () => upsert(createFake(), 1), {}, "sweep: the test sent no request to its fake"],
    ["has no faults", (fake) => upsert(fake, 1), { faults: [] }, "sweep.faults: must have at least one fault"],
    [
      "has faults for other operations only",
      (fake) => upsert(fake, 1),
      { faults: [Fault.reset({ operation: "messages.markAs" })] },
      "sweep.faults: none of them can happen to a request of the test"
    ],
    ["is no function", undefined as never, {}, "the test must be a function"]
  ])("is an error where the test %s, because it would show nothing", async (_, test, options, message) => {
    const error: unknown = await sweep(test, options).catch((thrown: unknown) => thrown)
    assert.instanceOf(error, RangeError)
    assert.include((error as Error).message, message)
  })

  it("shows the values of an assertion that fails without a fault", async () => {
    const error: unknown = await sweep(() => strictEqual(1, 2)).catch((thrown: unknown) => thrown)
    assert.include(
      (error as Error).message,
      "sweep: the test does not pass without a fault: Expected values to be strictly equal:\n\n1 !== 2"
    )
  })

  it("counts faults only if a request of the test met them", async () => {
    const failing = async (fake: Fake) => {
      prepare(fake)
      assert.isTrue(await upsert(fake, 1))
    }
    const faults = [Fault.reset({ operation: "credentials.upsert" }), Fault.reset({ operation: "events.list" })]
    const { message } = await failureOf(sweep(failing, { faults }))
    assert.match(message, /^the test does not pass with 1 of 1 faults$/mu)
  })

  it("reports a test that never finishes", async () => {
    const noTimeout = async (fake: Fake) => {
      await fake
        .fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
        .catch(() => {})
    }
    const { message, report } = await failureOf(sweep(noTimeout))
    assert.include(message, "hang at received, request 1: the test never finished")
    assert.deepStrictEqual(new Set(report.failures.map(({ outcome }) => outcome)), new Set(["hung"]))
  })

  it("reports a request that the test does not await, without a fault and in what it does after one", async () => {
    const forgotten = (fake: Fake) => {
      prepare(fake)
      void upsert(fake, 1)
    }
    const error: unknown = await sweep(forgotten).catch((thrown: unknown) => thrown)
    assert.match(
      (error as Error).message,
      /^sweep: .* without a fault: the test ended before the responses to 1 of its requests: await every call\n/u
    )
    const retriesInBackground = async (fake: Fake) => {
      prepare(fake)
      if (!(await upsert(fake, 1))) void upsert(fake, 1)
    }
    const { report } = await failureOf(sweep(retriesInBackground, { faults: [Fault.status(503)] }))
    assert.include(report.failures.map(({ error: failure }) => String(failure)).join(), "await every call")
  })

  it("does not start with a test that fails anyway", async () => {
    const error: unknown = await sweep(() => Promise.reject(new Error("broken"))).catch((thrown: unknown) => thrown)
    const [reason] = (error as Error).message.split("\n")
    assert.strictEqual(reason, "sweep: the test does not pass without a fault: broken")
    assert.strictEqual(((error as Error).cause as Error).message, "broken")
  })
})

describe("a failing sweep", () => {
  const failureOn = async (test: (fake: Fake) => Promise<unknown>): Promise<string> => {
    const error: unknown = await sweep(test).catch((thrown: unknown) => thrown)
    return (error as Error).message
  }

  it("reports that the test never finishes, and its requests", async () => {
    const message = await failureOn(async (fake) => {
      await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
      await new Promise(() => {})
    })
    const [reason, , ...timeline] = message.split("\n")
    assert.strictEqual(reason, "sweep: the test does not pass without a fault: the test never finished")
    assert.match(timeline.join("\n"), /#1 +events\.list, attempt 1/u)
  })

  it("names the real timer that the test waits on", async () => {
    const message = await failureOn(() => new Promise((resolve) => savedSetTimeout(resolve, 5_000)))
    assert.match(
      message,
      /^sweep: .* a fault: the code under test waits on a real timer of 5000 ms, started at .*Sweep\.test\.ts:\d+:\d+/u
    )
  })
})

describe("a reproduction token", () => {
  it("fixes the options of an environment", () => {
    const options = { seed: 9, preset: "adversarial", faults: [Fault.reset({ at: "committed", key: "clé" })] } as const
    assert.deepStrictEqual(readToken(reproductionToken(options)), JSON.parse(JSON.stringify(options)))
    assert.strictEqual(createFake(readToken(reproductionToken(options))).faults.armed().length, 1)
  })

  it("of an environment names the nearest preset, and the switches that differ from it", () => {
    const optionsOf = (...[options]: Parameters<typeof createFake>) => readToken(createFake(options).token())
    const switches = { "auth.missingKey": "403" } as const
    assert.deepInclude(optionsOf(), { switches: {} })
    assert.notProperty(optionsOf({ switches }), "preset")
    assert.deepInclude(optionsOf({ switches }), { switches })
    assert.deepInclude(optionsOf({ preset: "observed", switches }), { preset: "observed", switches })
    assert.deepInclude(optionsOf({ preset: "adversarial" }), { preset: "adversarial", switches: {} })
  })

  it("comes from an environment too, and fixes the same on every surface", async () => {
    const fake = createFake({ seed: 3, clock: "2026-03-01T00:00:00Z", faults: [Fault.status(418, { request: 1 })] })
    fake.setSwitches({ "auth.missingKey": "403" })
    fake.setRateLimit({ requests: 2, windowMs: 1_000 })
    const token = fake.token()
    await using server = await listen(createFake({ data: "empty" }))
    const created = await fetch(`${server.url}/_fake/environments`, {
      method: "POST",
      body: JSON.stringify({ reproduce: token })
    })
    const { apiKey } = (await created.json()) as { readonly apiKey: string }
    const headers = { authorization: `ApiKey ${apiKey}` }
    const again = await (await fetch(`${server.url}/_fake/token`, { headers })).json()
    assert.deepStrictEqual(again, { token })
    assert.strictEqual((await fetch(`${server.url}/v1/notifications`, { headers })).status, 418)
    const copy = createFake(readToken(token))
    assert.strictEqual(copy.token(), token)
    assert.deepStrictEqual(copy.switches, fake.switches)
    assert.strictEqual(copy.now(), Date.parse("2026-03-01T00:00:00Z"))
  })

  it("is rejected if it is not one", () => {
    for (const token of ["", "sb1.", "sb1.!!", "sb2.e30"]) assert.throws(() => readToken(token), RangeError)
    assert.throws(() => readToken(`sb1.${btoa('{"sed":1}')}`), /reproduction token.sed: unknown option/u)
  })
})
