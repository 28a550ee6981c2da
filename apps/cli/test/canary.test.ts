/**
 * Every exit of the command line with the same record: which of its secrets, personal data and control sequences leave.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Exit } from "@signalbox/operator/outlet/Outlet"
import {
  type Allowed,
  canaryKey,
  canaryLine,
  escapedFrom,
  type CanaryService,
  serveCanaries
} from "@signalbox/testing/Canary"
import { folderOfSuite } from "@signalbox/testing/Folder"
import * as Effect from "effect/Effect"
import { run } from "./CommandLineTest.ts"

const folder = folderOfSuite()
let services: Readonly<Record<CanaryService, Awaited<ReturnType<typeof serveCanaries>>>>

beforeAll(async () => {
  services = { events: await serveCanaries("events"), errors: await serveCanaries("errors") }
})

afterAll(async () => {
  await services.events.close()
  await services.errors.close()
})

/** A command whose text leaves by an exit. */
interface Sent {
  readonly args: ReadonlyArray<string>
  readonly of: CanaryService
  readonly stream: "stdout" | "stderr"
  /** Columns of the terminal; no terminal where absent. */
  readonly columns?: number
}

const sent = (of: CanaryService, stream: Sent["stream"], args: ReadonlyArray<string>, columns?: number): Sent => ({
  of,
  stream,
  args,
  ...(columns === undefined ? {} : { columns })
})

const list = ["events", "list", "--limit", "1"]
const fields = ["--fields", "time,workflow,subscriber,.payload.note,.payload.slackHook,.payload.deviceTokens"]

/** The exits of the terminal UI alone, which has a test like this one. */
type OtherExit = "clipboard" | "files" | "recordings"

/** The commands of each exit, and which canaries may leave by it. Other tests cover the exits without a command here. */
const leaving: Readonly<
  Record<Exclude<Exit, OtherExit>, { readonly may: Allowed; readonly sent: ReadonlyArray<Sent> }>
> = {
  records: {
    may: ["personal"],
    sent: [
      sent("events", "stdout", [...list, "--json"]),
      sent("events", "stdout", [...list, "--json", ...fields]),
      sent("events", "stdout", ["events", "show", "txn_canary", "--json"]),
      sent("events", "stdout", ["events", "diagnose", "--json"]),
      sent("events", "stdout", ["api", "GET", "/v1/notifications"]),
      sent("errors", "stderr", [...list, "--json"])
    ]
  },
  csv: {
    may: ["personal", "escapes"],
    sent: [sent("events", "stdout", [...list, "--csv"]), sent("events", "stdout", [...list, "--csv", ...fields])]
  },
  terminal: {
    may: ["personal"],
    sent: [
      sent("events", "stdout", list, 200),
      sent("events", "stdout", [...list, ...fields], 200),
      sent("events", "stdout", [...list, "--csv", ...fields], 200),
      sent("events", "stdout", ["events", "show", "txn_canary"], 200),
      sent("events", "stdout", ["events", "diagnose"], 200)
    ]
  },
  notes: {
    may: ["personal"],
    sent: [
      sent("errors", "stderr", list),
      sent("events", "stderr", [...list, "--debug"]),
      sent("errors", "stderr", [...list, "--debug"])
    ]
  },
  // In the process test of the server, since it talks to the streams of its process.
  mcp: { may: ["personal"], sent: [] },
  own: {
    may: ["escapes"],
    sent: [sent("events", "stdout", ["openapi"]), sent("events", "stdout", ["completions", "bash"])]
  },
  candidates: { may: [], sent: [sent("events", "stdout", ["completions", "candidates", "--", "events", ""])] },
  keys: { may: [], sent: [] }
}

const commands = Object.entries(leaving).flatMap(([exit, { may, sent }]) =>
  sent.map((command) => ({ ...command, exit, may, line: command.args.join(" ") }))
)

describe("the exits of the command line", () => {
  it.effect.each(commands)("let nothing but $may pass: $exit of signalbox $line, with $of", (command) =>
    Effect.gen(function* () {
      const { args, columns, may, of, stream } = command
      const environment = { SIGNALBOX_BASE_URL: services[of].url, SIGNALBOX_API_KEY: canaryKey }
      const ran = yield* run(args, { environment, ...(columns === undefined ? {} : { columns }) })
      assert.isNotEmpty(ran[stream])
      assert.deepStrictEqual(escapedFrom(ran[stream], may), [])
    })
  )
})

describe("the error of a command that prints the key", () => {
  it.effect.each([[[]], [["--json"]]])("has none of the secrets that the command prints, with %j", ([flags]) =>
    Effect.gen(function* () {
      const config = join(folder, "signalbox")
      mkdirSync(config, { recursive: true })
      const command = JSON.stringify([
        process.execPath,
        "-e",
        `console.error(${JSON.stringify(canaryLine)});process.exit(1)`
      ])
      writeFileSync(
        join(config, "config.toml"),
        `[connections.live]\nbaseUrl = "https://api.example.test"\napiKeyCommand = ${command}\n`
      )
      const environment = { XDG_CONFIG_HOME: folder }
      const { exitCode, stderr } = yield* run(["events", "list", "-c", "live", ...(flags ?? [])], { environment })
      assert.strictEqual(exitCode, 2)
      assert.include(stderr, "the command exited with code 1")
      assert.deepStrictEqual(escapedFrom(stderr, ["personal"]), [])
    })
  )
})

describe("a key among the arguments", () => {
  const key = "typed/key-0815"
  it.effect.each([[["events", "list", "-c", key]], [[key]], [["events", "list", `--${key}`, "--json"]]])(
    "is not repeated in the error of %j",
    ([args]) =>
      Effect.gen(function* () {
        const { exitCode, stderr } = yield* run(args ?? [], { environment: { SIGNALBOX_API_KEY: key } })
        assert.strictEqual(exitCode, 2)
        assert.include(stderr, "<redacted>")
        assert.notInclude(stderr, key)
      })
  )
})

describe("an export", () => {
  // Other programs read the file; a terminal does not.
  it.effect("has no secret", () =>
    Effect.gen(function* () {
      const environment = { SIGNALBOX_BASE_URL: services.events.url, SIGNALBOX_API_KEY: canaryKey }
      const file = join(folder, "out.ndjson")
      const { exitCode, stderr } = yield* run(["bulk", "export", file, "after:1h"], { environment })
      assert.strictEqual(exitCode, 0, stderr)
      assert.deepStrictEqual(escapedFrom(readFileSync(file, "utf8"), ["personal", "escapes"]), [])
    })
  )
})
