/**
 * Mistakes of operators: another key, a late resume, a second run.
 */
import { assert, describe, it } from "@effect/vitest"
import { Warnings } from "@signalbox/core/Policies"
import { Fault, manualClock } from "@signalbox/test-harness"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import {
  clientLayer,
  honoursKeys,
  makeGate,
  makeService,
  tempFolder,
  tokenLines,
  tokensBySubscriber,
  write,
  writesTo
} from "../test/TestService.ts"
import * as Runs from "./index.ts"

const collect = (run: string) => Stream.runCollect(Runs.report(run))

/** A client of an environment that is interrupted when the service has received `requests` writes. */
const startAndStop = Effect.fnUntraced(function* (
  { environment, fetch }: ReturnType<typeof makeService>,
  options: Runs.LineRunOptions,
  requests: number
) {
  const enough = makeGate()
  let calls = 0
  const counted: typeof globalThis.fetch = async (request, init) => {
    if (++calls >= requests) enough.open()
    return fetch(request, init)
  }
  const layer = clientLayer(environment.apiKey, counted)
  const running = yield* Effect.forkChild(Runs.startImport(options).pipe(Effect.provide(layer)))
  yield* Effect.promise(() => enough.opened)
  yield* Fiber.interrupt(running)
})

describe("a run with a highest rate", () => {
  it.live("keeps to it when it is resumed", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const service = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(40))
      yield* startAndStop(service, { input }, 3).pipe(Effect.provideService(Runs.MaxRate, 200))
      const { environment, layer } = service
      const before = environment.journal.entries().length
      yield* Runs.resume(input).pipe(Effect.provide(layer))
      const times = environment.journal
        .entries()
        .slice(before)
        .flatMap(({ at, method }) => (method === "GET" ? [] : [at]))
      // Timers may fire a millisecond early.
      assert.isAtLeast((times.at(-1) ?? 0) - (times[0] ?? 0), (times.length - 1) * 4)
      assert.isAbove(times.length, 10)
    }).pipe(Effect.scoped)
  )
})

describe("another API key", () => {
  const own = { data: "demo", seed: 1, events: 3 } as const

  it.live("of another environment is refused before anything is sent, also after the run has finished", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const first = makeService(own)
      const second = makeService({ data: "demo", seed: 2, events: 3 })
      const input = write(folder, "tokens.ndjson", tokenLines(300))
      yield* startAndStop(first, { input, connection: "staging" }, 5)
      const done = (yield* Runs.status(input)).counts.succeeded
      const refused = yield* Effect.flip(Runs.resume(input).pipe(Effect.provide(second.layer)))
      assert.strictEqual(refused._tag, "RunStateError")
      assert.match(
        refused.message,
        /^the API key leads to environment \w+, and the run is for \w+, sent over connection "staging"\. Nothing was sent; use a key of \w+$/u
      )
      assert.lengthOf(writesTo(second.environment), 0)
      assert.strictEqual((yield* Runs.status(input)).counts.succeeded, done)
      const { counts } = yield* Runs.resume(input).pipe(Effect.provide(first.layer))
      assert.strictEqual(counts.succeeded, 300)
      const again = yield* Effect.flip(Runs.retryFailed(input).pipe(Effect.provide(second.layer)))
      assert.match(again.message, /Nothing was sent/u)
    }).pipe(Effect.scoped)
  )

  it.live("of an environment without events gets one line at most, which is reported as unknown", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const first = makeService({ seed: 1 })
      const second = makeService({ seed: 2 })
      const input = write(folder, "tokens.ndjson", tokenLines(300))
      yield* startAndStop(first, { input }, 5)
      const ofSecond = { apiKey: Redacted.make(second.environment.apiKey) }
      const stopped = yield* Effect.flip(Runs.resume(input, ofSecond).pipe(Effect.provide(second.layer)))
      assert.strictEqual(stopped._tag, "RunStopped")
      assert.match(stopped.message, /leads to environment \w+, and the run is for \w+\. Use a key of \w+\./u)
      const known = yield* Effect.flip(Runs.resume(input, ofSecond).pipe(Effect.provide(second.layer)))
      assert.match(
        known.message,
        /^the API key leads to another environment than \w+\. Nothing was sent; use a key of \w+$/u
      )
      assert.lengthOf(writesTo(second.environment), 1)
      const ofFirst = { apiKey: Redacted.make(first.environment.apiKey) }
      const { counts } = yield* Runs.resume(input, ofFirst).pipe(Effect.provide(first.layer))
      assert.deepStrictEqual([counts.succeeded, counts.unknown], [299, 1])
      const unknown = (yield* collect(input)).find(({ outcome }) => outcome === "unknown")
      assert.strictEqual(unknown?.reason, "OtherEnvironment")
      assert.match(unknown?.message ?? "", /applied there$/u)
      const again = Runs.startImport({ input, apiKey: Redacted.make("another") }).pipe(Effect.provide(second.layer))
      const finished = yield* Effect.flip(again)
      if (finished._tag !== "RunFinished") return assert.fail(finished._tag)
      assert.match(finished.message, /^run \S+ sent tokens\.ndjson with another API key, which may be for another env/u)
      assert.isFalse(finished.isSamePlace)
    }).pipe(Effect.scoped)
  )

  it.live("of the same environment continues the run", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const service = makeService(own)
      const input = write(folder, "tokens.ndjson", tokenLines(60))
      yield* startAndStop(service, { input }, 5)
      const rotated: typeof globalThis.fetch = (request, init) => {
        const headers = new Headers(init?.headers)
        headers.set("authorization", `ApiKey ${service.environment.apiKey}`)
        return service.fetch(request, { ...init, headers })
      }
      const { counts } = yield* Runs.resume(input).pipe(Effect.provide(clientLayer("rotated", rotated)))
      assert.strictEqual(counts.succeeded, 60)
    }).pipe(Effect.scoped)
  )

  it.live("is refused where a line may have been sent before any response, and accepted where none was", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const [first, second] = [makeService({ seed: 1 }), makeService({ seed: 2 })]
      const input = write(folder, "tokens.ndjson", tokenLines(8))
      const ofFirst = { apiKey: Redacted.make(first.environment.apiKey) }
      const ofSecond = { apiKey: Redacted.make(second.environment.apiKey) }
      const { journal } = yield* Runs.startImport({ input, concurrency: 4, ...ofFirst }).pipe(
        Effect.provide(first.layer)
      )
      const commits = readFileSync(journal, "utf8").split("\n")
      /** The process ended after this commit. */
      const endedAfter = (count: number) => writeFileSync(journal, `${commits.slice(0, count).join("\n")}\n`)
      const claimed = 1 + commits.findIndex((commit) => commit.includes('"claimed"'))

      endedAfter(claimed)
      const refused = yield* Effect.flip(Runs.resume(input, ofSecond).pipe(Effect.provide(second.layer)))
      assert.match(
        refused.message,
        /^run \S+ may have sent lines with another API key, and no response has named its environment\. Nothing was sent; use that key, or cancel the run$/u
      )
      assert.notInclude(readFileSync(journal, "utf8"), first.environment.apiKey)
      assert.lengthOf(writesTo(second.environment), 0)
      const { counts } = yield* Runs.resume(input, ofFirst).pipe(Effect.provide(first.layer))
      assert.deepStrictEqual([counts.succeeded, counts.unknown], [4, 4])

      endedAfter(1)
      const moved = yield* Runs.resume(input, ofSecond).pipe(Effect.provide(second.layer))
      assert.deepStrictEqual([moved.counts.succeeded, writesTo(second.environment).length], [8, 8])
    }).pipe(Effect.scoped)
  )

  it.live("does not continue an export in another environment", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const first = makeService({ data: "demo", seed: 1, events: 230 })
      const second = makeService({ data: "demo", seed: 2, events: 230 })
      first.environment.faults.add(Fault.status(400, { request: 2 }))
      const output = `${folder}/events.ndjson`
      yield* Effect.flip(Runs.startExport({ output }).pipe(Effect.provide(first.layer)))
      const written = (yield* Runs.status(output)).counts.succeeded
      const refused = yield* Effect.flip(Runs.resume(output).pipe(Effect.provide(second.layer)))
      assert.match(refused.message, /^the API key leads to environment/u)
      assert.strictEqual((yield* Runs.status(output)).counts.succeeded, written)
    }).pipe(Effect.scoped)
  )
})

describe("a late resume", () => {
  const hourMs = 3_600_000

  /** Continues work at a later time. */
  const later = <A, E, R>(work: Effect.Effect<A, E, R>, byMs: number): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (clock) => {
      const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + byMs
      const shifted: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillisUnsafe,
        currentTimeMillis: Effect.sync(currentTimeMillisUnsafe)
      })
      return Effect.provideService(work, Clock.Clock, shifted)
    })

  /** A run whose process ended when its first four lines were applied and none had an outcome. */
  const interrupted = Effect.fnUntraced(function* (options: Partial<Runs.LineRunOptions> = {}) {
    const folder = yield* tempFolder
    const clock = manualClock(yield* Clock.currentTimeMillis)
    const { environment, layer } = makeService({ clock, switches: { ...honoursKeys, "idempotency.retention": "1h" } })
    const input = write(folder, "tokens.ndjson", tokenLines(8))
    const given = { input, concurrency: 4, serviceHonoursKeys: true, ...options }
    const { journal } = yield* Runs.startImport(given).pipe(Effect.provide(layer))
    const commits = readFileSync(journal, "utf8").split("\n")
    writeFileSync(journal, `${commits.slice(0, 2).join("\n")}\n`)
    assert.strictEqual((yield* Runs.status(input)).inDoubt, 4)
    return { clock, environment, input, layer }
  })

  const timesOf = ({ environment }: Effect.Success<ReturnType<typeof interrupted>>) =>
    [...tokensBySubscriber(environment).values()].map((tokens) => tokens.length)

  it.live("sends lines in doubt again while the service keeps their keys", () =>
    Effect.gen(function* () {
      const run = yield* interrupted()
      const { counts } = yield* later(Runs.resume(run.input), hourMs / 2).pipe(Effect.provide(run.layer))
      assert.deepStrictEqual([counts.succeeded, counts.unknown], [8, 0])
      assert.deepStrictEqual(
        timesOf(run),
        Array.from({ length: 8 }, () => 1)
      )
    }).pipe(Effect.scoped)
  )

  it.live("reports them as unknown afterwards, and retries of failed lines do not send them either", () =>
    Effect.gen(function* () {
      const run = yield* interrupted()
      run.clock.advance(25 * hourMs)
      const sent = writesTo(run.environment).length
      const { counts } = yield* later(Runs.resume(run.input), 25 * hourMs).pipe(Effect.provide(run.layer))
      assert.deepStrictEqual([counts.succeeded, counts.unknown], [4, 4])
      const [first] = yield* collect(run.input)
      assert.strictEqual(
        first?.message,
        "the process ended while the line was in flight, longer ago than the service keeps idempotency keys; it may have been applied"
      )
      yield* later(Runs.retryFailed(run.input), 26 * hourMs).pipe(Effect.provide(run.layer))
      const lines = writesTo(run.environment)
        .slice(sent)
        .map(({ subscriberId }) => subscriberId)
      assert.sameMembers(lines, ["user-5", "user-6", "user-7", "user-8"])
    }).pipe(Effect.scoped)
  )

  it.live("keeps the key of a device token that may have been stored when the service replays a failure", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ switches: honoursKeys })
      environment.faults.add(Fault.reset({ at: "committed" }))
      const headers = { "idempotency-replay": "true" }
      environment.faults.add(Fault.status(503, { at: "received", attempt: 2, headers }))
      const input = write(folder, "tokens.ndjson", tokenLines(1))
      const { counts } = yield* Runs.startImport({ input, serviceHonoursKeys: true }).pipe(Effect.provide(layer))
      assert.strictEqual(counts.unknown, 1)
      const retried = yield* Runs.retryFailed(input).pipe(Effect.provide(layer))
      assert.deepStrictEqual(
        [retried.counts.succeeded, tokensBySubscriber(environment).get("user-1")],
        [1, ["token-of-1"]]
      )
    }).pipe(Effect.scoped)
  )

  it.live("sends them again and says so where the run accepts duplicates, and keeps to the given retention", () =>
    Effect.gen(function* () {
      const twice = yield* interrupted({ atLeastOnce: true })
      twice.clock.advance(25 * hourMs)
      twice.environment.faults.add(Fault.status(422, { operation: "credentials.upsert", times: 1 }))
      const status = yield* later(Runs.resume(twice.input), 25 * hourMs).pipe(Effect.provide(twice.layer))
      assert.deepStrictEqual([status.counts.succeeded, status.counts.failed, status.maybeTwice], [7, 1, 3])
      const day = yield* interrupted({ keyRetentionMs: 24 * hourMs })
      const { counts } = yield* later(Runs.resume(day.input), 23 * hourMs).pipe(Effect.provide(day.layer))
      assert.strictEqual(counts.unknown, 0)
    }).pipe(Effect.scoped)
  )
})

describe("a second run", () => {
  const folders = Effect.gen(function* () {
    const folder = yield* tempFolder
    const elsewhere = ["a", "b"].map((name) => join(folder, name))
    for (const path of elsewhere) mkdirSync(path)
    return { folder, elsewhere }
  })

  it.live("of the same file is refused while another one works on it, wherever their journals are", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const { environment, fetch, layer } = makeService()
      const [underWay, release] = [makeGate(), makeGate()]
      const held: typeof globalThis.fetch = async (request, init) => {
        underWay.open()
        await release.opened
        return fetch(request, init)
      }
      const input = write(folder, "tokens.ndjson", tokenLines(30))
      symlinkSync(input, join(folder, "link.ndjson"))
      const running = yield* Effect.forkChild(
        Runs.startImport({ input, folder: elsewhere[0] }).pipe(Effect.provide(clientLayer(environment.apiKey, held)))
      )
      yield* Effect.promise(() => underWay.opened)
      for (const options of [{ input, folder: elsewhere[1] }, { input }, { input: join(folder, "link.ndjson") }]) {
        const error = yield* Effect.flip(Runs.startImport(options).pipe(Effect.provide(layer)))
        assert.strictEqual(error._tag, "RunLocked")
      }
      const [first] = yield* collect(yield* Effect.map(Runs.status(input), ({ journal }) => journal))
      assert.deepStrictEqual(first, { line: 1, outcome: "unknown", message: "the line is in flight" })
      release.open()
      assert.strictEqual((yield* Fiber.join(running)).counts.succeeded, 30)
      assert.strictEqual((yield* Runs.status(input)).state, "finished")
      assert.lengthOf(writesTo(environment), 30)
    }).pipe(Effect.scoped)
  )

  it.live("of another file warns while one to the same service is under way", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch, layer } = makeService()
      const [underWay, release] = [makeGate(), makeGate()]
      const held: typeof globalThis.fetch = async (request, init) => {
        underWay.open()
        await release.opened
        return fetch(request, init)
      }
      const warnings: Array<string> = []
      const start = (name: string, service: string) =>
        Runs.startImport({ input: write(folder, name, tokenLines(2).replaceAll("token-of", name)), service }).pipe(
          Effect.provideService(Warnings, (line) => Effect.sync(() => void warnings.push(line)))
        )
      const [one, two] = ["https://one.test", "https://two.test"]
      const first = start("first.ndjson", one).pipe(Effect.provide(clientLayer(environment.apiKey, held)))
      const running = yield* Effect.forkChild(first)
      yield* Effect.promise(() => underWay.opened)
      yield* start("second.ndjson", two).pipe(Effect.provide(layer))
      assert.deepStrictEqual(warnings, [])
      yield* start("third.ndjson", one).pipe(Effect.provide(layer))
      release.open()
      const { file, id } = yield* Fiber.join(running)
      assert.deepStrictEqual(warnings, [
        `run ${id} imports ${file} at the same time; import files that share subscribers one after another, because services can lose tokens`
      ])
      yield* start("fourth.ndjson", one).pipe(Effect.provide(layer))
      assert.lengthOf(warnings, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is refused while an earlier one is unfinished, also for a copy of the file", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const service = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(300))
      yield* startAndStop(service, { input, folder: elsewhere[0] }, 5)
      const copy = write(elsewhere[1] ?? folder, "copy.ndjson", readFileSync(input))
      for (const [options, isSameWork] of [
        [{ input }, true],
        [{ input: copy }, true],
        [{ input, defaults: { providerId: "apns" } }, false]
      ] as const) {
        const error = yield* Effect.flip(Runs.startImport(options).pipe(Effect.provide(service.layer)))
        if (error._tag !== "RunUnfinished") return assert.fail(error._tag)
        assert.match(error.message, /has an unfinished run, import-\S+\. Resume it, or cancel it first$/u)
        assert.strictEqual(error.isSameWork, isSameWork)
      }
    }).pipe(Effect.scoped)
  )

  it.live("of a file that was sent is refused unless it is wanted, also when the file was moved", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const { environment, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(5))
      const start = (options: Partial<Runs.LineRunOptions> = {}) =>
        Runs.startImport({ input, ...options }).pipe(Effect.provide(layer))
      const { id } = yield* start()
      const moved = join(elsewhere[0] ?? folder, "tokens.ndjson")
      copyFileSync(input, moved)
      for (const options of [{}, { folder: elsewhere[1] }, { input: moved }]) {
        const error = yield* Effect.flip(start(options))
        assert.strictEqual(error._tag, "RunFinished")
        assert.strictEqual(error.message, `run ${id} of tokens.ndjson is finished`)
      }
      assert.strictEqual((yield* Runs.status(moved)).id, id)
      assert.lengthOf(writesTo(environment), 5)
      assert.strictEqual((yield* start({ again: true })).state, "finished")
      const [one, two] = ["https://one.test", "https://two.test"]
      const other = write(folder, "other.ndjson", tokenLines(2).replaceAll("token-of", "other"))
      const placed = yield* start({ input: other, service: one, connection: "prod" })
      const error = yield* Effect.flip(start({ input: other, service: two }))
      assert.strictEqual(error.message, `run ${placed.id} sent other.ndjson to "prod" (${one}), not to ${two}`)
      const another = Runs.startImport({ input }).pipe(
        Effect.provide(makeService({ data: "demo", seed: 2, events: 1 }).layer)
      )
      assert.match(
        (yield* Effect.flip(another)).message,
        /^run \S+ sent tokens\.ndjson to environment (\w+), not to environment (?!\1)\w+$/u
      )
      appendFileSync(input, tokenLines(6).split("\n").slice(5).join("\n"))
      const extended = yield* Effect.flip(start())
      assert.match(
        extended.message,
        /^run \S+ sent lines of tokens\.ndjson; put new and corrected lines into a file of their own, or send all/u
      )
      assert.strictEqual((yield* start({ again: true })).counts.succeeded, 6)
      const growing = write(folder, "growing.ndjson", "")
      assert.strictEqual((yield* start({ input: growing })).total, 0)
      write(folder, "growing.ndjson", tokenLines(7).replaceAll("token-of", "growing"))
      assert.strictEqual((yield* start({ input: growing })).counts.succeeded, 7)
      const sent = writesTo(environment).length
      write(folder, "tokens.ndjson", tokenLines(6).replace("token-of-3", "corrected"))
      assert.match((yield* Effect.flip(start())).message, /sent lines of tokens\.ndjson; put new and corrected lines/u)
      assert.lengthOf(writesTo(environment), sent)
      write(folder, "tokens.ndjson", tokenLines(6).replaceAll("token-of", "new"))
      assert.strictEqual((yield* start()).counts.succeeded, 6)
    }).pipe(Effect.scoped)
  )

  it.live("of lines that another file sent is refused, unless they failed, also while that file is sent", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const service = makeService()
      const { environment, layer } = service
      const start = (name: string, content: string, options: Partial<Runs.LineRunOptions> = {}) =>
        Runs.startImport({ input: write(folder, name, content), ...options }).pipe(Effect.provide(layer))
      const lines = tokenLines(40).split("\n")
      environment.faults.add(Fault.status(422, { times: 4, body: { message: "no" } }))
      const { id } = yield* start("tokens.ndjson", tokenLines(40), { concurrency: 1 })
      const sent = writesTo(environment).length
      const corrected = ["corrected.ndjson", tokenLines(40).replace("token-of-3", "corrected")] as const
      assert.strictEqual(
        (yield* Effect.flip(start(...corrected))).message,
        `run ${id} sent lines of corrected.ndjson; put new and corrected lines into a file of their own, or send all lines again with the option again`
      )
      assert.lengthOf(writesTo(environment), sent)
      const failed = yield* start("failed.ndjson", `${lines.slice(0, 4).join("\n")}\n`)
      assert.strictEqual(failed.counts.succeeded, 4)
      assert.strictEqual((yield* start(...corrected, { again: true })).counts.succeeded, 40)
      const large = tokenLines(2000).replaceAll("token-of", "large").split("\n")
      yield* start("large.ndjson", `${large.join("\n")}\n`)
      const slice = yield* Effect.flip(start("slice.ndjson", `${large.slice(700, 740).join("\n")}\n`))
      assert.match(slice.message, /^run \S+ sent lines of slice\.ndjson/u)
      // Without tokens, the same lines again do no harm.
      const hooks = tokenLines(40)
        .replaceAll("fcm", "slack")
        .replace(/"deviceTokens":\["([^"]+)"\]/gu, '"webhookUrl":"https://hooks.example/$1"')
      for (const name of ["hooks.ndjson", "corrected-hooks.ndjson"]) {
        assert.strictEqual((yield* start(name, hooks.replace("user-1", name))).state, "finished")
      }
      const others = tokenLines(300).replaceAll("token-of", "other")
      yield* startAndStop(service, { input: write(folder, "others.ndjson", others) }, 5)
      assert.match(
        (yield* Effect.flip(start("copied.ndjson", `${others}\n`))).message,
        /^run \S+ sends lines of copied/u
      )
    }).pipe(Effect.scoped)
  )

  it.live("of a file whose run was cancelled is refused unless it is wanted, if a line may have been sent", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const service = makeService()
      const { environment, layer } = service
      const input = write(folder, "tokens.ndjson", tokenLines(300))
      yield* startAndStop(service, { input }, 5)
      const { id } = yield* Runs.cancel(input)
      const sent = writesTo(environment).length
      const error = yield* Effect.flip(Runs.startImport({ input }).pipe(Effect.provide(layer)))
      assert.strictEqual(
        error.message,
        `run ${id} of tokens.ndjson was cancelled after it may have sent lines; bulk report --failed-input writes the rest to a separate file, or send all lines again with the option again`
      )
      assert.lengthOf(writesTo(environment), sent)
      const { counts } = yield* Runs.startImport({ input, again: true }).pipe(Effect.provide(layer))
      assert.strictEqual(counts.succeeded, 300)
    }).pipe(Effect.scoped)
  )

  it.live("of the same input is refused after the journal was moved, until it is found or wanted", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const { environment, layer } = makeService()
      const [old = folder, copies = folder] = elsewhere
      const input = write(old, "tokens.ndjson", tokenLines(5))
      const copy = join(copies, "copy.ndjson")
      copyFileSync(input, copy)
      const start = (options: Pick<Runs.LineRunOptions, "input" | "again">) =>
        Runs.startImport({ ...options, service: "https://one.test" }).pipe(Effect.provide(layer))
      const { id, journal } = yield* start({ input })
      const moved = join(folder, "moved")
      renameSync(old, moved)
      const error = yield* Effect.flip(start({ input: copy }))
      assert.strictEqual(error._tag, "RunStateError")
      assert.strictEqual(
        error.message,
        `run ${id} had the same input, and its journal is missing: ${journal}. Move it back, or send all lines again with the option again`
      )
      const listed = Effect.map(Runs.list, ({ runs }) => runs.map((run) => run.id))
      assert.deepStrictEqual(yield* listed, [])
      assert.strictEqual((yield* Effect.flip(start({ input: join(moved, "tokens.ndjson") })))._tag, "RunFinished")
      assert.deepStrictEqual(yield* listed, [id])
      assert.strictEqual((yield* Effect.flip(start({ input: copy })))._tag, "RunFinished")
      assert.lengthOf(writesTo(environment), 5)
      rmSync(moved, { recursive: true })
      const elsewhereSent = yield* Runs.startImport({ input: copy, service: "https://two.test" }).pipe(
        Effect.provide(layer)
      )
      yield* Runs.remove(elsewhereSent.journal)
      const again = yield* start({ input: copy, again: true })
      assert.deepStrictEqual(yield* listed, [again.id])
    }).pipe(Effect.scoped)
  )

  it.live("is found again where its folder was moved before it is resumed", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const [old = folder] = elsewhere
      const service = makeService()
      yield* startAndStop(service, { input: write(old, "tokens.ndjson", tokenLines(300)) }, 5)
      const moved = join(folder, "moved")
      renameSync(old, moved)
      yield* Runs.resume(join(moved, "tokens.ndjson")).pipe(Effect.provide(service.layer))
      const { runs } = yield* Runs.list
      assert.deepStrictEqual(
        runs.map(({ counts, state }) => [state, counts.succeeded + counts.unknown]),
        [["finished", 300]]
      )
    }).pipe(Effect.scoped)
  )

  it.live("is listed with all others until it is deleted, and a home that cannot be written is named", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const { layer } = makeService()
      const first = write(folder, "first.ndjson", tokenLines(2))
      const second = write(folder, "second.ndjson", tokenLines(3).replaceAll("token-of", "other"))
      yield* Runs.startImport({ input: first }).pipe(Effect.provide(layer))
      yield* Runs.startImport({ input: second, folder: elsewhere[0] }).pipe(Effect.provide(layer))
      const listed = Effect.map(Runs.list, ({ runs }) => runs.map(({ counts, file }) => [file, counts.succeeded]))
      assert.sameDeepMembers(yield* listed, [
        [first, 2],
        [second, 3]
      ])
      const { journal } = yield* Runs.status(first)
      const content = readFileSync(journal, "utf8")
      writeFileSync(journal, content.replace("succeeded", "failed!!!"))
      const { errors, runs } = yield* Runs.list
      assert.deepStrictEqual(
        runs.map(({ file }) => file),
        [second]
      )
      assert.match(errors.map(({ message }) => message).join(), /^cannot read the journal \S+: damaged at byte \d+;/u)
      writeFileSync(journal, content)
      const idOf = (run: string) => Effect.map(Runs.status(run), ({ id }) => id)
      const { id, journal: other } = yield* Runs.status(second)
      assert.deepStrictEqual(yield* Effect.forEach([second, id, other, elsewhere[0] ?? ""], idOf), [id, id, id, id])
      const again = yield* Runs.startImport({ input: second, again: true }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(yield* Effect.forEach([second, folder], idOf), [again.id, again.id])
      yield* Runs.remove(again.journal)
      assert.strictEqual(
        (yield* Effect.flip(idOf(elsewhere[1] ?? ""))).message,
        `no run in ${elsewhere[1]}; give the input file of the run, or its journal`
      )
      yield* Runs.remove(second)
      assert.deepStrictEqual(yield* listed, [[first, 2]])
      yield* Runs.startImport({ input: second }).pipe(Effect.provide(layer))
      const taken = Runs.startImport({ input: first, folder: elsewhere[0], again: true }).pipe(
        Effect.provideService(Runs.StateFolder, () => join(first, "state")),
        Effect.provide(layer)
      )
      const rule = /^cannot write the index of runs in \S+: a part of the path is not a folder\. Set XDG_STATE_HOME to/u
      assert.match((yield* Effect.flip(taken)).message, rule)
      const none = yield* Effect.provideService(Runs.list, Runs.StateFolder, () => join(first, "state"))
      assert.match(none.errors.map(({ message }) => message).join(), rule)
    }).pipe(Effect.scoped)
  )

  it.live("is not sent again where a file of the index is damaged in any way that hides its input", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const { environment, layer } = makeService()
      const state = join(folder, "state")
      const inState = Effect.provideService(Runs.StateFolder, () => state)
      const input = write(folder, "tokens.ndjson", tokenLines(1))
      const { id } = yield* Runs.startImport({ input }).pipe(Effect.provide(layer), inState)
      const file = join(state, `${id}.run.json`)
      const whole = readFileSync(file, "utf8")
      const copy = write(elsewhere[1] ?? "", "copy.ndjson", tokenLines(1))
      const start = Effect.flip(Runs.startImport({ input: copy }).pipe(Effect.provide(layer), inState))
      const sent = () =>
        environment.journal.entries().filter(({ operation }) => operation === "credentials.upsert").length
      for (const text of ["", whole.slice(0, -2), whole.replace('"id"', '"Id"'), `${whole}${whole}`]) {
        writeFileSync(file, text)
        const { message } = yield* start
        assert.strictEqual(
          message,
          `cannot read which input a run sent from ${file}: it is damaged; restore it from a backup, delete it if this input was not sent, or send all lines with the option again`
        )
        assert.strictEqual(readFileSync(file, "utf8"), text)
      }
      assert.strictEqual(sent(), 1)
      writeFileSync(file, whole)
      assert.strictEqual((yield* start)._tag, "RunFinished")
      writeFileSync(file, "")
      yield* Runs.startImport({ input: copy, again: true }).pipe(Effect.provide(layer), inState)
      assert.strictEqual(sent(), 2)
    }).pipe(Effect.scoped)
  )

  it.live("is in the index again when it is continued, wherever it was started", () =>
    Effect.gen(function* () {
      const { elsewhere, folder } = yield* folders
      const service = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(300))
      const elsewhereIndexed = () => elsewhere[0] ?? ""
      yield* startAndStop(service, { input }, 5).pipe(Effect.provideService(Runs.StateFolder, elsewhereIndexed))
      assert.deepStrictEqual((yield* Runs.list).runs, [])
      const run = yield* Runs.resume(input).pipe(Effect.provide(service.layer))
      assert.deepStrictEqual((yield* Runs.list).runs, [run])
      const copy = write(elsewhere[1] ?? "", "copy.ndjson", tokenLines(300))
      const error = yield* Effect.flip(Runs.startImport({ input: copy }).pipe(Effect.provide(service.layer)))
      assert.strictEqual(error._tag, "RunFinished")
    }).pipe(Effect.scoped)
  )
})
