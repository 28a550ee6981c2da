import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { parseConfigFile } from "@signalbox/operator/node"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { now, run, serveFake } from "./CommandLineTest.ts"
import { cliPages } from "./docs/CliPages.ts"
import { allHelp } from "../src/help/AllHelp.ts"

const folder = new URL("../../../docs/cli/", import.meta.url)

const connectionSettings = ["baseUrl", "apiKeyEnv", "apiKeyCommand", "vendor", "readOnly", "theme"]

const page = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

const blocks = (text: string, language: string): ReadonlyArray<string> =>
  Array.from(
    text.matchAll(new RegExp(`\`\`\`${language}\\n(?<code>[^]*?)\`\`\``, "gu")),
    ({ groups }) => groups?.["code"] ?? ""
  )

describe("docs/connections.md", () => {
  it("has a valid configuration file with every setting", () => {
    const text = page("docs/connections.md")
    const [toml = ""] = blocks(text, "toml")
    const file = Result.getOrThrow(parseConfigFile("config.toml", toml))
    assert.deepStrictEqual(
      file.connections.map(({ name, readOnly }) => [name, readOnly]),
      [
        ["staging", false],
        ["production", true]
      ]
    )
    for (const setting of connectionSettings) assert.include(text, `\`${setting}\``)
  })
})

describe.each([
  { path: "README.md", count: 1 },
  { path: "apps/cli/README.md", count: 2 },
  { path: "docs/start/terminal.md", count: 3 }
])("$path", ({ count, path }) => {
  it.effect("shows what the commands print", () =>
    Effect.gen(function* () {
      const served = yield* Effect.promise(() => serveFake())
      yield* Effect.addFinalizer(() => Effect.promise(() => served.close()))
      yield* TestClock.setTime(Date.parse(now))
      const shown = blocks(page(path), "console").join("")
      const commands = shown.split("\n").filter((line) => line.startsWith("$ signalbox "))
      assert.lengthOf(commands, count)
      let printed = ""
      for (const command of commands) {
        // The fake of the test has the records of the demo, at a time that stands still.
        const args = command.slice("$ signalbox ".length).replace("-c demo ", "").split(" ")
        const environment = { ...served.environment, SLACK_WEBHOOK: "https://hooks.example.test/T0/B0/K7q2x9" }
        const { stdout } = yield* run(args, { columns: 80, environment })
        const ofDemo = `SIGNALBOX_BASE_URL='${served.url}' signalbox credentials upsert`
        printed += `${command}\n${stdout.replace(ofDemo, "signalbox credentials upsert -c demo")}`
      }
      assert.strictEqual(shown, printed)
    })
  )
})

describe("docs/cli", () => {
  it.effect("is what the definitions of the commands say", () =>
    Effect.gen(function* () {
      const pages = cliPages(yield* Effect.promise(allHelp))
      for (const { file, text } of pages) {
        yield* Effect.promise(() => expect(text).toMatchFileSnapshot(fileURLToPath(new URL(file, folder))))
      }
      assert.sameMembers(
        readdirSync(folder),
        pages.map(({ file }) => file)
      )
    })
  )

  it.effect("has a description and an example for every command", () =>
    Effect.gen(function* () {
      for (const { commandPath = [], description, examples = [], flags, subcommands = [] } of yield* Effect.promise(
        allHelp
      )) {
        const place = commandPath.join(" ")
        assert.match(description, /^[A-Z].*\.$/u, place)
        if (subcommands.length === 0) assert.isNotEmpty(examples, place)
        for (const flag of flags) assert.strictEqual(flag.description._tag, "Some", `${place} --${flag.name}`)
      }
    })
  )
})
