import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import { folderOfTest } from "@signalbox/testing/Folder"
import * as Effect from "effect/Effect"
import { run, type RunOptions, serveFake, type ServedFake } from "../../test/CommandLineTest.ts"

let served: ServedFake
let folder: string

beforeEach(async () => {
  folder = folderOfTest()
  served = await serveFake({ vendor: "acme", switches: { "response.extraFields": "added" } })
  mkdirSync(join(folder, "signalbox"))
  configure(connection())
})

afterEach(() => served.close())

const path = () => join(folder, "signalbox", "config.toml")

const profilePath = (name: string) => join(folder, "signalbox", "profiles", `${name}.json`)

const connection = (more = "") => `# mine\n[connections.eu]\n${more}baseUrl = "${served.url}"\napiKeyEnv = "EU_KEY"\n`

const configure = (text: string) => writeFileSync(path(), text)

const config = () => readFileSync(path(), "utf8")

const profile = (name = "eu") => JSON.parse(readFileSync(profilePath(name), "utf8"))

const command = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
  run(args, {
    ...options,
    environment: { XDG_CONFIG_HOME: folder, EU_KEY: served.fake.apiKey, ...options.environment }
  })

const list = (options?: RunOptions) => command(["events", "list", "-c", "eu", "--limit", "20", "--quiet"], options)

const doctor = (args: ReadonlyArray<string> = [], options?: RunOptions) =>
  command(["doctor", "-c", "eu", ...args], options)

interface Row {
  readonly check: string
  readonly result: string
  readonly evidence: string
  readonly advice: string
}

const rowsOf = (stdout: string, check: string): ReadonlyArray<Row> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line): Row => JSON.parse(line))
    .filter((row) => row.check === check)

const terminal = (...answers: ReadonlyArray<string>): RunOptions => ({ columns: 200, answers })

describe("a service of another vendor", () => {
  it.live("is recognised by doctor, which sets the vendor once it is agreed", () =>
    Effect.gen(function* () {
      const before = yield* doctor([], terminal("n"))
      assert.match(before.questions[0] ?? "", /^Set vendor = "acme" for "eu" in config\.toml\? \[y\/N\] $/u)
      assert.include(before.stderr, 'Add vendor = "acme" to [connections.eu] in config.toml.')
      assert.strictEqual(config(), connection())
      const agreed = yield* doctor([], terminal("y"))
      assert.strictEqual(agreed.exitCode, 0, agreed.stderr)
      assert.include(agreed.stderr, `Set vendor = "acme" for "eu" in ${path()}\n`)
      assert.strictEqual(config(), connection('vendor = "acme"\n'))
      const after = yield* doctor()
      assert.deepInclude(rowsOf(after.stdout, "vendor")[0], { result: "ok", evidence: "acme" })
      assert.notInclude(after.stderr, "vendor")
    })
  )

  it.live("has no differences that its name explains, once it is set", () =>
    Effect.gen(function* () {
      assert.include((yield* list()).stderr, "signalbox: new:")
      assert.include(readFileSync(profilePath("eu"), "utf8"), '"acme-cloud')
      const { stdout } = yield* doctor(["--yes"])
      assert.notInclude(JSON.stringify(rowsOf(stdout, "difference")), "acme")
      assert.notInclude(JSON.stringify(rowsOf((yield* doctor()).stdout, "difference")), "acme")
    })
  )

  it.live("is recognised without a terminal, where doctor prints the line to add and --yes adds it", () =>
    Effect.gen(function* () {
      const piped = yield* doctor()
      const [vendor] = rowsOf(piped.stdout, "vendor")
      assert.strictEqual(vendor?.result, "warning")
      assert.match(vendor?.evidence ?? "", /^events have "acme" where the API document has "service": .*acme-cloud/u)
      assert.strictEqual(vendor?.advice, 'Add vendor = "acme" to [connections.eu] in config.toml.')
      assert.match(
        piped.stderr,
        /^Events have "acme" .+ Add vendor = "acme" to \[connections\.eu\] in config\.toml\.\n$/u
      )
      assert.strictEqual(config(), connection())
      // A value that the vendor setting explains is not a difference.
      assert.notInclude(JSON.stringify(rowsOf(piped.stdout, "difference")), "acme")
      yield* doctor(["--yes"])
      assert.strictEqual(config(), connection('vendor = "acme"\n'))
    })
  )

  it.live("is recognised where the connection is set by the environment", () =>
    Effect.gen(function* () {
      const { stdout } = yield* command(["doctor"], { environment: served.environment })
      assert.strictEqual(rowsOf(stdout, "vendor")[0]?.advice, "Set SIGNALBOX_VENDOR=acme.")
      const set = yield* command(["doctor"], { environment: { ...served.environment, SIGNALBOX_VENDOR: "acme" } })
      assert.strictEqual(rowsOf(set.stdout, "vendor")[0]?.result, "ok")
    })
  )

  it.live("is recognised by connections add", () =>
    Effect.gen(function* () {
      const add = (name: string, more: ReadonlyArray<string> = [], options?: RunOptions) =>
        command(["connections", "add", name, "--base-url", served.url, "--api-key-env", "EU_KEY", ...more], options)
      const piped = yield* add("piped")
      assert.strictEqual(piped.exitCode, 0)
      assert.match(
        piped.stderr,
        /^Added "piped" to .+\nEvents have "acme" .+ Add vendor = "acme" to \[connections\.piped\]/u
      )
      assert.notInclude(config(), "vendor")
      const agreed = yield* add("agreed", [], terminal("yes"))
      assert.lengthOf(agreed.questions, 1)
      yield* add("flagged", ["--yes"])
      assert.match(
        config(),
        /\[connections\.agreed\]\nvendor = "acme"\n[^]+\[connections\.flagged\]\nvendor = "acme"\n/u
      )
      const given = yield* add("given", ["--vendor", "acme"])
      assert.notInclude(given.stderr, "Events have")
    })
  )

  it.live("is added where it does not respond", () =>
    Effect.gen(function* () {
      const args = ["connections", "add", "off", "--base-url", served.url, "--api-key-env", "EU_KEY"]
      const ran = yield* command(args, { environment: { EU_KEY: "wrong-key-5f2d" } })
      assert.strictEqual(ran.exitCode, 0)
      assert.include(config(), "[connections.off]")
      assert.match(ran.stderr, /; use it with --connection off\n"off" does not work yet \(.*401.*\); signalbox doctor/u)
      assert.notInclude(ran.stderr, "wrong-key-5f2d")
    })
  )

  it.live("keeps a symbolic link to the configuration file", () =>
    Effect.gen(function* () {
      const dotfile = join(folder, "dotfile.toml")
      writeFileSync(dotfile, connection())
      rmSync(path())
      symlinkSync(dotfile, path())
      yield* doctor(["--yes"])
      assert.strictEqual(readFileSync(dotfile, "utf8"), connection('vendor = "acme"\n'))
      assert.strictEqual(config(), connection('vendor = "acme"\n'))
    })
  )
})

describe("differences from the API document", () => {
  beforeEach(() => configure(connection('vendor = "acme"\n')))

  it.live("are reported in one line, once, and listed by doctor", () =>
    Effect.gen(function* () {
      const first = yield* list()
      assert.strictEqual(first.exitCode, 0)
      assert.match(
        first.stderr,
        /^signalbox: new: \d+ differences from the API document, \d+ unknown fields left out; list them with signalbox doctor --connection eu\n$/u
      )
      assert.strictEqual((yield* list()).stderr, "")
      const listed = yield* doctor()
      assert.match(rowsOf(listed.stdout, "drift")[0]?.evidence ?? "", /; all known$/u)
      const differences = rowsOf(listed.stdout, "difference")
      assert.include(
        differences.map(({ result }) => result),
        "ok"
      )
      assert.match(
        differences.map(({ evidence }) => evidence).join("\n"),
        /^\d+ × unknown-field data\[\]\._schemaRevision \(events\.list\)$/mu
      )
      assert.notInclude(listed.stdout, "Nothing is lost")
      served.fake.faults.add(Fault.drift({ kind: "unknown-field", field: "novel" }))
      yield* list()
      assert.include(
        rowsOf((yield* doctor()).stdout, "difference").map(({ evidence }) => evidence),
        "earlier: unknown-field data[].novel (events.list)"
      )
    })
  )

  it.live("are reported again when a new one appears, and in every command when a part cannot be read", () =>
    Effect.gen(function* () {
      yield* list()
      served.fake.faults.add(Fault.drift({ kind: "unknown-enum-value" }))
      assert.match((yield* list()).stderr, /^signalbox: new: 1 difference from the API document; list them/u)
      for (const _ of [1, 2]) {
        served.fake.faults.add(Fault.drift({ kind: "null", field: "transactionId" }))
        assert.include((yield* list()).stderr, "1 unreadable part left out")
      }
      assert.strictEqual((yield* list()).stderr, "")
    })
  )

  it.live("are kept in a file that only its owner can read, without the key", () =>
    Effect.gen(function* () {
      yield* list()
      assert.strictEqual(statSync(profilePath("eu")).mode & 0o777, 0o600)
      assert.strictEqual(profile().baseUrl, `${served.url}/`)
      assert.notInclude(readFileSync(profilePath("eu"), "utf8"), served.fake.apiKey)
      yield* command(["events", "list", "--limit", "20"], { environment: served.environment })
      assert.isTrue(existsSync(profilePath(new URL(served.url).host.replace(":", "_"))))
    })
  )

  it.live("of another service with the same name are new", () =>
    Effect.gen(function* () {
      yield* list()
      const other = yield* Effect.promise(() => serveFake({ switches: { "response.extraFields": "added" } }))
      configure(connection().replace(served.url, other.url))
      const ran = yield* list({ environment: { EU_KEY: other.fake.apiKey } })
      yield* Effect.promise(() => other.close())
      assert.include(ran.stderr, "signalbox: new:")
    })
  )

  it.live("are reported where the profile cannot be read or written", () =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "signalbox", "profiles"), "a file where the folder would be")
      for (const _ of [1, 2]) {
        const { exitCode, stderr } = yield* list()
        assert.deepStrictEqual([exitCode, stderr.split("\n").length], [0, 2])
      }
      rmSync(join(folder, "signalbox", "profiles"))
      mkdirSync(join(folder, "signalbox", "profiles"))
      writeFileSync(profilePath("eu"), "{")
      assert.include((yield* list()).stderr, "signalbox: new:")
      assert.strictEqual((yield* list()).stderr, "")
    })
  )
})

describe("an address that is not the one of the service", () => {
  it.live("is found by the check of TLS, and by the first call", () =>
    Effect.gen(function* () {
      configure(connection().replace("http:", "https:"))
      const { exitCode, stdout } = yield* doctor()
      const [tls] = rowsOf(stdout, "tls")
      assert.deepInclude(tls, { result: "failed", advice: "Check the address and the network." })
      assert.match(tls?.evidence ?? "", /^no TLS connection \(.*wrong version number/su)
      assert.deepInclude(rowsOf(stdout, "service")[0], { result: "failed" })
      assert.strictEqual(exitCode, 7)
    })
  )

  it.live("is an IPv6 address, which is not looked up as a name", () =>
    Effect.gen(function* () {
      configure(connection().replace("http://127.0.0.1", "https://[::1]"))
      const { stdout } = yield* doctor()
      const [tls] = rowsOf(stdout, "tls")
      assert.match(tls?.evidence ?? "", /^no TLS connection \(connect E\w+ ::1:\d+/u)
    })
  )
})
