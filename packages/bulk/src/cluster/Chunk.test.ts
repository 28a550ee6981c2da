import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { planned } from "../../test/cluster/MemoryChunks.ts"
import { tempFolder, tokenLines, write } from "../../test/TestService.ts"
import { type Chunk, type PlanOptions, readChunk } from "./Chunk.ts"

const plan = (file: string, size: number) => planned(file, { size })

/** The lines of chunks, each with its value, or why it has none. */
const readAll = Effect.fnUntraced(function* (chunks: ReadonlyArray<Chunk>, file: string) {
  const lines = (yield* Effect.forEach(chunks, (chunk) => readChunk(chunk, file))).flat()
  return lines.map(({ content, line }) => {
    const found = content()
    return [line, "value" in found ? found.value : found.rule] as const
  })
})

const tokenOf = (subscriberId: string, token: string) => ({ subscriberId, credentials: { deviceTokens: [token] } })

describe("chunks", () => {
  it.live("cover every line of a file once", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const file = write(
        folder,
        "tokens.ndjson",
        `\uFEFF${tokenLines(7)}\n\n${tokenLines(10).trimEnd().replaceAll("user", "other")}`
      )
      const chunks = yield* plan(file, 4)
      assert.deepStrictEqual(
        chunks.map(({ ranges }) => ranges[0]?.firstLine),
        [1, 5, 11, 15, 19]
      )
      assert.strictEqual(
        chunks.flatMap(({ ranges }) => ranges).reduce((sum, { bytes }) => sum + bytes, 0),
        readFileSync(file).length
      )
      assert.deepStrictEqual(
        (yield* readAll(chunks, file)).map(([line]) => line),
        [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
      )
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
          const chunks = yield* planned(file, { columns, size })
          assert.lengthOf(chunks, Math.ceil(11 / size))
          assert.deepStrictEqual(yield* readAll(chunks, file), [
            ...Array.from({ length: 9 }, (_, at): readonly [number, unknown] => {
              const { credentials, subscriberId } = tokenOf(`user-${at}`, `tökén-${at}`)
              return [3 + 2 * at, { subscriberId, credentials: { ...credentials, title: `two${newline}lines` } }]
            }),
            [22, "Expected 3 columns, found 2"] as const,
            [23, tokenOf("user-10", "token-10")] as const
          ])
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
        const chunks = yield* plan(file, 4)
        assert.deepStrictEqual(
          chunks.map(({ lines }) => lines),
          [3, 2, 2, 2, 3]
        )
        const lineOf = (at: number) => (format === "csv" ? 2 + 2 * at : at + 2 + Math.floor(at / 5))
        const title = format === "csv" ? { title: "two\nlines" } : {}
        assert.sameDeepMembers(
          [...(yield* readAll(chunks, file))],
          subscribers.map((subscriberId, at) => [
            lineOf(at),
            { subscriberId, credentials: { deviceTokens: [token(at)], ...title } }
          ])
        )
        const partsOf = new Map<string, Set<number>>()
        for (const [part, chunk] of chunks.entries()) {
          for (const [, value] of yield* readAll([chunk], file)) {
            const { subscriberId } = value as ReturnType<typeof tokenOf>
            partsOf.set(subscriberId, (partsOf.get(subscriberId) ?? new Set()).add(part))
          }
        }
        assert.isTrue([...partsOf.values()].every(({ size }) => size === 1))
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
        const chunks = yield* planned(file, others)
        const found = chunks.map(({ ranges }) =>
          ranges.flatMap(({ bytes, firstLine }) => {
            let rest = bytes
            return content.slice(firstLine - 1).flatMap((line, at) => ((rest -= line.length) < 0 ? [] : firstLine + at))
          })
        )
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
      const chunks = yield* planned(file)
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
      assert.deepStrictEqual(
        chunks.map(({ lines }) => lines),
        [2, 2, 1]
      )
      assert.deepStrictEqual(
        yield* readAll(chunks, file),
        [1, 2, 3, 4, 5].map((at) => [at + 1, tokenOf(`user-${at}`, `token-${at}`)] as const)
      )
      content = content.replace("token-5", "token-6")
      const [last] = chunks.slice(-1)
      const changed = yield* Effect.flip(readChunk(last ?? assert.fail("no chunk"), file))
      assert.strictEqual(
        changed.message,
        `${shown} has changed since run r1 was planned. Restore it, or plan a new run`
      )
    }).pipe(Effect.scoped)
  )

  it.live("are refused where the input cannot be read", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const file = join(folder, "tokens.ndjson")
      const rule = `cannot read ${file}: no such file`
      assert.strictEqual((yield* Effect.flip(plan(file, 4))).message, rule)
      write(folder, "tokens.ndjson", tokenLines(2))
      const [chunk = assert.fail("no chunk")] = yield* plan(file, 10_000)
      const missing = yield* Effect.flip(readChunk(chunk, `${file}x`))
      assert.strictEqual(missing.message, `cannot read ${file}x: no such file`)
      const csv = write(folder, "tokens.csv", "colour\nred\n")
      assert.match((yield* Effect.flip(plan(csv, 4))).message, /tokens\.csv:1:1: /u)
    }).pipe(Effect.scoped)
  )

  it.live("are refused when the file has changed", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const file = write(folder, "tokens.ndjson", tokenLines(4))
      const chunks: ReadonlyArray<Chunk> = yield* plan(file, 2)
      const second = chunks[1]
      if (second === undefined) return assert.fail("no second chunk")
      appendFileSync(file, "\n")
      // Bytes after a chunk are not part of it.
      assert.lengthOf(yield* readChunk(second, file), 2)
      writeFileSync(file, tokenLines(4).replace("token-of-3", "token-of-x"))
      const error = yield* Effect.flip(readChunk(second, file))
      assert.strictEqual(error._tag, "InputChanged")
    }).pipe(Effect.scoped)
  )
})
