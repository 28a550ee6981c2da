import { assert, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { hostname } from "node:os"
import { vi } from "vitest"
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
} from "../../test/TestService.ts"
import { type AppendFile, Disk, type Files, nodeFiles } from "../file/Disk.ts"
import * as Runs from "../index.ts"
import { frameOf } from "./Frame.ts"
import { LineStates } from "./LineStates.ts"
import { recover } from "./Recovery.ts"
import * as RunIndex from "./RunIndex.ts"
import * as RunLock from "./RunLock.ts"

const outcomesOf = (run: string) =>
  Effect.map(Stream.runCollect(Runs.report(run)), (lines) => lines.map(({ line, outcome }) => `${line} ${outcome}`))

const all = (count: number, outcome: string) => Array.from({ length: count }, (_, at) => `${at + 1} ${outcome}`)

/** A disk on which everything after some bytes fails, of which the first part is written. */
const fullAfter = (capacity: number): Files => ({
  ...nodeFiles,
  open: async (path: string): Promise<AppendFile> => {
    const handle = await open(path, "r+")
    return {
      write: async (bytes, position) => {
        const room = Math.max(0, capacity - position)
        await handle.write(bytes, 0, Math.min(bytes.length, room), position)
        if (bytes.length > room) throw Object.assign(new Error("ENOSPC: token-of-1"), { code: "ENOSPC" })
      },
      sync: () => handle.datasync(),
      truncate: (bytes) => handle.truncate(bytes),
      close: () => handle.close()
    }
  }
})

/** Where each commit ends. */
const commitEnds = (journal: Buffer): ReadonlyArray<number> =>
  [...journal.toString("latin1").matchAll(/\n/g)].map(({ index }) => index + 1)

describe("a journal", () => {
  it.live("that a crash cut off at any byte is as good as one without the commit that was cut", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      environment.faults.add(Fault.status(400, { times: 2 }))
      const input = write(folder, "tokens.ndjson", tokenLines(9))
      const { journal } = yield* Runs.startImport({ input, concurrency: 3 }).pipe(Effect.provide(layer))
      yield* Runs.retryFailed(input, { concurrency: 3 }).pipe(Effect.provide(layer))
      const whole = readFileSync(journal)
      const lines = Array.from({ length: 9 }, (_, at) => at + 1)
      const known = (bytes: number) => {
        const read = async function* () {
          yield whole.subarray(0, bytes)
        }
        return Effect.map(recover(journal), ({ end, pass, states, validBytes }) => [
          [end, pass, validBytes, states.counts()],
          lines.map((line) => [states.outcomeOf(line), states.isClaimed(line), states.generationOf(line)])
        ]).pipe(Effect.provideService(Disk, { ...nodeFiles, read }))
      }
      const ends = commitEnds(whole)
      let before: unknown
      for (let bytes = ends[0] ?? 0; bytes <= whole.length; bytes++) {
        const now = yield* known(bytes)
        if (!ends.includes(bytes)) assert.deepStrictEqual(now, before, `${bytes} bytes`)
        before = now
      }
    }).pipe(Effect.scoped)
  )

  it.live("records one outcome for each line and applies every effect once, wherever a crash cut the journal off", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const count = 9
      const { environment, layer } = makeService({ switches: honoursKeys })
      const options = { serviceHonoursKeys: true, concurrency: 3 }
      const input = write(folder, "tokens.ndjson", tokenLines(count))
      const { journal } = yield* Runs.startImport({ input, ...options }).pipe(Effect.provide(layer))
      const whole = readFileSync(journal)
      for (const bytes of commitEnds(whole)) {
        writeFileSync(journal, whole.subarray(0, bytes))
        const { state } = yield* Runs.status(input)
        if (state !== "finished") yield* Runs.resume(input, { concurrency: 3 }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(yield* outcomesOf(input), all(count, "succeeded"), `${bytes} bytes`)
      }
      assert.deepStrictEqual(
        [...tokensBySubscriber(environment).values()].filter((tokens) => tokens.length !== 1),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("never sends device tokens again that may have been appended, wherever a crash cut it off", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const count = 6
      const first = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(count))
      const options = { input, concurrency: 2 }
      const { journal } = yield* Runs.startImport(options).pipe(Effect.provide(first.layer))
      const whole = readFileSync(journal)
      for (const bytes of commitEnds(whole).slice(0, -1)) {
        // The lines that the cut journal knows to be claimed or done have been applied once.
        const { environment, layer } = makeService()
        writeFileSync(journal, whole.subarray(0, bytes))
        const before = yield* Runs.status(input)
        const claimed = before.inDoubt + before.counts.succeeded
        const { counts, maybeTwice } = yield* Runs.resume(input).pipe(Effect.provide(layer))
        assert.strictEqual(writesTo(environment).length, count - claimed, `${bytes} bytes`)
        assert.deepStrictEqual(
          [counts.unknown, counts.succeeded, maybeTwice],
          [before.inDoubt, count - before.inDoubt, 0]
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("sends a line only after the disk has its claim, and ends only after it has all outcomes", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch } = makeService()
      const count = 9
      const input = write(folder, "tokens.ndjson", tokenLines(count))
      let journal = ""
      const durable = { bytes: 0 }
      const disk: Files = {
        ...nodeFiles,
        open: async (path) => {
          const file = await nodeFiles.open(path)
          journal = path
          durable.bytes = readFileSync(path).length
          let written = durable.bytes
          return {
            ...file,
            write: async (bytes, position) => {
              await file.write(bytes, position)
              written = position + bytes.length
            },
            sync: async () => {
              const before = written
              await file.sync()
              durable.bytes = before
            }
          }
        }
      }
      const sent: Array<{ readonly line: number; readonly bytes: number }> = []
      const observed: typeof globalThis.fetch = (request, init) => {
        const url = typeof request === "string" ? request : "url" in request ? request.url : request.href
        const line = /user-(\d+)/u.exec(url)?.[1]
        if (line !== undefined) sent.push({ line: Number(line), bytes: durable.bytes })
        return fetch(request, init)
      }
      yield* Runs.startImport({ input, concurrency: 3 }).pipe(
        Effect.provideService(Disk, disk),
        Effect.provide(clientLayer(environment.apiKey, observed))
      )
      assert.strictEqual(new Set(sent.map(({ line }) => line)).size, count)
      const whole = readFileSync(journal)
      const surviving = (bytes: number) => {
        const read = async function* () {
          yield whole.subarray(0, bytes)
        }
        return Effect.provideService(recover(journal), Disk, { ...nodeFiles, read })
      }
      for (const { bytes, line } of sent) {
        const { states } = yield* surviving(bytes)
        assert.isTrue(states.isClaimed(line), `line ${line} was sent while the disk had ${bytes} bytes`)
      }
      assert.strictEqual((yield* surviving(durable.bytes)).states.counts().succeeded, count)
    }).pipe(Effect.scoped)
  )

  it.live("stops the run when the disk is full, and keeps what was recorded", () =>
    Effect.gen(function* () {
      for (const room of [0, 1, 30, 100, 333, 1000]) {
        const folder = yield* tempFolder
        const { environment, layer } = makeService({ switches: honoursKeys })
        const input = write(folder, "tokens.ndjson", tokenLines(60))
        const disk: Files = {
          ...nodeFiles,
          open: (path) => fullAfter(readFileSync(path).length + room).open(path)
        }
        const error = yield* Runs.startImport({ input, serviceHonoursKeys: true }).pipe(
          Effect.provideService(Disk, disk),
          Effect.provide(layer),
          Effect.flip
        )
        if (error._tag !== "JournalError") return assert.fail(error._tag)
        assert.strictEqual(error.code, "ENOSPC")
        assert.match(error.message, /^cannot write the journal \S+: no space left on the disk\. Resume the run/)
        const { counts } = yield* Runs.resume(input).pipe(Effect.provide(layer))
        assert.strictEqual(counts.succeeded, 60)
        assert.deepStrictEqual(yield* outcomesOf(input), all(60, "succeeded"))
        assert.isTrue([...tokensBySubscriber(environment).values()].every((tokens) => tokens.length === 1))
      }
    }).pipe(Effect.scoped)
  )

  it.live("that cannot be created leaves no run to resume, and nothing is sent", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(2))
      const create: Files["create"] = (path, content) =>
        path.endsWith(".journal")
          ? Promise.reject(Object.assign(new Error(), { code: "ENOSPC" }))
          : nodeFiles.create(path, content)
      const started = Runs.startImport({ input }).pipe(Effect.provide(layer))
      const error = yield* Effect.flip(Effect.provideService(started, Disk, { ...nodeFiles, create }))
      assert.match(error.message, /^cannot create the journal \S+: no space left on the disk; nothing was sent$/u)
      assert.lengthOf(environment.journal.entries(), 0)
      assert.strictEqual((yield* started).counts.succeeded, 2)
    }).pipe(Effect.scoped)
  )

  it.live("is refused wherever a byte of it was changed, and whichever commit was removed or repeated", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(4))
      const { journal } = yield* Runs.startImport({ input, concurrency: 2 }).pipe(Effect.provide(layer))
      const whole = readFileSync(journal)
      const sent = environment.journal.entries().length
      const damage = /(is not the header of a run, or is damaged|damaged at byte \d+); restore it from a backup$/u
      const refuses = Effect.fnUntraced(function* (damaged: Buffer, place: string) {
        const read = async function* () {
          yield damaged
        }
        const result = yield* Effect.result(Effect.provideService(recover(journal), Disk, { ...nodeFiles, read }))
        if (result._tag === "Success") return assert.fail(`${place} was accepted`)
        assert.match(result.failure.message, damage)
      })
      for (let at = 0; at < whole.length; at++) {
        for (const bits of [0x01, 0x80, (whole[at] ?? 0) ^ 0x0a]) {
          if (bits === 0) continue
          const damaged = Buffer.from(whole)
          damaged[at] = (damaged[at] ?? 0) ^ bits
          yield* refuses(damaged, `byte ${at} with bits ${bits}`)
        }
      }
      const ends = commitEnds(whole)
      for (const [at, end] of ends.entries()) {
        const start = ends[at - 1] ?? 0
        yield* refuses(Buffer.concat([whole.subarray(0, end), whole.subarray(start)]), `commit ${at} twice`)
        if (at === ends.length - 1) continue
        yield* refuses(Buffer.concat([whole.subarray(0, start), whole.subarray(end)]), `without commit ${at}`)
      }
      whole[whole.length >> 1] = 0
      writeFileSync(journal, whole)
      for (const refused of [Runs.status(input), Runs.resume(input)]) {
        assert.match((yield* Effect.flip(Effect.provide(refused, layer))).message, damage)
      }
      assert.strictEqual(environment.journal.entries().length, sent)
    }).pipe(Effect.scoped)
  )
})

describe("a journal of another version", () => {
  it.live("is refused with the version that it needs", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(1))
      const { journal } = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      const { header } = yield* recover(journal)
      for (const version of [2, 4]) {
        writeFileSync(journal, frameOf(header.id, 0, [JSON.stringify({ ...header, version })]))
        const { message } = yield* Effect.flip(Runs.status(input))
        assert.strictEqual(
          message,
          `cannot read the journal ${journal}: it is of version ${version}, and this process reads version 3; ` +
            "finish the run with the version that started it"
        )
      }
    }).pipe(Effect.scoped)
  )
})

it("a line keeps the time of its claim as long as its key may be used again", () => {
  const states = new LineStates()
  const claim = (at: number) => states.claim(1, { at, lines: [1] })
  const shown = () => [states.outcomeOf(1), states.isClaimed(1), states.claimOf(1)?.at, states.claimed]
  claim(10)
  assert.deepStrictEqual(shown(), [undefined, true, 10, 1])
  claim(20)
  assert.deepStrictEqual(shown(), [undefined, true, 10, 1])
  states.claim(1, undefined)
  assert.deepStrictEqual(shown(), [undefined, false, undefined, 0])
  claim(30)
  states.record(1, "unknown", 1, 0, false)
  assert.deepStrictEqual(shown(), ["unknown", false, 30, 0])
  claim(40)
  states.claim(1, undefined)
  assert.deepStrictEqual(shown(), ["unknown", false, 30, 0])
  // The next key was not used.
  states.record(1, "unknown", 2, 1, false)
  assert.deepStrictEqual(shown(), ["unknown", false, undefined, 0])
  claim(50)
  states.record(1, "failed", 3, 1, false)
  assert.deepStrictEqual(shown(), ["failed", false, undefined, 0])
})

describe("two processes", () => {
  it.live("cannot work on the same input", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch, layer } = makeService()
      const underWay = makeGate()
      const release = makeGate()
      const held: typeof globalThis.fetch = async (request, init) => {
        underWay.open()
        await release.opened
        return fetch(request, init)
      }
      const input = write(folder, "tokens.ndjson", tokenLines(5))
      const running = yield* Effect.forkChild(
        Runs.startImport({ input }).pipe(Effect.provide(clientLayer(environment.apiKey, held)))
      )
      yield* Effect.promise(() => underWay.opened)
      const second = yield* Effect.flip(Runs.startImport({ input }).pipe(Effect.provide(layer)))
      const third = yield* Effect.flip(Runs.resume(input).pipe(Effect.provide(layer)))
      for (const error of [second, third]) {
        assert.strictEqual(error._tag, "RunLocked")
        assert.strictEqual(
          error.message,
          `another process is working on this run: process ${process.pid}. Wait for it, or stop it`
        )
      }
      assert.strictEqual((yield* Runs.status(input)).state, "running")
      release.open()
      assert.strictEqual((yield* Fiber.join(running)).counts.succeeded, 5)
    }).pipe(Effect.scoped)
  )

  it.live("that start at once: one works, the other is refused", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(5))
      const start = Effect.result(Runs.startImport({ input }).pipe(Effect.provide(layer)))
      const results = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).sort(), ["Failure", "Failure", "Success"])
      assert.isTrue([...tokensBySubscriber(environment).values()].every((tokens) => tokens.length === 1))
    }).pipe(Effect.scoped)
  )

  it.live("do not block each other after one of them has died", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(5))
      const dead = { died: [999_999, hostname(), "1"], reused: [process.pid, hostname(), "1"], torn: [""] }
      for (const [at, owner] of Object.values(dead).entries())
        writeFileSync(`${input}.lock.${at + 3}`, owner.join("\n"))
      const { state } = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.strictEqual(state, "finished")
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => name.includes("lock")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(process.platform !== "linux")("are distinguished by machine, number and start", () =>
    Effect.gen(function* () {
      const input = join(yield* tempFolder, "tokens.ndjson")
      // The 22nd field, counted behind the name, which is the second one and may contain spaces.
      const start = readFileSync("/proc/self/stat", "utf8")
        .replace(/^.*\) /su, "")
        .split(" ")[19]
      const [own, alive] = [hostname(), process.pid]
      // Its parent becomes a program that never waits for it, before it ends: a shell would.
      const parent = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 60"])),
        (child) => Effect.sync(() => child.kill())
      )
      const [unreaped] = String((yield* Effect.promise(() => once(parent.stdout, "data")))[0]).split("\n")
      const stateOf = () => readFileSync(`/proc/${unreaped}/stat`, "utf8")
      yield* Effect.promise(() => vi.waitUntil(() => stateOf().includes(") Z "), { timeout: 10_000 }))
      const locks = [
        ["alive", [alive, own, start]],
        ["alive, of unknown start", [alive, own, ""]],
        ["alive, of an earlier version", [alive, own]],
        ["on another machine", [999_999_999, "elsewhere", "1"]],
        ["dead", [999_999_999, own, start]],
        ["dead, and its parent has not noticed", [unreaped, own, ""]],
        ["another process of the same number", [alive, own, `${start}1`]],
        ["torn", [alive]],
        ["not a number", ["x", own, start]]
      ] as const
      const found: Array<string> = []
      for (const [name, owner] of locks) {
        writeFileSync(`${input}.lock.1`, owner.join("\n"))
        const holder = yield* RunLock.holder(input)
        found.push(`${name}: ${holder === undefined ? "free" : `${holder.pid === alive} ${holder.host === own}`}`)
      }
      assert.deepStrictEqual(found, [
        "alive: true true",
        "alive, of unknown start: true true",
        "alive, of an earlier version: true true",
        "on another machine: false false",
        "dead: free",
        "dead, and its parent has not noticed: free",
        "another process of the same number: free",
        "torn: free",
        "not a number: free"
      ])
    }).pipe(Effect.scoped)
  )

  const soon = Effect.provideService(Runs.LockExpiry, "400 millis")

  it.live("on different machines: a run continues where the other one has no sign of life, with the same command", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { fetch, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(5))
      yield* Effect.flip(Runs.startImport({ input }).pipe(Effect.provide(clientLayer("another-key", fetch))))
      const lockInIndex = yield* RunIndex.lockOf(input)
      for (const base of [input, lockInIndex]) writeFileSync(`${base}.lock.1`, "17\nelsewhere\n")
      const real = yield* Clock.Clock
      let waits = 0
      const clock: Clock.Clock = Object.assign(Object.create(real), {
        sleep: (duration: Duration.Duration) => {
          if (Duration.toMillis(duration) === 20) waits++
          return real.sleep(duration)
        }
      })
      const resumed = Runs.resume(input).pipe(Effect.provide(layer), soon, Effect.provideService(Clock.Clock, clock))
      assert.strictEqual((yield* resumed).counts.succeeded, 5)
      // Its lock next to the file and the one in the index expire at the same time.
      assert.strictEqual(waits, 20)
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => name.includes("lock")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("on different machines: the second one is refused, and cancels nothing, while the first one is alive", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { fetch, layer } = makeService()
      const input = write(folder, "tokens.ndjson", tokenLines(5))
      yield* Effect.flip(Runs.startImport({ input }).pipe(Effect.provide(clientLayer("another-key", fetch))))
      const lock = `${input}.lock.1`
      let beats = 0
      const beat = Effect.sync(() => writeFileSync(lock, `17\nelsewhere\n1\n${++beats}`))
      const beating = yield* Effect.forkChild(Effect.repeat(beat, Schedule.spaced("20 millis")), {
        startImmediately: true
      })
      for (const refused of [Runs.resume(input).pipe(Effect.provide(layer)), Runs.cancel(input)]) {
        assert.strictEqual(
          (yield* Effect.flip(soon(refused))).message,
          "another process is working on this run: process 17 on elsewhere. Wait for it, or stop it"
        )
      }
      yield* Fiber.interrupt(beating)
      unlinkSync(lock)
      // Nothing is left that would cancel it now.
      assert.strictEqual((yield* Runs.resume(input).pipe(Effect.provide(layer))).counts.succeeded, 5)
    }).pipe(Effect.scoped)
  )

  it.live("on different machines: one that was suspended records and sends nothing after the other took over", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, fetch } = makeService()
      const [underWay, release] = [makeGate(), makeGate()]
      let calls = 0
      const held: typeof globalThis.fetch = async (request, init) => {
        if (++calls === 7) underWay.open()
        if (calls > 3) await release.opened
        return fetch(request, init)
      }
      const input = write(folder, "tokens.ndjson", tokenLines(100))
      const real = yield* Clock.Clock
      let suspendedMs = 0
      const clock: Clock.Clock = Object.assign(Object.create(real), {
        currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + suspendedMs
      })
      const running = yield* Effect.forkChild(
        Runs.startImport({ input, concurrency: 4 }).pipe(
          Effect.provide(clientLayer(environment.apiKey, held)),
          Effect.provideService(Clock.Clock, clock),
          Effect.provideService(Runs.LockExpiry, "1 hour"),
          Effect.result
        )
      )
      yield* Effect.promise(() => underWay.opened)
      yield* Effect.repeat(Runs.status(input), { until: ({ counts }) => counts.succeeded === 3 })
      const journal = readdirSync(folder).find((name) => name.endsWith(".journal")) ?? ""
      writeFileSync(`${input}.lock.1`, "17\nelsewhere\n")
      suspendedMs = 3_600_000
      const recorded = readFileSync(join(folder, journal))
      release.open()
      const result = yield* Fiber.join(running)
      if (result._tag === "Success") return assert.fail("the run went on")
      assert.match(result.failure.message, /^another machine has taken over this run/u)
      assert.isTrue(readFileSync(join(folder, journal)).equals(recorded))
      assert.isAtMost(environment.journal.entries().length, 4 + 2 * 4)
      assert.strictEqual(readFileSync(`${input}.lock.1`, "utf8"), "17\nelsewhere\n")
    }).pipe(Effect.scoped)
  )
})
