import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { withOperands } from "./Operands.ts"
import { run } from "../test/CommandLineTest.ts"

it.effect("names half an environment and never its key", () =>
  Effect.gen(function* () {
    const key = "sk-live-5f2d"
    const line = (environment: Readonly<Record<string, string>>) =>
      Effect.map(run(["events", "list"], { environment }), ({ stderr }) => stderr)
    assert.include(yield* line({ SIGNALBOX_API_KEY: key }), "without SIGNALBOX_BASE_URL")
    assert.notInclude(yield* line({ SIGNALBOX_API_KEY: "x", SIGNALBOX_BASE_URL: key }), key)
  })
)

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
    assert.deepStrictEqual(withOperands(["-payload.channel:A"]), ["--", "-payload.channel:A"])
    for (const words of [["-c", "demo"], ["fake", "exec", "--", "npm", "-status:ok"], ["-x:1"]]) {
      assert.deepStrictEqual(withOperands(words), words)
    }
  })
})

describe("the API document", () => {
  it.effect("is that of the repository", () =>
    Effect.map(run(["openapi"]), ({ stdout }) =>
      assert.strictEqual(stdout, readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8"))
    )
  )
})

describe("help", () => {
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

  it.effect.each(["events diagnose -hello", "events list -verbose"])(
    "is not printed for letters of another word: %s",
    (line) =>
      Effect.gen(function* () {
        const { exitCode, stderr, stdout } = yield* run(line.split(" "))
        assert.deepStrictEqual([exitCode, stdout], [2, ""])
        assert.include(stderr, "unknown flag -")
      })
  )

  it.effect.each([
    "events list --limit -h",
    "events list --limit --help --json",
    "events list --limit -v",
    "watch -c -h",
    "events diagnose --since -1h --fail-on-failures",
    "watch -c -verbose --for 1m"
  ])("is not printed where a flag has no value: %s", (line) =>
    Effect.gen(function* () {
      const { exitCode, stderr, stdout } = yield* run(line.split(" "))
      assert.deepStrictEqual([exitCode, stdout], [2, ""])
      assert.match(
        stderr,
        /--(?:limit needs a value: --limit N|since needs a value: --since TIME|connection needs a value: --connection NAME)/u
      )
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
