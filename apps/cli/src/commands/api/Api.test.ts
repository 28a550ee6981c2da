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

const linesOf = (text: string): ReadonlyArray<unknown> =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("api", () => {
  it.effect("prints the records of a page line by line, and sends fields of a GET as its query", () =>
    Effect.gen(function* () {
      const ran = yield* api(["GET", "/v1/topics", "-f", "page=1", "-f", "tags=x", "-f", "tags=y"])
      assert.deepStrictEqual([ran.exitCode, ran.stderr], [0, ""])
      assert.strictEqual(ran.stdout, '{"key":"a1"}\n{"key":"b1"}\n')
      assert.strictEqual(requests()[0]?.query, "page=1&tags=x&tags=y")
    })
  )

  it.effect("requests the pages that follow", () =>
    Effect.gen(function* () {
      const ran = yield* api(["GET", "/v1/topics", "--paginate", "-f", "limit=2"])
      assert.deepStrictEqual(
        linesOf(ran.stdout),
        [0, 1, 2].flatMap((page) => [{ key: `a${page}` }, { key: `b${page}` }])
      )
      assert.deepStrictEqual(
        requests().map(({ query }) => query),
        ["limit=2", "limit=2&page=1", "limit=2&page=2"]
      )
    })
  )

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

  it.effect("sends fields of a write as its body, and prints the response as one line", () =>
    Effect.gen(function* () {
      const fields = ["name=welcome", "to.id=u_1", "to.tags=x", "to.tags=y=z"].flatMap((field) => ["-f", field])
      const ran = yield* api(["POST", "/v1/topics", ...fields, "--yes"])
      assert.deepStrictEqual(linesOf(ran.stdout), [
        { data: { body: { name: "welcome", to: { id: "u_1", tags: ["x", "y=z"] } } } }
      ])
    })
  )

  it.effect("sends a body of stdin, and fields as the query", () =>
    Effect.gen(function* () {
      const ran = yield* api(["PATCH", "/v1/topics/a%2Fb", "--input", "-", "-f", "dry=true", "--yes"], {
        stdin: '{"name":["x"],"size":3}'
      })
      assert.deepStrictEqual(linesOf(ran.stdout), [
        { path: { topicKey: "a/b" }, query: { dry: "true" }, body: { name: ["x"], size: 3 } }
      ])
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

  it.effect("requires a yes before a write, and sends nothing without it", () =>
    Effect.gen(function* () {
      const no = yield* api(["POST", "/v1/topics", "-f", "key=news"], { columns: 80, answers: ["n"] })
      assert.deepStrictEqual([no.exitCode, no.stderr], [10, "signalbox: you answered no; nothing was done\n"])
      assert.match(no.questions[0] ?? "", /^POST \/v1\/topics on "127\.0\.0\.1:\d+" \(http:[^)]+\)\? \[y\/N\] $/u)
      assert.lengthOf(requests(), 0)
      const yes = yield* api(["POST", "/v1/topics", "-f", "key=news"], { columns: 80, answers: ["y"] })
      assert.deepStrictEqual([yes.exitCode, requests().length], [0, 1])
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

  it.effect.each([
    {
      args: ["get", "/v1/topics"],
      line: '<method> is "get"; did you mean GET? Expected one of: GET, POST, PUT, PATCH, DELETE'
    },
    {
      args: ["GET", "/v1/topics?page=1"],
      line: '<path> is "/v1/topics?page=1"; expected a percent-encoded path such as /v1/topics; query parameters are -f NAME=VALUE'
    },
    { args: ["GET", "v1/topics"], line: '<path> is "v1/topics"; expected a percent-encoded path' },
    { args: ["GET", "/v1/topics", "--input", "-"], line: "--input: a GET has no body; give -f NAME=VALUE" },
    { args: ["POST", "/v1/topics", "--paginate", "--yes"], line: "--paginate needs a GET" },
    {
      args: ["GET", "/v1/topics", "--paginate", "-f", "page=x"],
      line: "--paginate: page must be a whole number"
    },
    {
      args: ["GET", "/v1/topics", "-f", "page"],
      line: '--field is "page"; expected a name and a value, such as name=welcome'
    },
    { args: ["POST", "/v1/topics", "-f", ".=secret"], line: '--field is ".=…"; expected a name and a value' },
    {
      args: ["POST", "/v1/topics", "-f", "to=u", "-f", "to.id=u", "--yes"],
      line: "--field: to is given as a value and as an object"
    },
    { args: ["POST", "/v1/topics", "--input", "-", "--yes"], line: "--input: stdin is not valid JSON" },
    {
      args: ["POST", "/v1/topics", "--input", "/nonexistent/body", "--yes"],
      line: "--input: cannot read /nonexistent/body: no such file"
    },
    { args: ["POST", "/v1/topics"], line: "needs --yes, or a terminal to confirm on" }
  ])("refuses $args and sends nothing", ({ args, line }) =>
    Effect.gen(function* () {
      const ran = yield* api(args, { stdin: "{" })
      assert.include(ran.stderr, line)
      assert.deepStrictEqual([ran.exitCode, ran.stderr.trimEnd().split("\n").length], [2, 1])
      assert.lengthOf(requests(), 0)
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

  it.effect("names the endpoints that the fake has where it lacks one", () =>
    Effect.gen(function* () {
      const ran = yield* api(["GET", "/v1/layouts"])
      assert.strictEqual(ran.exitCode, 4)
      assert.include(
        ran.stderr,
        "signalbox: GET /v1/layouts failed: 404 Not Found: Cannot GET /v1/layouts; add it with fake.route or POST /_fake/routes; expected one of: "
      )
    })
  )
})
