import { assert, describe, expect, it, vi } from "@effect/vitest"
import { setTimeout as sleep } from "node:timers/promises"
import { createFake, Fault, readToken } from "../index.ts"
import { writeToken } from "../environment/ReproductionToken.ts"
import { virtualStart } from "../time/VirtualTime.ts"
import type { CallResult } from "./CallResult.ts"
import { checkClient, type CheckOptions, checkWith } from "./CheckClient.ts"
import { type CheckedCall, requestOf, tokensOf } from "./CheckedCall.ts"
import { CheckFailed, CheckReport } from "./CheckReport.ts"
import { type CheckRuleName, checkRuleNames } from "./CheckRules.ts"
import { runInProcess, type RunProgram } from "./CheckRun.ts"
import type { CallToMake, CheckedService, CheckTarget, MakeClient } from "./CheckTarget.ts"

const savedSetTimeout = setTimeout

type Fetch = typeof globalThis.fetch

const reported = async (check: Promise<CheckReport>): Promise<CheckReport> => {
  try {
    return await check
  } catch (error) {
    if (error instanceof CheckFailed) return error.report
    throw error
  }
}

/** The report of a check, whether the client passed or not. */
const reportOf = (target: CheckTarget, options: CheckOptions): Promise<CheckReport> =>
  reported(checkClient(target, options))

const rulesOf = ({ findings }: CheckReport): ReadonlyArray<CheckRuleName> => findings.map(({ rule }) => rule)

const wait = (millis: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, millis))

/** Sends one request, and reports what a careful client would. */
const once = async (
  { apiKey, baseUrl, fetch }: CheckedService,
  call: CheckedCall,
  init: RequestInit
): Promise<CallResult> => {
  const { body, method, target } = requestOf(call)
  const response = await fetch(baseUrl + target, {
    method,
    headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
    ...init
  })
  const text = await response.text()
  if (!response.ok) return { outcome: "unknown" }
  const value = JSON.parse(text)
  const content = "data" in value && !("hasMore" in value) ? value.data : value
  const records = { "credentials.upsert": [content], "messages.markAs": content, "events.list": content.data }
  return { outcome: "ok", records: records[call.operation] }
}

/** A careful client, with a change to each of its calls. */
const careful =
  (
    change: (
      make: (init?: RequestInit) => Promise<CallResult>,
      call: CallToMake,
      service: CheckedService
    ) => Promise<CallResult>
  ): MakeClient =>
  (service) =>
  (call) => {
    const signal = AbortSignal.timeout(call.deadlineMs)
    return change((init) => once(service, call, { signal, ...init }), call, service)
  }

const withHeaders = (service: CheckedService, more: Record<string, string>): RequestInit => ({
  headers: { authorization: `ApiKey ${service.apiKey}`, "content-type": "application/json", ...more }
})

const retrying =
  (waitFor: (response: Response | undefined, attempt: number) => number, attempts = 4) =>
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(input, init).catch(() => undefined)
      if (response !== undefined && response.status < 500 && response.status !== 429) return response
      if (attempt === attempts) return response ?? Promise.reject(new Error("no response"))
      await wait(waitFor(response, attempt))
    }
  }

let keys = 0

/** A careful client that reports a fact about each of its calls. */
const reporting = (facts: Partial<CallResult>): MakeClient =>
  careful(async (make) => ({ ...(await make().catch((): CallResult => ({ outcome: "unknown" }))), ...facts }))

/** Options of the checks for rules that need them, or more programs than the others. */
const optionsFor: Readonly<Partial<Record<CheckRuleName, CheckOptions>>> = {
  "ignored-retry-after": { runs: 60 },
  "no-backoff": { runs: 60 },
  "retry-delays": { runs: 120 },
  "gave-up-early": { maxRequests: 3 },
  "continued-after-abort": { aborts: true },
  "lost-update": { concurrent: true },
  hang: { runs: 60 },
  "failed-without-fault": { runs: 60 }
}

/** A client for each rule, broken in one way. */
const broken: Readonly<Record<CheckRuleName, CheckTarget>> = {
  "effect-twice": careful(async (make) => {
    await make().catch(() => {})
    return make()
  }),
  "lost-after-ack": careful((make) => make().catch((): CallResult => ({ outcome: "ok" }))),
  "lost-update": careful((make) => make()),
  "false-success": careful((make) => make().catch((): CallResult => ({ outcome: "ok" }))),
  "false-failure": careful((make) => make().catch((): CallResult => ({ outcome: "failed" }))),
  "failed-without-fault": careful(async (make, call) =>
    call.operation === "events.list" && call.limit === 50 ? { outcome: "failed" } : make()
  ),
  "silent-loss": careful(async (make, call) => {
    const result = await make()
    return call.operation === "events.list" ? { ...result, records: result.records?.slice(1) ?? [] } : result
  }),
  "retried-non-idempotent": careful((make) => make().catch(async () => wait(200).then(() => make()))),
  "new-key-on-retry": careful((make, _call, service) => {
    const send = () => make(withHeaders(service, { "idempotency-key": `attempt-${(keys += 1)}` }))
    return send().catch(async () => wait(200).then(send))
  }),
  "shared-key": careful((make, _call, service) => make(withHeaders(service, { "idempotency-key": "always" }))),
  "ignored-retry-after": { wrapFetch: retrying(() => 200) },
  "called-after-deadline": careful(async (make, call) => {
    const result = await make().catch(() => undefined)
    if (result !== undefined) return result
    await wait(call.deadlineMs + 1_000)
    return make({ signal: null })
  }),
  "request-after-outcome": careful(async (make) => {
    setTimeout(() => void make().catch(() => {}), 5_000)
    return make()
  }),
  hang: careful((make) => make({ signal: null })),
  "retry-storm": careful(async (make) => {
    for (;;) {
      const result = await make().catch(() => undefined)
      if (result !== undefined) return result
    }
  }),
  "wrong-request": careful(async (make, _call, service) => {
    await service.fetch(`${service.baseUrl}/v1/health`).catch(() => {})
    return make()
  }),
  "leaked-secret": careful(async (make, call) => {
    console.log("sending", requestOf(call).body)
    return make()
  }),
  "false-rejection": reporting({ accepted: false }),
  "wrong-record": reporting({ records: [{ _id: "another", subscriberId: "another" }] }),
  "no-backoff": { wrapFetch: retrying(() => 0) },
  "retry-delays": { wrapFetch: retrying(() => 200) },
  "gave-up-early": careful((make) => make()),
  "continued-after-abort": careful((make) => make()),
  "left-timer": careful((make) => {
    setTimeout(() => {}, 86_400_000)
    setTimeout(() => {}, 86_400_000).unref()
    return make()
  }),
  "wrong-fact": reporting({ status: 418 }),
  "retried-rejection": careful(async (make) => {
    const result = await make()
    return result.outcome === "ok" ? result : make()
  })
}

/** A careful client that makes one call after the other. */
const inOrder: MakeClient = (service) => {
  const make = careful((send) => send())(service)
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const result = last.then(() => make(call))
    last = result.catch(() => {})
    return result
  }
}

/** A careful client that sends the device tokens of calls about one subscriber at the same time in one request. */
const joining: MakeClient = (service) => {
  const make = careful((send) => send())(service)
  const joined = new Map<string, { readonly tokens: Array<string>; readonly result: Promise<CallResult> }>()
  return async (call) => {
    if (call.operation !== "credentials.upsert" || tokensOf(call).length === 0) return make(call)
    const { subscriberId } = call
    const waiting = joined.get(subscriberId)
    if (waiting !== undefined) {
      waiting.tokens.push(...tokensOf(call))
      return waiting.result
    }
    const tokens = [...tokensOf(call)]
    const result = Promise.resolve().then(() => {
      joined.delete(subscriberId)
      return make({ ...call, credentials: { deviceTokens: tokens } })
    })
    joined.set(subscriberId, { tokens, result })
    return result
  }
}

/** A change to the device tokens of a call, if it has any. */
const withTokens =
  (change: (tokens: ReadonlyArray<string>) => ReadonlyArray<string>) =>
  (call: CallToMake): Partial<CallToMake> =>
    "credentials" in call && tokensOf(call).length > 0 ? { credentials: { deviceTokens: change(tokensOf(call)) } } : {}

describe("checkClient", () => {
  it("finds nothing wrong with clients that are careful", async () => {
    const carefully = await reportOf(
      careful((make) => make()),
      { runs: 80 }
    )
    assert.deepStrictEqual(rulesOf(carefully), [])
    assert.isAbove(carefully.outcomes.ok, 40)
    assert.isAbove(carefully.outcomes.unknown, 20)
    assert.deepStrictEqual(rulesOf(await reportOf({ wrapFetch: (fetch) => fetch }, { runs: 40 })), [])
  })

  it("finds nothing wrong with a client that waits with node:timers/promises", async () => {
    const target: CheckTarget = {
      wrapFetch: (fetch) => async (input, init) => {
        const attempts = init?.method === "GET" ? 3 : 1
        for (let attempt = 1; ; attempt += 1) {
          const response = await fetch(input, init).catch((error: unknown) => {
            if (attempt === attempts || init?.signal?.aborted === true) throw error
          })
          if (response !== undefined && (response.status < 500 || attempt === attempts)) return response
          await sleep(2_000 * attempt)
        }
      }
    }
    const report = await reportOf(target, { runs: 100 })
    assert.deepStrictEqual(rulesOf(report), [])
    assert.strictEqual(report.outcomes.none, 0)
  })

  it("names the real timer that a client waits on, and no rule", async () => {
    const waiting = careful(async (make) => {
      await new Promise((resolve) => savedSetTimeout(resolve, 5_000))
      return make()
    })
    const error: unknown = await checkClient(waiting, { runs: 1 }).catch((thrown: unknown) => thrown)
    assert.match(
      (error as Error).message,
      /waits on a real timer of 5000 ms, started at .*CheckClient\.test\.ts:\d+:\d+/u
    )
  })

  it.each<readonly [string, (call: CallToMake) => Partial<CallToMake>, RegExp]>([
    [
      "lower-cases device tokens",
      withTokens((tokens) => tokens.map((token) => token.toLowerCase())),
      /its body\.credentials\.deviceTokens/
    ],
    ["sorts device tokens", withTokens((tokens) => tokens.toSorted()), /its body\.credentials\.deviceTokens/],
    [
      "lower-cases a filter",
      (call) =>
        call.operation === "events.list" && call.transactionId !== undefined
          ? { transactionId: call.transactionId.toLowerCase() }
          : {},
      /its query lacks transactionId=/
    ],
    [
      "cuts a filter at a reserved character",
      (call) =>
        call.operation === "events.list" && call.transactionId !== undefined
          ? { transactionId: call.transactionId.replace(/[&#].*/u, "") }
          : {},
      /its query lacks transactionId=/
    ]
  ])("catches a client that %s", async (_how, change, message) => {
    const client: MakeClient = (service) => async (call) =>
      once(service, { ...call, ...change(call) } as CallToMake, {}).catch(() => ({ outcome: "unknown" }))
    const { findings } = await reportOf(client, { runs: 200 })
    assert.match(findings.find(({ rule }) => rule === "wrong-request")?.message ?? "", message)
  })

  it("catches a client that derives its idempotency key from the subscriber alone", async () => {
    const client = careful((make, call, service) =>
      make(withHeaders(service, { "idempotency-key": "subscriberId" in call ? call.subscriberId : "list" }))
    )
    assert.include(rulesOf(await reportOf(client, { runs: 60 })), "shared-key")
  })

  it("names real time where a client waits on it and the runtime does not report that", async () => {
    vi.stubGlobal("process", { ...process, versions: { bun: "1.4.5" }, getBuiltinModule: undefined })
    const waiting = careful(async (make) => {
      await new Promise((resolve) => savedSetTimeout(resolve, 20))
      return make()
    })
    const error: unknown = await checkClient(waiting, { runs: 1 }).catch((thrown: unknown) => thrown)
    vi.unstubAllGlobals()
    assert.include((error as Error).message, "waits on a real timer or socket: call the global `setTimeout`")
  })

  it.each([
    ["one after the other", inOrder],
    ["in one request", joining]
  ])("finds nothing wrong with a client that sends upserts at the same time %s", async (_how, client) => {
    assert.deepStrictEqual(rulesOf(await reportOf(client, { runs: 100, concurrent: true })), [])
  })

  it("reports several entries of one integration after upserts at the same time", async () => {
    const naive = careful((make) => make())
    const checks = Array.from({ length: 5 }, (_, seed) =>
      reportOf.bind(undefined, naive, { runs: 10, concurrent: true, seed: seed + 1 })
    )
    const messages: Array<string> = []
    for (const check of checks) messages.push(...(await check()).findings.map(({ message }) => message))
    assert.isTrue(messages.some((message) => message.includes("entries of one integration")))
    assert.isTrue(messages.some((message) => message.includes("removed its device tokens")))
  })

  it.each(checkRuleNames)("catches a client that breaks %s, with the report in reports", async (rule) => {
    const { findings, ...report } = await reportOf(broken[rule], { runs: 25, ...optionsFor[rule] })
    const own = findings.filter((finding) => finding.rule === rule)
    assert.lengthOf(own, 1)
    const { text } = new CheckReport({ ...report, findings: own })
    await expect(`${text}\n`).toMatchFileSnapshot(`./reports/${rule}.txt`)
  })

  it.each<readonly [string, (attempt: number) => number, number, RegExp | undefined]>([
    ["retries once, at once", () => 0, 2, /followed without a wait/],
    ["doubles its delays without jitter", (attempt) => 100 * 2 ** attempt, 3, /all waited 200 ms, without jitter/],
    ["draws all delays below one bound", () => 1_000 * Math.random(), 3, /second retries of \d+ calls waited at most/],
    ["draws its delays below a bound that doubles", (attempt) => 100 * 2 ** attempt * Math.random(), 3, undefined]
  ])("compares the delays of all retries of a client that %s", async (_how, delayMs, attempts, message) => {
    const { findings } = await reportOf(
      { wrapFetch: retrying((_response, attempt) => delayMs(attempt), attempts) },
      { runs: 250 }
    )
    const found = findings.find(({ rule }) => rule === "retry-delays")?.message
    if (message === undefined) assert.isUndefined(found)
    else assert.match(found ?? "", message)
  })

  it.each([
    [30, "; not evaluated: retry-delays, "],
    [150, "without jitter"]
  ])("reports that %d programs have too few retries to compare, or compares them", async (runs, message) => {
    const { text } = await reportOf({ wrapFetch: retrying(() => 100) }, { runs })
    assert.include(text, message)
  })

  it.each<readonly [string, Partial<CallResult>]>([
    ["mayHaveBeenApplied", { mayHaveBeenApplied: true }],
    ["requestId", { requestId: "another" }],
    ["idempotencyKey", { idempotencyKey: "another" }],
    ["attempts", { attempts: [] }],
    ["attempts.status", { attempts: [{ requestId: null }] }],
    ["attempts.durationMs", { attempts: [{ durationMs: 1 }] }],
    ["telemetry", { telemetry: { spans: 1, metrics: 0 } }]
  ])("catches a client that reports a wrong fact: %s of %j", async (fact, facts) => {
    const { findings } = await reportOf(reporting(facts), { runs: 60 })
    const message = findings.find(({ rule }) => rule === "wrong-fact")?.message
    assert.include(message, `(${fact})`)
  })

  it("accepts that a mark finds no message and is reported as ok", async () => {
    const reproduce = writeToken({
      data: "empty",
      clock: virtualStart,
      switches: { "mark.unknownSubscriber": "empty" },
      calls: [{ operation: "messages.markAs", subscriberId: "unknown", messageId: ["m_1"], markAs: "read" }]
    })
    assert.deepStrictEqual(
      (
        await reportOf(
          careful((make) => make()),
          { reproduce }
        )
      ).findings,
      []
    )
  })

  it("catches a client that does not notice an unknown value", async () => {
    const reproduce = writeToken({
      data: "demo",
      events: 5,
      clock: virtualStart,
      faults: [Fault.drift({ kind: "unknown-enum-value" })],
      calls: [{ operation: "events.list", limit: 5 }]
    })
    const { findings } = await reportOf(reporting({ drift: 0 }), { reproduce })
    assert.include(findings[0]?.message, "(drift)")
  })

  it("makes each call of a token once, and no other", async () => {
    const reproduce = writeToken({
      data: "demo",
      events: 5,
      clock: virtualStart,
      calls: [
        { operation: "events.list", limit: 5 },
        { operation: "events.list", limit: 4 }
      ]
    })
    const made: Array<CallToMake> = []
    const keeping = careful((make, call) => {
      made.push(call)
      return make()
    })
    assert.deepStrictEqual(rulesOf(await reportOf(keeping, { reproduce })), [])
    assert.deepStrictEqual(
      made.map((call) => "limit" in call && call.limit),
      [5, 4]
    )
  })

  it("catches a client that reads what is not JSON as an empty page", async () => {
    const reproduce = writeToken({
      data: "demo",
      events: 5,
      clock: virtualStart,
      faults: [Fault.malformedJson()],
      calls: [{ operation: "events.list", limit: 5 }]
    })
    const forgiving = careful((make) => make().catch((): CallResult => ({ outcome: "ok", ids: [] })))
    assert.deepStrictEqual(rulesOf(await reportOf(forgiving, { reproduce })), ["silent-loss"])
  })

  it.each([{ mayHaveBeenApplied: false }, { delivery: "not-sent" }] as const)(
    "catches a client that reports %j although the change was applied",
    async (claim) => {
      const claiming = careful((make) => make().catch((): CallResult => ({ outcome: "unknown", ...claim })))
      assert.include(rulesOf(await reportOf(claiming, { runs: 25 })), "false-failure")
    }
  )

  it("blames no client that gives up in the second half of its time", async () => {
    const reproduce = writeToken({
      data: "demo",
      events: 5,
      clock: virtualStart,
      faults: [Fault.status(503)],
      calls: [{ operation: "events.list", limit: 5 }]
    })
    const after = (millis: number) => careful(async (make) => (await Promise.all([make(), wait(millis)]))[0])
    const options = { maxRequests: 3, deadlineMs: 30_000, reproduce }
    assert.deepStrictEqual(rulesOf(await reportOf(after(14_999), options)), ["gave-up-early"])
    assert.deepStrictEqual(rulesOf(await reportOf(after(15_000), options)), [])
  })

  it("counts no request after which the service asked to wait as part of a storm", async () => {
    const hinted = (seconds: string, header = "retry-after", status = 503) =>
      writeToken({
        data: "demo",
        events: 5,
        clock: virtualStart,
        faults: [Fault.status(status, { headers: { [header]: seconds }, times: "always" })],
        calls: [{ operation: "events.list", limit: 5 }]
      })
    const patient: MakeClient = (service) => async (call) => {
      for (let sent = 1; ; sent += 1) {
        const response = await service.fetch(service.baseUrl + requestOf(call).target, {
          headers: { authorization: `ApiKey ${service.apiKey}` }
        })
        if (sent === 110) return { outcome: "failed" }
        const seconds = response.headers.get("retry-after") ?? response.headers.get("ratelimit-reset")
        await wait(Number(seconds) * 1_000 + 3)
      }
    }
    const found = async (reproduce: string) =>
      rulesOf(await reportOf(patient, { deadlineMs: 600_000, maxRequests: 3, reproduce }))
    assert.deepStrictEqual(await found(hinted("1")), [])
    assert.deepStrictEqual(await found(hinted("1", "ratelimit-reset", 429)), [])
    assert.deepStrictEqual(await found(hinted("0")), ["retry-storm"])
  })

  it("shrinks a finding, and reproduces it from its token in a fake and in a check", async () => {
    const target: CheckTarget = { wrapFetch: retrying(() => 3_000) }
    const { findings } = await reportOf(target, { runs: 300 })
    const finding = findings.find(({ rule }) => rule === "effect-twice")
    assert.include(finding?.message, "the client relied on its idempotency key")
    assert.lengthOf(finding?.program.calls ?? [], 1)
    assert.lengthOf(finding?.program.environment.faults ?? [], 1)
    assert.notProperty(finding?.program.environment, "preset")
    const again = await checkClient(target, { reproduce: finding?.token ?? "" }).catch((error: unknown) => error)
    assert.instanceOf(again, CheckFailed)
    assert.strictEqual((again as CheckFailed).report.findings[0]?.timeline, finding?.timeline)
    const fake = createFake(readToken(finding?.token ?? ""))
    assert.strictEqual(new Date(fake.now()).toISOString(), "2026-01-01T00:00:00.000Z")
    assert.lengthOf(fake.faults.armed(), 1)
    assert.include(finding?.curl, `ApiKey ${fake.apiKey}`)
    assert.match(finding?.curl ?? "", /^curl -i -X PATCH 'http:\/\/127\.0\.0\.1:4010\/v1\/subscribers\//u)
  })

  it("prints the finding, and neither token nor key in its timeline", async () => {
    const error: unknown = await checkClient(broken["leaked-secret"], { runs: 30 }).catch((thrown: unknown) => thrown)
    const { message } = error as CheckFailed
    assert.match(message, /^rules broken: 1 in 30 programs \(calls: \d+ ok, \d+ failed, \d+ unknown\)$/mu)
    assert.match(message, /^leaked-secret \(\d+ programs\): call 1, credentials\.upsert .*: the output shows/mu)
    assert.match(message, /^ {2}TOKEN=sb1\.[\w-]+$/mu)
    assert.notInclude(message.split("TOKEN=")[0], "check-token")
  })

  it("generates the same programs for the same seed", async () => {
    const first = await reportOf(broken["leaked-secret"], { runs: 20 })
    const second = await reportOf(broken["leaked-secret"], { runs: 20 })
    assert.deepStrictEqual(second.findings, first.findings)
  })

  it("does not start with a client that is not connected", async () => {
    const lost: MakeClient = () => () => Promise.reject(new Error("no base URL"))
    const error: unknown = await checkClient(lost).catch((thrown: unknown) => thrown)
    assert.match((error as Error).message, /^the client does not succeed without faults .*no base URL/su)
    const silent: MakeClient = () => () => {
      console.log("set BASE_URL")
      return Promise.resolve({ outcome: "failed" })
    }
    const hint: unknown = await checkClient(silent).catch((thrown: unknown) => thrown)
    assert.strictEqual((hint as Error).message.split("\n").at(-1), "set BASE_URL")
  })

  it.each([
    [{ runs: 0 }, "checkClient.runs: must be an integer, 1 or more"],
    [{ rnus: 1 } as object, "checkClient.rnus: unknown option"],
    [{ reproduce: "sb1.e30" }, "reproduction token: has no calls"]
  ])("rejects %j", async (options, message) => {
    const error: unknown = await checkClient({ wrapFetch: (fetch) => fetch }, options).catch((thrown) => thrown)
    assert.include((error as Error).message, message)
  })
})

describe("a check in real time", () => {
  const served = (run: RunProgram, runs: number): Promise<CheckReport> => {
    const limits = { runs, deadlineMs: 2_000, graceMs: 5_000, maxShrinks: 20 }
    return reported(checkWith({ ...limits, run, isServed: true, concurrency: runs, reproduce: "" }, {}))
  }

  /** Programs one at a time, on virtual time: the last one that waits runs first. */
  const lastFirst = (client: MakeClient): RunProgram => {
    const waiting: Array<() => Promise<void>> = []
    let isRunning = false
    const drain = async (): Promise<void> => {
      if (isRunning) return
      isRunning = true
      await Promise.resolve()
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next()
      isRunning = false
    }
    const run = runInProcess(client)
    return (program, options) =>
      new Promise((resolve, reject) => {
        waiting.push(() => run(program, options).then(resolve, reject))
        void drain()
      })
  }

  /** Swallows every failure, on a machine that is at times too busy for the deadline. */
  const swallowsOnBusyMachine = (isBusy: () => boolean): MakeClient =>
    careful(async (make) => {
      if (isBusy()) await wait(3_000)
      return make().catch((): CallResult => ({ outcome: "ok" }))
    })

  it("blames no client for deadlines that a busy machine let pass", async () => {
    const delayed = careful((make) => wait(3_000).then(() => make()))
    assert.deepStrictEqual(rulesOf(await served(lastFirst(delayed), 20)), [])
  })

  it("reports the same program, whichever finishes first and however busy the machine was", async () => {
    const idle = await served(lastFirst(swallowsOnBusyMachine(() => false)), 12)
    let calls = 0
    const busy = await served(lastFirst(swallowsOnBusyMachine(() => (calls += 1) % 3 === 0)), 12)
    assert.include(rulesOf(idle), "lost-after-ack")
    const programs = ({ findings }: CheckReport) => findings.map(({ program, rule }) => [rule, program])
    assert.deepStrictEqual(programs(busy).slice(0, 1), programs(idle).slice(0, 1))
  })
})
