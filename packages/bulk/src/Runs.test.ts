import { assert, describe, it } from "@effect/vitest"
import { Fault, manualClock } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { MaxOpsBeforeYield } from "effect/Scheduler"
import * as Stream from "effect/Stream"
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import {
  clientLayer,
  honoursKeys,
  linesOf,
  makeGate,
  makeService,
  tempFolder,
  tokenLines,
  tokensBySubscriber,
  write,
  writesTo
} from "../test/TestService.ts"
import { ProgressObserver } from "./run/Progress.ts"
import * as Runs from "./index.ts"

const collect = (run: string) => Stream.runCollect(Runs.report(run))

/** Lines that cannot share a request, because every other one names the integration. */
const notJoined = (lines: string): string =>
  lines.replaceAll(/"token-of-\d*[02468]"\]\}/g, (end) => `${end},"integrationIdentifier":"main"`)

const succeeded = (count: number) => ({ succeeded: count, failed: 0, unknown: 0, invalid: 0 })

describe("an import", () => {
  it.live("applies every line once and reports every line once, in order", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(300))
      const status = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(status.counts, succeeded(300))
      assert.strictEqual(status.state, "finished")
      const tokens = tokensBySubscriber(environment)
      assert.strictEqual(tokens.size, 300)
      assert.deepStrictEqual(tokens.get("user-17"), ["token-of-17"])
      const report = yield* collect(input)
      assert.deepStrictEqual(
        report,
        Array.from({ length: 300 }, (_, at) => ({ line: at + 1, outcome: "succeeded" }))
      )
    }).pipe(Effect.scoped)
  )

  it.live("stores all tokens of one subscriber on a service that loses concurrent upserts", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ preset: "observed" })
      environment.addSubscriber({ subscriberId: "user-1" })
      environment.addIntegration({ providerId: "fcm" })
      const input = write(folder, "tokens.ndjson", tokenLines(12).replaceAll(/user-\d+/g, "user-1"))
      const status = yield* Runs.startImport({ input, concurrency: 12 }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(status.counts, succeeded(12))
      assert.lengthOf(environment.state().subscribers[0]?.channels ?? [], 1)
      assert.deepStrictEqual(
        tokensBySubscriber(environment).get("user-1"),
        Array.from({ length: 12 }, (_, at) => `token-of-${at + 1}`)
      )
    }).pipe(Effect.scoped)
  )

  it.live("reports a subscriber with several entries of one integration, and how to repair it", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ preset: "observed" })
      const { id, identifier } = environment.addIntegration({ providerId: "fcm" })
      const entry = {
        providerId: "fcm",
        integrationId: id,
        integrationIdentifier: identifier,
        credentials: {}
      } as const
      environment.addSubscriber({ subscriberId: "user-1", channels: [entry, entry] })
      environment.addSubscriber({ subscriberId: "user-2", channels: [entry] })
      const input = write(folder, "tokens.ndjson", tokenLines(2))
      const status = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(status.counts, succeeded(2))
      assert.deepStrictEqual(
        (yield* collect(input)).map(({ message }) => message),
        ["several entries of one fcm integration: remove them, then store all tokens in one call", undefined]
      )
    }).pipe(Effect.scoped)
  )

  for (const [isLostAgain, message] of [
    [false, undefined],
    [true, "device tokens that the service lost although they were appended again: 1"]
  ] as const) {
    it.live(`appends a lost token again${isLostAgain ? ", and reports one that stays lost" : ""}`, () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const { environment, fetch } = makeService({ preset: "observed" })
        environment.addSubscriber({ subscriberId: "user-1" })
        environment.addIntegration({ providerId: "fcm", identifier: "main" })
        let requests = 0
        /** Another process removes the tokens before the second request, and before every later one. */
        const clear = (path: Parameters<typeof fetch>[0]) =>
          fetch(path, {
            method: "PATCH",
            headers: { authorization: `ApiKey ${environment.apiKey}`, "content-type": "application/json" },
            body: '{"providerId":"fcm","credentials":{"deviceTokens":[]}}'
          })
        const interfered: typeof fetch = async (path, init) => {
          requests++
          if (requests === 2 || (isLostAgain && requests > 2)) await clear(path)
          const response = await fetch(path, init)
          if (!isLostAgain || requests < 3) return response
          return new Response((await response.text()).replaceAll("token-of-1", "other"), response)
        }
        const input = write(folder, "tokens.ndjson", notJoined(tokenLines(2).replaceAll("user-2", "user-1")))
        const layer = clientLayer(environment.apiKey, interfered)
        const status = yield* Runs.startImport({ input, concurrency: 1 }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(status.counts, succeeded(2))
        assert.strictEqual(requests, isLostAgain ? 4 : 3)
        assert.sameMembers([...(tokensBySubscriber(environment).get("user-1") ?? [])], ["token-of-1", "token-of-2"])
        const [, last] = yield* collect(input)
        if (message === undefined) assert.deepStrictEqual(last, { line: 2, outcome: "succeeded" })
        else assert.include(last?.message, message)
        assert.notInclude(last?.message ?? "", "token-of")
      }).pipe(Effect.scoped)
    )
  }

  it.live("leaves no secret in the journal or the report, and no lock", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      environment.faults.add(Fault.status(400, { times: 5, body: { message: "bad token token-of-all" } }))
      const lines = tokenLines(20).replaceAll(/token-of-\d+/g, "token-of-all")
      const input = write(folder, "tokens.ndjson", `${lines}{"token":"token-of-all"\n`)
      const { journal } = yield* Runs.startImport({ input, validate: "during" }).pipe(Effect.provide(layer))
      const written = [readFileSync(journal, "utf8"), JSON.stringify(yield* collect(input))]
      for (const text of written) {
        assert.include(text, "Rejected")
        assert.notInclude(text, "token-of")
        assert.notInclude(text, environment.apiKey)
      }
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => name.includes("lock")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("reads CSV by its header, with mapped columns and defaults", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const input = write(
        folder,
        "tokens.csv",
        'user;x,token,note\r\nuser-1,"to""ken",ignored\r\n\r\nuser-2,other,"a\nb"\r\n'
      )
      const columns = { subscriberId: "user;x", deviceTokens: "token" }
      const status = yield* Runs.startImport({ input, columns, defaults: { providerId: "fcm" } }).pipe(
        Effect.provide(layer)
      )
      assert.deepStrictEqual(status.counts, succeeded(2))
      assert.deepStrictEqual([...tokensBySubscriber(environment)].sort(), [
        ["user-1", ['to"ken']],
        ["user-2", ["other"]]
      ])
      assert.deepStrictEqual(
        (yield* collect(input)).map(({ line }) => line),
        [2, 4]
      )
    }).pipe(Effect.scoped)
  )

  it.live("never has more calls in flight than the limit, and reaches it", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch } = makeService()
      let inFlight = 0
      let maxInFlight = 0
      const reached = makeGate()
      const counting: typeof globalThis.fetch = async (request, init) => {
        inFlight++
        maxInFlight = Math.max(maxInFlight, inFlight)
        if (inFlight === 7) reached.open()
        await reached.opened
        await setImmediate()
        try {
          return await fetch(request, init)
        } finally {
          inFlight--
        }
      }
      const input = write(folder, "tokens.ndjson", tokenLines(400))
      yield* Runs.startImport({ input, concurrency: 7 }).pipe(Effect.provide(clientLayer(environment.apiKey, counting)))
      assert.strictEqual(maxInFlight, 7)
    }).pipe(Effect.scoped)
  )

  it.live("reports progress up to the last line", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(50))
      const seen: Array<string> = []
      yield* Runs.startImport({ input }).pipe(
        Effect.provideService(ProgressObserver, ({ counts, total }) => seen.push(`${counts.succeeded}/${total}`)),
        Effect.provide(layer)
      )
      assert.strictEqual(seen.at(-1), "50/50")
    }).pipe(Effect.scoped)
  )

  it.live("rejects a file with invalid lines before anything is sent", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const bad = '{"subscriberId":"u","providerId":"fcm","credentials":{"deviceTokens":["a",7]}}'
      const useless = [
        '{"subscriberId":"u","providerId":"fcm","credentials":{"deviceTokens":["a b"]}}',
        '{"subscriberId":"u","providerId":"slack","credentials":{"webhookUrl":"w"}}',
        '{"subscriberId":"u","providerId":"slack","credentials":{"deviceTokens":["a"]}}'
      ].join("\n")
      const content = `${tokenLines(2)}${bad}\nnot json\n\n[]\nnull\n${useless}\n`
      const input = write(folder, "tokens.ndjson", content)
      const error = yield* Effect.flip(Runs.startImport({ input }).pipe(Effect.provide(layer)))
      if (error._tag !== "InvalidInput") return assert.fail(error._tag)
      assert.strictEqual(error.invalidLines, 7)
      assert.deepStrictEqual(error.issues, [
        { line: 3, column: 75, path: "credentials.deviceTokens[1]", rule: "Expected string" },
        { line: 4, column: 1, path: "", rule: "Expected JSON" },
        { line: 6, path: "", rule: "Expected a JSON object" },
        { line: 7, path: "", rule: "Expected a JSON object" },
        { line: 8, column: 70, path: "credentials.deviceTokens", rule: "Expected tokens without spaces" },
        { line: 9, column: 70, path: "credentials.webhookUrl", rule: "Expected a URL" },
        {
          line: 10,
          column: 72,
          path: "credentials.deviceTokens",
          rule: "Not a field of slack; its fields are webhookUrl"
        }
      ])
      assert.strictEqual(environment.journal.entries().length, 0)
      assert.deepStrictEqual(readdirSync(folder), ["tokens.ndjson"])
      const shares: Array<number | undefined> = []
      const observe = Effect.provideService(Runs.CheckObserver, ({ share }) => shares.push(share))
      assert.deepStrictEqual((yield* observe(Runs.checkImport({ input }))).issues, error.issues)
      assert.deepStrictEqual(shares, [1])
    }).pipe(Effect.scoped)
  )

  it.live("records an outcome for invalid lines where validation during the run was requested", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { layer } = makeService()
      const input = write(folder, "tokens.ndjson", `{"subscriberId":""}\n${tokenLines(2)}`)
      const { counts } = yield* Runs.startImport({ input, validate: "during" }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, { succeeded: 2, failed: 0, unknown: 0, invalid: 1 })
      const [first] = yield* collect(input)
      assert.strictEqual(first?.outcome, "invalid")
      assert.strictEqual(first?.column, 17)
    }).pipe(Effect.scoped)
  )
})

describe("a mark", () => {
  it.live("marks the messages of each line", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      environment.addSubscriber({ subscriberId: "ada" })
      const ids = [1, 2, 3].map(() => environment.addMessage({ subscriberId: "ada", channel: "in_app" }).id)
      const input = write(folder, "messages.csv", `subscriberId,messageId\n${ids.map((id) => `ada,${id}\n`).join("")}`)
      const { counts } = yield* Runs.startMark({ input, defaults: { markAs: "read" } }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, succeeded(3))
    }).pipe(Effect.scoped)
  )

  it.live("is unknown where the response leaves out what was in the requested state before", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ switches: { "mark.unchanged": "omitted" } })
      environment.addSubscriber({ subscriberId: "ada" })
      const { id } = environment.addMessage({ subscriberId: "ada", channel: "in_app", read: true })
      const input = write(folder, "messages.ndjson", `${JSON.stringify({ subscriberId: "ada", messageId: id })}\n`)
      const { counts } = yield* Runs.startMark({ input, defaults: { markAs: "read" } }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, { succeeded: 0, failed: 0, unknown: 1, invalid: 0 })
    }).pipe(Effect.scoped)
  )

  it.live.each(["missing-field", "null"] as const)(
    "is unknown where the response has a record that cannot be assigned to a message: %s",
    (kind) =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const { environment, layer } = makeService()
        environment.addSubscriber({ subscriberId: "ada" })
        const { id } = environment.addMessage({ subscriberId: "ada", channel: "in_app" })
        environment.faults.add(Fault.drift({ kind, field: "_id", times: 1 }))
        const input = write(folder, "messages.ndjson", `${JSON.stringify({ subscriberId: "ada", messageId: id })}\n`)
        const { counts } = yield* Runs.startMark({ input, defaults: { markAs: "read" } }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(counts, { succeeded: 0, failed: 0, unknown: 1, invalid: 0 })
      }).pipe(Effect.scoped)
  )

  it.live(
    "is unknown where the service may not have found a message, and is sent with a new key when it is retried",
    () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const { environment, layer } = makeService({ switches: honoursKeys })
        environment.addSubscriber({ subscriberId: "ada" })
        const { id } = environment.addMessage({ subscriberId: "ada", channel: "in_app" })
        const unknown = "65f0a1b2c3d4e5f6a7b8c9d0"
        const lines = [id, unknown, [id, unknown]].map((messageId) =>
          JSON.stringify({ subscriberId: "ada", messageId })
        )
        const input = write(folder, "messages.ndjson", `${lines.join("\n")}\n`)
        const { counts } = yield* Runs.startMark({ input, defaults: { markAs: "read" } }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(counts, { succeeded: 1, failed: 0, unknown: 2, invalid: 0 })
        const [, alone, among] = yield* collect(input)
        assert.deepStrictEqual(alone, {
          line: 2,
          outcome: "unknown",
          reason: "NotReturned",
          message: "messages that are not in the response: 1 of 1; they may not exist, or were marked before"
        })
        assert.match(among?.message ?? "", /^messages that are not in the response: 1 of 2;/u)
        environment.addMessage({ id: unknown, subscriberId: "ada", channel: "in_app" })
        const again = yield* Runs.retryFailed(input).pipe(Effect.provide(layer))
        assert.deepStrictEqual(again.counts, succeeded(3))
      }).pipe(Effect.scoped)
  )
})

describe("a run that does not go well", () => {
  it.live("reports that a line may have been applied twice, also after a later pass", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      environment.addSubscriber({ subscriberId: "ada" })
      const { id } = environment.addMessage({ subscriberId: "ada", channel: "in_app" })
      const input = write(folder, "messages.csv", `subscriberId,messageId\nada,${id}\n`)
      environment.faults.add(Fault.status(500, { at: "committed", times: 3 }))
      const first = yield* Runs.startMark({ input, defaults: { markAs: "read" } }).pipe(Effect.provide(layer))
      assert.deepStrictEqual([first.counts.unknown, first.maybeTwice], [1, 1])
      environment.faults.add(Fault.status(400, { at: "received", times: 1 }))
      const second = yield* Runs.retryFailed(input).pipe(Effect.provide(layer))
      assert.strictEqual(second.maybeTwice, 1)
      const [line] = yield* collect(input)
      assert.strictEqual(line?.mayHaveBeenAppliedTwice, true)
    }).pipe(Effect.scoped)
  )

  it.live("is stopped by a rejected API key without spending a line, and continues when resumed", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(40))
      const error = yield* Effect.flip(
        Runs.startImport({ input }).pipe(Effect.provide(clientLayer("another-key", fetch)))
      )
      assert.strictEqual(error._tag, "RunStopped")
      const stopped = yield* Runs.status(input)
      assert.deepStrictEqual([stopped.state, stopped.inDoubt, stopped.counts], ["stopped", 0, succeeded(0)])
      const { counts } = yield* Runs.resume(input).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, succeeded(40))
      assert.isTrue([...tokensBySubscriber(environment).values()].every((tokens) => tokens.length === 1))
    }).pipe(Effect.scoped)
  )

  it.live("waits while the service refuses for load or is down, and fails no line", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      environment.faults.add(Fault.status(429, { times: 30, headers: { "retry-after": "0" } }))
      environment.faults.add(Fault.refuse({ times: 6 }))
      const input = write(folder, "tokens.ndjson", tokenLines(60))
      const { counts, maybeTwice } = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, succeeded(60))
      assert.strictEqual(maybeTwice, 0)
      assert.isTrue([...tokensBySubscriber(environment).values()].every((tokens) => tokens.length === 1))
    }).pipe(Effect.scoped)
  )

  it.live("does failed lines again, with other keys, and only those", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ switches: { ...honoursKeys, "idempotency.errors": "cached" } })
      environment.faults.add(Fault.status(422, { times: 4, body: { message: "no" } }))
      const input = write(folder, "tokens.ndjson", tokenLines(30))
      const first = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(first.counts, { succeeded: 26, failed: 4, unknown: 0, invalid: 0 })
      const sent = writesTo(environment).length
      const second = yield* Runs.retryFailed(input).pipe(Effect.provide(layer))
      assert.deepStrictEqual(second.counts, succeeded(30))
      assert.strictEqual(writesTo(environment).length, sent + 4)
      assert.deepStrictEqual(
        yield* collect(input),
        Array.from({ length: 30 }, (_, at) => ({ line: at + 1, outcome: "succeeded" }))
      )
      const keys = writesTo(environment).map(({ idempotencyKey }) => idempotencyKey)
      assert.strictEqual(new Set(keys).size, 34)
    }).pipe(Effect.scoped)
  )

  it.live(
    "reports device tokens that may have been appended as unknown, and sends them again only if configured to",
    () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const { environment, layer } = makeService()
        environment.faults.add(Fault.reset({ at: "committed", times: 2 }))
        const input = write(folder, "tokens.ndjson", tokenLines(10))
        const first = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(first.counts, { succeeded: 8, failed: 0, unknown: 2, invalid: 0 })
        const again = yield* Runs.retryFailed(input).pipe(Effect.provide(layer))
        assert.deepStrictEqual(again.counts, first.counts)
        const forced = yield* Runs.retryFailed(input, { atLeastOnce: true }).pipe(Effect.provide(layer))
        assert.deepStrictEqual([forced.counts, forced.maybeTwice], [succeeded(10), 2])
        assert.strictEqual((yield* collect(input)).filter((line) => line.mayHaveBeenAppliedTwice).length, 2)
      }).pipe(Effect.scoped)
  )

  it.live("sends again without doubt where the service honours keys", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ switches: honoursKeys })
      environment.faults.add(Fault.reset({ at: "committed", times: 3 }))
      const input = write(folder, "tokens.ndjson", tokenLines(10))
      const { counts, maybeTwice } = yield* Runs.startImport({ input, serviceHonoursKeys: true }).pipe(
        Effect.provide(layer)
      )
      assert.deepStrictEqual([counts, maybeTwice], [succeeded(10), 0])
      assert.isTrue([...tokensBySubscriber(environment).values()].every((tokens) => tokens.length === 1))
    }).pipe(Effect.scoped)
  )

  it.live("lets the lines in flight finish when it is interrupted", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch, layer } = makeService()
      const underWay = makeGate()
      const release = makeGate()
      let calls = 0
      const held: typeof globalThis.fetch = async (request, init) => {
        if (++calls === 4) underWay.open()
        await release.opened
        return fetch(request, init)
      }
      const input = write(folder, "tokens.ndjson", tokenLines(30))
      const fiber = yield* Effect.forkChild(
        Runs.startImport({ input }).pipe(Effect.provide(clientLayer(environment.apiKey, held)))
      )
      yield* Effect.promise(() => underWay.opened)
      const interruption = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
      release.open()
      yield* Fiber.join(interruption)
      const stopped = yield* Runs.status(input)
      assert.deepStrictEqual([stopped.state, stopped.inDoubt, stopped.counts], ["stopped", 0, succeeded(calls)])
      assert.isBelow(calls, 30)
      const { counts } = yield* Runs.resume(input).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, succeeded(30))
      assert.strictEqual(writesTo(environment).length, 30)
    }).pipe(Effect.scoped)
  )

  it.live("claims no line that waits for another line of its subscriber", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch } = makeService()
      const underWay = makeGate()
      const release = makeGate()
      const held: typeof globalThis.fetch = async (request, init) => {
        underWay.open()
        await release.opened
        return fetch(request, init)
      }
      const input = write(folder, "tokens.ndjson", notJoined(tokenLines(40).replaceAll(/user-\d+/g, "user-1")))
      const running = yield* Effect.forkChild(
        Runs.startImport({ input }).pipe(Effect.provide(clientLayer(environment.apiKey, held)))
      )
      yield* Effect.promise(() => underWay.opened)
      assert.strictEqual((yield* Runs.status(input)).inDoubt, 1)
      release.open()
      assert.deepStrictEqual((yield* Fiber.join(running)).counts, succeeded(40))
    }).pipe(Effect.scoped)
  )

  it.live("sends as many lines at once as wanted where each line is so long that it is read alone", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch } = makeService()
      const allUnderWay = makeGate()
      let calls = 0
      const held: typeof globalThis.fetch = async (request, init) => {
        if (++calls === 8) allUnderWay.open()
        await allUnderWay.opened
        return fetch(request, init)
      }
      const input = write(folder, "tokens.ndjson", tokenLines(20).replaceAll("}}", `}}${" ".repeat(2 ** 18)}`))
      const { counts } = yield* Runs.startImport({ input, concurrency: 8 }).pipe(
        Effect.provide(clientLayer(environment.apiKey, held)),
        // Senders yield to each other so often that one takes the line that another has read.
        Effect.provideService(MaxOpsBeforeYield, 6),
        Effect.timeout("10 seconds")
      )
      assert.deepStrictEqual(counts, succeeded(20))
    }).pipe(Effect.scoped)
  )

  it.live("is cancelled while it runs, and reports the lines that were not tried", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch, layer } = makeService()
      const underWay = makeGate()
      let calls = 0
      const counted: typeof globalThis.fetch = async (request, init) => {
        if (++calls === 3) underWay.open()
        await setImmediate()
        return fetch(request, init)
      }
      const input = write(folder, "tokens.ndjson", tokenLines(20_000))
      const running = yield* Effect.forkChild(
        Runs.startImport({ input }).pipe(Effect.provide(clientLayer(environment.apiKey, counted)))
      )
      yield* Effect.promise(() => underWay.opened)
      yield* Runs.cancel(input)
      const status = yield* Fiber.join(running)
      assert.strictEqual(status.state, "cancelled")
      assert.deepStrictEqual(yield* Runs.status(input), status)
      const report = yield* collect(input)
      const sent = environment.journal.entries().length
      assert.deepStrictEqual(
        report.map(({ line, outcome }) => `${line} ${outcome}`),
        Array.from({ length: 20_000 }, (_, at) => `${at + 1} ${at < sent ? "succeeded" : "not-tried"}`)
      )
      const error = yield* Effect.flip(Runs.resume(input).pipe(Effect.provide(layer)))
      assert.strictEqual(error._tag, "RunStateError")
    }).pipe(Effect.scoped)
  )

  it.live("is not resumed with an input that has changed, or for another service", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { fetch, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(5))
      const service = "http://service.test"
      yield* Effect.flip(Runs.startImport({ input, service }).pipe(Effect.provide(clientLayer("another-key", fetch))))
      const resume = (options?: Runs.ResumeOptions) =>
        Effect.flip(Runs.resume(input, options).pipe(Effect.provide(layer)))
      assert.match(
        (yield* resume({ service: "http://staging.test" })).message,
        /was started for http:\/\/service\.test/
      )
      appendFileSync(input, "\n")
      assert.strictEqual((yield* resume())._tag, "InputChanged")
      const again = yield* Effect.flip(Runs.startImport({ input }).pipe(Effect.provide(layer)))
      assert.strictEqual(again._tag, "RunUnfinished")
      yield* Runs.cancel(input)
      yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped)
  )
})

describe("an export", () => {
  it.live("writes every event once, and continues after the last page that was recorded", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ data: "demo", events: 230 })
      const output = join(folder, "events.ndjson")
      environment.faults.add(Fault.status(400, { attempt: 1, times: 1, probability: 0.35 }))
      const first = yield* Effect.exit(Runs.startExport({ output }).pipe(Effect.provide(layer)))
      // A page that was written and not recorded.
      appendFileSync(output, '{"_id":"torn')
      environment.faults.clear()
      if (first._tag === "Failure") yield* Runs.resume(output).pipe(Effect.provide(layer))
      const status = yield* Runs.status(output)
      assert.deepStrictEqual([status.state, status.counts.succeeded], ["finished", 230])
      const ids = linesOf(output).map((line) => (JSON.parse(line) as { readonly _id: string })._id)
      assert.strictEqual(new Set(ids).size, 230)
      assert.lengthOf(ids, 230)
    }).pipe(Effect.scoped)
  )

  it.live("writes secrets only where configured to, also when it is resumed", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      for (let at = 0; at < 110; at++) {
        environment.addEvent({ subscriberId: "u_1", payload: { accessToken: `token-of-${at}`, name: "Ada" } })
      }
      for (const [name, withSecrets] of [
        ["redacted.ndjson", undefined],
        ["secrets.ndjson", true]
      ] as const) {
        const output = join(folder, name)
        environment.faults.add(Fault.status(400, { request: environment.journal.entries().length + 2 }))
        yield* Effect.flip(Runs.startExport({ output, withSecrets }).pipe(Effect.provide(layer)))
        yield* Runs.resume(output).pipe(Effect.provide(layer))
        const lines = linesOf(output)
        assert.lengthOf(lines, 110)
        assert.isTrue(lines.every((line) => line.includes("token-of-") === (withSecrets === true)))
        assert.isTrue(lines.every((line) => line.includes("Ada")))
      }
    }).pipe(Effect.scoped)
  )

  it.live("sends parameters without a check on every page, also when it is resumed", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      for (let at = 0; at < 110; at++) environment.addEvent({ subscriberId: "u_1" })
      const output = join(folder, "events.ndjson")
      const filters = { unsafe: { tenant: "eu" } }
      environment.faults.add(Fault.status(400, { request: 2 }))
      yield* Effect.exit(Runs.startExport({ output, filters }).pipe(Effect.provide(layer)))
      yield* Effect.exit(Runs.resume(output).pipe(Effect.provide(layer)))
      const queries = environment.journal.entries().map(({ query }) => query)
      // A resumed run also reads one event, to recognise its environment.
      const pages = queries.filter((query) => !query.includes("limit=1&") && !query.endsWith("limit=1"))
      assert.lengthOf(pages, 4)
      assert.deepStrictEqual(
        pages.filter((query) => !query.includes("tenant=eu")),
        []
      )
      assert.lengthOf(linesOf(output), 110)
    }).pipe(Effect.scoped)
  )

  it.live("writes no event twice when more than a page arrives within the second in which it was started", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const clock = manualClock("2026-01-01T00:00:00.500Z")
      const { environment, layer } = makeService({ clock })
      const add = (count: number) =>
        Array.from({ length: count }, () => environment.addEvent({ subscriberId: "u_1" }).id)
      const before = add(120)
      const output = join(folder, "events.ndjson")
      environment.faults.add(Fault.status(400, { request: 2 }))
      const stopped = yield* Effect.flip(Runs.startExport({ output }).pipe(Effect.provide(layer)))
      assert.strictEqual(stopped._tag, "RunStopped")
      clock.advance(400)
      add(60)
      yield* Runs.resume(output).pipe(Effect.provide(layer))
      const ids = linesOf(output).map((line) => (JSON.parse(line) as { readonly _id: string })._id)
      assert.lengthOf(new Set(ids), ids.length)
      assert.includeMembers(ids, before)
    }).pipe(Effect.scoped)
  )

  it.live("does not overwrite a file, and names a folder that does not exist", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { layer } = makeService()
      const output = write(folder, "events.ndjson", "mine")
      const error = yield* Effect.flip(Runs.startExport({ output }).pipe(Effect.provide(layer)))
      assert.strictEqual(error.message, `cannot create ${output}: the file already exists`)
      const nowhere = Runs.startExport({ output: join(folder, "nowhere", "events.ndjson") })
      const missing = yield* Effect.flip(Effect.provide(nowhere, layer))
      assert.strictEqual(missing.message, `there is no folder ${join(folder, "nowhere")}; create it first`)
      writeFileSync(output, "mine")
    }).pipe(Effect.scoped)
  )
})
