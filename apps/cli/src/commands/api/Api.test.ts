import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { defineOperation } from "@signalbox/core/DeclaredOperation"
import { Fault } from "@signalbox/test-harness"
import { folderOfTest } from "@signalbox/testing/Folder"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run, type RunOptions, serveFake, type ServedFake } from "../../../test/CommandLineTest.ts"

const createTopic = defineOperation({ name: "topics.create", method: "POST", path: "/v1/topics" })

const renameTopic = defineOperation({ name: "topics.rename", method: "PATCH", path: "/v1/topics/:topicKey" })

const listTopics = defineOperation({ name: "topics.list", method: "GET", path: "/v1/topics" })

let served: ServedFake

beforeEach(async () => {
  served = await serveFake({ data: "empty" })
  served.fake.route(createTopic, ({ input }) => ({ body: { data: input } }))
  served.fake.route(renameTopic, ({ input }) => ({ body: input }))
  served.fake.route(listTopics, ({ input: { query = {} } }) => {
    const page = Number(query["page"] ?? 0)
    return { body: { page, hasMore: page < 2, data: [{ key: `a${page}` }, { key: `b${page}` }] } }
  })
})

afterEach(() => served.close())

const api = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
  run(["api", ...args], { ...options, environment: { ...served.environment, ...options.environment } })

const requests = () => served.fake.journal.entries()

describe("api", () => {
  it.effect("notes that a response has no pages", () =>
    Effect.gen(function* () {
      served.fake.route(listTopics, () => ({ body: [{ key: "a" }] }))
      const ran = yield* api(["GET", "/v1/topics", "--paginate"])
      assert.deepStrictEqual(
        [ran.exitCode, ran.stdout, ran.stderr],
        [0, '{"key":"a"}\n', "No other page was requested: the response has no hasMore\n"]
      )
    })
  )

  it.effect("redacts secrets of a response", () =>
    Effect.gen(function* () {
      const hook = "https://hooks.slack.com/services/T00000000/B00000000/K7q2x9K7q2x9K7q2x9K7q2x9"
      const ran = yield* api(["POST", "/v1/topics", "-f", `webhookUrl=${hook}`, "--yes", "--debug"])
      assert.strictEqual(ran.exitCode, 0)
      assert.notInclude(ran.stdout + ran.stderr, "K7q2x9")
    })
  )

  it.effect.each([201, 400])("redacts secrets of the request that a response with %s quotes", (status) =>
    Effect.gen(function* () {
      const token = "typed:4711/p4ss"
      served.fake.route(createTopic, () => ({ status, body: { message: `the device ${token} is new` } }))
      const ran = yield* api(["POST", "/v1/topics", "-f", `to.deviceTokens=${token}`, "--yes", "--debug"])
      assert.include(status === 201 ? ran.stdout : ran.stderr, "the device <redacted> is new")
      assert.notInclude(ran.stdout + ran.stderr, token)
    })
  )

  it.live("retries a read, and no write that may have been applied", () =>
    Effect.gen(function* () {
      served.fake.faults.add(Fault.status(503, { times: 1 }))
      const read = yield* api(["GET", "/v1/topics"])
      assert.deepStrictEqual([read.exitCode, requests().length], [0, 2])
      served.fake.faults.add(Fault.status(503, { times: 1, at: "committed" }))
      const write = yield* api(["POST", "/v1/topics", "-f", "key=news", "--yes", "--json"])
      assert.deepStrictEqual([write.exitCode, requests().length], [7, 3])
      const { error } = JSON.parse(write.stderr)
      assert.deepInclude(error, { reason: "ServerFailure", status: 503, mayHaveBeenApplied: true })
    })
  )

  it.effect("refuses a write on a read-only connection, and reads", () =>
    Effect.gen(function* () {
      const folder = folderOfTest()
      mkdirSync(join(folder, "signalbox"))
      writeFileSync(
        join(folder, "signalbox", "config.toml"),
        `[connections.eu]\nbaseUrl = "${served.url}"\napiKeyEnv = "SIGNALBOX_API_KEY"\nreadOnly = true\n`
      )
      const onEu = { environment: { XDG_CONFIG_HOME: folder } }
      const write = yield* api(["POST", "/v1/topics", "--yes", "-c", "eu"], onEu)
      assert.deepStrictEqual([write.exitCode, requests().length], [5, 0])
      assert.include(write.stderr, 'connection "eu" is read-only')
      const read = yield* api(["GET", "/v1/topics", "-c", "eu"], onEu)
      assert.strictEqual(read.exitCode, 0)
    })
  )
})
