import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { withOperands } from "./Operands.ts"
import { run } from "../test/CommandLineTest.ts"

const refusal = Effect.fnUntraced(function* (args: ReadonlyArray<string>, environment = {}) {
  const { exitCode, stderr, stdout } = yield* run(args, { environment })
  assert.strictEqual(exitCode, 2, stderr)
  assert.strictEqual(stdout, "")
  assert.match(stderr, /^signalbox: [^\n]+\n$/u)
  return stderr
})

describe("usage errors", () => {
  it.effect.each([
    { args: ["event"], line: 'unknown command "event" for "signalbox"; did you mean events?' },
    { args: ["diagnose"], line: 'unknown command "diagnose" for "signalbox"; did you mean signalbox events diagnose?' },
    {
      args: ["lsit"],
      line: "; did you mean signalbox events list or signalbox bulk list or signalbox connections list? Expected one of: events, "
    },
    {
      args: ["events", "watch"],
      line: 'unknown command "watch" for "signalbox events"; did you mean signalbox watch?'
    },
    { args: ["help", "diagnose"], line: "did you mean signalbox events diagnose?" },
    { args: ["help", "bulk", "lst"], line: 'unknown command "lst" for "signalbox bulk"; did you mean list?' },
    {
      args: ["help", "rate", "limitted"],
      line: 'unknown reason "rate limitted"; did you mean RateLimited? Expected one'
    },
    { args: ["help", "xyzzy"], line: "expected one of: events, " },
    {
      args: ["events", "list", "--after", "3h"],
      line: 'unknown flag --after for "signalbox events list"; after is a condition of the filter: after:VALUE'
    },
    { args: ["events", "list", "--since", "soon"], line: '--since is "soon"; expected 30m, 24h, 7d, ' },
    { args: ["ui", "--since", "soon"], line: '--since is "soon"; expected 30m, 24h, 7d, ' },
    {
      args: ["events", "list", "--since", "3h", "after:1h"],
      line: "--since cannot be used with after or before in the filter"
    },
    { args: ["events", "list", "--csv", "--table"], line: "--csv and --table cannot be used together" },
    { args: ["events"], line: '"signalbox events" needs a command; expected one of: list, show, diagnose' },
    { args: ["events", "lst"], line: 'unknown command "lst" for "signalbox events"; did you mean list?' },
    {
      args: ["events", "list", "--limt", "3"],
      line: 'unknown flag --limt for "signalbox events list"; did you mean --limit?'
    },
    { args: ["events", "list", "--xyzzy"], line: "expected one of: --limit, --all" },
    { args: ["events", "list", "--limit", "x"], line: '--limit is "x"; expected a whole number from 1 to 1000000' },
    { args: ["events", "list", "--limit"], line: "--limit needs a value: --limit N\n" },
    { args: ["connections", "add", "eu", "--base-url"], line: "--base-url needs a value: --base-url URL\n" },
    { args: ["events", "list", "--limit", "3", "--limit", "4"], line: "--limit is given more than once\n" },
    {
      args: ["--quiet", "events", "list"],
      line: 'unknown flag --quiet for "signalbox events list"; flags follow the command, as in signalbox events list --quiet\n'
    },
    { args: ["events", "list", "limit:2", "-c", "demo"], line: 'filter key "limit" has no meaning here; use --limit' },
    { args: ["--halp"], line: 'unknown flag --halp for "signalbox"; did you mean --help?' },
    {
      args: ["--connection", "demo", "events", "list"],
      line: 'unknown flag --connection for "signalbox"; flags follow the command, as in signalbox events list --connection'
    },
    { args: ["events", "list", "-x"], line: 'unknown flag -x for "signalbox events list"; expected one of: --limit' },
    {
      args: ["messages", "mark-as", "read", "m1", "--subscriber", "", "-c", "demo"],
      line: "--subscriber needs a value: --subscriber ID\n"
    },
    {
      args: ["messages", "mark-as", "read", "m1", "--subscriber", "..", "-c", "demo"],
      line: '--subscriber is ".."; expected a subscriber id'
    },
    {
      args: ["credentials", "upsert", "--provider", "slak", "-s", "u_1", "-c", "demo"],
      line: '--provider: unknown provider "slak"; did you mean slack? Expected one of: '
    },
    {
      args: ["connections", "add", "eu", "--base-url", "nope", "--api-key-env", "K"],
      line: '--base-url is "nope"; expected an http or https URL, for example https://api.example.com\n'
    },
    {
      args: ["connections", "add", "eu", "--base-url", "https://api.example.com"],
      line: "connections add needs --api-key-env or --api-key-command\n"
    },
    {
      args: [
        "connections",
        "add",
        "eu",
        "--base-url",
        "https://a.example",
        "--api-key-env",
        "K",
        "--api-key-command",
        "k"
      ],
      line: "--api-key-env and --api-key-command cannot be used together\n"
    },
    { args: ["events", "list", "--limit", "0"], line: "expected a whole number from 1" },
    { args: ["events", "show"], line: 'missing argument <id> for "signalbox events show"' },
    {
      args: ["events", "show", "a", "b"],
      line: 'unexpected argument "b" for "signalbox events show"; expected: signalbox events show ID [flags]'
    },
    { args: ["events", "diagnose", "status=failed"], line: '"status=failed" has no key; write status:failed' },
    { args: ["events", "list", "last", "3h"], line: '"3h" has no key; write after:3h' },
    { args: ["events", "list", "--fields", "to"], line: "or .to for a part of the JSON record" },
    {
      args: ["events", "list", "status:faild"],
      line: 'filter "status:faild": column 8: "faild" is not a known status; did you mean failed?'
    },
    { args: ["events", "list", "--all", "--limit", "3"], line: "--all and --limit cannot be used together" },
    { args: ["events", "list", "--follow", "--all"], line: "--follow cannot be used with --all or --cursor" },
    {
      args: ["events", "list", "--fields", "tme"],
      line: '--fields: unknown field "tme"; did you mean time? Expected one of: time, '
    },
    { args: ["events", "list", "--cursor", "x"], line: '--cursor is "x"; expected a cursor that events list printed' },
    {
      args: ["events", "list"],
      line: "no connection: pass --connection, or set SIGNALBOX_CONNECTION, with one of: demo; or set SIGNALBOX_BASE_URL"
    },
    { args: ["events", "list", "-c", "eu"], line: 'no connection is named "eu"' },
    { args: ["fake", "--data", "demos"], line: '--data is "demos"; did you mean demo? Expected one of: demo, empty' },
    {
      args: ["fake", "--preset", "mine"],
      line: '--preset must be one of document, observed, adversarial, seeded(n), or a .json file, not "mine"'
    },
    { args: ["fake", "--preset", "none.json"], line: "--preset none.json: cannot be read" },
    { args: ["fake", "exec", "--preset", "none.json", "--", "true"], line: "--preset none.json: cannot be read" },
    { args: ["fake", "--preset", "package.json"], line: "preset file.name: unknown" },
    { args: ["fake", "wait", "nowhere"], line: '<url> is "nowhere"; expected an http or https URL' },
    { args: ["ui"], line: "ui needs a terminal; use signalbox events list elsewhere" },
    { args: ["ui", "--replay", "a", "-c", "demo"], line: "--replay and --connection cannot be used together" },
    {
      args: ["events", "diagnose", "--all", "--limit", "1"],
      line: "--all and --limit cannot be used together"
    },
    { args: ["completions", "tcsh"], line: '<shell> is "tcsh"; expected one of: bash, zsh, fish, pwsh' },
    { args: ["fake", "exec"], line: "command" }
  ])("$args", ({ args, line }) => Effect.map(refusal(args), (text) => assert.include(text, line)))

  it.effect("name half an environment and never its key", () =>
    Effect.gen(function* () {
      const key = "sk-live-5f2d"
      assert.include(yield* refusal(["events", "list"], { SIGNALBOX_API_KEY: key }), "without SIGNALBOX_BASE_URL")
      const mixedUp = yield* refusal(["events", "list"], { SIGNALBOX_API_KEY: "x", SIGNALBOX_BASE_URL: key })
      assert.notInclude(mixedUp, key)
    })
  )

  it.effect("are JSON in JSON mode", () =>
    Effect.gen(function* () {
      const { exitCode, stderr, stdout } = yield* run(["events", "list", "--json", "--limit", "x"])
      assert.deepStrictEqual(JSON.parse(stderr), {
        error: { exitCode: 2, reason: "Usage", message: '--limit is "x"; expected a whole number from 1 to 1000000' }
      })
      assert.deepStrictEqual([exitCode, stdout], [2, ""])
      const both = yield* run(["events", "list", "--json", "--csv"])
      assert.include(both.stderr, '"message":"--json and --csv cannot be used together"')
    })
  )
})

describe("negated conditions", () => {
  it("are not flags", () => {
    assert.deepStrictEqual(withOperands(["events", "list", "-channel:email", "--all"]), [
      "events",
      "list",
      "--all",
      "--",
      "-channel:email"
    ])
    assert.deepStrictEqual(withOperands(["events", "list", "-status:ok", "--", "x"]), [
      "events",
      "list",
      "--",
      "-status:ok",
      "x"
    ])
    for (const words of [["-c", "demo"], ["fake", "exec", "--", "npm", "-status:ok"], ["-x:1"]]) {
      assert.deepStrictEqual(withOperands(words), words)
    }
  })

  it.effect("are refused like others", () =>
    Effect.map(refusal(["events", "list", "-channel:emial"]), (line) => assert.include(line, "did you mean"))
  )
})

describe("signalbox alone", () => {
  it.effect("shows its help on stderr without a terminal", () =>
    Effect.gen(function* () {
      const { exitCode, stderr, stdout } = yield* run([])
      assert.deepStrictEqual([exitCode, stdout], [2, ""])
      assert.include(stderr, "Usage: signalbox COMMAND")
    })
  )
})

describe("the API document", () => {
  it.effect("is that of the repository", () =>
    Effect.map(run(["openapi"]), ({ stdout }) =>
      assert.strictEqual(stdout, readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8"))
    )
  )
})

describe("help", () => {
  it.effect("is on stdout, and only where it is asked for", () =>
    Effect.gen(function* () {
      const { exitCode, stderr, stdout } = yield* run(["events", "list", "--help"])
      assert.deepStrictEqual([exitCode, stderr], [0, ""])
      assert.include(stdout, "Usage: signalbox events list [FILTER...] [flags]")
      assert.notInclude(stdout, "--wizard")
      assert.notInclude(stdout, "--log-level")
    })
  )

  it.effect("is wrapped between words on a terminal", () =>
    Effect.gen(function* () {
      const wide = yield* run(["doctor", "--help"])
      const narrow = yield* run(["doctor", "--help"], { columns: 72 })
      const [help = ""] = narrow.stdout.split("Examples")
      for (const line of help.split("\n")) assert.isAtMost(line.length, 72)
      const words = (text: string) => text.split(/\s+/u)
      assert.deepStrictEqual(words(narrow.stdout), words(wide.stdout))
    })
  )

  it.effect("prints the version anywhere", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run(["events", "--version"])).stdout, "1.2.3\n")
      assert.match((yield* run(["version"])).stdout, /^signalbox 1\.2\.3\nnode \d+\.\d+\.\d+\nplatform \S+ \S+\n$/u)
      const { node } = process.versions
      assert.deepInclude(JSON.parse((yield* run(["version", "--json"])).stdout), { signalbox: "1.2.3", node })
    })
  )
})
