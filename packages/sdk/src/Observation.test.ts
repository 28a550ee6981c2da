import { assert, describe, it } from "@effect/vitest"
import { canaryError, canaryKey, escapedFrom } from "@signalbox/testing/Canary"
import { inspect } from "node:util"
import { clientOn, fast, json, rejection, emptyPage } from "../test/AnsweredClient.ts"
import { vi } from "vitest"
import { type AttemptOfCall, type DriftReport, ListEventsError } from "./index.ts"

describe("a call", () => {
  it("reports attempts and drift, and a callback that throws changes nothing", async () => {
    const attempts: Array<string> = []
    const drift: Array<string> = []
    const { client } = clientOn(() => json({ ...emptyPage, extra: 1 }), {
      onAttempt: ({ operation, outcome }: { operation: string; outcome: string }) => {
        attempts.push(`${operation} ${outcome}`)
        throw new Error("of the callback")
      },
      onDrift: ({ entries }: { entries: ReadonlyArray<{ path: string }> }) => {
        drift.push(...entries.map(({ path }) => path))
        throw new Error("of the callback")
      }
    })
    await client.events.list()
    assert.deepStrictEqual(attempts, ["events.list success"])
    assert.deepStrictEqual(drift, ["extra"])
  })

  it("reports the attempt that an abort, a timeout of the caller or close() ends, and writes it to the span", async () => {
    const events: Array<string> = []
    const spanContext = () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 })
    const span = {
      spanContext,
      setAttribute: () => {},
      setStatus: () => {},
      addEvent: (name: string, facts?: object) => events.push(`${name} ${Object(facts)["signalbox.attempt.outcome"]}`),
      end: () => events.push("end")
    }
    const attempts: Array<AttemptOfCall> = []
    const { client } = clientOn(
      (_, count) => (count % 2 === 1 ? new Response(null, { status: 503 }) : new Promise(() => {})),
      { ...fast, onAttempt: (attempt) => void attempts.push(attempt), tracer: { startSpan: () => span } }
    )
    const abort = new AbortController()
    for (const signalOf of [() => abort.signal, () => AbortSignal.timeout(50), () => undefined]) {
      const signal = signalOf()
      attempts.length = events.length = 0
      const listing = client.events.list.result({}, { signal })
      await vi.waitFor(() => assert.isNotEmpty(attempts))
      if (signal === abort.signal) abort.abort()
      if (signal === undefined) await client.close()
      const { call, ok } = await listing
      assert.isFalse(ok)
      await vi.waitFor(() => assert.lengthOf(attempts, 2))
      assert.deepInclude(attempts[1], { operation: "events.list", number: 2, outcome: "Interrupted" })
      assert.deepStrictEqual(events, ["signalbox.attempt ServerFailure", "signalbox.attempt Interrupted", "end"])
      assert.deepStrictEqual(
        call.attempts.map(({ outcome }) => outcome),
        ["ServerFailure"]
      )
    }
  })

  it("has one key in all reports of its attempts, with which those of concurrent calls can be told apart", async () => {
    const keys = new Map<string, Array<number>>()
    const { client } = clientOn((_, count) => (count <= 2 ? new Response(null, { status: 503 }) : json(emptyPage)), {
      ...fast,
      onAttempt: ({ idempotencyKey = "", number }) => {
        keys.set(idempotencyKey, [...(keys.get(idempotencyKey) ?? []), number])
      }
    })
    const results = await Promise.all([client.events.list.result(), client.events.list.result()])
    assert.sameMembers(
      results.map(({ call }) => call.idempotencyKey),
      [...keys.keys()]
    )
    assert.deepStrictEqual(
      [...keys.values()],
      [
        [1, 2],
        [1, 2]
      ]
    )
  })

  it("reports the parts that it could not read without `.result`, their raw values in no log", async () => {
    const reports: Array<DriftReport> = []
    const { client } = clientOn(() => json({ ...emptyPage, data: [{ jobs: "none" }] }))
    const page = await client.events.list({}, { onDrift: (report) => reports.push(report) })
    assert.lengthOf(page.data, 0)
    const [part] = reports.flatMap(({ unreadable }) => unreadable)
    assert.strictEqual(part?.path, "data[0]")
    assert.deepStrictEqual(part?.raw, { jobs: "none" })
    assert.notInclude(JSON.stringify(reports), "none")
  })

  it("outlives callbacks that fail at once or later, and reports it in the lines for debugging", async () => {
    const unhandled: Array<unknown> = []
    const onUnhandled = (reason: unknown) => void unhandled.push(reason)
    process.on("unhandledRejection", onUnhandled)
    const lines: Array<string> = []
    const { client } = clientOn(() => json({ ...emptyPage, extra: 1 }), {
      onAttempt: () => {
        throw new Error("at once")
      },
      onDrift: async () => {
        await Promise.resolve()
        throw new Error("later")
      },
      debug: async (line) => {
        lines.push(line)
        throw new Error("of the line")
      }
    })
    await client.events.list()
    await client.close()
    // Node reports unhandled rejections after the microtasks have run.
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", onUnhandled)
    assert.deepStrictEqual(unhandled, [])
    assert.includeMembers(lines, ["warn onAttempt failed: at once", "warn onDrift failed: later"])
  })

  it("names a callback that throws something other than an error, and not what it throws", async () => {
    const lines: Array<string> = []
    const { client } = clientOn(() => json(emptyPage), {
      onAttempt: () => {
        // oxlint-disable-next-line no-throw-literal
        throw "the user's own words"
      },
      debug: (line) => void lines.push(line)
    })
    await client.events.list()
    await client.close()
    assert.include(lines, "warn onAttempt failed")
    assert.notInclude(lines.join(), "own words")
  })

  it("writes lines for debugging without any secret", async () => {
    const lines: Array<string> = []
    const { client } = clientOn(
      (_request, count) =>
        new Response("token-of-a-phone", {
          status: count === 1 ? 503 : 400,
          headers: { "x-request-id": "token=another-token-4711" }
        }),
      {
        ...fast,
        idempotency: { serviceHonoursKeys: true },
        debug: (line: string) => lines.push(line)
      }
    )
    await rejection(
      client.credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } })
    )
    assert.deepStrictEqual(
      lines.map((line) => line.split(/ in |\. /u)[0]),
      [
        "credentials.upsert attempt 1: 503 ServerFailure",
        "credentials.upsert attempt 2: 400 Rejected",
        "credentials.upsert failed after 2 attempts: 400 Bad Request"
      ]
    )
    assert.notInclude(lines.join("\n"), "token-of-a-phone")
    assert.notInclude(lines.join("\n"), "secret-key-of-the-test")
    assert.notInclude(lines.join("\n"), "another-token-4711")
  })

  it("lets no secret that the service repeats into lines for debugging, spans, errors and reports", async () => {
    const seen: Array<unknown> = []
    const keep = (...facts: ReadonlyArray<unknown>) => void seen.push(...facts)
    const spanContext = () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 })
    const span = { spanContext, setAttribute: keep, addEvent: keep, setStatus: keep, end: keep }
    const { client } = clientOn(
      () => json(canaryError, { status: 400, headers: { "x-request-id": `for-${encodeURIComponent(canaryKey)}` } }),
      {
        apiKey: canaryKey,
        debug: keep,
        onAttempt: keep,
        tracer: { startSpan: (...facts: ReadonlyArray<unknown>) => (keep(...facts), span) }
      }
    )
    seen.push(await rejection(client.events.list({ subscriberIds: ["ana"] })))
    assert.include(seen, "signalbox.attempt")
    const left = seen.map((fact) => `${inspect(fact, { depth: 9 })} ${JSON.stringify(fact)}`).join("\n")
    assert.deepStrictEqual(escapedFrom(left, ["personal", "escapes"]), [])
    await client.close()
  })

  it("is one span of the tracer, whatever the tracer does", async () => {
    const spans: Array<string> = []
    const tracer = {
      startSpan: (name: string, options?: { kind?: number }) => {
        spans.push(`${name} ${options?.kind}`)
        return {
          spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
          setAttribute: (key: string, value: unknown) => spans.push(`${key}=${value}`),
          addEvent: (event: string) => spans.push(event),
          setStatus: ({ code }: { code: number }) => spans.push(`status ${code}`),
          end: () => {
            spans.push("end")
            throw new Error("of the tracer")
          }
        }
      }
    }
    const { client, sent } = clientOn(() => new Response(null, { status: 500 }), { retry: false, tracer })
    assert.instanceOf(await rejection(client.events.list()), ListEventsError)
    assert.strictEqual(spans[0], "GET /v1/notifications 2")
    assert.include(spans, "url.template=/v1/notifications")
    assert.include(spans, "signalbox.attempt")
    assert.include(spans, "status 2")
    assert.strictEqual(spans.at(-1), "end")
    assert.isFalse(sent[0]?.headers.has("traceparent"))
  })
})
