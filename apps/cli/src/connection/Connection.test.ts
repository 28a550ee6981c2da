import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import { folderOfTest } from "@signalbox/testing/Folder"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { setImmediate } from "node:timers/promises"
import { run, serveFake, type ServedFake } from "../../test/CommandLineTest.ts"

let first: ServedFake
let second: ServedFake
let folder: string

beforeEach(async () => {
  folder = folderOfTest()
  mkdirSync(join(folder, "signalbox"))
  ;[first, second] = await Promise.all([serveFake(), serveFake()])
})

afterEach(() => Promise.all([first.close(), second.close()]))

const configure = (start = "") => {
  const table = (name: string, { url }: ServedFake) =>
    `[connections.${name}]\nbaseUrl = "${url}"\napiKeyEnv = "${name.toUpperCase()}_KEY"\n`
  writeFileSync(join(folder, "signalbox", "config.toml"), `${start}${table("first", first)}${table("second", second)}`)
}

const list = (environment: Readonly<Record<string, string>> = {}, ...args: ReadonlyArray<string>) =>
  run(["events", "list", "--limit", "1", ...args], {
    environment: {
      XDG_CONFIG_HOME: folder,
      FIRST_KEY: first.fake.apiKey,
      SECOND_KEY: second.fake.apiKey,
      ...environment
    }
  })

/** The requests that each service has received. */
const received = () => [first, second].map(({ fake }) => fake.journal.entries().length)

describe("the connection of a command that names none", () => {
  it.effect("is that of SIGNALBOX_CONNECTION, else of the address in the environment, else the default", () =>
    Effect.gen(function* () {
      configure('default = "second"\n')
      yield* list()
      assert.deepStrictEqual(received(), [0, 1])
      yield* list({ SIGNALBOX_CONNECTION: "first" })
      assert.deepStrictEqual(received(), [1, 1])
      yield* list(first.environment)
      assert.deepStrictEqual(received(), [2, 1])
      yield* list({ SIGNALBOX_CONNECTION: "first" }, "-c", "second")
      assert.deepStrictEqual(received(), [2, 2])
    })
  )

  it.effect("is refused where the environment names two", () =>
    Effect.gen(function* () {
      configure()
      const { exitCode, stderr } = yield* list({ ...first.environment, SIGNALBOX_CONNECTION: "second" })
      assert.deepStrictEqual(
        [exitCode, stderr],
        [2, "signalbox: SIGNALBOX_CONNECTION and SIGNALBOX_BASE_URL are both set; unset one, or pass --connection\n"]
      )
      assert.deepStrictEqual(received(), [0, 0])
    })
  )
})

describe("--debug", () => {
  it.effect("prints each attempt with its time on stderr, without secrets", () =>
    Effect.gen(function* () {
      const { exitCode, stderr, stdout } = yield* run(
        ["credentials", "upsert", "-s", "u_10377", "--provider", "slack", "--webhook-url", "-", "--yes", "--debug"],
        { environment: first.environment, stdin: "https://hooks.example.test/services/T0/B0/secret" }
      )
      assert.strictEqual(exitCode, 0, stderr)
      assert.match(
        stderr,
        /^> \d\d:\d\d:\d\d\.\d{3}Z PATCH http:\/\/127\.0\.0\.1:\d+\/v1\/subscribers\/u_10377\/credentials$/mu
      )
      assert.match(stderr, /^> authorization: <redacted>$/mu)
      assert.match(stderr, /^< \d\d:\d\d:\d\d\.\d{3}Z 200 after \d+ ms$/mu)
      for (const secret of [first.fake.apiKey, "T0/B0/secret"]) assert.notInclude(stderr + stdout, secret)
    })
  )

  it.effect("prints an attempt without a response, too", () =>
    Effect.gen(function* () {
      first.fake.faults.add(Fault.reset({ at: "received", times: "always" }))
      const { stderr } = yield* run(
        ["credentials", "upsert", "-s", "u", "--provider", "fcm", "--device-token", "-", "--yes", "--debug"],
        {
          environment: first.environment,
          stdin: "a-token"
        }
      )
      assert.match(stderr, /^< \S+Z no complete response after \d+ ms$/mu)
      assert.notInclude(stderr, "a-token")
    })
  )
})

describe("--timeout", () => {
  it.effect("ends a call with its retries", () =>
    Effect.gen(function* () {
      first.fake.faults.add(Fault.latency(3_600_000, { times: "always" }))
      const fiber = yield* Effect.forkChild(
        run(["events", "list", "--timeout", "3s"], { environment: first.environment }),
        { startImmediately: true }
      )
      while (first.fake.journal.entries().length === 0) yield* Effect.promise(() => setImmediate())
      yield* TestClock.adjust("3 seconds")
      const { exitCode, stderr } = yield* Fiber.join(fiber)
      assert.strictEqual(exitCode, 7, stderr)
      assert.match(stderr, /^signalbox: events\.list failed: not done within 3/u)
    })
  )

  it.effect.each([{ flags: [] }, { flags: ["--debug"] }])(
    "reports that nothing was sent while it connects: $flags",
    ({ flags }) =>
      Effect.gen(function* () {
        // Without a response, the TLS handshake does not finish.
        const silent = createServer((socket) => void socket.on("error", () => {}).resume())
        const port = yield* Effect.acquireRelease(
          Effect.promise(() => listenOnLoopback(silent)),
          () => Effect.sync(() => silent.close())
        )
        const connected = once(silent, "connection")
        const words = ["mark-as", "read", "--subscriber", "u_1", "m_1", "--yes", "--timeout", "3s", ...flags]
        const environment = { SIGNALBOX_BASE_URL: `https://127.0.0.1:${port}`, SIGNALBOX_API_KEY: "key" }
        const fiber = yield* Effect.forkChild(run(["messages", ...words], { environment }), { startImmediately: true })
        yield* Effect.promise(() => connected)
        yield* TestClock.adjust("3 seconds")
        assert.include((yield* Fiber.join(fiber)).stderr, "within 3000 ms, nothing was sent")
      }).pipe(Effect.scoped)
  )

  it.effect("refuses a limit of zero", () =>
    Effect.map(run(["events", "list", "--timeout", "0s"]), ({ exitCode, stderr }) => {
      assert.deepStrictEqual([exitCode, stderr.includes('--timeout is "0s"; expected a duration')], [2, true])
    })
  )
})
