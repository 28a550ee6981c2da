import { folderOfSuite } from "@signalbox/testing/Folder"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../../../test/CommandLineTest.ts"
import { shells } from "./PrintScript.ts"

const folder = folderOfSuite()

beforeAll(() => {
  mkdirSync(join(folder, "signalbox"))
  for (const name of ["team.json", "users.csv", ".hidden.json"]) writeFileSync(join(folder, name), "")
  writeFileSync(
    join(folder, "signalbox", "config.toml"),
    '[connections.eu]\nbaseUrl = "https://eu.example.com"\napiKeyEnv = "K"\n'
  )
})

const inFolder = (text: string): string => text.replace("FOLDER", folder)

const candidates = (...words: ReadonlyArray<string>) =>
  Effect.map(
    run(["completions", "candidates", "--", ...words], { environment: { XDG_CONFIG_HOME: folder } }),
    ({ stdout }) => stdout.split("\n").filter((line) => line !== "")
  )

describe("completions", () => {
  it.effect.each([
    { words: ["ev"], expected: ["events"] },
    { words: ["events", ""], includes: ["list", "show", "diagnose"] },
    { words: ["events", "list", "--fo"], expected: ["--follow"] },
    { words: ["events", "list", "--connection", ""], expected: ["eu", "demo"] },
    { words: ["events", "list", "-c", "e"], expected: ["eu"] },
    { words: ["connections", "check", ""], expected: ["eu"] },
    { words: ["events", "list", "--limit", "5", "stat"], expected: ["status:"] },
    { words: ["events", "list", "status:fa"], expected: ["status:failed"] },
    { words: ["events", "list", "status:failed,wa"], includes: ["status:failed,waiting", "status:failed,warning"] },
    { words: ["credentials", "upsert", "--provider", "sl"], expected: ["slack"] },
    { words: ["messages", "mark-as", "un"], expected: ["unread", "unseen"] },
    { words: ["fake", "exec", "--em"], expected: ["--empty"] },
    { words: ["completions", "z"], expected: ["zsh"] },
    { words: ["fake", "--preset", ""], includes: ["document", "observed", "adversarial"] },
    { words: ["fake", "--preset", "FOLDER/"], expected: ["FOLDER/signalbox/", "FOLDER/team.json"] },
    { words: ["fake", "--preset", "FOLDER/te"], expected: ["FOLDER/team.json"] },
    { words: ["fake", "--preset", "FOLDER/none/"], expected: [] },
    { words: ["bulk", "import", "FOLDER/u"], expected: ["FOLDER/users.csv"] },
    { words: ["doctor", "--output", "FOLDER/t"], expected: ["FOLDER/team.json"] },
    { words: ["nope", ""], expected: [] }
  ])("$words", ({ expected, includes = [], words }) =>
    Effect.map(candidates(...words.map(inFolder)), (found) => {
      if (expected !== undefined) assert.deepStrictEqual(found, expected.map(inFolder))
      assert.includeMembers(found, includes)
    })
  )

  it.effect("keeps the command of the scripts out of the help", () =>
    Effect.map(run(["completions", "--help"]), ({ stdout }) => assert.notInclude(stdout, "candidates"))
  )

  it.effect("prints a script for each shell", () =>
    Effect.gen(function* () {
      for (const shell of shells) {
        const { stdout } = yield* run(["completions", shell])
        assert.include(stdout, "signalbox completions candidates -- ")
        if (shell === "bash") assert.strictEqual(spawnSync("bash", ["-n"], { input: stdout }).status, 0)
      }
    })
  )

  it.effect("completes in bash, also after a colon", () =>
    Effect.gen(function* () {
      const { stdout: script } = yield* run(["completions", "bash"])
      const test = `${script}
signalbox() { [[ "$*" == "completions candidates -- events list status:fa" ]] && echo status:failed; }
COMP_LINE="signalbox events list status:fa" COMP_POINT=31
_signalbox
echo "\${COMPREPLY[@]}"`
      assert.strictEqual(spawnSync("bash", [], { input: test, encoding: "utf8" }).stdout, "failed\n")
    })
  )
})
