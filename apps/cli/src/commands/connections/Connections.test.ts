import { folderOfTest } from "@signalbox/testing/Folder"
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import { run, type RunOptions, serveFake, type ServedFake } from "../../../test/CommandLineTest.ts"

let served: ServedFake
let folder: string

beforeEach(async () => {
  served = await serveFake()
  folder = folderOfTest()
})

afterEach(() => served.close())

const path = () => join(folder, "signalbox", "config.toml")

const configure = (text: string) => {
  mkdirSync(join(folder, "signalbox"), { recursive: true })
  writeFileSync(path(), text)
}

const connections = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
  run(["connections", ...args], { ...options, environment: { XDG_CONFIG_HOME: folder, ...options.environment } })

const eu = () => `[connections.eu]\nbaseUrl = "${served.url}"\napiKeyEnv = "EU_KEY"\nreadOnly = true\n`

describe("connections", () => {
  it.effect("lists them without keys", () =>
    Effect.gen(function* () {
      configure(`${eu()}[connections.us]\nbaseUrl = "https://us.example.com"\napiKeyCommand = "pass us-secret"\n`)
      const listed = yield* connections(["list", "--csv"])
      assert.strictEqual(
        listed.stdout,
        `name,baseUrl,key,vendor,readOnly\r\neu,${served.url},variable EU_KEY,,true\r\nus,https://us.example.com,command,,false\r\n`
      )
      const whole = yield* connections(["list", "--json"])
      assert.notInclude(whole.stdout + listed.stdout, "us-secret")
      const missing = yield* connections(["check", "uk"])
      assert.strictEqual(missing.exitCode, 2)
      assert.include(missing.stderr, 'no connection is named "uk"; did you mean us?')
    })
  )

  it.effect("adds one to a file that only its owner can read, and keeps what is there", () =>
    Effect.gen(function* () {
      configure(`# mine\n${eu()}`)
      const args = ["add", "us.east", "--base-url", "https://us.example.com", "--api-key-env", "US_KEY", "--read-only"]
      assert.strictEqual((yield* connections(args)).exitCode, 0)
      assert.strictEqual(
        readFileSync(path(), "utf8"),
        `# mine\n${eu()}\n[connections."us.east"]\nbaseUrl = "https://us.example.com"\napiKeyEnv = "US_KEY"\nreadOnly = true\n`
      )
      assert.strictEqual(statSync(path()).mode & 0o777, 0o600)
      assert.include((yield* connections(["list"])).stdout, "us.east")
      assert.include((yield* connections(args)).stderr, 'already has a connection "us.east"')
    })
  )

  it.effect("adds one to the file that a symbolic link leads to, also where it does not exist yet", () =>
    Effect.gen(function* () {
      mkdirSync(join(folder, "signalbox"))
      symlinkSync("../dotfiles/config.toml", path())
      for (const name of ["us", "uk"]) {
        const ran = yield* connections(["add", name, "--base-url", "https://us.example.com", "--api-key-env", "US_KEY"])
        assert.strictEqual(ran.exitCode, 0, ran.stderr)
      }
      assert.include(readFileSync(join(folder, "dotfiles", "config.toml"), "utf8"), "[connections.uk]")
      assert.isTrue(lstatSync(path()).isSymbolicLink())
    })
  )

  it.effect("checks one, and exits with the code of what is wrong", () =>
    Effect.gen(function* () {
      configure(eu())
      const environment = { EU_KEY: served.fake.apiKey }
      const { exitCode, stdout } = yield* connections(["check", "eu"], { environment })
      assert.strictEqual(exitCode, 0)
      assert.deepInclude(JSON.parse(stdout), { name: "eu", result: "ok", baseUrl: served.url, readOnly: true })
      assert.include((yield* connections(["check", "eu"])).stderr, "the environment variable EU_KEY is not set")
      assert.strictEqual(
        (yield* connections(["check", "eu"], { environment: { EU_KEY: "wrong-key-5f2d" } })).exitCode,
        3
      )
      served.fake.faults.add(Fault.status(404))
      assert.strictEqual((yield* connections(["check"], { environment: served.environment })).exitCode, 4)
    })
  )
})
