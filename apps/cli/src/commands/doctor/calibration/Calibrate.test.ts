import { folderOfTest } from "@signalbox/testing/Folder"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { createFake, Fault } from "@signalbox/test-harness"
import { listen, readPreset } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import { run, type RunOptions } from "../../../../test/CommandLineTest.ts"

const token = "fcm-device-token-4f1c8a"

const webhook = "https://hooks.example.test/services/T0/B0/K7q2x9"

/** A fake with a clock that runs, since calibration compares timestamps. */
const serve = async (preset: "document" | "observed", entries = 1) => {
  const fake = createFake({ preset, data: "empty" })
  const { id, identifier } = fake.addIntegration({ providerId: "fcm" })
  const credentials = { deviceTokens: [token], webhookUrl: webhook, channel: "#team", title: "Team" }
  const entry = { providerId: "fcm", integrationId: id, integrationIdentifier: identifier, credentials } as const
  fake.addSubscriber({ subscriberId: "u_1", channels: Array.from({ length: entries }, () => entry) })
  const messages = [1, 2, 3].flatMap(() => ["--message", fake.addMessage({ subscriberId: "u_1" }).id])
  const server = await listen(fake)
  const environment = { SIGNALBOX_BASE_URL: server.url, SIGNALBOX_API_KEY: fake.apiKey }
  return { fake, url: server.url, environment, messages, close: server.close }
}

let served: Awaited<ReturnType<typeof serve>>
let folder: string

beforeEach(async () => {
  folder = folderOfTest()
  served = await serve("observed")
})

afterEach(() => served.close())

const calibrate = Effect.fnUntraced(function* (args: ReadonlyArray<string>, options: RunOptions = {}) {
  const ran = yield* run(["doctor", "--calibrate", ...args], {
    ...options,
    environment: { ...served.environment, ...options.environment }
  })
  for (const secret of [token, webhook]) assert.notInclude(ran.stdout + ran.stderr + ran.questions.join(), secret)
  return ran
})

/** A program that stores the status of a bad limit. */
const storeStatus = (file: string): string => `
  const { SIGNALBOX_API_KEY: key, SIGNALBOX_BASE_URL: url } = process.env
  const headers = { authorization: "ApiKey " + key }
  fetch(url + "/v1/notifications?limit=99", { headers }).then(({ status }) =>
    require("node:fs").writeFileSync(${JSON.stringify(file)}, String(status))
  )`

const requests = () => served.fake.journal.entries().length

const credentials = () => served.fake.state().subscribers.find(({ subscriberId }) => subscriberId === "u_1")?.channels

describe("doctor --calibrate", () => {
  it.live("writes a preset file that makes a fake behave like the deployment", () =>
    Effect.gen(function* () {
      const file = join(folder, "staging.json")
      const before = credentials()
      const readFlags = () => served.fake.state().messages.map(({ read }) => read)
      const readBefore = readFlags()
      const ran = yield* calibrate(["-s", "u_1", ...served.messages, "-o", file, "--yes"])
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      const { evidence, switches } = JSON.parse(readFileSync(file, "utf8"))
      assert.strictEqual(switches["credentials.tokensAbsent"], "wiped")
      assert.match(evidence["credentials.badBody"], /^PATCH credentials, .+: 422$/u)
      assert.match(evidence["idempotency.retention"], /^unknown: /u)
      assert.sameMembers(Object.keys(evidence), Object.keys(served.fake.switches))
      const fake = createFake(readPreset(file))
      for (const [name, value] of Object.entries(switches)) {
        assert.strictEqual(Reflect.get(fake.switches, name), value, name)
        assert.strictEqual(Reflect.get(served.fake.switches, name), value, name)
      }
      assert.lengthOf(ran.stdout.trimEnd().split("\n"), Object.keys(evidence).length)
      assert.deepStrictEqual(credentials(), before)
      assert.deepStrictEqual(readFlags(), readBefore)
      assert.strictEqual(switches["mark.read.lastSeenDate"], "set")
      assert.match(
        ran.stderr,
        /^Different now: 3 messages of u_1, which are marked as seen and have new dates; the version and the update time of u_1$/mu
      )
      assert.match(ran.stderr, /Wrote .+staging\.json: \d+ of \d+ switches, \d+ unknown\n$/u)
    })
  )

  it.live("names what it cannot put back", () =>
    Effect.gen(function* () {
      yield* Effect.promise(() => served.close())
      served = yield* Effect.promise(() => serve("document"))
      const ran = yield* calibrate(["-s", "u_1", "-o", join(folder, "p.json"), "--yes"])
      assert.include(ran.stderr, "Different now: the fcm credentials of u_1: ")
      assert.match(ran.stderr, /Different now: .*deviceTokens/u)
      assert.include(JSON.stringify(credentials()), token)
    })
  )

  it.live("reports several entries of one integration, and how to repair them", () =>
    Effect.gen(function* () {
      yield* Effect.promise(() => served.close())
      served = yield* Effect.promise(() => serve("observed", 2))
      const ran = yield* calibrate(["-s", "u_1", "-o", join(folder, "p.json"), "--yes"])
      assert.include(
        ran.stderr,
        "u_1 has several entries of one fcm integration: remove them, then store all tokens in one call\n"
      )
      yield* Effect.promise(() => served.close())
      served = yield* Effect.promise(() => serve("observed"))
      const single = yield* calibrate(["-s", "u_1", "-o", join(folder, "q.json"), "--yes"])
      assert.notInclude(single.stderr, "several entries")
    })
  )

  it.live("puts credentials back where the service fails in between", () =>
    Effect.gen(function* () {
      const before = credentials()
      served.fake.journal.subscribe(() => {
        if (requests() === 60 && served.fake.faults.armed().length === 0) served.fake.faults.add(Fault.reset())
      })
      const file = join(folder, "p.json")
      const ran = yield* calibrate(["-s", "u_1", "-o", file, "--yes"])
      assert.deepStrictEqual([ran.exitCode, existsSync(file)], [7, false], ran.stderr)
      assert.match(ran.stderr, /signalbox: (?:GET|PATCH|POST) .+: no response/u)
      assert.deepStrictEqual(credentials(), before)
    })
  )

  it.live("saves what it found in the profile of the connection, which fake --like serves", () =>
    Effect.gen(function* () {
      const environment = { XDG_CONFIG_HOME: folder }
      const name = new URL(served.url).host
      const ran = yield* calibrate(["-s", "u_1", ...served.messages, "--save", "--yes"], { environment })
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      assert.isFalse(existsSync("signalbox-preset.json"))
      const path = join(folder, "signalbox", "profiles", `${name.replace(":", "_")}.json`)
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      const text = readFileSync(path, "utf8")
      for (const secret of [token, webhook, served.fake.apiKey]) assert.notInclude(text, secret)
      const { calibration } = JSON.parse(text)
      const saved = Object.entries<{ value: string; observations: number; evidence: string }>(calibration.switches)
      assert.isAbove(saved.length, 40)
      for (const [, { evidence, observations }] of saved) {
        assert.isAbove(observations, 0)
        assert.notStrictEqual(evidence, "")
      }
      const exec = (like: string, more: ReadonlyArray<string> = []) =>
        run(["fake", "exec", "--like", like, ...more, "--", "node", "-e", storeStatus(join(folder, "like.json"))], {
          environment: { PATH: process.env["PATH"] ?? "", ...environment }
        })
      const like = yield* exec(name)
      assert.strictEqual(like.exitCode, 0, like.stderr)
      // The status of a bad limit in the preset "observed"; in "document" it is 400.
      assert.strictEqual(readFileSync(join(folder, "like.json"), "utf8"), "422")
      assert.include(
        (yield* exec("uk")).stderr,
        `--like: "uk" has no profile; expected one of ${name.replace(":", "_")}.`
      )
      assert.include(
        (yield* exec(name, ["--preset", "observed"])).stderr,
        "--like and --preset cannot be used together"
      )
      writeFileSync(path, JSON.stringify({ version: 1, baseUrl: "http://x/", differences: [] }))
      assert.include((yield* exec(name)).stderr, "is not calibrated")
    })
  )

  it.live("requires a yes on a terminal, and sends nothing without it", () =>
    Effect.gen(function* () {
      const ran = yield* calibrate(["-s", "u_1", "--message", "m1"], { columns: 80, answers: ["n"] })
      assert.deepStrictEqual([ran.exitCode, requests()], [10, 0])
      assert.match(ran.questions[0] ?? "", /^change the credentials of u_1 and mark 1 message on "127\.0\.0\.1:\d+"/u)
    })
  )

  it.live("is refused on a read-only connection", () =>
    Effect.gen(function* () {
      mkdirSync(join(folder, "signalbox"))
      writeFileSync(
        join(folder, "signalbox", "config.toml"),
        `[connections.eu]\nbaseUrl = "${served.url}"\napiKeyEnv = "SIGNALBOX_API_KEY"\nreadOnly = true\n`
      )
      const ran = yield* calibrate(["-s", "u_1", "--connection", "eu", "--yes"], {
        environment: { XDG_CONFIG_HOME: folder }
      })
      assert.deepStrictEqual([ran.exitCode, requests()], [5, 0])
      assert.include(ran.stderr, 'connection "eu" is read-only')
    })
  )

  it.live.each([
    { args: [], line: "--calibrate needs --subscriber with a subscriber for tests" },
    { args: ["-s", "u_1"], line: "needs --yes, or a terminal to confirm on" },
    {
      args: ["-s", "u_1", "-o", "preset.yaml"],
      line: '--output is "preset.yaml"; expected a file name that ends in .json'
    },
    { args: ["-s", "u_1", "-o", "FOLDER/there.json"], line: "there.json exists; give the name of a new file" }
  ])("refuses $args and sends nothing", ({ args, line }) =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "there.json"), "{}")
      const ran = yield* calibrate(args.map((word) => word.replace("FOLDER", folder)))
      assert.deepStrictEqual([ran.exitCode, ran.stdout, requests()], [2, "", 0])
      assert.include(ran.stderr, line)
    })
  )

  it.live("accepts its flags only together with --calibrate", () =>
    Effect.gen(function* () {
      const ran = yield* run(["doctor", "--subscriber", "u_1"], { environment: served.environment })
      assert.deepStrictEqual(
        [ran.exitCode, ran.stderr],
        [2, "signalbox: --subscriber needs --calibrate; without it, doctor writes nothing\n"]
      )
    })
  )

  it.live("exits with 3 where the key is not accepted, and calibrates nothing", () =>
    Effect.gen(function* () {
      const ran = yield* calibrate(["-s", "u_1", "-o", join(folder, "p.json"), "--yes"], {
        environment: { SIGNALBOX_API_KEY: "wrong-key-5f2d" }
      })
      assert.strictEqual(ran.exitCode, 3)
      assert.notInclude(ran.stderr, "Different now")
    })
  )
})
