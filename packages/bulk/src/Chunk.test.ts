import { assert, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { honoursKeys, makeService, tempFolder, tokenLines, tokensBySubscriber, write } from "../test/TestService.ts"
import { type Chunk, type ChunkOptions, doChunk, planChunks, type PlanOptions } from "./Chunk.ts"

const plan = (file: string, size: number) => Stream.runCollect(planChunks({ run: "r1", kind: "import", file, size }))

const options: ChunkOptions = { isRetry: false }

describe("chunks", () => {
  it.live("cover every line of a file once", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const file = write(
        folder,
        "tokens.ndjson",
        `\uFEFF${tokenLines(7)}\n\n${tokenLines(10).trimEnd().replaceAll("user", "other")}`
      )
      const chunks = yield* plan(file, 4)
      assert.deepStrictEqual(
        chunks.map(({ firstLine }) => firstLine),
        [1, 5, 11, 15, 19]
      )
      assert.strictEqual(
        chunks.flatMap(({ ranges }) => ranges).reduce((sum, { bytes }) => sum + bytes, 0),
        readFileSync(file).length
      )
      const reports = yield* Effect.forEach(chunks, (chunk) => doChunk(chunk, options)).pipe(Effect.provide(layer))
      assert.deepStrictEqual(
        reports.flat().map(({ line, outcome }) => `${line} ${outcome}`),
        [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map((line) => `${line} succeeded`)
      )
      assert.strictEqual(environment.journal.entries().length, 17)
    }).pipe(Effect.scoped)
  )

  for (const [name, newline] of [
    ["\\n", "\n"],
    ["\\r\\n", "\r\n"]
  ] as const) {
    it.live(`cover every record of a CSV file once, whatever their size, with ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const rows = [
          "subscriberId,token,title",
          "",
          ...Array.from({ length: 9 }, (_, at) => `user-${at},tökén-${at},"two${newline}lines"`),
          "   ",
          "user-9,token-9",
          "user-10,token-10,"
        ]
        const file = write(folder, "tokens.csv", `\uFEFF${rows.join(newline)}`)
        const columns = { deviceTokens: "token" }
        for (const size of [1, 2, 3, 7, 100]) {
          const { environment, layer } = makeService()
          const chunks = yield* Stream.runCollect(planChunks({ run: "r1", kind: "import", file, columns, size }))
          assert.lengthOf(chunks, Math.ceil(11 / size))
          const chunkOptions = { ...options, defaults: { providerId: "fcm" } }
          const reports = yield* Effect.forEach(chunks, (chunk) => doChunk(chunk, chunkOptions)).pipe(
            Effect.provide(layer)
          )
          assert.deepStrictEqual(
            reports.flat().map(({ line, outcome }) => `${line} ${outcome}`),
            [...Array.from({ length: 9 }, (_, at) => `${3 + 2 * at} succeeded`), "22 invalid", "23 succeeded"]
          )
          assert.deepStrictEqual(tokensBySubscriber(environment).get("user-8"), ["tökén-8"])
        }
      }).pipe(Effect.scoped)
    )
  }

  for (const format of ["ndjson", "csv"] as const) {
    it.live(`have all lines of a subscriber, wherever they are in an import (${format})`, () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const subscribers = ["a", "b", "b", "c", "d", "a", "e", "f", "g", "a", "f", "h"]
        const token = (at: number) => `token-${at}`
        const ndjson = subscribers.map(
          (subscriberId, at) =>
            `${at % 5 === 0 ? "\n" : ""}${JSON.stringify({ subscriberId, credentials: { deviceTokens: [token(at)] } })}\n`
        )
        const csv = [
          "subscriberId,deviceTokens,title\n",
          ...subscribers.map((id, at) => `${id},${token(at)},"two\nlines"\n`)
        ]
        const file = write(folder, `tokens.${format}`, (format === "csv" ? csv : ndjson).join("").trimEnd())
        const { environment, layer } = makeService()
        const chunks = yield* plan(file, 4)
        assert.deepStrictEqual(
          chunks.map(({ lines }) => lines),
          [3, 2, 2, 2, 3]
        )
        assert.strictEqual(new Set(chunks.map(({ firstLine }) => firstLine)).size, 5)
        const reports = yield* Effect.forEach(chunks, (chunk) =>
          doChunk(chunk, { ...options, defaults: { providerId: "fcm" } })
        ).pipe(Effect.provide(layer))
        const lineOf = (at: number) => (format === "csv" ? 2 + 2 * at : at + 2 + Math.floor(at / 5))
        assert.deepStrictEqual(
          reports
            .flat()
            .map(({ line, outcome }) => `${line} ${outcome}`)
            .sort(),
          subscribers.map((_, at) => `${lineOf(at)} succeeded`).sort()
        )
        const stored = tokensBySubscriber(environment)
        for (const [at, subscriber] of subscribers.entries()) {
          assert.strictEqual(stored.get(subscriber)?.filter((each) => each === token(at)).length, 1)
        }
        assert.strictEqual([...stored.values()].flat().length, subscribers.length)
        // Lines of one subscriber share a request.
        assert.lengthOf(environment.journal.entries(), 8)
      }).pipe(Effect.scoped)
    )
  }

  const plans: Readonly<Record<string, Partial<PlanOptions> & { lines: ReadonlyArray<unknown>; shown: string }>> = {
    "two subscribers whose lines fit into one chunk": { lines: [..."abcdab"], size: 4, shown: "3,4 1,2,5,6" },
    "two subscribers whose lines do not": { lines: [..."aabcbabd"], size: 4, shown: "4 8 1,2,6 3,5,7" },
    "a subscriber within one chunk": { lines: [..."aabbcd"], size: 4, shown: "1,2,3,4 5,6" },
    "lines without a subscriber": { lines: [7, null, 7, "a", 7, "b"], size: 2, shown: "1,2 3,4 5,6" },
    "a mark, whose lines can be sent at the same time": { lines: [..."abab"], kind: "mark", size: 3, shown: "1,2,3 4" },
    "no lines": { lines: [], shown: "" },
    "a size of one": { lines: [..."aba"], size: 1, shown: "2 1,3" }
  }

  it.live("are planned by subscriber", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      for (const [name, { lines, shown, ...others }] of Object.entries(plans)) {
        const content = lines.map((subscriberId) => `${JSON.stringify(subscriberId && { subscriberId })}\n`)
        const file = write(folder, "lines.ndjson", content.join(""))
        const chunks = yield* Stream.runCollect(planChunks({ run: "r1", kind: "import", file, ...others }))
        const found = chunks.map(({ firstLine, ranges }) => {
          assert.strictEqual(firstLine, ranges[0]?.firstLine)
          return ranges.flatMap(({ bytes, firstLine: first }) => {
            let rest = bytes
            return content.slice(first - 1).flatMap((line, at) => ((rest -= line.length) < 0 ? [] : first + at))
          })
        })
        assert.strictEqual(found.join(" "), shown, name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("keep the lines of a subscriber together, however many there are", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const ids = Array.from({ length: 9000 }, (_, at) => (at % 10 === 0 ? "often" : `user-${at}`))
      const lines = ids.map((subscriberId) => `${JSON.stringify({ subscriberId })}\n`)
      const file = write(folder, "lines.ndjson", lines.join(""))
      const chunks = yield* Stream.runCollect(planChunks({ run: "r1", kind: "import", file }))
      assert.deepStrictEqual(
        chunks.map((chunk) => chunk.lines),
        [...Array.from({ length: 45 }, () => 180), 900]
      )
      const [last] = chunks.slice(-1)
      assert.deepStrictEqual(
        last?.ranges.map(({ bytes, firstLine }) => [firstLine, bytes]),
        ids.flatMap((id, at) => (id === "often" ? [[at + 1, lines[at]?.length ?? 0]] : []))
      )
    }).pipe(Effect.scoped)
  )

  it.live("are read from a URL, without its query in messages", () =>
    Effect.gen(function* () {
      let content = `subscriberId,deviceTokens\n${tokenLines(5).replaceAll(/.*user-(.).*/gu, "user-$1,token-$1")}`
      const server = createServer((_, response) => response.end(content))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const shown = `http://127.0.0.1:${yield* Effect.promise(() => listenOnLoopback(server))}/tokens.csv`
      const file = `${shown}?signature=secret`
      const chunks = yield* plan(file, 2)
      const { environment, layer } = makeService()
      const work = (chunk: Chunk) =>
        Effect.provide(doChunk(chunk, { ...options, defaults: { providerId: "fcm" } }), layer)
      const reports = yield* Effect.forEach(chunks, work)
      assert.deepStrictEqual(
        reports.map((lines) => lines.map(({ line }) => line)),
        [[2, 3], [4, 5], [6]]
      )
      assert.deepStrictEqual(tokensBySubscriber(environment).get("user-5"), ["token-5"])
      content = content.replace("token-5", "token-6")
      const [last] = chunks.slice(-1)
      const changed = yield* Effect.flip(work(last ?? assert.fail("no chunk")))
      assert.strictEqual(
        changed.message,
        `${shown} has changed since run r1 was planned. Restore it, or plan a new run`
      )
    }).pipe(Effect.scoped)
  )

  it.live("are refused where the input cannot be read or the options are wrong", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const file = join(folder, "tokens.ndjson")
      const rule = `cannot read ${file}: no such file`
      assert.strictEqual((yield* Effect.flip(plan(file, 4))).message, rule)
      write(folder, "tokens.ndjson", tokenLines(2))
      const [chunk = assert.fail("no chunk")] = yield* plan(file, 10_000)
      const failed = (part: Chunk, more?: Partial<ChunkOptions>) =>
        Effect.map(Effect.flip(Effect.provide(doChunk(part, { ...options, ...more }), layer)), ({ message }) => message)
      assert.strictEqual(yield* failed({ ...chunk, file: `${file}x` }), `cannot read ${file}x: no such file`)
      assert.strictEqual(
        yield* failed(chunk, { concurrency: 1001 }),
        "concurrency: must be a whole number from 1 to 1000"
      )
      for (const size of [0, 10_001]) {
        const error = yield* Effect.flip(plan(file, size))
        assert.strictEqual(error.message, "size: must be a whole number from 1 to 10000")
      }
      const csv = write(folder, "tokens.csv", "colour\nred\n")
      assert.match((yield* Effect.flip(plan(csv, 4))).message, /tokens\.csv:1:1: /u)
      assert.lengthOf(environment.journal.entries(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("have only the lines that are wanted", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const file = write(folder, "tokens.ndjson", tokenLines(20))
      const only = new Set([2, 3, 17])
      const chunks = yield* Stream.runCollect(planChunks({ run: "r1", kind: "import", file, only, size: 5 }))
      assert.deepStrictEqual(
        chunks.map(({ lines, ranges }) => [lines, ranges.map(({ firstLine }) => firstLine)]),
        [[3, [2, 17]]]
      )
      yield* Effect.forEach(chunks, (chunk) => doChunk(chunk, options)).pipe(Effect.provide(layer))
      assert.deepStrictEqual([...tokensBySubscriber(environment).keys()], ["user-2", "user-3", "user-17"])
    }).pipe(Effect.scoped)
  )

  it.live("can be repeated where the service honours keys", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService({ switches: honoursKeys })
      const [chunk] = yield* plan(write(folder, "tokens.ndjson", tokenLines(20)), 100)
      if (chunk === undefined) return assert.fail("no chunk")
      const first = yield* doChunk(chunk, options).pipe(Effect.provide(layer))
      const again = yield* doChunk(chunk, { isRetry: true, serviceHonoursKeys: true }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(again, first)
      assert.isTrue([...tokensBySubscriber(environment).values()].every((tokens) => tokens.length === 1))
    }).pipe(Effect.scoped)
  )

  it.live("never append a device token twice, unless configured to", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const [chunk] = yield* plan(write(folder, "tokens.ndjson", tokenLines(5)), 100)
      if (chunk === undefined) return assert.fail("no chunk")
      const retry = (atLeastOnce: boolean) => doChunk(chunk, { isRetry: true, atLeastOnce }).pipe(Effect.provide(layer))
      assert.isTrue((yield* retry(false)).every(({ outcome }) => outcome === "unknown"))
      assert.strictEqual(environment.journal.entries().length, 0)
      assert.isTrue(
        (yield* retry(true)).every((line) => line.outcome === "succeeded" && line.mayHaveBeenAppliedTwice === true)
      )
    }).pipe(Effect.scoped)
  )

  it.live("report invalid and failed lines, and stop where every line would fail", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { environment, layer } = makeService()
      const [chunk] = yield* plan(write(folder, "tokens.ndjson", `not json\n${tokenLines(2)}`), 100)
      if (chunk === undefined) return assert.fail("no chunk")
      environment.faults.add(Fault.status(422, { times: 1 }))
      const report = yield* doChunk(chunk, { ...options, concurrency: 1 }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(
        report.map(({ outcome }) => outcome),
        ["invalid", "failed", "succeeded"]
      )
      environment.faults.add(Fault.status(401))
      const stopped = yield* Effect.flip(doChunk(chunk, options).pipe(Effect.provide(layer)))
      assert.strictEqual(stopped._tag, "RunStopped")
    }).pipe(Effect.scoped)
  )

  it.live("are refused when the file has changed", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { layer } = makeService()
      const file = write(folder, "tokens.ndjson", tokenLines(4))
      const chunks: ReadonlyArray<Chunk> = yield* plan(file, 2)
      const second = chunks[1]
      if (second === undefined) return assert.fail("no second chunk")
      appendFileSync(file, "\n")
      // Bytes after a chunk are not part of it.
      yield* doChunk(second, options).pipe(Effect.provide(layer))
      writeFileSync(file, tokenLines(4).replace("token-of-3", "token-of-x"))
      const error = yield* Effect.flip(doChunk(second, options).pipe(Effect.provide(layer)))
      assert.strictEqual(error._tag, "InputChanged")
    }).pipe(Effect.scoped)
  )
})
