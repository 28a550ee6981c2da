import { assert, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { readFileSync, writeFileSync } from "node:fs"
import {
  clientLayer,
  honoursKeys,
  makeService,
  tempFolder,
  tokensBySubscriber,
  write,
  writesTo
} from "../../test/TestService.ts"
import { Disk, nodeFiles } from "../file/Disk.ts"
import * as Runs from "../index.ts"

interface Row {
  readonly subscriberId: string
  readonly providerId: string
  readonly integrationIdentifier?: string
  readonly credentials: { readonly deviceTokens?: ReadonlyArray<string>; readonly webhookUrl?: string }
}

const row = (token: string | ReadonlyArray<string>, subscriberId = "ana", providerId = "fcm"): Row => ({
  subscriberId,
  providerId,
  credentials: { deviceTokens: [token].flat() }
})

const tokens = (count: number, name = "t") => Array.from({ length: count }, (_, at) => `${name}${at}`)

const ndjson = (rows: ReadonlyArray<unknown>): string => rows.map((each) => `${JSON.stringify(each)}\n`).join("")

/** A service that records the body of each write. */
const recorded = (...options: Parameters<typeof makeService>) => {
  const { environment, fetch } = makeService(...options)
  const bodies: Array<readonly [subscriberId: string | undefined, body: unknown]> = []
  const recording: typeof globalThis.fetch = (url, init) => {
    if (typeof init?.body === "string") bodies.push([String(url).split("/")[5], JSON.parse(init.body)])
    return fetch(url, init)
  }
  return { environment, bodies, layer: clientLayer(environment.apiKey, recording) }
}

const outcomesOf = (run: string) =>
  Effect.map(Stream.runCollect(Runs.report(run)), (lines) => lines.map(({ outcome }) => outcome))

describe("lines of one subscriber, provider and integration", () => {
  it.live("share a request, in their order, and nothing else does", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { bodies, layer } = recorded()
      const hook = { ...row([], "ana", "slack"), credentials: { webhookUrl: "https://hooks.test/ana" } }
      const rows = [
        row("t0"),
        row("t1", "bo"),
        row("t2"),
        row(["t3", "t4"], "ana", "expo"),
        { ...row("t5"), integrationIdentifier: "second" },
        row("t6"),
        hook,
        hook,
        row("t8"),
        row("t8")
      ]
      const input = write(folder, "tokens.ndjson", ndjson(rows))
      const { counts } = yield* Runs.startImport({ input, concurrency: 1 }).pipe(Effect.provide(layer))
      assert.strictEqual(counts.succeeded, rows.length)
      const sent = ({ subscriberId, ...body }: Row) => [subscriberId, body] as const
      assert.deepStrictEqual(
        bodies,
        [
          row(["t0", "t2"]),
          row("t1", "bo"),
          row(["t3", "t4"], "ana", "expo"),
          { ...row("t5"), integrationIdentifier: "second" },
          row(["t6", "t8"]),
          hook,
          hook
        ].map(sent)
      )
      assert.deepStrictEqual(
        yield* outcomesOf(input),
        Array.from(rows, () => "succeeded")
      )
    }).pipe(Effect.scoped)
  )

  it.live("share requests of at most 100 tokens, on a service that loses concurrent appends", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { bodies, environment, layer } = recorded({ switches: { "credentials.concurrent": "lost-updates" } })
      const input = write(folder, "tokens.ndjson", ndjson(tokens(1000).map((token) => row(token))))
      const { counts } = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.strictEqual(counts.succeeded, 1000)
      assert.lengthOf(bodies, 10)
      assert.deepStrictEqual(tokensBySubscriber(environment).get("ana"), tokens(1000))
    }).pipe(Effect.scoped)
  )

  it.live("are sent one by one where their request is rejected: each keeps its own outcome", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { bodies, environment, layer } = recorded({ switches: { "credentials.tokenLimit": "100" } })
      const old = write(folder, "old.ndjson", ndjson([row(tokens(98, "old"))]))
      yield* Runs.startImport({ input: old }).pipe(Effect.provide(layer))
      const input = write(folder, "tokens.ndjson", ndjson(tokens(4).map((token) => row(token))))
      const { counts } = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.deepStrictEqual([counts.succeeded, counts.failed], [2, 2])
      assert.deepStrictEqual(yield* outcomesOf(input), ["succeeded", "succeeded", "failed", "failed"])
      assert.deepStrictEqual(tokensBySubscriber(environment).get("ana"), [...tokens(98, "old"), "t0", "t1"])
      assert.lengthOf(bodies, 6)
    }).pipe(Effect.scoped)
  )

  it.live("stop the run where their common request was rejected and no line can be claimed any more", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { bodies, environment, layer } = recorded()
      environment.faults.add(Fault.status(422, { times: 1 }))
      const input = write(folder, "tokens.ndjson", ndjson([row("t0"), row("t1")]))
      const open: typeof nodeFiles.open = async (path) => {
        const file = await nodeFiles.open(path)
        const write: typeof file.write = (bytes, at) =>
          String(bytes).includes('"lines":[1]')
            ? Promise.reject(Object.assign(new Error(), { code: "ENOSPC" }))
            : file.write(bytes, at)
        return { ...file, write }
      }
      const full = Effect.provideService(Runs.startImport({ input }), Disk, { ...nodeFiles, open })
      const error = yield* Effect.flip(Effect.provide(full, layer))
      assert.match(error.message, /^cannot write the journal \S+: no space left on the disk/u)
      assert.lengthOf(bodies, 1)
      yield* Runs.resume(input).pipe(Effect.provide(layer))
      assert.deepStrictEqual(yield* outcomesOf(input), ["unknown", "unknown"])
    }).pipe(Effect.scoped)
  )

  for (const isHonoured of [true, false]) {
    it.live(`are sent together again after a crash${isHonoured ? "" : ", or are unknown"}`, () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        const service = recorded({ switches: isHonoured ? honoursKeys : {} })
        const { environment, layer } = service
        const input = write(folder, "tokens.ndjson", ndjson([row("t0"), row("t1", "bo"), row("t2")]))
        const started = Runs.startImport({ input, serviceHonoursKeys: isHonoured })
        const { journal } = yield* started.pipe(Effect.provide(layer))
        // The process ended when the lines were claimed and applied, and had no outcome.
        const commits = readFileSync(journal, "utf8").split("\n")
        writeFileSync(journal, `${commits.slice(0, 2).join("\n")}\n`)
        assert.strictEqual((yield* Runs.status(input)).inDoubt, 3)
        const { counts } = yield* Runs.resume(input).pipe(Effect.provide(layer))
        assert.deepStrictEqual([counts.succeeded, counts.unknown], isHonoured ? [3, 0] : [0, 3])
        assert.deepStrictEqual(tokensBySubscriber(environment).get("ana"), ["t0", "t2"])
        assert.strictEqual(writesTo(environment).length, isHonoured ? 4 : 2)
        // Unknown lines are sent as before, too.
        if (isHonoured) return
        const again = yield* Runs.retryFailed(input, { atLeastOnce: true }).pipe(Effect.provide(layer))
        assert.deepStrictEqual([again.counts.succeeded, again.maybeTwice], [3, 3])
        const keys = writesTo(environment).map(({ idempotencyKey }) => idempotencyKey)
        assert.deepStrictEqual(keys.slice(2), keys.slice(0, 2))
      }).pipe(Effect.scoped)
    )
  }

  it.live("are sent alone when they are retried after a failure", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const { bodies, environment, layer } = recorded()
      environment.faults.add(Fault.status(409, { times: 1 }))
      const input = write(folder, "tokens.ndjson", ndjson([row("t0"), row("t1")]))
      const { counts } = yield* Runs.startImport({ input }).pipe(Effect.provide(layer))
      assert.strictEqual(counts.failed, 2)
      yield* Runs.retryFailed(input).pipe(Effect.provide(layer))
      assert.lengthOf(bodies, 3)
      assert.deepStrictEqual(tokensBySubscriber(environment).get("ana"), ["t0", "t1"])
    }).pipe(Effect.scoped)
  )
})
